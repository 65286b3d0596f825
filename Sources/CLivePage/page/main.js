// The page: takes what the server sends to the parts that show it.

import { Between } from "/between.js";
import { Connection } from "/connection.js";
import { canvas, dialog, element, input, table } from "/dom.js";
import { Editor } from "/editor.js";
import { Entity } from "/entity.js";
import { Figures } from "/figures.js";
import { Frame, History } from "/frames.js";
import { Happenings, showKinds } from "/happenings.js";
import { listenToKeys } from "/keyboard.js";
import { commandOf, readLayout } from "/layout.js";
import { Picture } from "/picture.js";
import { Pins } from "/pins.js";
import { listenToPointers } from "/pointer.js";
import { Share } from "/share.js";
import { Steering } from "/steering.js";
import { Ticks } from "/ticks.js";

const STILL_MS = 1000, PANEL_MS = 100;
const ENDS = {
  ended: "The run has ended. This page stays as it was.",
  died: "The run's sim has died. This page stays as it was.",
  left: "orrery live was stopped. This page stays as it was.",
};

export class Page {
  constructor() {
    /** @type {import("/layout.js").Layout} */
    this.layout = null;
    /**
     * A frame that came and is not drawn yet.
     *
     * @type {Frame}
     */
    this.waiting = null;
    /** Whether a picture is drawn that the display has not shown. */
    this.isShowing = false;
    /** Whether frames come faster than the display shows them. */
    this.isBehind = false;
    /**
     * The frame of the last message, which the next one may have changes of.
     *
     * @type {Frame | null}
     */
    this.last = null;
    /**
     * How the run ended.
     *
     * @type {string | null}
     */
    this.end = null;
    this.run = 0;
    this.isExact = false;
    this.hasMotion = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.drawnAt = this.panelAt = 0;
    this.help = dialog("help");
    this.history = new History();
    this.picture = new Picture(canvas("picture"));
    this.pins = new Pins(this, element("pins"));
    this.entity = new Entity(this);
    this.ticks = new Ticks(
      canvas("ticks"), canvas("histogram"), element("tick-figures"),
      (tick) => this.end || this.steering.seekTick(tick, this.layout.tickMs));
    this.happenings = new Happenings(element("happened"));
    this.figures = new Figures((figures) => this.connection.say({ figures }), () => this.connection.errorMs);
    this.steering = new Steering(this);
    this.between = new Between((moment) => this.picture.draw(moment));
    this.share = new Share(this);
    this.editor = new Editor(this);
    this.picture.wish = this.share.wanted.get("draw") ?? "";
    this.connection = new Connection({
      open: () => this.opened(), close: () => this.closed(),
      frame: (buffer) => this.takeFrame(buffer), text: (message) => this.take(message),
    });
    listenToKeys(this);
    listenToPointers(this.picture, (x, y) => this.click(x, y));
    element("fit").addEventListener("click", () => this.picture.fit());
    element("zoom-in").addEventListener("click", () => this.picture.zoomBy(1.25));
    element("zoom-out").addEventListener("click", () => this.picture.zoomBy(0.8));
    element("motion").addEventListener("click", () => this.setMotion(!this.hasMotion));
    element("between").addEventListener("click", () => this.setBetween(!this.between.isOn));
    element("longest").addEventListener("click", () => this.ticks.seekLongest());
    element("help-open").addEventListener("click", () => this.help.showModal());
    this.setMotion(this.hasMotion);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.picture.draw();
      this.ticks.draw();
      this.figures.draw();
      this.entity.show();
      this.pins.draw();
      this.editor.plot.draw();
    });
  }

  /** Keeps the values of what is picked and pinned. */
  follow() { this.history.follow([...(this.picture.picked ? [this.picture.picked] : []), ...this.pins.all]); }

  /** Shows an answer, where screen readers read it out. */
  say(text, isBad = false) {
    // The second one is beside the editor's buttons, and is read out by nobody.
    for (const answer of [element("answer"), element("editor-answer")]) {
      answer.textContent = text;
      answer.classList.toggle("refused", isBad);
    }
  }

  state(text, isOver = false) {
    const state = element("state");
    if (state.textContent !== text) state.textContent = text;
    state.classList.toggle("over", isOver);
  }

  toggle(name) { return this.steering.toggle(name); }

  setMotion(isOn) {
    this.hasMotion = isOn;
    element("motion").setAttribute("aria-pressed", String(isOn));
    if (!isOn) this.say("motion is off: a picture each second");
  }

  setBetween(isOn) {
    this.between.setOn(isOn);
    element("between").setAttribute("aria-pressed", String(isOn));
    this.say(isOn ? "pictures between ticks, one tick late, where the display is faster" : "each tick as it is");
  }

  setExact(isExact) {
    this.isExact = isExact;
    this.connection.say({ exact: isExact });
    this.say(isExact ? "values as published" : "values as 16-bit numbers where frames are large");
  }

  click(x, y) {
    const found = this.picture.entityAt(x, y);
    this.entity.pick(found);
    if (!found) return;
    const name = commandOf(this.layout, this.entity.number);
    if (name && !this.end) this.toggle(name);
  }

  // What the server says.

  opened() {
    if (this.isExact) this.connection.say({ exact: true });
  }

  closed() {
    if (!this.end) this.state("connection lost, trying again", true);
  }

  take(message) {
    if ("waiting" in message) this.state("waiting for a run");
    if ("scene" in message) this.begin(message);
    if ("status" in message) this.figures.take(message.status);
    if ("timings" in message) this.ticks.add(message.timings, this.ahead());
    if ("events" in message) this.happenings.add(message.events);
    if ("stats" in message && !this.end) {
      this.steering.take(message.stats);
      this.figures.showSubscribers(message.stats.subscriber_accounts ?? []);
      this.showState();
    }
    if ("end" in message) this.finish(message.end);
  }

  /** The tick of the newest frame minus its number: the same for all since the last seek. */
  ahead() { return this.picture.frame ? this.picture.frame.tick - this.picture.frame.sequence : NaN; }

  async begin({ scene, run, local, steered }) {
    const isAgain = this.run === scene && this.layout;
    this.end = null;
    this.connection.isOver = false;
    this.run = scene;
    if (isAgain) return;
    this.layout = this.waiting = null;
    this.connection.askClock();
    element("run").textContent = run;
    document.title = `${run}, Orrery live`;
    this.state("reading the scene");
    const layout = await fetchLayout();
    if (this.run !== scene) return;
    if (!layout) {
      if (!this.end) this.state("the scene did not come: load the page again", true);
      return;
    }
    this.history.clear();
    this.between.clear();
    this.figures.clear();
    this.figures.isLocal = local;
    this.picture.show(layout);
    this.ticks.clear(layout.tickMs);
    this.pins.begin(layout);
    this.entity.begin(layout);
    this.happenings.clear();
    this.steering.begin(run, steered);
    this.layout = layout;
    this.shapeTexts(scene);
    this.editor.enable();
    this.share.begin();
    this.showState();
    if (!this.isShowing) this.draw();
  }

  /** Has texts drawn as the renderer draws them, once the server has said how; until then the browser has its way. */
  async shapeTexts(scene) {
    try {
      const response = await fetch("/texts");
      const { texts } = response.ok ? await response.json() : { texts: [] };
      if (this.run === scene) await this.picture.sprites.take(texts);
    } catch {
      // The server has ended: the page stays as it is.
    }
  }

  finish(end) {
    this.end = end;
    this.connection.isOver = true;
    this.steering.enable(false);
    this.editor.enable();
    this.state(ENDS[end] ?? ENDS.ended, true);
  }

  takeFrame(buffer) {
    const frame = this.last = new Frame(buffer, this.last);
    if (frame.run !== this.run) return;
    this.figures.received += 1;
    if (this.waiting) {
      this.figures.superseded += 1;
      this.isBehind = true;
    }
    this.waiting = frame;
    // At once, so that the display's next refresh shows it.
    if (!this.isShowing) this.draw();
  }

  /** A picture was shown: the newest frame that came meanwhile is the next. */
  shown() {
    const { isBehind } = this;
    this.isShowing = this.isBehind = false;
    this.draw();
    // Drawn for the present refresh; where no more frames come than the display shows, the next is drawn as it comes.
    if (!isBehind && !this.waiting) this.isShowing = false;
  }

  draw() {
    const frame = this.waiting;
    if (!frame || !this.layout) return;
    this.isShowing = true;
    const now = performance.now();
    // Less motion was asked for: a picture each second, and the server sends no more than that.
    if (!this.hasMotion && now < this.drawnAt + STILL_MS && !this.steering.isPaused) {
      setTimeout(() => this.shown(), this.drawnAt + STILL_MS - now);
      return;
    }
    requestAnimationFrame(() => this.shown());
    this.waiting = null;
    this.drawnAt = now;
    this.history.add(frame);
    const isOnItsWay = this.between.isOn && this.hasMotion && this.between.take(frame, this.layout);
    if (!isOnItsWay) this.picture.draw(frame);
    const end = performance.now();
    this.figures.add(
      end, end - now, (this.connection.nowUs() - frame.publishedUs) / 1000 + this.between.lateMs);
    this.connection.drawn(frame);
    this.steering.showTime(frame.seconds);
    this.showPanel(frame, end);
  }

  /** Texts and curves change ten times a second: more nobody reads. */
  showPanel(frame, now) {
    if (now < this.panelAt + PANEL_MS && !this.steering.isPaused) return;
    this.panelAt = now;
    this.entity.show();
    this.pins.draw();
    showKinds(table("kinds"), this.layout, frame);
    const size = frame.bytes < 10_000 ? `${frame.bytes} bytes` : `${(frame.bytes / 1000).toFixed(0)} kB`;
    this.figures.painter = this.picture.painter.note;
    const values = frame.isExact ? "values as published" : frame.hasChanges ? "changes" : "16-bit values";
    this.figures.note = `${size}, ${values}`
      + (this.between.way ? "; between ticks" : "")
      + (this.picture.note ? `; ${this.picture.note}` : "");
    const picked = input("names").value;
    canvas("picture").setAttribute(
      "aria-label", `The scene ${this.layout.scene} at ${frame.seconds.toFixed(1)} seconds`
        + (picked ? `; picked: ${picked}` : ""));
  }

  showState() {
    const { steering, layout } = this;
    if (!layout || this.end) return;
    const count = layout.batches.reduce((sum, batch) => sum + batch.count, 0);
    const speed = steering.speed === 1 ? "" : ` at speed ${steering.speed}`;
    const rate = Number((1000 / layout.tickMs).toPrecision(5));
    this.state(`${steering.isPaused ? "paused" : "running"}${speed}, ${rate} ticks a second, `
      + `${count.toLocaleString("en")} entities`);
  }
}

/** The scene's layout; null if it did not come, or not as a whole. */
async function fetchLayout() {
  try {
    const response = await fetch("/scene");
    return response.ok ? readLayout(new Uint8Array(await response.arrayBuffer())) : null;
  } catch {
    return null;
  }
}

/** For tests and for those who look closer. */
globalThis.page = new Page();
