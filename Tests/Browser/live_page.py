# SPDX-License-Identifier: Apache-2.0
"""Opens the page of `orrery live` in Debian's Chromium and uses it as a person would. LiveBrowserProcessTests runs it.

Usage: live_page.py PROGRAMS [--screenshots FOLDER]

Nothing here measures time: playwright copies each frame. Exit codes: 1 a check failed; 69 no playwright, no axe or no Chromium.
"""

import base64, json, pathlib, shutil, signal, subprocess, sys, tempfile, time

PROGRAMS = sys.argv[1]
SCREENSHOTS = sys.argv[3] if len(sys.argv) > 3 else None
PATIENCE_S = 300
RUN = "page"
CHROMIUM = shutil.which("chromium")

# Without a GPU, WebGL2 is drawn by the processor, where the browser still can.
SOFTWARE_GL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"]

try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright
except ImportError:
    sys.exit(69)
if CHROMIUM is None:
    sys.exit(69)

checked = 0


def check(condition, what):
    global checked
    checked += 1
    if not condition:
        raise AssertionError(what)


def program(name, *words, **options):
    return subprocess.Popen([f"{PROGRAMS}/{name}", *words], text=True, **options)


def control(*words, run=RUN):
    subprocess.run([f"{PROGRAMS}/orrery", "control", run, *words], check=True, capture_output=True, text=True)


def until(page, script, what):
    """Waits until a script in the page gives true; the page's policy lets no script of the driver poll in it."""
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(f"Boolean({script})"):
        if time.monotonic() > end:
            raise AssertionError(f"waited {PATIENCE_S} s for {what}; state: {page.inner_text('#state')}")
        time.sleep(0.05)
    check(True, what)


def shot(page, name):
    if SCREENSHOTS:
        page.screenshot(path=f"{SCREENSHOTS}/{name}.png")


# The place of an entity on the canvas in CSS pixels, and the colour there.
AT = """(name) => {
  const { layout, picture } = globalThis.page;
  const found = layout.names.find((entry) => entry.name === name);
  const batch = layout.batches.findIndex(({ first, count }) => found.first >= first && found.first < first + count);
  picture.draw();
  const box = picture.box(batch, found.first - layout.batches[batch].first);
  if (!box) return null;
  const [left, top, width, height] = box.bounds;
  const point = box.matrix.transformPoint({ x: left + width * 0.7, y: top + height / 2 });
  const { scale, left: viewLeft, top: viewTop } = picture.view;
  const [x, y] = [point.x * scale + viewLeft, point.y * scale + viewTop];
  const ratio = picture.canvas.width / picture.canvas.clientWidth;
  const color = [...picture.context.getImageData(Math.round(x), Math.round(y), 1, 1).data].slice(0, 3);
  return { x: x / ratio, y: y / ratio, color };
}"""

VALUE = """([name, field]) => {
  const { layout, picture } = globalThis.page;
  const found = layout.names.find((entry) => entry.name === name);
  const batch = layout.batches.findIndex(({ first, count }) => found.first >= first && found.first < first + count);
  return picture.frame.value(batch, found.first - layout.batches[batch].first, field);
}"""

COLORS = """() => {
  const { canvas, context } = globalThis.page.picture;
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
}"""

PLACE = """() => {
  const { left, width } = document.getElementById("stage").getBoundingClientRect();
  return [left, width];
}"""

OVERFLOW = """() => [...document.querySelectorAll("body *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5 && element.getClientRects().length > 0
    && !element.closest("dialog:not([open])") && getComputedStyle(element).clipPath === "none")
  .map((element) => element.id || element.tagName)"""

STATE = "document.getElementById('state').textContent"


def watch(page, errors):
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))


def loads_and_draws(page, address):
    page.goto(address)
    check("token" not in page.url, f"the token is left in the address bar: {page.url}")
    until(page, "globalThis.page?.picture?.frame", "a frame")
    until(page, f"{STATE}.startsWith('running')", "the state")
    check(page.inner_text("#run") == RUN, page.inner_text("#run"))
    check(page.evaluate(COLORS) > 20, "the picture is blank")
    shot(page, "planets")


def steers_by_keys(page):
    page.keyboard.press(" ")
    until(page, f"{STATE}.startsWith('paused')", "the pause")
    control("seek", "--at", "14")
    until(page, "globalThis.page.picture.frame.tick === 840", "the frame of a seek from outside")
    # All rows are closed then, and the colour of a header is where its view is.
    header = page.evaluate(AT, "Uranus.header")
    check(header["color"] == [0x1D, 0x25, 0x50], f"Uranus.header at {header}")
    page.keyboard.press(".")
    until(page, "globalThis.page.picture.frame.tick === 841", "one tick")
    check(page.inner_text("#line") == f"orrery control {RUN} step 1", page.inner_text("#line"))
    page.keyboard.press("Shift+ArrowLeft")
    until(page, "Math.abs(globalThis.page.picture.frame.seconds - 4.0167) < 0.01", "a seek of ten seconds")
    page.keyboard.press("ArrowRight")
    until(page, "Math.abs(globalThis.page.picture.frame.seconds - 5.0167) < 0.01", "a seek of a second")
    page.keyboard.press("+")
    until(page, f"{STATE}.includes('at speed 2')", "the speed")
    page.keyboard.press("-")
    until(page, f"!{STATE}.includes('speed')", "the speed as before")


