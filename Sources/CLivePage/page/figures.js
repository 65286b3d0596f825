// What the page received, skipped and measured, how old its pictures were, and who else subscribes.

import { canvas, element, table } from "/dom.js";
import { begin, drawFrame, quantile } from "/plots.js";

const WINDOW_MS = 5000, MINUTE_MS = 60_000, SAMPLES_MAX = 15_000;

export class Figures {
  /**
   * @param {(figures: object) => void} post Sends what was measured to the server.
   * @param {() => number} errorMs How far the clock of ages may be from the truth.
   */
  constructor(post, errorMs) {
    this.post = post;
    this.errorMs = errorMs;
    this.isLocal = false;
    this.clear();
    setInterval(() => this.measure(), 1000);
  }

  clear() {
    this.drawn = [];
    /** When frames were lost on their way, and how: `skipped` by this busy page, or `missed` by live. */
    this.losses = [];
    this.received = this.superseded = 0;
    this.status = this.measured = null;
    this.note = this.painter = "";
  }

  /** A frame was drawn. */
  add(now, drawMs, lateMs) {
    this.drawn.push({ now, drawMs, lateMs });
    if (this.drawn.length > SAMPLES_MAX) this.drawn.shift();
  }

  measure() {
    const now = performance.now();
    for (const key of ["drawn", "losses"]) this[key] = this[key].filter((sample) => sample.now > now - MINUTE_MS);
    const drawn = this.drawn.filter((sample) => sample.now > now - WINDOW_MS);
    this.measured = null;
    if (drawn.length > 1) {
      const late = drawn.map(({ lateMs }) => lateMs).filter(Number.isFinite).sort((a, b) => a - b);
      const span = drawn.at(-1).now - drawn[0].now;
      this.measured = {
        fps: round(((drawn.length - 1) * 1000) / span),
        draw_ms: round(drawn.reduce((sum, { drawMs }) => sum + drawMs, 0) / drawn.length),
      };
      if (late.length > 0 && this.isLocal) {
        Object.assign(this.measured, {
          made_to_drawn_p50: round(quantile(late, 0.5)), made_to_drawn_p99: round(quantile(late, 0.99)),
        });
      }
      this.post(this.measured);
    }
    this.show();
    this.draw();
  }

  /** Takes the server's word on what was skipped and missed. */
  take(status) {
    for (const key of ["skipped", "missed"]) {
      const lost = status[key] - (this.status?.[key] ?? status[key]);
      if (lost > 0) this.losses.push({ now: performance.now(), key });
    }
    this.status = status;
  }

  /** Draws how old each picture of the last minute was, with a mark where frames were lost. */
  draw() {
    const plot = begin(canvas("latency"));
    const { context, width, height, color } = plot;
    const { left, top, bottom } = drawFrame(plot);
    const now = performance.now();
    const x = (at) => left + (1 - (now - at) / MINUTE_MS) * (width - left);
    const known = this.isLocal ? this.drawn.filter(({ lateMs }) => Number.isFinite(lateMs)) : [];
    const high = Math.max(known.reduce((most, { lateMs }) => Math.max(most, lateMs), 0) * 1.1, 1);
    context.textAlign = "right";
    context.fillText(known.length > 0 ? `${high.toFixed(0)} ms` : "–", left - 4, top + 9);
    context.fillText("0", left - 4, bottom);
    context.textAlign = "left";
    context.fillText("60 s ago", left, height - 3);
    context.fillStyle = color("--accent");
    for (const { now: at, lateMs } of known) {
      context.fillRect(x(at), bottom - (Math.max(lateMs, 0) / high) * (bottom - top) - 1, 1.5, 2);
    }
    // What live missed reaches further down than what this page skipped.
    for (const { now: at, key } of this.losses) {
      context.fillStyle = color(key === "missed" ? "--late" : "--dim");
      context.fillRect(x(at) - 1, top, 3, key === "missed" ? 14 : 7);
    }
  }

  show() {
    const { status, measured } = this;
    /** @type {[string, string | number][]} */
    const rows = [["drawn a second", measured?.fps ?? "–"], ["drawing takes", measured ? `${measured.draw_ms} ms` : "–"]];
    if (this.isLocal) {
      const isKnown = measured && "made_to_drawn_p50" in measured;
      const text = isKnown
        ? `${measured.made_to_drawn_p50}, ${measured.made_to_drawn_p99} ms ± ${round(this.errorMs())}` : "–";
      rows.push(["made to drawn, p50, p99", text]);
    }
    rows.push(["frames to this page", this.received], ["superseded before drawn", this.superseded]);
    if (status) {
      rows.push(
        ["skipped, this page was busy", status.skipped],
        ["received by live", status.received], ["missed by live", status.missed], ["pages", status.pages]);
    }
    rows.push(["a frame as", this.note || "–"]);
    if (this.painter) rows.push(["crowds drawn by", this.painter]);
    element("frames").replaceChildren(...rows.flatMap(([name, value]) => {
      const [term, text] = [document.createElement("dt"), document.createElement("dd")];
      [term.textContent, text.textContent] = [name, String(value)];
      return [term, text];
    }));
  }

  /** Shows the subscribers that the sim names. */
  showSubscribers(accounts) {
    const rows = accounts.map(({ name, received, missed }) => {
      const row = document.createElement("tr");
      for (const value of [name, received, missed]) row.insertCell().textContent = String(value);
      return row;
    });
    table("subscribers").tBodies[0].replaceChildren(...rows);
  }
}

const round = (value) => Math.round(value * 10) / 10;
