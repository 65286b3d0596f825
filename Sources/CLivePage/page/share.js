// What is taken along: the picture as PNG, the times as CSV, and a link to what is seen now.

import { button, element, input } from "/dom.js";

export class Share {
  /** @param {import("/main.js").Page} page `picture`, `ticks`, `entity`, `pins`, `steering` and `say(text, isBad)`. */
  constructor(page) {
    this.page = page;
    /** What the address of this page asks for, until a scene is there. */
    this.wanted = new URLSearchParams(location.hash.slice(1));
    /** The time that it asks for, and whether the run was paused there. */
    this.seconds = NaN;
    this.pauses = false;
    element("save").addEventListener("click", () => this.savePicture());
    element("csv").addEventListener("click", () => this.saveTimes());
    element("link").addEventListener("click", () => this.copyLink());
    button("go").addEventListener("click", () => this.go());
    // A link that is opened where the page is already.
    addEventListener("hashchange", () => {
      this.wanted = new URLSearchParams(location.hash.slice(1));
      if (page.layout) this.begin();
    });
  }

  savePicture() {
    const { picture, run } = this.page;
    picture.draw();
    picture.canvas.toBlob((blob) => {
      if (blob) this.save(blob, `${element("run").textContent}-${picture.frame?.tick ?? run}.png`);
      else this.page.say("the browser makes no picture of it", true);
    });
  }

  saveTimes() {
    this.save(new Blob([this.page.ticks.csv], { type: "text/csv" }), `${element("run").textContent}-ticks.csv`);
  }

  /** Hands a file to the browser. */
  save(blob, name) {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(blob);
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
    this.page.say(`saved as ${name}`);
  }

  /** The address of what is seen now: time, place, what is picked and pinned, and a curve that was edited. */
  get link() {
    const { picture, pins, steering, editor } = this.page;
    const words = new URLSearchParams({ at: steering.seconds.toFixed(3) });
    if (steering.isPaused) words.set("paused", "1");
    if (picture.zoom !== 1 || picture.center) {
      const { x, y } = picture.middle;
      words.set("zoom", picture.zoom.toFixed(3));
      words.set("middle", `${x.toFixed(1)},${y.toFixed(1)}`);
    }
    if (input("names").value) words.set("pick", input("names").value);
    for (const word of pins.words) words.append("pin", word);
    if (editor.isEdited) words.set("curve", input("spec").value);
    return `${location.origin}${location.pathname}#${words}`;
  }

  async copyLink() {
    const { link } = this;
    history.replaceState(null, "", link);
    try {
      await navigator.clipboard.writeText(link);
      this.page.say("the link is copied; who opens it needs the address that orrery live printed first");
    } catch {
      this.page.say("the link is in the address bar: the browser does not let the page copy", true);
    }
  }

  /** Shows what the address asks for; the time is only offered: a link does not steer the run of others. */
  begin() {
    const { picture, entity, pins, editor } = this.page;
    const { wanted } = this;
    this.wanted = new URLSearchParams();
    const zoom = Number(wanted.get("zoom"));
    if (zoom > 0) {
      const [x, y] = (wanted.get("middle") ?? "").split(",").map(Number);
      picture.zoomBy(zoom / picture.zoom);
      if (Number.isFinite(x) && Number.isFinite(y)) picture.panBy(x - picture.middle.x, y - picture.middle.y);
    }
    if (wanted.get("pick")) entity.pickWord(wanted.get("pick"));
    pins.take(wanted.getAll("pin"));
    if (wanted.get("curve")) editor.take(wanted.get("curve"));
    [this.seconds, this.pauses] = [Number(wanted.get("at") ?? NaN), wanted.get("paused") === "1"];
    const offer = button("go");
    offer.hidden = !Number.isFinite(this.seconds) || this.seconds < 0;
    if (!offer.hidden) offer.textContent = `Go to ${this.seconds.toFixed(2)} s${this.pauses ? " and pause" : ""}`;
  }

  async go() {
    const { steering } = this.page;
    button("go").hidden = true;
    if (this.pauses && !steering.isPaused) await steering.pause();
    steering.seek(this.seconds);
  }
}