def opens_a_planet(page):
    control("seek", "--at", "14")
    until(page, "globalThis.page.picture.frame.tick === 840", "the seek")
    header = page.evaluate(AT, "Uranus.header")
    box = page.locator("#picture").bounding_box()
    page.mouse.click(box["x"] + header["x"], box["y"] + header["y"])
    until(page, "document.getElementById('answer').textContent === 'done: toggle Uranus'", "the sim's answer")
    check("Uranus.header" in page.inner_text("#picked"), page.inner_text("#picked"))
    check(page.inner_text("#line") == f"orrery control {RUN} toggle Uranus", page.inner_text("#line"))
    control("step", "55")
    until(page, "globalThis.page.picture.frame.tick === 895", "the steps")
    check(page.evaluate(VALUE, ["Uranus.panel", 3]) > 0.9, "Uranus is not open")
    shot(page, "uranus")
    # The same by keys: the next name, and Enter.
    page.fill("#names", "Uranus.panel")
    page.keyboard.press("Enter")
    page.locator("#picture").focus()
    page.keyboard.press("Enter")
    until(page, "globalThis.page.entity.number >= 0", "the pick")
    control("step", "60")
    until(page, "globalThis.page.picture.frame.tick === 955", "the steps")
    check(page.evaluate(VALUE, ["Uranus.panel", 3]) < 0.1, "Uranus is not closed")
    page.keyboard.press("n")
    check(page.input_value("#names") != "Uranus.panel", "n picks another")
    page.keyboard.press("p")
    check(page.input_value("#names") == "Uranus.panel", "p picks the one before")
    check(page.evaluate(COLORS_OF, "curve") > 5, "the curve is blank")
    page.keyboard.press(" ")
    until(page, "globalThis.page.ticks.times.length > 0", "the times of ticks")
    check(page.evaluate(COLORS_OF, "ticks") > 5, "the plot of ticks is blank")
    check("budget 16.67 ms" in page.inner_text("#tick-figures"), page.inner_text("#tick-figures"))


COLORS_OF = "(id) => { const c = document.getElementById(id); return new Set(new Uint32Array(c.getContext('2d')" \
            ".getImageData(0, 0, c.width, c.height).data.buffer)).size; }"


def studies(page):
    check(page.evaluate(COLORS_OF, "histogram") > 5, "the histogram is blank")
    check("computing" in page.inner_text("#tick-figures"), page.inner_text("#tick-figures"))
    page.click("#longest")
    until(page, "document.getElementById('answer').textContent.startsWith('done: seek')", "a seek to the longest tick")
    until(page, "globalThis.page.figures.drawn.length > 1", "pictures with their age")
    page.evaluate("globalThis.page.figures.draw()")
    check(page.evaluate(COLORS_OF, "latency") > 4, "the plot of the pictures' age is blank")
    check(page.locator("#kinds tbody tr").count() == 2, page.inner_text("#kinds"))
    check("view" in page.inner_text("#kinds"), page.inner_text("#kinds"))
    control("toggle", "Uranus")
    until(page, "document.querySelector('#happened li')?.textContent.includes('Uranus')", "the command among the events")
    check("since this page was opened" in page.inner_text("#happened-count"), page.inner_text("#happened-count"))
    shot(page, "study")


def pins_and_shares(page):
    for name in ["Uranus.panel", "Uranus.header"]:
        page.fill("#names", name)
        page.keyboard.press("Enter")
        page.locator("#picture").focus()
        page.keyboard.press("k")
    check(page.locator("#pins canvas").count() == 2, "two curves are pinned")
    page.keyboard.press("k")
    check(page.locator("#pins canvas").count() == 1, "k takes a pin away")
    page.keyboard.press("z")
    page.keyboard.press("d")
    page.click("#link")
    until(page, "location.hash.includes('pin=Uranus.panel')", "the link in the address")
    check("token" not in page.url and "at=" in page.url and "zoom=1.25" in page.url, page.url)
    other = page.context.new_page()
    other.goto(page.url)
    until(other, "globalThis.page?.picture?.frame", "a frame in the page of the link")
    check(other.locator("#pins canvas").count() == 1, "the link pins")
    check(other.input_value("#names") == "Uranus.header", "the link picks")
    check(abs(other.evaluate("globalThis.page.picture.zoom") - 1.25) < 0.001, "the link zooms")
    seen, wanted = [p.evaluate("globalThis.page.picture.middle.x") for p in (other, page)]
    check(abs(seen - wanted) < 0.06, f"the link shows {seen}, not {wanted}")
    check(other.is_visible("#go"), "the link offers its time")
    other.click("#go")
    until(other, "document.getElementById('answer').textContent.startsWith('done: seek')", "the seek of the link")
    # What the link picks is listed with its fields once the first frame is there, so it can be moved.
    until(other, "document.querySelectorAll('#move option').length > 1 && !document.getElementById('apply').disabled",
          "the fields of what the link picks")
    # A link that is opened where the page is already, to a paused place, with a curve.
    other.evaluate("location.hash = '#at=3&paused=1&pick=Mars.header&curve=' + encodeURIComponent('linear(duration: 2)')")
    until(other, "document.getElementById('names').value === 'Mars.header'", "what the second link picks")
    check(other.inner_text("#go") == "Go to 3.00 s and pause", other.inner_text("#go"))
    check(other.input_value("#spec") == "linear(duration: 2)", "the link brings its curve")
    other.click("#go")
    until(other, f"{STATE}.startsWith('paused') && Math.abs(globalThis.page.picture.frame.seconds - 3) < 0.02",
          "the place of the second link")
    # The slider is where the run is, although no later frame comes.
    until(other, "Math.abs(Number(document.getElementById('seek').value) - 3) < 0.2", "the slider")
    control("resume")
    other.close()
    page.keyboard.press("f")
    with page.expect_download() as download:
        page.click("#csv")
    lines = open(download.value.path()).read().splitlines()
    check(lines[0] == "sequence,tick,wait_us,compute_us,publish_us" and len(lines) > 10, f"{lines[:2]}")
    check(all(len(line.split(",")) == 5 for line in lines), "a line of the times has other columns")
    with page.expect_download() as download:
        page.click("#save")
    check(open(download.value.path(), "rb").read(8) == b"\x89PNG\r\n\x1a\n", "the picture is no PNG")
    page.click("#pins button")
    check(page.locator("#pins canvas").count() == 0, "a pin's button takes it away")


