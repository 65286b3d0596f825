// The plot of a motion: its value with handles on what can be moved of it, and its velocity below.

import { begin, drawFrame } from "/plots.js";

/**
 * @typedef {{ time_s?: number, progress?: number, value: number, velocity: number }} Row
 * @typedef {{ rows: Row[], marks: { kind: string, time_s: number, text: string }[] }} Curve
 *
 * A point that can be moved. Its stem leads to another time and value; what is chosen is moved together.
 * @typedef {{ time: number, value: number, label: string, stem?: number[], isChosen?: boolean }} Spot
 *
 * @typedef {object} Mover
 * @property {(index: number, time: number, value: number) => void} drag A spot was dragged to there.
 * @property {(index: number, x: number, y: number, isLarge: boolean) => void} push An arrow: x and y are -1, 0 or 1.
 * @property {(index: number, isMore: boolean) => void} choose A spot was pressed: it alone, or it as well.
 */

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class MotionPlot {
  /**
   * @param {HTMLCanvasElement} canvas Of the value. @param {HTMLCanvasElement} speed Of the velocity.
   * @param {HTMLElement} box Has the first one, and gets the handles. @param {Mover} mover Moves the spots.
   */
  constructor(canvas, speed, box, mover) {
    this.canvas = canvas;
    this.speed = speed;
    this.box = box;
    this.mover = mover;
    /** @type {HTMLButtonElement[]} */
    this.handles = [];
    /** @type {Curve} */
    this.curve = null;
    /** @type {Spot[]} */
    this.spots = [];
    /** Values with a line. */
    this.lines = [0, 1];
    /** @type {ReturnType<typeof drawRows>} */
    this.area = null;
    this.dragged = -1;
    this.hasMoved = false;
    this.grow(2);
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** Makes handles until there are so many. */
  grow(count) {
    while (this.handles.length < count) {
      const [handle, index] = [document.createElement("button"), this.handles.length];
      Object.assign(handle, { id: `handle-${index + 1}`, type: "button", className: "handle", hidden: true });
      handle.setAttribute("aria-describedby", "handle-keys");
      handle.addEventListener("keydown", (event) => this.press(event, index));
      handle.addEventListener("pointerdown", (event) => {
        handle.setPointerCapture(event.pointerId);
        [this.dragged, this.hasMoved] = [index, false];
      });
      handle.addEventListener("pointermove", (event) => this.drag(event, index));
      for (const end of ["pointerup", "pointercancel"]) {
        handle.addEventListener(end, () => {
          this.dragged = -1;
          this.draw();
        });
      }
      handle.addEventListener("click", ({ shiftKey, ctrlKey, metaKey, detail }) => {
        // A key, which has no clicks to count, adds to what is chosen; a drag ends in a click, too.
        if (detail === 0 || !this.hasMoved) this.mover.choose(index, detail === 0 || shiftKey || ctrlKey || metaKey);
      });
      this.box.append(handle);
      this.handles.push(handle);
    }
  }

  /**
   * Shows a motion.
   *
   * @param {Curve} curve As `orrery curve --json` has them. @param {Spot[]} spots What can be moved of it.
   * @param {number[]} lines Values with a line.
   */
  show(curve, spots, lines = [0, 1]) {
    [this.curve, this.spots, this.lines] = [curve, spots, lines];
    this.grow(spots.length);
    this.draw();
  }

  draw() {
    const { curve, spots, lines } = this;
    this.handles.forEach((handle, index) => { handle.hidden = index >= spots.length; });
    if (!curve) return;
    const values = curve.rows.map(({ value }) => value).filter(Number.isFinite);
    const shown = [...lines, ...values, ...spots.map(({ value }) => value)];
    const [low, high] = [Math.min(...shown), Math.max(...shown)];
    const room = (high - low) * 0.08 || 1;
    // What is dragged does not move the axes that it is dragged along.
    const { end, low: bottom, high: top } = this.dragged >= 0 && this.area
      ? this.area : { end: timeOf(curve.rows.at(-1)), low: low - room, high: high + room };
    const unit = curve.rows[0].time_s === undefined ? "progress" : `${Number(end.toPrecision(4))} s`;
    this.area = drawRows(this.canvas, curve.rows, "value", { low: bottom, high: top, end, unit, lines });
    drawMarks(this.canvas, this.area, curve.marks);
    const speeds = curve.rows.map(({ velocity }) => velocity).filter(Number.isFinite);
    const [slow, fast] = [Math.min(0, ...speeds), Math.max(0, ...speeds)];
    const more = (fast - slow) * 0.08 || 1;
    const steps = [...new Set([0, Number((fast > -slow ? fast : slow).toPrecision(3))])];
    drawRows(this.speed, curve.rows, "velocity", { low: slow - more, high: fast + more, end, unit, lines: steps });
    this.drawHandles();
  }

  drawHandles() {
    const { area, spots, handles } = this;
    const context = this.canvas.getContext("2d");
    // Shares of the box fit where that becomes narrower, too.
    const bounded = (place, most) => `${100 * Math.min(Math.max(place / most, 0), 1)}%`;
    context.strokeStyle = area.color("--dim");
    context.lineWidth = 1;
    spots.forEach(({ time, value, label, stem, isChosen }, index) => {
      const [handle, left, top] = [handles[index], area.x(time), area.y(value)];
      if (stem) {
        context.beginPath();
        context.moveTo(area.x(stem[0]), area.y(stem[1]));
        context.lineTo(left, top);
        context.stroke();
      }
      handle.style.left = bounded(left, this.canvas.clientWidth);
      handle.style.top = bounded(top, this.canvas.clientHeight);
      handle.setAttribute("aria-label", label);
      if (isChosen === undefined) handle.removeAttribute("aria-pressed");
      else handle.setAttribute("aria-pressed", String(isChosen));
    });
  }

  press(event, index) {
    const way = MOVES[event.key];
    if (!way || index >= this.spots.length) return;
    event.preventDefault();
    event.stopPropagation();
    this.mover.push(index, way[0], way[1], event.shiftKey);
  }

  drag(event, index) {
    if (this.dragged !== index || (event.movementX === 0 && event.movementY === 0)) return;
    this.hasMoved = true;
    const { left, top } = this.canvas.getBoundingClientRect();
    this.mover.drag(index, this.area.time(event.clientX - left), this.area.value(event.clientY - top));
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
  return { left, top, bottom, width, color, low, high, end, x, y, time, value };
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
