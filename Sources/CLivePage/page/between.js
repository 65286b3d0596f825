// Pictures between two ticks, where the display is faster than the run: one tick late, since both ticks must be there.

import { Column, Moment } from "/frames.js";

const [X, Y, ROTATION] = [1, 2, 5];
/** A display that is not this much faster shows each tick as it is. */
const FASTER = 1.5;
/** Longer than this between two frames is a pause. */
const PAUSE_MS = 2000;

/** @typedef {import("/frames.js").Frame} Frame */

/** The way from one frame to the next, at a share of it that changes. */
class Way extends Moment {
  /** @param {Frame} from @param {Frame} to @param {import("/layout.js").Layout} layout */
  constructor(from, to, layout) {
    super();
    this.tick = to.tick;
    this.sequence = to.sequence;
    this.seconds = to.seconds;
    this.run = to.run;
    this.from = from;
    this.to = to;
    this.layout = layout;
    this.columns = new Map([...to.columns].map(([batch, columns]) => [batch, Object.fromEntries(
      Object.entries(columns).map(([field, { values }]) =>
        [field, new Column(batch, Number(field), 0, new Float32Array(values.length))]))]));
  }

  /** Places everything at a share of the way, 0 to 1. @param {number} share */
  place(share) {
    for (const [batch, columns] of this.columns) {
      for (const [field, { values }] of Object.entries(columns)) {
        const [from, to] = [this.from.batch(batch)[field], this.to.batch(batch)[field]];
        fill(/** @type {Float32Array} */ (values), from, to, share, this.limits(batch, Number(field)));
      }
    }
    return this;
  }

  /** By what a field's values wrap around, for each entity or for all; and the longest way that is no jump. */
  limits(batch, field) {
    const { layout } = this;
    if (field === ROTATION) return { periods: [2 * Math.PI], jump: Infinity };
    if (field !== X && field !== Y) return { periods: [0], jump: Infinity };
    const periods = layout.batches[batch].sprites.map((sprite) =>
      (field === X ? layout.sprites[sprite]?.period : layout.sprites[sprite]?.periodY) ?? 0);
    return { periods, jump: (field === X ? layout.width : layout.height) / 2 };
  }
}

/**
 * Writes values between two columns. What wraps around takes the short way, and what jumps has jumped.
 *
 * @param {Float32Array} values @param {Column | undefined} from @param {Column} to @param {number} share
 * @param {{ periods: number[], jump: number }} limits
 */
function fill(values, from, to, share, { periods, jump }) {
  const oneForAll = periods.length === 1;
  for (let index = 0; index < values.length; index++) {
    const end = to.at(index);
    let way = from && from.values.length === values.length ? end - from.at(index) : 0;
    const period = periods[oneForAll ? 0 : index];
    if (period > 0 && Math.abs(way) > period / 2) way -= Math.sign(way) * period;
    values[index] = Math.abs(way) <= jump ? end - way * (1 - share) : end;
  }
}

/** Shows the way from each frame to the next. */
export class Between {
  /** @param {(moment: Moment) => void} show Draws. */
  constructor(show) {
    this.show = show;
    this.isOn = false;
    /** The display's time for a picture and the run's for a tick, in ms. */
    this.displayMs = this.tickMs = NaN;
    this.clear();
  }

  clear() {
    /** @type {Frame | null} */
    this.last = null;
    /** @type {Way | null} */
    this.way = null;
    this.tookAt = -Infinity;
  }

  setOn(isOn) {
    this.isOn = isOn;
    if (this.way) this.show(this.way.to);
    this.clear();
    if (isOn) this.measure(performance.now(), 30, []);
  }

  /** Measures how long a picture stays on the display: the median of some. */
  measure(before, count, times) {
    requestAnimationFrame((now) => {
      times.push(now - before);
      if (count > 0) return this.measure(now, count - 1, times);
      this.displayMs = times.sort((a, b) => a - b)[times.length >> 1];
    });
  }

  /** How late pictures are by this, in ms. */
  get lateMs() { return this.way ? this.tickMs : 0; }

  /**
   * Takes a frame; the way to it is shown from now on.
   *
   * @param {Frame} frame @param {import("/layout.js").Layout} layout
   * @returns {boolean} False if the frame is to be shown as it is.
   */
  take(frame, layout) {
    const now = performance.now();
    const { last } = this;
    const ms = now - this.tookAt;
    this.last = frame;
    this.tookAt = now;
    this.way = null;
    const isNext = last !== null && frame.run === last.run && frame.tick > last.tick && ms < PAUSE_MS
      && frame.tick - last.tick <= 2 * (frame.sequence - last.sequence);
    if (!isNext) return false;
    this.tickMs = Number.isFinite(this.tickMs) ? this.tickMs + (ms - this.tickMs) / 8 : ms;
    if (!(this.tickMs > FASTER * this.displayMs)) return false;
    this.way = new Way(last, frame, layout);
    this.step(this.way, now);
    return true;
  }

  /** Shows where everything is now, until the frame is there or the next one comes. */
  step(way, now) {
    if (way !== this.way) return;
    const share = (now - this.tookAt) / this.tickMs;
    this.show(share < 1 ? way.place(Math.max(share, 0)) : way.to);
    if (share < 1) requestAnimationFrame((later) => this.step(way, later));
  }
}