def drag(page, handle, x, y):
    page.locator(handle).scroll_into_view_if_needed()
    box = page.locator(handle).bounding_box()
    page.mouse.move(box["x"] + 12, box["y"] + 12)
    page.mouse.down()
    page.mouse.move(box["x"] + 12 + x, box["y"] + 12 + y)
    page.mouse.up()


def edits_a_curve(page):
    page.keyboard.press("c")
    check(page.evaluate("document.activeElement.id") == "spec", "c goes to the editor")
    until(page, "document.getElementById('text-css').textContent.includes('linear(0, ')", "a spring in CSS")
    check(page.inner_text("#text-swift") == ".spring(duration: 0.5, bounce: 0.3)", page.inner_text("#text-swift"))
    check(page.evaluate(COLORS_OF, "course") > 5 and page.evaluate(COLORS_OF, "course-speed") > 5, "plots are blank")
    # What is typed moves the sliders, and the other way.
    page.fill("#spec", "spring(response: 0.4, dampingFraction: 0.6)")
    check(page.input_value("#kind") == "damping" and page.input_value("#parameter-0") == "0.4", "the sliders follow")
    page.fill("#parameter-1", "0.9")
    check(page.input_value("#spec") == "spring(response: 0.4, dampingFraction: 0.9)", page.input_value("#spec"))
    # The last change is taken back, and made again; changes that follow each other at once are one.
    page.wait_for_timeout(800)
    page.fill("#parameter-1", "0.7")
    page.keyboard.press("Control+z")
    check(page.input_value("#spec") == "spring(response: 0.4, dampingFraction: 0.9)", page.input_value("#spec"))
    check(page.input_value("#parameter-1") == "0.9", "the sliders are left where they were")
    page.keyboard.press("Control+Shift+Z")
    check(page.input_value("#spec") == "spring(response: 0.4, dampingFraction: 0.7)", page.input_value("#spec"))
    page.click("#undo")
    check(page.input_value("#spec") == "spring(response: 0.4, dampingFraction: 0.9)", page.input_value("#spec"))
    page.fill("#spec", "wobble(3)")
    until(page, "document.getElementById('course-facts').textContent.startsWith('column 1: wobble')", "the reason")
    check(page.get_attribute("#spec", "aria-invalid") == "true" and page.is_disabled("#apply"), "a wrong text is marked")
    # Control points beyond 0 and 1: by number, by arrows, by pointer.
    page.select_option("#kind", "points")
    page.fill("#parameter-3", "1.6")
    until(page, "!document.getElementById('handle-2').hidden", "the handles")
    page.locator("#handle-1").focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("ArrowRight")
    wanted = "timingCurve(0.31, -0.5, 0.3, 1.6, duration: 0.8)"
    check(page.input_value("#spec") == wanted, page.input_value("#spec"))
    until(page, f"document.getElementById('text-scene').textContent.includes('{wanted}')", "the scene's text")
    check(page.inner_text("#text-css").startswith("transition-timing-function: cubic-bezier(0.31, -0.5, 0.3, 1.6);"),
          page.inner_text("#text-css"))
    check(page.get_attribute("#handle-1", "aria-label") == "Control point 1: x 0.31, y -0.5", "the handle has no name")
    drag(page, "#handle-2", 80, 20)
    check(float(page.input_value("#parameter-2")) > 0.35 and float(page.input_value("#parameter-3")) < 1.5,
          f"the pointer has moved nothing: {page.input_value('#spec')}")
    shot(page, "curve")
    # It moves what is picked: the sim's value follows the curve that the editor has.
    page.fill("#spec", "linear(duration: 2)")
    until(page, "globalThis.page.editor.sheet?.animation === 'linear(duration: 2)'", "the animation")
    page.fill("#names", "Uranus")
    page.keyboard.press("Enter")
    check(page.input_value("#names").startswith("Uranus."), f"Uranus is {page.input_value('#names')}")
    page.fill("#names", "Uranus.header")
    page.keyboard.press("Enter")
    control("pause")
    page.select_option("#move", label="x")
    page.fill("#move-to", "120")
    page.click("#apply")
    until(page, "document.getElementById('answer').textContent.startsWith('done: set')", "the sim's answer")
    line = f"orrery control {RUN} set Uranus.header x=120 --animation 'linear(duration: 2)'"
    check(page.inner_text("#line") == line, page.inner_text("#line"))
    check(page.input_value("#move-to") == "0", "the way back is not offered")
    control("step", "61")
    until(page, f"Math.abs(({VALUE})(['Uranus.header', 1]) - 60) < 1.5", "half the way after a second")
    page.click("#apply-toggle")
    until(page, "document.getElementById('answer').textContent.startsWith('done: toggle Uranus --anim')", "the answer")
    control("resume")


