# SPDX-License-Identifier: Apache-2.0
"""Compares animations made at random in Debian's Chromium with the scenes that Orrery makes of them, twice: of what
`Element.animate` was given, and of what the browser says of the animations. LiveBrowserProcessTests runs it.

Usage: web_animations.py PROGRAMS [SEED]

Times are set, none is measured. Exit codes: 1 a value differs; 69 no playwright or no Chromium.
"""

import json, math, random, shutil, subprocess, sys, tempfile

PROGRAMS = sys.argv[1]
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
CHROMIUM = shutil.which("chromium")
ELEMENTS, TIMES, RATE = 60, 40, 1000

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    sys.exit(69)
if CHROMIUM is None:
    sys.exit(69)

chance = random.Random(SEED)
EASINGS = ["linear", "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier(0.3, 1.4, 0.6, -0.3)", "steps(3)",
           "steps(4, jump-none)", "steps(2, jump-start)", "steps(3, jump-both)", "step-start", "step-end",
           "linear(0, 0.5 10%, 0.2 50%, 1)"]


def transform():
    return f"translate({chance.uniform(-200, 200):.2f}px, {chance.uniform(-50, 50):.1f}%) " \
        f"rotate({chance.uniform(-170, 170):.1f}deg) scale({chance.uniform(0.2, 3):.3f})"


VALUES = [
    lambda: {"opacity": round(chance.random(), 3)},
    lambda: {"transform": transform()},
    lambda: {"translate": f"{chance.uniform(-99, 99):.1f}px {chance.uniform(-99, 99):.1f}px",
             "scale": f"{chance.uniform(0.5, 2):.2f}"},
    lambda: {"rotate": f"{chance.uniform(-0.4, 0.4):.3f}turn", "filter": f"blur({chance.uniform(0, 9):.2f}px)"},
]


def animation(index):
    values = VALUES[index % len(VALUES)]
    count = chance.randint(2, 5)
    keyframes = [values() | {"easing": chance.choice(EASINGS)} for _ in range(count)]
    if count > 2 and chance.random() < 0.5:
        keyframes[1]["offset"] = round(chance.uniform(0.1, 0.3), 2)
    timing = {
        "duration": chance.randint(2, 20) * 100, "delay": chance.choice([0, 0, 150, -430]),
        "iterations": chance.choice([1, 1, 2, 1.5, "Infinity"]), "iterationStart": chance.choice([0, 0, 0.5]),
        "direction": chance.choice(["normal", "reverse", "alternate", "alternate-reverse"]),
        "fill": chance.choice(["none", "forwards", "backwards", "both"]),
    }
    if timing["iterations"] == "Infinity":
        timing["delay"] = min(timing["delay"], 0)
    # A blur below 0 is none, an opacity outside of 0 to 1 neither: no overshooting there.
    for keyframe in keyframes:
        if "opacity" in keyframe or "filter" in keyframe:
            keyframe["easing"] = keyframe["easing"].replace("1.4", "0.4").replace("-0.3", "0.7")
    return {"name": f"e{index}", "rect": [10.0 * index, 40, 80, 60], "keyframes": keyframes, "timing": timing}


SHOW = """(animations) => {
  globalThis.shown = animations.map(({ rect, keyframes, timing }) => {
    const element = document.createElement("div");
    const [left, top, width, height] = rect;
    element.style.cssText = `position:absolute;left:${left}px;top:${top}px;width:${width}px;height:${height}px`;
    document.body.append(element);
    const iterations = timing.iterations === "Infinity" ? Infinity : timing.iterations;
    const animation = element.animate(keyframes, { ...timing, iterations });
    animation.pause();
    return { element, animation };
  });
  return JSON.stringify(globalThis.shown.map(({ animation }) =>
    ({ keyframes: animation.effect.getKeyframes(), timing: animation.effect.getTiming() })));
}"""

LOOK = """(milliseconds) => globalThis.shown.map(({ element, animation }) => {
  animation.currentTime = milliseconds;
  const style = getComputedStyle(element);
  const parts = [style.translate !== "none" ? `translate(${style.translate.split(" ").join(", ")})` : "",
    style.rotate !== "none" ? `rotate(${style.rotate})` : "",
    style.scale !== "none" ? `scale(${style.scale.split(" ").join(", ")})` : "",
    style.transform !== "none" ? style.transform : ""];
  const matrix = new DOMMatrix(parts.filter(Boolean).join(" ") || "none");
  return { x: matrix.e, y: matrix.f, rotation: Math.atan2(matrix.b, matrix.a), scale: Math.hypot(matrix.a, matrix.b),
    opacity: Number(style.opacity), blur: Number((style.filter.match(/blur\\((.*)px\\)/) || [0, 0])[1]) };
})"""

TOLERANCE = {"x": 0.05, "y": 0.05, "rotation": 0.002, "scale": 0.002, "opacity": 0.002, "blur": 0.02}


def differs(field, found, near):
    """Near a jump both sides are right; an angle is that of any turn."""
    if field == "rotation":
        return all(abs(math.remainder(found - value, 2 * math.pi)) > TOLERANCE[field] for value in near) \
            and abs(math.remainder(max(near) - min(near), 2 * math.pi)) < 0.1
    return not min(near) - TOLERANCE[field] <= found <= max(near) + TOLERANCE[field]


with tempfile.TemporaryDirectory() as place, sync_playwright() as driver:
    browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
    page = browser.new_page()
    given = [animation(index) for index in range(ELEMENTS)]
    shown = json.loads(page.evaluate(SHOW, given))
    said = [one | {"name": f"{one['name']}'"} | other for one, other in zip(given, shown)]
    with open(f"{place}/web.json", "w") as file:
        json.dump({"viewport": [1280, 720], "animations": given + said}, file)
    times = sorted(chance.sample(range(4000), TIMES))
    sample = subprocess.run(
        [f"{PROGRAMS}/orrery", "sample", f"{place}/web.json", "--rate", str(RATE), "--json",
         "--at", ",".join(f"{time / 1000}" for time in times)], check=True, capture_output=True, text=True)
    if "left out" in sample.stderr:
        sys.exit(sample.stderr)
    rows = [json.loads(line) for line in sample.stdout.splitlines()]
    found = {(row["tick"], row["name"]): row for row in rows}
    checked = 0
    for time in times:
        # The kernels' phase is exact to a quarter of a millionth of a loop, so 2 ms around a jump are enough.
        near = [page.evaluate(LOOK, time + early) for early in (-2, 0, 2)]
        for index, one in enumerate(given):
            for name in (one["name"], said[index]["name"]):
                for field in TOLERANCE:
                    values = [look[index][field] for look in near]
                    value = found[time, name].get(field)
                    if value is None:
                        sys.exit(f"no {field} in {found[time, name]}")
                    if differs(field, value, values):
                        sys.exit(f"{name} at {time} ms: {field} {value}, shown {values}: {json.dumps(one)}")
                    checked += 1
    browser.close()
print(f"{checked} values are those of Chromium {SEED}")
