// What the page received, skipped and measured, and who else subscribes.

const element = (id) => document.getElementById(id);
const WINDOW_MS = 5000, SAMPLES_MAX = 2000;

export class Figures {
  /** @param {(figures: object) => void} post Sends what was measured to the server. */
  constructor(post) {
    this.post = post;
    this.isLocal = false;
    this.clear();
    setInterval(() => this.measure(), 1000);
  }

  clear() {
    this.drawn = [];
    this.received = this.superseded = 0;
    this.status = this.measured = null;
    this.note = "";
  }

  /** A frame was drawn. */
  add(now, drawMs, lateMs) {
    this.drawn.push({ now, drawMs, lateMs });
    if (this.drawn.length > SAMPLES_MAX) this.drawn.shift();
  }

  measure() {
    const now = performance.now();
    this.drawn = this.drawn.filter((sample) => sample.now > now - WINDOW_MS);
    this.measured = null;
    if (this.drawn.length > 1) {
      const late = this.drawn.map(({ lateMs }) => lateMs).filter(Number.isFinite).sort((a, b) => a - b);
      const at = (part) => late[Math.min(Math.floor(part * late.length), late.length - 1)];
      const span = this.drawn.at(-1).now - this.drawn[0].now;
      this.measured = {
        fps: round(((this.drawn.length - 1) * 1000) / span),
        draw_ms: round(this.drawn.reduce((sum, { drawMs }) => sum + drawMs, 0) / this.drawn.length),
      };
      if (late.length > 0 && this.isLocal) {
        Object.assign(this.measured, { made_to_drawn_p50: round(at(0.5)), made_to_drawn_p99: round(at(0.99)) });
      }
      this.post(this.measured);
    }
    this.show();
  }

  show() {
    const { status, measured } = this;
    const rows = [["drawn a second", measured?.fps ?? "–"], ["drawing takes", measured ? `${measured.draw_ms} ms` : "–"]];
    if (measured && "made_to_drawn_p50" in measured) {
      rows.push(["made to drawn, p50, p99", `${measured.made_to_drawn_p50}, ${measured.made_to_drawn_p99} ms`]);
    }
    rows.push(["frames to this page", this.received], ["superseded before drawn", this.superseded]);
    if (status) {
      rows.push(
        ["skipped, this page was busy", status.skipped],
        ["received by live", status.received], ["missed by live", status.missed], ["pages", status.pages]);
    }
    rows.push(["a frame as", this.note || "–"]);
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
    element("subscribers").tBodies[0].replaceChildren(...rows);
  }
}

const round = (value) => Math.round(value * 10) / 10;