def edits_keyframes(page):
    page.select_option("#kind", "keyframes")
    until(page, "document.querySelectorAll('.handle:not([hidden])').length === 3", "a handle for each keyframe")
    # By keyboard: the focus stays in the list when a keyframe comes or goes; a wrong number is marked and not kept.
    focused = "document.activeElement.getAttribute('aria-label')"
    page.locator("#parameters [aria-label='Add a keyframe']").press("Enter")
    check(page.evaluate(focused) == "Value of keyframe 4", f"the focus is at {page.evaluate(focused)}")
    page.fill("#parameters [aria-label='Seconds of keyframe 4']", "-1")
    check(page.get_attribute("#parameters [aria-label='Seconds of keyframe 4']", "aria-invalid") == "true", "-1 s is right")
    page.locator("#parameters [aria-label='Remove keyframe 4']").press("Enter")
    check(page.evaluate(focused) == "Remove keyframe 3", f"the focus is at {page.evaluate(focused)}")
    # Another kind is looked at, and the track is still there; one without keyframes is not played.
    before = page.input_value("#spec")
    page.select_option("#kind", "bounce")
    page.select_option("#kind", "keyframes")
    check(page.input_value("#spec") == before, f"{before} became {page.input_value('#spec')}")
    page.fill("#spec", '{"keyframes":[],"initial":3}')
    until(page, "globalThis.page.editor.sheet?.keyframes?.length === 0", "an empty track")
    check(page.is_disabled("#apply") and page.inner_text("#apply") == "Play", "an empty track is played")
    track = {"keyframes": [{"linear": 100, "duration": 1}, {"cubic": 50, "duration": 0.5},
                           {"springTo": 0, "startVelocity": 0}], "initial": 20}
    page.fill("#spec", json.dumps(track))
    until(page, "globalThis.page.editor.sheet?.keyframes?.[0]?.value === 100", "the track that was typed")
    check(page.input_value("#parameters [aria-label='Seconds of keyframe 2']") == "0.5", "the fields follow")
    # A spring's duration and bounce have fields, unless it is written in another form.
    bounce = "#parameters [aria-label='Bounce of keyframe 3']"
    check(page.input_value(bounce) == "0", "the bounce of a spring that has none")
    page.fill(bounce, "0.4")
    found = json.loads(page.input_value("#spec"))["keyframes"][2]
    check(found["spring"] == {"duration": 0.5, "bounce": 0.4}, f"{found}")
    until(page, "document.getElementById('text-swift').textContent.includes('bounce: 0.4')", "the spring in Swift")
    page.fill("#spec", json.dumps({"keyframes": [{"springTo": 1, "spring": "bouncy"}]}))
    until(page, "globalThis.page.editor.sheet?.keyframes?.length === 1", "a spring by its name")
    check(page.locator("#parameters [aria-label='Bounce of keyframe 1']").count() == 0, "a named spring has fields")
    page.fill("#spec", json.dumps(track))
    until(page, "globalThis.page.editor.sheet?.keyframes?.length === 3", "the track again")
    # Two are chosen, by a key and by shift, and move together; the third one keeps its value, and its distance in time.
    page.locator("#handle-1").focus()
    page.keyboard.press("Enter")
    page.locator("#handle-2").click(modifiers=["Shift"])
    pressed = [page.get_attribute(f"#handle-{number}", "aria-pressed") for number in (1, 2, 3)]
    check(pressed == ["true", "true", "false"], f"chosen are {pressed}")
    check(page.is_checked("#parameters [aria-label='Choose keyframe 2']"), "the fields say what is chosen")
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("ArrowRight")
    # One that is not chosen is moved alone, and the choice stays.
    page.locator("#handle-3").press("ArrowUp")
    page.locator("#handle-3").press("ArrowDown")
    check(page.get_attribute("#handle-2", "aria-pressed") == "true", "an arrow has dropped the choice")
    found = json.loads(page.input_value("#spec"))["keyframes"]
    check(found[0] == {"linear": 110, "duration": 1.01} and found[1] == {"cubic": 60, "duration": 0.5}
          and found[2]["springTo"] == 0, f"{found}")
    until(page, "document.getElementById('text-swift').textContent.includes('LinearKeyframe(110, duration: 1.01)')",
          "the text in Swift")
    until(page, "document.getElementById('text-scene').textContent.includes('spring-to = 0,')", "the scene's text")
    drag(page, "#handle-1", 0, 40)
    moved = json.loads(page.input_value("#spec"))["keyframes"]
    check(moved[0]["linear"] < 100 and abs((moved[0]["linear"] - moved[1]["cubic"]) - 50) < 0.01,
          f"the pointer does not move both: {moved}")
    shot(page, "keyframes")
    # They are played: the sim's value follows them, whenever it is asked.
    page.fill("#spec", json.dumps(track))
    until(page, "globalThis.page.editor.sheet?.keyframes?.[0]?.value === 100", "the first track again")
    control("pause")
    page.select_option("#move", label="x")
    page.click("#apply")
    until(page, "/^done: \\d+ changes from /.test(document.getElementById('answer').textContent)", "the sim's answer")
    lines = page.inner_text("#line").splitlines()
    check(lines[0].startswith(f"orrery control {RUN} set Uranus.header x=20 --at "), lines[0])
    check(len(lines) == page.evaluate("globalThis.page.editor.sheet.changes.length"), f"{lines}")
    start = float(lines[0].split(" --at ")[1])
    for seconds, value in [(0.5, 60), (1.5, 50), (8, 0), (0.25, 40)]:
        control("seek", "--at", str(start + seconds))
        until(page, f"Math.abs(({VALUE})(['Uranus.header', 1]) - {value}) < 1.5", f"the value after {seconds} s")
    control("resume")


