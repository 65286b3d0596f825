// The plot of a motion: its value with the handles of its control points, and its velocity below.

import { begin, drawFrame } from "/plots.js";

/**
 * @typedef {{ time_s?: number, progress?: number, value: number, velocity: number }} Row
 * @typedef {{ rows: Row[], marks: { kind: string, time_s: number, text: string }[] }} Curve
 */

const STEP = 0.01, STEP_LARGE = 0.1;
const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class MotionPlot {
  /**
   * @param {HTMLCanvasElement} canvas Of the value. @param {HTMLCanvasElement} speed Of the velocity.
   * @param {HTMLElement[]} handles Of the two control points.
   * @param {(index: number, x: number, y: number) => void} move Called when a handle is moved.
   */
  constructor(canvas, speed, handles, move) {
    this.canvas = canvas;
    this.speed = speed;
    this.handles = handles;
    this.move = move;
    /** @type {Curve} */
    this.curve = null;
    /** @type {number[] | null} */
    this.points = null;
    /** @type {ReturnType<typeof drawRows>} */
    this.area = null;
    this.seconds = 1;
    this.dragged = -1;
    handles.forEach((handle, index) => {
      handle.addEventListener("keydown", (event) => this.press(event, index));
      handle.addEventListener("pointerdown", (event) => {
        handle.setPointerCapture(event.pointerId);
        this.dragged = index;
      });
      handle.addEventListener("pointermove", (event) => this.drag(event, index));
      for (const end of ["pointerup", "pointercancel"]) {
        handle.addEventListener(end, () => {
          this.dragged = -1;
          this.draw();
        });
      }
    });
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /**
   * Shows a motion.
   *
   * @param {Curve} curve As `orrery curve --json` has them.
   * @param {number[] | null} points The control points, if it has some: x1, y1, x2, y2.
   * @param {number} seconds How long the curve of these takes.
   */
  show(curve, points, seconds) {
    this.curve = curve;
    this.points = points;
    this.seconds = seconds;
    this.draw();
  }

  draw() {
    const { curve, points } = this;
    this.handles.forEach((handle) => { handle.hidden = !points; });
    if (!curve) return;
    const end = timeOf(curve.rows.at(-1));
    const values = curve.rows.map(({ value }) => value).filter(Number.isFinite);
    const shown = [0, 1, ...values, ...(points ? [points[1], points[3]] : [])];
    const [low, high] = [Math.min(...shown), Math.max(...shown)];
    const room = (high - low) * 0.08;
    // What is dragged does not move the axis that it is dragged along.
    const range = this.dragged < 0 || !this.area ? { low: low - room, high: high + room } : this.area;
    const unit = curve.rows[0].time_s === undefined ? "progress" : `${Number(end.toPrecision(4))} s`;
    const { low: bottom, high: top } = range;
    this.area = drawRows(this.canvas, curve.rows, "value", { low: bottom, high: top, end, unit, lines: [0, 1] });
    drawMarks(this.canvas, this.area, curve.marks);
    const speeds = curve.rows.map(({ velocity }) => velocity).filter(Number.isFinite);
    const [slow, fast] = [Math.min(0, ...speeds), Math.max(0, ...speeds)];
    const more = (fast - slow) * 0.08 || 1;
    const lines = [...new Set([0, Number((fast > -slow ? fast : slow).toPrecision(3))])];
    drawRows(this.speed, curve.rows, "velocity", { low: slow - more, high: fast + more, end, unit, lines });
    if (points) this.drawHandles();
  }

  drawHandles() {
    const { area, points, handles, seconds } = this;
    const context = this.canvas.getContext("2d");
    const ends = [[0, 0], [1, 1]];
    context.strokeStyle = area.color("--dim");
    context.lineWidth = 1;
    handles.forEach((handle, index) => {
      const [x, y] = points.slice(2 * index, 2 * index + 2);
      const [left, top] = [area.x(x * seconds), area.y(y)];
      context.beginPath();
      context.moveTo(area.x(ends[index][0] * seconds), area.y(ends[index][1]));
      context.lineTo(left, top);
      context.stroke();
      const bounded = Math.min(Math.max(top, 0), this.canvas.clientHeight);
      [handle.style.left, handle.style.top] = [`${left}px`, `${bounded}px`];
      handle.setAttribute("aria-label", `Control point ${index + 1}: x ${x}, y ${y}`);
    });
  }

  press(event, index) {
    const way = MOVES[event.key];
    if (!way || !this.points) return;
    event.preventDefault();
    event.stopPropagation();
    const step = event.shiftKey ? STEP_LARGE : STEP;
    this.move(index, this.points[2 * index] + way[0] * step, this.points[2 * index + 1] + way[1] * step);
  }

  drag(event, index) {
    if (this.dragged !== index) return;
    const { left, top } = this.canvas.getBoundingClientRect();
    const { area, seconds } = this;
    this.move(index, area.time(event.clientX - left) / seconds, area.value(event.clientY - top));
  }
}

/** @param {Row} row */
const timeOf = ({ time_s, progress }) => time_s ?? progress;

/**
 * Draws one number of all rows.
 *
 * @param {HTMLCanvasElement} canvas The plot. @param {Row[]} rows In the order of their times.
 * @param {"value" | "velocity"} key Which number.
 * @param {{ low: number, high: number, end: number, unit: string, lines: number[] }} axes Their ends, what stands at
 *   the end of time, and values with a line.
 * @returns How times and values become pixels, and back.
 */
function drawRows(canvas, rows, key, { low, high, end, unit, lines }) {
  const plot = begin(canvas);
  const { context, width, color } = plot;
  context.lineWidth = 1;
  const { left, top, bottom } = drawFrame(plot);
  const x = (time) => left + (time / end) * (width - left);
  const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
  context.textAlign = "right";
  for (const line of lines) {
    context.fillText(String(line), left - 4, y(line) + 4);
    context.beginPath();
    context.moveTo(left, y(line));
    context.lineTo(width, y(line));
    context.stroke();
  }
  context.fillText(unit, width, bottom + 13);
  context.textAlign = "left";
  context.fillText(key, left, bottom + 13);
  context.strokeStyle = color("--accent");
  context.lineWidth = 2;
  context.save();
  context.beginPath();
  context.rect(left, top, width - left, bottom - top);
  context.clip();
  context.beginPath();
  rows.forEach((row, index) => {
    const isNew = index === 0 || !Number.isFinite(row[key]) || !Number.isFinite(rows[index - 1][key]);
    if (isNew) context.moveTo(x(timeOf(row)), y(row[key]));
    else context.lineTo(x(timeOf(row)), y(row[key]));
  });
  context.stroke();
  context.restore();
  const time = (pixel) => ((pixel - left) / (width - left)) * end;
  const value = (pixel) => low + ((bottom - pixel) / (bottom - top)) * (high - low);
  return { left, top, bottom, width, color, low, high, x, y, time, value };
}

/** Draws the marked times, their texts one above the other. */
function drawMarks(canvas, { x, top, bottom, width, color }, marks) {
  const context = canvas.getContext("2d");
  context.strokeStyle = context.fillStyle = color("--dim");
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  marks.slice(0, 6).forEach(({ time_s, text }, index) => {
    const at = x(time_s);
    const isLeft = at < width * 0.6;
    context.beginPath();
    context.moveTo(at, top);
    context.lineTo(at, bottom);
    context.stroke();
    context.textAlign = isLeft ? "left" : "right";
    context.fillText(text, at + (isLeft ? 4 : -4), bottom - 6 - 13 * index);
  });
  context.setLineDash([]);
}
