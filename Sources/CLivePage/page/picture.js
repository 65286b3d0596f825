// The scene as it moves: views as they look, crowds as dots; fit, pan and zoom.

import { FIELDS, batchOf, cssColor } from "/layout.js";
import { CROWD_MIN, Crowd, pixel } from "/crowd.js";
import { element } from "/dom.js";
import { Painter } from "/painter.js";
import { Sprites } from "/sprites.js";

const ZOOM_MAX = 64, ZOOM_MIN = 0.1;
/** The part of the picture's place that has to be on the screen. */
const SEEN_LEAST = 0.3;
const [X, Y, OPACITY, SCALE, ROTATION, BLUR] = [1, 2, 3, 4, 5, 6];

/**
 * Where an entity is: its batch, and its index there.
 *
 * @typedef {{ batch: number, index: number }} Place
 */

export class Picture {
  /** @param {HTMLCanvasElement} canvas Where it is drawn. */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.layer = document.createElement("canvas");
    /** What shall draw crowds: `webgl2`, `script`, or "" for the faster one. */
    this.wish = "";
    /**
     * The dots of each batch; null: its entities are drawn one by one.
     *
     * @type {(Crowd | null)[]}
     */
    this.crowds = [];
    /** @type {import("/layout.js").Layout} */
    this.layout = null;
    /** @type {import("/frames.js").Moment} */
    this.frame = null;
    /** @type {Place | null} */
    this.picked = null;
    this.fit();
    new ResizeObserver(() => this.draw()).observe(canvas);
    this.followEditor();
  }

  /** Keeps the picture in a corner while the editor is on the screen and the picture's own place is not. */
  followEditor() {
    const [place, stage, editor] = [element("place"), element("stage"), element("editor")];
    const seen = new Map();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, intersectionRatio } of entries) seen.set(target, intersectionRatio);
      const isSmall = seen.get(editor) > 0 && seen.get(place) < SEEN_LEAST;
      if (stage.classList.contains("small") === isSmall) return;
      // The place keeps its height, so that nothing moves.
      place.style.height = isSmall ? `${place.clientHeight}px` : "";
      stage.classList.toggle("small", isSmall);
    }, { threshold: [0, SEEN_LEAST] });
    for (const one of [place, editor]) observer.observe(one);
  }

  /** Begins a scene. @param {import("/layout.js").Layout} layout */
  show(layout) {
    this.layout = layout;
    this.frame = this.picked = null;
    this.sprites = new Sprites(layout);
    this.sprites.whenReady = () => this.draw();
    const isCrowd = (batch) => batch.count >= CROWD_MIN && !batch.parents.some((parent) => parent > 0);
    const inAll = layout.batches.filter(isCrowd).reduce((sum, { count }) => sum + count, 0);
    this.crowds = layout.batches.map((batch) => (isCrowd(batch) ? new Crowd(layout, batch, inAll) : null));
    this.painter = new Painter(this.crowds, this.wish);
    this.canvas.style.aspectRatio = `${layout.width} / ${layout.height}`;
    this.fit();
    this.draw();
  }

  /** Shows the whole scene. */
  fit() {
    this.zoom = 1;
    this.center = null;
    this.draw();
  }

  /** Zooms about a point of the canvas, in CSS pixels; about its middle without one. */
  zoomBy(factor, x = this.canvas.clientWidth / 2, y = this.canvas.clientHeight / 2) {
    const before = this.toScene(x, y);
    this.zoom = Math.min(Math.max(this.zoom * factor, ZOOM_MIN), ZOOM_MAX);
    const after = this.toScene(x, y);
    this.panBy(before.x - after.x, before.y - after.y);
  }

  /** Moves what is seen by points of the scene. */
  panBy(dx, dy) {
    if (!this.layout) return;
    const middle = this.middle;
    this.center = { x: middle.x + dx, y: middle.y + dy };
    this.draw();
  }

  get middle() {
    return this.center ?? { x: (this.layout?.width ?? 1) / 2, y: (this.layout?.height ?? 1) / 2 };
  }

  /** From points to pixels of the canvas: the scale, and where the scene's origin is. */
  get view() {
    const { width, height } = this.canvas;
    const layout = this.layout ?? { width: 1, height: 1 };
    const scale = Math.min(width / layout.width, height / layout.height) * this.zoom;
    const middle = this.middle;
    return { scale, left: width / 2 - middle.x * scale, top: height / 2 - middle.y * scale };
  }

  /** The point of the scene at a point of the canvas, in CSS pixels. */
  toScene(x, y) {
    const ratio = this.canvas.width / Math.max(this.canvas.clientWidth, 1);
    const { scale, left, top } = this.view;
    return { x: (x * ratio - left) / scale, y: (y * ratio - top) / scale };
  }

  /** What the picture says of its crowds; "" if they are drawn as they are. */
  get note() {
    const small = this.crowds?.find((crowd) => crowd && crowd.side < crowd.wanted);
    return small ? `dots of ${small.side} px in place of ${small.wanted}` : "";
  }

  /** What is around the scene, and there before it. */
  clear() {
    const { canvas, context } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = getComputedStyle(canvas.parentElement).backgroundColor;
    context.fillRect(0, 0, canvas.width, canvas.height);
  }

  /** Draws the frame that is given, or again the last one. @param {import("/frames.js").Moment} frame */
  draw(frame = this.frame) {
    const { canvas, context, layout } = this;
    this.frame = frame;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    if (width === 0 || height === 0) return;
    if (!layout) return this.clear();
    const view = this.view;
    if (frame) this.painter.choose(frame, view, width, height);
    if (this.drawDotsAlone(view)) return this.mark(view);
    this.clear();
    context.save();
    context.setTransform(view.scale, 0, 0, view.scale, view.left, view.top);
    context.beginPath();
    context.rect(0, 0, layout.width, layout.height);
    context.clip();
    context.fillStyle = cssColor(layout.background);
    context.fillRect(0, 0, layout.width, layout.height);
    for (const { x, y, sprite } of layout.fixtures) {
      this.sprites.draw(context, sprite, { ...REST, originX: x, originY: y, width: layout.width, height: layout.height });
    }
    if (frame) {
      this.movements = new Map();
      layout.batches.forEach((batch, index) => {
        if (this.crowds[index]) this.drawLayer(index, view);
        else for (let entity = 0; entity < batch.count; entity++) this.drawEntity(index, entity);
      });
    }
    context.restore();
    this.mark(view);
  }

  /** Where there is nothing but crowds, their pixels are the picture. */
  drawDotsAlone(view) {
    const { canvas, context, layout, frame } = this;
    const isAlone = frame && layout.fixtures.length === 0 && this.crowds.length > 0
      && this.crowds.every((crowd, index) => crowd || layout.batches[index].count === 0);
    if (!isAlone) return false;
    if (this.painter.points) {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = cssColor((layout.background | 0xff) >>> 0);
      context.fillRect(0, 0, canvas.width, canvas.height);
      this.crowds.forEach((crowd, index) => crowd && this.drawPoints(index, view));
      return true;
    }
    const pixels = this.pixels(canvas.width, canvas.height);
    pixels.words.fill(pixel(layout.background | 0xff));
    this.crowds.forEach((crowd, index) =>
      crowd?.draw(pixels.words, canvas.width, canvas.height, frame.batch(index), view));
    context.putImageData(pixels.data, 0, 0);
    return true;
  }

  drawPoints(index, view) {
    const { canvas, context, frame, painter: { points } } = this;
    points.draw(index, frame.batch(index), view, canvas.width, canvas.height, this.crowds[index].batch.count);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(points.canvas, 0, 0);
    context.restore();
  }

  drawLayer(index, view) {
    if (this.painter.points) return this.drawPoints(index, view);
    const { canvas, context, layer, frame } = this;
    if (layer.width !== canvas.width || layer.height !== canvas.height) {
      [layer.width, layer.height] = [canvas.width, canvas.height];
    }
    const pixels = this.pixels(canvas.width, canvas.height);
    pixels.words.fill(0);
    this.crowds[index].draw(pixels.words, canvas.width, canvas.height, frame.batch(index), view);
    layer.getContext("2d").putImageData(pixels.data, 0, 0);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(layer, 0, 0);
    context.restore();
  }

  pixels(width, height) {
    if (this.data?.width !== width || this.data?.height !== height) {
      this.data = new ImageData(width, height);
      this.words = new Uint32Array(this.data.data.buffer);
    }
    return { data: this.data, words: this.words };
  }

  /** An entity's values, and where it stands. */
  state(batchIndex, index) {
    const { layout, frame } = this;
    const batch = layout.batches[batchIndex];
    const columns = frame?.batch(batchIndex) ?? {};
    const value = (field) => (columns[field] ? columns[field].at(index) : FIELDS[field].rest);
    return {
      originX: batch.originX[batch.originX.length === 1 ? 0 : index] ?? 0,
      originY: batch.originY[batch.originY.length === 1 ? 0 : index] ?? 0,
      x: value(X), y: value(Y), opacity: value(OPACITY), scale: value(SCALE), rotation: value(ROTATION),
      blur: value(BLUR), width: layout.width, height: layout.height,
      sprite: batch.sprites[batch.sprites.length === 1 ? 0 : index],
      parent: (batch.parents[batch.parents.length === 1 ? 0 : index] ?? 0) - 1,
    };
  }

  /** What an entity's children inherit: how it moves them, its opacity and its blur, each with those of its parents. */
  movement(entity) {
    const known = this.movements.get(entity);
    if (known) return known;
    const batch = batchOf(this.layout, entity);
    const state = this.state(batch, entity - this.layout.batches[batch].first);
    const outer = state.parent >= 0 ? this.movement(state.parent) : { matrix: new DOMMatrix(), opacity: 1, blur: 0 };
    const matrix = outer.matrix
      .translate(state.originX + state.x, state.originY + state.y)
      .rotate((state.rotation * 180) / Math.PI).scale(state.scale)
      .translate(-state.originX, -state.originY);
    const found = { matrix, opacity: outer.opacity * Math.min(state.opacity, 1), blur: outer.blur + Math.max(state.blur, 0) };
    this.movements.set(entity, found);
    return found;
  }

  drawEntity(batch, index) {
    const { context } = this;
    const state = this.state(batch, index);
    const outer = state.parent >= 0 ? this.movement(state.parent) : null;
    const opacity = Math.min(state.opacity, 1) * (outer?.opacity ?? 1);
    if (!(opacity > 0) || !(state.x === state.x) || !(state.y === state.y)) return;
    context.save();
    if (outer) context.transform(...matrixValues(outer.matrix));
    context.globalAlpha = opacity;
    const blur = Math.max(state.blur, 0) + (outer?.blur ?? 0);
    if (blur > 0.05) context.filter = `blur(${blur * this.view.scale}px)`;
    this.sprites.draw(context, state.sprite, state);
    context.restore();
  }

  /** The box of an entity: its matrix in the scene, and its sides around its own origin. */
  box(batch, index) {
    const state = this.state(batch, index);
    const outer = state.parent >= 0 ? this.movement(state.parent) : null;
    if (!(state.opacity * (outer?.opacity ?? 1) > 0)) return null;
    const sprite = this.layout.sprites[state.sprite];
    const bounds = this.sprites.bounds(state.sprite);
    if (!bounds) return null;
    let matrix = outer?.matrix ?? new DOMMatrix();
    matrix = sprite.clip || sprite.mask
      ? matrix.translate(state.originX, state.originY)
      : matrix.translate(state.originX + state.x, state.originY + state.y)
        .rotate((state.rotation * 180) / Math.PI).scale(state.scale);
    return { matrix, bounds };
  }

  /** The entity at a point of the canvas, in CSS pixels: `batch` and `index`; null if there is none. */
  entityAt(x, y) {
    const { layout, frame } = this;
    if (!layout || !frame) return null;
    this.movements = new Map();
    const point = this.toScene(x, y);
    for (let batch = layout.batches.length - 1; batch >= 0; batch--) {
      const crowd = this.crowds[batch];
      if (crowd) {
        const reach = Math.max(crowd.radius, 10 / this.view.scale);
        const { index, distance } = crowd.nearest(frame.batch(batch), point.x, point.y);
        if (distance <= reach * reach) return { batch, index };
        continue;
      }
      for (let index = layout.batches[batch].count - 1; index >= 0; index--) {
        const box = this.box(batch, index);
        if (!box) continue;
        const own = box.matrix.inverse().transformPoint(point);
        const [left, top, width, height] = box.bounds;
        if (own.x >= left && own.y >= top && own.x <= left + width && own.y <= top + height) return { batch, index };
      }
    }
    return null;
  }

  /** A frame around what is picked. */
  mark(view) {
    const { context, picked, frame } = this;
    if (!picked || !frame) return;
    const crowd = this.crowds[picked.batch];
    context.save();
    context.setTransform(view.scale, 0, 0, view.scale, view.left, view.top);
    context.strokeStyle = "#ff3b6b";
    context.lineWidth = 2 / view.scale;
    context.beginPath();
    if (crowd) {
      const { originX, originY, x, y } = this.state(picked.batch, picked.index);
      context.arc(originX + x, originY + y, Math.max(crowd.radius * 2, 9 / view.scale), 0, 2 * Math.PI);
    } else {
      this.movements ??= new Map();
      const box = this.box(picked.batch, picked.index);
      if (box) {
        context.transform(...matrixValues(box.matrix));
        context.rect(.../** @type {[number, number, number, number]} */ (box.bounds));
      }
    }
    context.stroke();
    context.restore();
  }
}

const REST = { x: 0, y: 0, opacity: 1, scale: 1, rotation: 0, blur: 0 };

/** @type {(matrix: DOMMatrix) => [number, number, number, number, number, number]} */
const matrixValues = ({ a, b, c, d, e, f }) => [a, b, c, d, e, f];