def moves_what_is_seen(page):
    check(page.evaluate(PLACE) == [924, 340], f"beside the editor, the picture is at {page.evaluate(PLACE)}")
    page.evaluate("scrollTo(0, 0)")
    until(page, f"({PLACE})()[1] > 800", "the picture at its place")
    page.keyboard.press("z")
    check(page.evaluate("globalThis.page.picture.zoom") > 1.2, "z zooms in")
    before = page.evaluate("globalThis.page.picture.middle.x")
    page.keyboard.press("d")
    check(page.evaluate("globalThis.page.picture.middle.x") > before, "d pans")
    box = page.locator("#picture").bounding_box()
    page.mouse.move(box["x"] + 200, box["y"] + 200)
    page.mouse.down()
    page.mouse.move(box["x"] + 260, box["y"] + 200)
    page.mouse.up()
    check(page.evaluate("globalThis.page.picture.middle.x") < before + 1, "a drag pans")
    page.mouse.wheel(0, -200)
    page.keyboard.press("f")
    check(page.evaluate("globalThis.page.picture.zoom") == 1, "f fits")


def is_for_everybody(page):
    unnamed = page.evaluate("""() => [...document.querySelectorAll("button, input, select, canvas")]
      .filter((element) => !(element.getAttribute("aria-label") || element.textContent.trim() || element.labels?.length))
      .map((element) => element.id)""")
    check(unnamed == [], f"without a name: {unnamed}")
    check(page.get_attribute("#answer", "aria-live") == "polite", "answers are read out")
    page.keyboard.press("?")
    check(page.is_visible("#help"), "? opens the keys")
    page.keyboard.press("Escape")
    for width, height in [(390, 844), (860, 700), (1280, 800)]:
        page.set_viewport_size({"width": width, "height": height})
        over = page.evaluate(OVERFLOW)
        check(over == [], f"at {width} px these are too wide: {over}")
        check(page.evaluate("document.scrollingElement.scrollWidth") <= width, f"the page scrolls sideways at {width} px")
        shot(page, f"width-{width}")
    page.emulate_media(color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.emulate_media(color_scheme="light")
    check(dark != page.evaluate("getComputedStyle(document.body).backgroundColor"), "there is no dark page")
    # Focus is seen.
    page.locator("#names").focus()
    page.keyboard.press("Tab")
    check(page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", "focus is not seen")


SHIFTS = """() => new Promise((done) => {
  const shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(shifts.filter(({ hadRecentInput }) => !hadRecentInput).reduce((sum, { value }) => sum + value, 0)), 300);
})"""


def stays_where_it_is(page):
    """Nothing moves while figures come in, before any key: the cumulative layout shift since the page was opened."""
    until(page, "document.querySelectorAll('#frames dt').length > 6 && document.querySelector('#subscribers td')"
          " && globalThis.page.ticks.times.length > 0", "the figures")
    shift = page.evaluate(SHIFTS)
    check(shift < 0.005, f"the page shifts by {shift}")


def has_no_violations(page):
    """Asks axe-core, wide and narrow, light and dark, and with the list of keys open."""
    for width, scheme in [(1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")]:
        page.set_viewport_size({"width": width, "height": 844})
        page.emulate_media(color_scheme=scheme)
        found = Axe().run(page)
        check(found.violations_count == 0, f"{width} px, {scheme}: {found.generate_report()}")
        page.locator("#editor-title").scroll_into_view_if_needed()
        shot(page, f"axe-{width}-{scheme}")
    page.keyboard.press("?")
    found = Axe().run(page)
    check(found.violations_count == 0, f"the keys: {found.generate_report()}")
    page.keyboard.press("Escape")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size({"width": 1280, "height": 800})


def respects_less_motion(browser, first, address, errors):
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    watch(page, errors)
    page.goto(address)
    until(page, "globalThis.page?.picture?.frame", "a frame")
    check(page.get_attribute("#motion", "aria-pressed") == "false", "motion is on")
    page.keyboard.press("m")
    check(page.get_attribute("#motion", "aria-pressed") == "true", "m turns motion on")
    # Two pages steer one run, and each shows what the other did.
    before = first.inner_text("#pause")
    page.click("#pause")
    until(first, f"document.getElementById('pause').textContent !== '{before}'", "what the other page did")
    first.click("#pause")
    until(page, f"document.getElementById('pause').textContent === '{before}'", "what the first page did")
    context.close()


SUMS = """() => Object.fromEntries([...globalThis.page.picture.frame.columns].flatMap(([batch, columns]) =>
  Object.entries(columns).map(([field, { values, unit }]) =>
    [`${batch}/${field}`, [unit, values.reduce((sum, value, index) => (sum * 31 + value + index) | 0, 0)]])))"""

PIXELS = """() => {
  const { picture } = globalThis.page;
  picture.draw();
  const { data } = picture.context.getImageData(0, 0, picture.canvas.width, picture.canvas.height);
  return [...new Uint32Array(data.buffer)].join();
}"""


def opens(browser, programs, errors, run, *scene):
    """A page of another run."""
    programs.append(program("sim", *scene, "--run", run, "--duration", "100000", stdout=subprocess.DEVNULL))
    live = program("live", run, "--wait", "300", stdout=subprocess.PIPE)
    programs.append(live)
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    watch(page, errors)
    page.goto(live.stdout.readline().strip())
    until(page, "globalThis.page?.picture?.frame", "a frame")
    return page


def pauses(page, run):
    subprocess.run([f"{PROGRAMS}/orrery", "control", run, "pause"], check=True, capture_output=True)
    until(page, f"{STATE}.startsWith('paused')", "the pause")


# A frame of two columns, and changes of it: 256 values that do not change, then of one, and of two bytes each.
READ_BY_HAND = """async () => {
  const { Frame } = await import("/frames.js");
  const message = (sequence, flags, columns) => {
    const bytes = [];
    const write = (value, size) => { for (let at = 0; at < size; at++) bytes.push(Number(BigInt.asUintN(64, BigInt(value)) >> BigInt(8 * at)) & 255); };
    for (const [value, size] of [[1, 4], [columns.length, 4], [sequence, 8], [9, 8], [0, 8], [0, 8], [1, 4], [flags, 4]]) write(value, size);
    let offset = 48 + 24 * columns.length + (flags === 2 ? 8 : 0);
    columns.forEach(({ count, content }, field) => {
      for (const value of [0, 0, field + 1, count, offset, 0x3f800000]) write(value, 4);
      offset += content.length;
    });
    if (flags === 2) write(sequence - 1, 8);
    for (const { content } of columns) bytes.push(...content);
    return new Uint8Array(bytes).buffer;
  };
  const words = (values) => values.flatMap((value) => [value & 255, (value >> 8) & 255]);
  const fill = (count, value) => Array(count).fill(value);
  const first = new Frame(message(1, 0, [
    { count: 768, content: words(fill(768, 7)) }, { count: 2, content: words([5, 5]) }]), null);
  const second = new Frame(message(2, 2, [
    { count: 768, content: [0, 1, 2, 128, 127, ...fill(254, 0), ...words([128, -129, -32775, 40000 - 65536]), ...words(fill(252, 0))] },
    { count: 2, content: [0] }]), first);
  const [one, two] = [second.batch(0)[1].values, second.batch(0)[2].values];
  return [[one[0], one[255], one[514], one[256], one[257], one[512], one[513], one[515]], [...two]];
}"""


def reads_changes(browser, programs, errors):
    """What came as changes is the same as what another page got whole."""
    page = opens(browser, programs, errors, "page-changes", "completions", "--copies", "3000")
    pauses(page, "page-changes")
    # A page that skips frames gets whole ones. Of single steps it gets each, and one that changes little as changes: the
    # last movement of this scene ends before 5.7 seconds.
    subprocess.run([f"{PROGRAMS}/orrery", "control", "page-changes", "seek", "--at", "5.4"], check=True, capture_output=True)
    until(page, "globalThis.page.picture.frame.tick === 324", "the tick that was sought")
    for _ in range(60):
        tick = page.evaluate("globalThis.page.picture.frame.tick")
        subprocess.run([f"{PROGRAMS}/orrery", "control", "page-changes", "step", "1"], check=True, capture_output=True)
        until(page, f"globalThis.page.picture.frame.tick > {tick}", "the next tick")
        if page.evaluate("globalThis.page.last.hasChanges"):
            break
    check(page.evaluate("globalThis.page.last.hasChanges"), "no changes come")
    read = page.evaluate(READ_BY_HAND)
    check(read == [[7, 7, -32768, 7 - 128, 7 + 127, 7 + 128, 7 - 129, -25529], [5, 5]], f"{read}")
    other = page.context.new_page()
    other.goto(page.url)
    until(other, "globalThis.page?.picture?.frame", "a frame that comes whole")
    check(not other.evaluate("globalThis.page.last.hasChanges"), "the first frame has changes")
    until(page, f"globalThis.page.picture.frame.tick === {other.evaluate('globalThis.page.picture.frame.tick')}",
          "the same tick")
    check(other.evaluate(SUMS) == page.evaluate(SUMS), "what came as changes is not what came whole")
    page.context.close()


# How far the page's picture is from a PNG, in means of 8 by 8 pixels, which glyphs drawn by two libraries share: the mean
# difference of a channel, and the share of means in which one differs by more than a tenth of what it can be.
APART = """async (png) => {
  const { picture } = globalThis.page;
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = image;
  Object.assign(picture.canvas.style, { width: `${width}px`, height: `${height}px`, maxHeight: "none" });
  picture.fit();
  picture.draw();
  const columns = Math.ceil(width / 8), count = columns * Math.ceil(height / 8) * 3;
  const [own, other] = [picture.canvas, image].map((one) => {
    const context = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
    context.drawImage(one, 0, 0);
    const { data } = context.getImageData(0, 0, width, height);
    const means = new Float64Array(count);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        for (let channel = 0; channel < 3; channel++) {
          means[((y >> 3) * columns + (x >> 3)) * 3 + channel] += data[(y * width + x) * 4 + channel] / 64;
        }
      }
    }
    return means;
  });
  const apart = own.map((value, index) => Math.abs(value - other[index]));
  return [apart.reduce((sum, value) => sum + value, 0) / count, apart.filter((value) => value > 25.5).length / count];
}"""

# What is looked at, and when: six scenes, two of them in two languages.
PICTURES = [
    (["flags"], 3), (["planets"], 17), (["completions"], 2.5), (["flow-text"], 4), (["timeline"], 5), (["dashboard"], 7),
    (["flags", "--locale", "ar"], 3), (["planets", "--locale", "ar"], 17),
]


def looks_as_the_renderer_draws(browser, programs, errors):
    for number, (scene, seconds) in enumerate(PICTURES):
        run = f"page-picture-{number}"
        page = opens(browser, programs, errors, run, *scene)
        pauses(page, run)
        until(page, "globalThis.page.picture.sprites.looks.shapes.size > 0", "the looks of its texts")
        control("seek", "--at", str(seconds), run=run)
        until(page, f"globalThis.page.picture.frame.tick === {60 * seconds:.0f}", "the seek")
        with tempfile.TemporaryDirectory() as folder:
            control("snapshot", "--out", f"{folder}/a.png", run=run)
            png = pathlib.Path(f"{folder}/a.png").read_bytes()
        mean, share = page.evaluate(APART, base64.b64encode(png).decode())
        check(mean < 0.3 and share < 0.0005, f"{' '.join(scene)}: the picture is not the renderer's: {mean}, {share}")
        shot(page, "picture-" + "-".join(scene))
        page.context.close()
        for one in (programs.pop(), programs.pop()):
            one.terminate()
            one.wait(PATIENCE_S)


def shows_a_crowd(browser, programs, errors):
    """A crowd moves between ticks, too, and looks the same by script and by WebGL2."""
    run = "page-crowd"
    page = opens(browser, programs, errors, run, "stress", "--entities", "20000")
    context = page.context
    page.keyboard.press("i")
    check(page.get_attribute("#between", "aria-pressed") == "true", "i turns pictures between ticks on")
    subprocess.run([f"{PROGRAMS}/orrery", "control", run, "speed", "0.02"], check=True, capture_output=True)
    until(page, "globalThis.page.between.way && globalThis.page.picture.frame === globalThis.page.between.way",
          "a picture between ticks")
    pictures, ticks = page.evaluate("""async () => {
      const [seen, ticks] = [new Set(), new Set()];
      // How long a tick is, the page learns from some of them: a browser with little of the processor shows them late.
      const end = performance.now() + 60_000;
      for (let count = 0; count < 40 || (seen.size <= ticks.size + 1 && performance.now() < end); count++) {
        await new Promise(requestAnimationFrame);
        seen.add(globalThis.page.picture.frame.value(0, 7, 1));
        ticks.add(globalThis.page.picture.frame.tick);
      }
      return [seen.size, ticks.size];
    }""")
    # Without any between two ticks, there is one of each tick.
    check(pictures > ticks + 1, f"{pictures} pictures of {ticks} ticks")
    page.keyboard.press("i")
    pauses(page, run)
    check(page.evaluate("globalThis.page.picture.painter.note") != "", "the page does not say what draws crowds")
    dots = page.evaluate(DOTS)
    check([side for side, _, _ in dots[::15]] == [1, 2, 3, 4, 8], f"sides of dots: {dots}")
    check(all(colors > 2 for _, colors, _ in dots[::15]), f"dots that are not there: {dots}")
    check(all(differing == 0 for _, _, differing in dots), f"wrong pixels of dots: {dots}")
    pictures = {}
    for wish in ["script", "webgl2"]:
        other = context.new_page()
        watch(other, errors)
        other.goto(f"{page.url}#draw={wish}")
        until(other, "globalThis.page?.picture?.frame", "a frame")
        pictures[other.evaluate("globalThis.page.picture.painter.note")] = other.evaluate(PIXELS).split(",")
        shot(other, f"crowd-{wish}")
        other.close()
    check("script, as asked" in pictures, f"{list(pictures)}")
    if "WebGL2, as asked" in pictures:
        differing = sum(a != b for a, b in zip(*pictures.values()))
        check(differing < 0.001 * len(pictures["script, as asked"]), f"{differing} pixels differ by WebGL2")
    else:
        check("script: there is no WebGL2" in pictures, f"{list(pictures)}")
    context.close()


# Draws a crowd of the page's scene as the page does and once more pixel by pixel, at some sizes of dots, with what is
# absent, invisible or outside. Gives the sizes, the colours that were drawn, and the pixels that differ.
DOTS = """async () => {
  const { Crowd } = await import("/crowd.js"), { Column } = await import("/frames.js");
  const { layout, frame } = globalThis.page.picture, batch = layout.batches[1], own = frame.batch(1);
  const [width, height] = [300, 200], results = [];
  const column = (field, value) => new Column(1, field, 1 / 16, Int16Array.from({ length: batch.count }, value));
  const whole = { 1: column(1, (_, index) => index % 7 ? own[1].values[index] : -32768),
    2: column(2, (_, index) => index % 5 ? own[2].values[index] : -32768), 3: column(3, (_, index) => index % 3) };
  const floats = Object.fromEntries([1, 2].map((field) =>
    [field, new Column(1, field, 0, Float32Array.from({ length: batch.count }, (_, index) => whole[field].at(index)))]));
  // The second place is where a number that stands for an absent value would be seen.
  for (const scale of [0.25, 0.75, 1.25, 1.75, 3])
    for (const [left, top] of [[-40, -30], [2048 * scale - 100, -30], [-40, 2048 * scale - 100]])
      for (const columns of [own, whole, floats, { 2: whole[2] }, {}]) {
    const crowd = new Crowd(layout, batch, batch.count), view = { scale, left, top };
    const [drawn, right] = [new Uint32Array(width * height), new Uint32Array(width * height)];
    crowd.draw(drawn, width, height, columns, view);
    const { side } = crowd, half = (side - 1) / 2;
    for (let index = 0; index < batch.count; index++) {
      const [x, y] = [1, 2].map((field) => (columns[field] ? columns[field].at(index) : 0));
      const column = Math.trunc(view.left - half + 0.5 + (batch.originX[index] + x) * scale);
      const row = Math.trunc(view.top - half + 0.5 + (batch.originY[index] + y) * scale);
      const isIn = column >= 0 && row >= 0 && column + side <= width && row + side <= height;
      if (!isIn || (columns[3] && columns[3].at(index) < 0.05)) continue;
      for (let down = 0; down < side; down++) for (let across = 0; across < side; across++) {
        const isEnd = (at) => at === 0 || at === side - 1;
        if (side > 3 && isEnd(down) && isEnd(across)) continue;
        right[(row + down) * width + column + across] = crowd.colors[index];
      }
    }
    const differing = drawn.reduce((sum, value, at) => sum + (value !== right[at]), 0);
    results.push([side, new Set(drawn).size, differing]);
  }
  return results;
}"""


def draws_without_webgl(playwright, address, errors):
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-3d-apis"])
    page = browser.new_page()
    watch(page, errors)
    page.goto(address)
    until(page, "globalThis.page?.picture?.frame", "a frame")
    note = page.evaluate("""async () => {
      const { Painter } = await import("/painter.js");
      const painter = new Painter([{ batch: { count: 1 } }], "webgl2");
      painter.choose(null, null, 1, 1);
      return [painter.points, painter.note];
    }""")
    check(note == [None, "script: there is no WebGL2"], f"{note}")
    browser.close()


def comes_back(page):
    page.evaluate("globalThis.lost = globalThis.page.connection.socket; globalThis.lost.close()")
    control("seek", "--at", "5000")
    until(page, "globalThis.page.connection.socket !== globalThis.lost && globalThis.page.picture.frame.tick >= 300000",
          "frames over another connection")
    until(page, f"!{STATE}.startsWith('connection lost')", "the state as before")


def says_that_no_scene_came(page):
    other = page.context.new_page()
    other.route("**/scene", lambda route: route.abort())
    other.goto(page.url)
    until(other, f"{STATE} === 'the scene did not come: load the page again'", "what is missing")
    other.close()


def ends(page, sim):
    sim.send_signal(signal.SIGTERM)
    until(page, f"{STATE}.startsWith('The run has ended')", "the end")
    check(page.is_disabled("#pause"), "what is over is not paused")
    check(page.evaluate(COLORS) > 20, "the picture is gone")
    page.keyboard.press("z")
    check(page.evaluate("globalThis.page.picture.zoom") > 1.2, "the page still zooms")
    shot(page, "ended")


def main():
    programs = []
    try:
        sim = program("sim", "planets", "--run", RUN, "--duration", "100000", stdout=subprocess.DEVNULL)
        programs.append(sim)
        live = program("live", RUN, "--wait", "300", stdout=subprocess.PIPE)
        programs.append(live)
        address = live.stdout.readline().strip()
        errors = []
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *SOFTWARE_GL])
            page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
            page.set_default_timeout(PATIENCE_S * 1000)
            watch(page, errors)
            loads_and_draws(page, address)
            stays_where_it_is(page)
            steers_by_keys(page)
            opens_a_planet(page)
            studies(page)
            pins_and_shares(page)
            edits_a_curve(page)
            edits_keyframes(page)
            moves_what_is_seen(page)
            is_for_everybody(page)
            has_no_violations(page)
            respects_less_motion(browser, page, address, errors)
            looks_as_the_renderer_draws(browser, programs, errors)
            reads_changes(browser, programs, errors)
            shows_a_crowd(browser, programs, errors)
            draws_without_webgl(playwright, address, errors)
            comes_back(page)
            says_that_no_scene_came(page)
            page.reload()
            until(page, "globalThis.page?.picture?.frame", "a frame after a reload")
            until(page, "globalThis.page.editor.sheet", "the editor's motion after a reload")
            until(page, "globalThis.page.picture.sprites.looks.shapes.size > 0", "the looks of its texts after a reload")
            ends(page, sim)
            check(errors == [], f"errors in the console: {errors}")
            browser.close()
        check(live.wait(PATIENCE_S) == 0, "live fails")
        print(f"{checked} checks passed")
    except AssertionError as error:
        print(f"after {checked} checks: {error}")
        sys.exit(1)
    finally:
        for child in programs:
            if child.poll() is None:
                child.kill()


main()
