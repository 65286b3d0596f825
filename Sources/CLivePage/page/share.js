// What is taken along: the picture as PNG, the times as CSV, and a link to what is seen now.

import { button, element, input } from "/dom.js";

export class Share {
  /** @param {import("/main.js").Page} page `picture`, `ticks`, `entity`, `pins`, `steering` and `say(text, isBad)`. */
  constructor(page) {
    this.page = page;
    /** What the address of this page asks for, until a scene is there. */
    this.wanted = new URLSearchParams(location.hash.slice(1));
    element("save").addEventListener("click", () => this.savePicture());
    element("csv").addEventListener("click", () => this.saveTimes());
    element("link").addEventListener("click", () => this.copyLink());
    button("go").addEventListener("click", () => this.go());
  }

  savePicture() {
    const { picture, run } = this.page;
    picture.draw();
    picture.canvas.toBlob((blob) => {
      if (blob) save(blob, `${element("run").textContent}-${picture.frame?.tick ?? run}.png`);
      else this.page.say("the browser makes no picture of it", true);
    });
  }

  saveTimes() {
    save(new Blob([this.page.ticks.csv], { type: "text/csv" }), `${element("run").textContent}-ticks.csv`);
  }

  /** The address of what is seen now: time, place, what is picked and pinned. */
  get link() {
    const { picture, pins, steering } = this.page;
    const words = new URLSearchParams({ at: steering.seconds.toFixed(3) });
    if (picture.zoom !== 1 || picture.center) {
      const { x, y } = picture.middle;
      words.set("zoom", picture.zoom.toFixed(3));
      words.set("middle", `${x.toFixed(1)},${y.toFixed(1)}`);
    }
    if (input("names").value) words.set("pick", input("names").value);
    for (const word of pins.words) words.append("pin", word);
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
    const { picture, entity, pins } = this.page;
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
    this.seconds = Number(wanted.get("at") ?? NaN);
    const offer = button("go");
    offer.hidden = !Number.isFinite(this.seconds) || this.seconds < 0;
    offer.textContent = `Go to ${this.seconds.toFixed(2)} s`;
  }

  go() {
    button("go").hidden = true;
    this.page.steering.seek(this.seconds);
  }
}

/** Hands a file to the browser. */
function save(blob, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}
