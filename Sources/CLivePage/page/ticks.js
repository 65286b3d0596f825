// The time that each tick of the last minute took: as it came, and how often each length.

import { begin, drawFrame, drawLimit, quantile } from "/plots.js";

const SECONDS = 60, SAMPLES_MAX = 36_000;
/** Beyond so many budgets, a tick is marked otherwise: an animation stands still. */
const STANDSTILL = 3;
/** The histogram's columns: eight a decade, from a microsecond to a second. */
const BINS = 48, BINS_A_DECADE = 8;

export class Ticks {
  /**
   * @param {HTMLCanvasElement} canvas Ticks as they came. @param {HTMLCanvasElement} histogram How often each length.
   * @param {HTMLElement} figures Receives figures as text. @param {(tick: number) => void} seek Goes to a tick.
   */
  constructor(canvas, histogram, figures, seek) {
    this.canvas = canvas;
    this.histogram = histogram;
    this.figures = figures;
    this.seek = seek;
    this.clear(1000 / 60);
    canvas.addEventListener("click", ({ offsetX }) => this.seekAt(offsetX));
  }

  clear(budgetMs) {
    this.budgetMs = budgetMs;
    this.times = [];
    this.lateTicks = 0;
    this.draw();
  }

  /**
   * Adds the times of frames, in microseconds, as the sim has sent them.
   *
   * @param {{ first: number, wait: number[], compute: number[], publish: number[], late: number }} timings
   * @param {number} ahead The tick of a frame minus its number; no number if it is not known.
   */
  add({ first, wait, compute, publish, late }, ahead) {
    let at = performance.now();
    const times = compute.map((computeUs, index) => ({
      sequence: first + index, tick: first + index + ahead, waitUs: wait[index], computeUs, publishUs: publish[index],
      us: computeUs + publish[index], at: 0,
    }));
    for (let index = times.length - 1; index >= 0; index--) {
      times[index].at = at;
      at -= (times[index].us + times[index].waitUs) / 1000;
    }
    this.times.push(...times);
    this.lateTicks = late;
    const from = performance.now() - SECONDS * 1000;
    const old = Math.max(this.times.findIndex((time) => time.at >= from), this.times.length - SAMPLES_MAX);
    if (old > 0) this.times.splice(0, old);
    this.draw();
  }

  /** After a tick over the budget, the next one begins late. */
  isOver({ us }) { return us / 1000 > this.budgetMs; }

  draw() {
    this.drawTimes();
    this.drawHistogram();
    this.write();
  }

  drawTimes() {
    const plot = begin(this.canvas);
    const { context, width, height, color } = plot;
    const { left, top, bottom } = drawFrame(plot);
    const largest = this.times.reduce((most, { us }) => Math.max(most, us), 0) / 1000;
    // Ticks far below the budget would be a line at the bottom: the scale is theirs then, and the budget stands in words.
    const high = largest < this.budgetMs / 8 ? Math.max(largest * 1.2, 0.01) : Math.max(largest, this.budgetMs) * 1.1;
    const y = (ms) => bottom - (ms / high) * (bottom - top);
    context.textAlign = "right";
    context.fillText(`${high < 1 ? high.toFixed(2) : high.toFixed(1)} ms`, left - 4, top + 9);
    context.fillText("0", left - 4, bottom);
    context.textAlign = "left";
    context.fillText("60 s ago", left, height - 3);
    // The longest tick of each pixel.
    const columns = new Map();
    for (const time of this.times) {
      const column = Math.floor(this.x(time, left, width));
      if (!(columns.get(column)?.us >= time.us)) columns.set(column, time);
    }
    for (const [column, time] of columns) {
      if (column < left) continue;
      const ms = time.us / 1000;
      const isOver = this.isOver(time);
      context.fillStyle = color(isOver ? "--late" : "--accent");
      context.fillRect(column, y(ms), 1, bottom - y(ms));
      // Marks, too, for those who do not see colours apart: a bar, and from three budgets on a triangle.
      if (ms > STANDSTILL * this.budgetMs) {
        context.beginPath();
        context.moveTo(column - 5, top);
        context.lineTo(column + 6, top);
        context.lineTo(column + 0.5, top + 10);
        context.fill();
      } else if (isOver) {
        context.fillRect(column - 2, top, 5, 4);
      }
    }
    if (high >= this.budgetMs) drawLimit(plot, [left, y(this.budgetMs)], [width, y(this.budgetMs)]);
  }

