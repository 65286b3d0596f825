// Plots: the curve of an entity, and the time of each tick of the last minute with the budget.

/** A canvas in its own pixels, cleared, with the page's colours. */
function begin(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const color = (name) => style.getPropertyValue(name).trim();
  context.font = "11px system-ui, sans-serif";
  return { context, width, height, color };
}

/**
 * Draws a curve over the last ten seconds.
 *
 * @param {HTMLCanvasElement} canvas The plot. @param {number[][]} points Scene time and value. @param {string} name Of
 *   the field.
 */
export function drawCurve(canvas, points, name) {
  const { context, width, height, color } = begin(canvas);
  const [left, top, bottom] = [52, 6, height - 16];
  context.strokeStyle = color("--line");
  context.strokeRect(left + 0.5, top + 0.5, width - left - 1, bottom - top);
  const known = points.filter(([, value]) => Number.isFinite(value));
  if (known.length === 0) return;
  let low = Infinity, high = -Infinity;
  for (const [, value] of known) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const room = Math.max((high - low) * 0.05, Math.abs(high) * 1e-6, 1e-6);
  const end = known.at(-1)[0];
  const x = (seconds) => left + ((seconds - end + 10) / 10) * (width - left);
  const y = (value) => bottom - ((value - low + room) / (high - low + 2 * room)) * (bottom - top);
  context.fillStyle = color("--dim");
  context.textAlign = "right";
  // Enough digits to tell the two apart.
  const places = Math.min(Math.max(1 - Math.floor(Math.log10(high - low || 1)), 0), 6);
  context.fillText(high.toFixed(places), left - 4, top + 9);
  if (high > low) context.fillText(low.toFixed(places), left - 4, bottom);
  context.fillText(`${end.toFixed(1)} s`, width, height - 3);
  context.textAlign = "left";
  context.fillText(`${(end - 10).toFixed(1)} s`, left, height - 3);
  context.fillText(name, 0, height / 2);
  context.strokeStyle = color("--accent");
  context.lineWidth = 1.5;
  context.beginPath();
  points.forEach(([seconds, value], index) => {
    const isNew = index === 0 || !Number.isFinite(value) || !Number.isFinite(points[index - 1][1]);
    if (isNew) context.moveTo(x(seconds), y(value));
    else context.lineTo(x(seconds), y(value));
  });
  context.stroke();
}

/** The time of each tick of the last minute. */
export class Ticks {
  static SECONDS = 60;

  constructor(canvas, figures) {
    [this.canvas, this.figures] = [canvas, figures];
    this.clear(1000 / 60);
  }

  clear(budgetMs) {
    this.budgetMs = budgetMs;
    this.times = [];
    this.lateTicks = 0;
    this.draw();
  }

  /** Adds the times of frames, in microseconds, as the sim has sent them. */
  add({ wait, compute, publish, late }) {
    let at = performance.now();
    const times = compute.map((us, index) => ({ us: us + publish[index], waitUs: wait[index], at: 0, isLate: false }));
    for (let index = times.length - 1; index >= 0; index--) {
      times[index].at = at;
      at -= (times[index].us + times[index].waitUs) / 1000;
    }
    // After such a tick the next one begins late.
    times.forEach((time) => { time.isLate = time.us / 1000 > this.budgetMs; });
    this.times.push(...times);
    this.lateTicks = late;
    const first = performance.now() - Ticks.SECONDS * 1000;
    const old = this.times.findIndex(({ at }) => at >= first);
    if (old > 0) this.times.splice(0, old);
    this.draw();
  }

  draw() {
    const { context, width, height, color } = begin(this.canvas);
    const [left, top, bottom] = [52, 6, height - 16];
    const now = performance.now();
    const largest = this.times.reduce((most, { us }) => Math.max(most, us), 0) / 1000;
    // Ticks far below the budget would be a line at the bottom: the scale is theirs then, and the budget stands in words.
    const high = largest < this.budgetMs / 8 ? Math.max(largest * 1.2, 0.01) : Math.max(largest, this.budgetMs) * 1.1;
    const y = (ms) => bottom - (ms / high) * (bottom - top);
    context.strokeStyle = color("--line");
    context.strokeRect(left + 0.5, top + 0.5, width - left - 1, bottom - top);
    context.fillStyle = color("--dim");
    context.textAlign = "right";
    context.fillText(`${high < 1 ? high.toFixed(2) : high.toFixed(1)} ms`, left - 4, top + 9);
    context.fillText("0", left - 4, bottom);
    context.textAlign = "left";
    context.fillText("60 s ago", left, height - 3);
    // The highest tick of each pixel.
    const columns = new Map();
    for (const { us, at, isLate } of this.times) {
      const column = Math.floor(left + (1 - (now - at) / (Ticks.SECONDS * 1000)) * (width - left));
      const found = columns.get(column) ?? { ms: 0, isLate: false };
      columns.set(column, { ms: Math.max(found.ms, us / 1000), isLate: found.isLate || isLate });
    }
    for (const [column, { ms, isLate }] of columns) {
      if (column < left) continue;
      context.fillStyle = color(isLate ? "--late" : "--accent");
      context.fillRect(column, y(ms), 1, bottom - y(ms));
      // A mark, too, for those who do not see colours apart.
      if (isLate) context.fillRect(column - 2, top, 5, 4);
    }
    if (high >= this.budgetMs) {
      context.strokeStyle = color("--late");
      context.setLineDash([4, 3]);
      context.beginPath();
      context.moveTo(left, y(this.budgetMs));
      context.lineTo(width, y(this.budgetMs));
      context.stroke();
      context.setLineDash([]);
    }
    this.write();
  }

  write() {
    if (this.times.length === 0) return;
    const sorted = this.times.map(({ us }) => us / 1000).sort((first, second) => first - second);
    const at = (part) => sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)].toFixed(3);
    const over = this.times.filter(({ isLate }) => isLate).length;
    this.figures.textContent = `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; budget `
      + `${this.budgetMs.toFixed(2)} ms, ${over} over it in this minute; ${this.lateTicks} late ticks in the run`;
  }
}
