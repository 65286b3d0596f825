// How crowds are drawn: by script into pixels, or as points of WebGL2, whichever is faster here.

import { Points } from "/points.js";

/** Entities that are drawn to find out, and how often: a browser without a GPU takes 30 ms for them. */
const TRIAL_COUNT = 50_000, TRIALS = 3;

export class Painter {
  /**
   * @param {(import("/crowd.js").Crowd | null)[]} crowds Of the batches.
   * @param {string} wish `webgl2` or `script`; anything else: what is faster.
   */
  constructor(crowds, wish) {
    this.crowds = crowds;
    this.wish = wish;
    /**
     * What draws; null: script.
     *
     * @type {Points | null}
     */
    this.points = null;
    this.isChosen = !crowds.some(Boolean);
    /** What draws crowds, and why; "" where there are none. */
    this.note = "";
  }

  /**
   * Chooses, once for a scene.
   *
   * @param {import("/frames.js").Moment} moment @param {{ scale: number, left: number, top: number }} view
   * @param {number} width @param {number} height
   */
  choose(moment, view, width, height) {
    if (this.isChosen) return;
    this.isChosen = true;
    if (this.wish === "script") { this.note = "script, as asked"; return; }
    const points = Points.make(this.crowds);
    if (!points) { this.note = "script: there is no WebGL2"; return; }
    points.canvas.addEventListener("webglcontextlost", () => {
      if (!this.points) return;
      this.points = null;
      this.note = "script: WebGL2 was lost";
    });
    if (this.wish === "webgl2") {
      [this.points, this.note] = [points, "WebGL2, as asked"];
      return;
    }
    const index = this.crowds.indexOf(this.crowds.filter(Boolean).sort((a, b) => b.batch.count - a.batch.count)[0]);
    const [crowd, columns] = [this.crowds[index], moment.batch(index)];
    const count = Math.min(crowd.batch.count, TRIAL_COUNT);
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const image = new ImageData(width, height);
    const words = new Uint32Array(image.data.buffer);
    const scriptMs = median(() => {
      crowd.draw(words, width, height, columns, view, count);
      context.putImageData(image, 0, 0);
    });
    const pointsMs = median(() => {
      points.draw(index, columns, view, width, height, count);
      points.finish();
    });
    if (pointsMs < scriptMs) this.points = points;
    else points.free();
    this.note = (this.points ? "WebGL2" : "script")
      + `: ${count.toLocaleString("en")} take ${scriptMs.toFixed(1)} ms by script, ${pointsMs.toFixed(1)} by WebGL2`;
  }
}

/** The time of the median trial, in ms. The first one, which compiles, is left out. */
function median(draw) {
  draw();
  const times = Array.from({ length: TRIALS }, () => {
    const start = performance.now();
    draw();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[TRIALS >> 1];
}