  /** Where a tick is in the plot, in CSS pixels. */
  x({ at }, left, width) { return left + (1 - (performance.now() - at) / (SECONDS * 1000)) * (width - left); }

  drawHistogram() {
    const plot = begin(this.histogram);
    const { context, width, height, color } = plot;
    const { left, top, bottom } = drawFrame(plot);
    const bin = (us) => Math.min(Math.max(Math.log10(Math.max(us, 1)) * BINS_A_DECADE, 0), BINS - 0.001);
    const counts = new Array(BINS).fill(0);
    for (const { us } of this.times) counts[Math.floor(bin(us))] += 1;
    const most = Math.max(...counts, 1);
    const x = (position) => left + (position / BINS) * (width - left);
    const overFrom = bin(this.budgetMs * 1000);
    // Each count is seen, also one among thousands.
    counts.forEach((count, index) => {
      if (count === 0) return;
      const bar = Math.max((Math.log1p(count) / Math.log1p(most)) * (bottom - top), 2);
      context.fillStyle = color(index >= Math.floor(overFrom) ? "--late" : "--accent");
      context.fillRect(x(index), bottom - bar, Math.max(x(index + 1) - x(index) - 1, 1), bar);
    });
    context.fillStyle = color("--dim");
    context.textAlign = "right";
    context.fillText(String(most), left - 4, top + 9);
    context.textAlign = "center";
    ["1 µs", "10", "100", "1 ms", "10", "100", "1 s"].forEach((text, decade) => {
      context.fillText(text, Math.min(Math.max(x(decade * BINS_A_DECADE), left + 12), width - 12), height - 3);
    });
    drawLimit(plot, [x(overFrom), top], [x(overFrom), bottom]);
  }

  write() {
    if (this.times.length === 0) return;
    const sorted = (key) => this.times.map((time) => time[key] / 1000).sort((first, second) => first - second);
    const work = sorted("us");
    const [compute, publish] = [sorted("computeUs"), sorted("publishUs")];
    const at = (times, part) => quantile(times, part).toFixed(3);
    const over = this.times.filter((time) => this.isOver(time));
    const still = over.filter(({ us }) => us / 1000 > STANDSTILL * this.budgetMs).length;
    this.figures.textContent = `p50 ${at(work, 0.5)} ms, p99 ${at(work, 0.99)} ms, longest ${at(work, 1)} ms; `
      + `computing p50 ${at(compute, 0.5)}, p99 ${at(compute, 0.99)}, publishing ${at(publish, 0.5)}, `
      + `${at(publish, 0.99)}; budget ${this.budgetMs.toFixed(2)} ms, ${over.length} took longer in this minute`
      + `${still > 0 ? `, ${still} of them over three budgets` : ""}; ${this.lateTicks} in the run began later than the `
      + "next was due";
  }

  /** Goes to the tick of a place in the plot: the longest one there. */
  seekAt(offsetX) {
    const near = this.times.filter((time) => Math.abs(this.x(time, 52, this.canvas.clientWidth) - offsetX) < 3);
    this.seekLongest(near);
  }

  /** Goes to the longest tick. */
  seekLongest(times = this.times) {
    const known = times.filter(({ tick }) => Number.isFinite(tick));
    if (known.length > 0) this.seek(known.reduce((most, time) => (time.us > most.us ? time : most)).tick);
  }

  /** All times as CSV. */
  get csv() {
    const rows = this.times.map(({ sequence, tick, waitUs, computeUs, publishUs }) =>
      [sequence, Number.isFinite(tick) ? tick : "", waitUs, computeUs, publishUs].join(","));
    return ["sequence,tick,wait_us,compute_us,publish_us", ...rows, ""].join("\n");
  }
}
