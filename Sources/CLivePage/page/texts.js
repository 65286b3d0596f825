// Texts as the renderer draws them: from outlines, or from a picture of them where a text is drawn again and again.

import { cssColor } from "/layout.js";

/** Pixels of a kept picture on each side of a pixel that it fills: it may lie between pixels. */
const FINENESS = 2;
/** Pixels that all kept pictures have together, and that a text may have. */
const PIXELS_MAX = 8e6, TEXT_PIXELS_MAX = 1e6;

/**
 * How a text looks: what is visible of it, and its outlines or its picture.
 *
 * @typedef {{ ink: number[], path: Path2D | null, image: ImageBitmap | null }} Shape
 */

/** A PNG file in Base64 as an image; null if it is none. */
async function imageOf(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: "image/png" })).catch(() => null);
}

const key = ({ font, text }) => `${font}\n${text}`;

export class Texts {
  constructor() {
    /**
     * By the text of the layout.
     *
     * @type {Map<object, Shape>}
     */
    this.shapes = new Map();
    /**
     * What was drawn at which scale; with a picture, and where it goes, from the second time on.
     *
     * @type {Map<object, { scale: number, picture: HTMLCanvasElement | null, left?: number, top?: number, width?: number,
     *   height?: number }>}
     */
    this.kept = new Map();
    this.pixels = 0;
  }

  /**
   * Takes how texts look.
   *
   * @param {object[]} texts Those of the layout.
   * @param {{ text: string, font: string, ink: number[], path?: string, picture?: string }[]} list
   */
  async take(texts, list) {
    const known = new Map();
    await Promise.all(list.map(async (shape) => {
      const { ink, path, picture } = shape;
      const image = picture ? await imageOf(picture) : null;
      known.set(key(shape), { ink, path: path ? new Path2D(path) : null, image });
    }));
    for (const text of texts) if (known.has(key(text))) this.shapes.set(text, known.get(key(text)));
  }

  /** Draws a text; false if it is not known how. */
  draw(context, text) {
    const shape = this.shapes.get(text);
    if (!shape || !(text.width ? shape.path || shape.image : shape.path)) return false;
    const { a: scale, b: turn } = context.getTransform();
    let kept = this.kept.get(text);
    if (turn !== 0 || kept?.scale !== scale) {
      // One that turns or grows is another at each time.
      this.forget(text);
      this.kept.set(text, { scale, picture: null });
      paint(context, shape, text);
      return true;
    }
    if (!kept.picture) kept = this.keep(shape, text, scale);
    if (kept.picture) {
      context.drawImage(kept.picture, text.x + kept.left, text.y + kept.top, kept.width, kept.height);
    } else {
      paint(context, shape, text);
    }
    return true;
  }

  /** Makes the picture of a text at a scale, if there is room for it. */
  keep(shape, text, scale) {
    const fineness = FINENESS * scale;
    const [left, top, width, height] = bounds(shape, text);
    // A pixel around it: it may reach beyond its ink by the fraction of one.
    const columns = Math.ceil(width * fineness) + 2, rows = Math.ceil(height * fineness) + 2;
    const kept = this.kept.get(text);
    if (columns * rows > TEXT_PIXELS_MAX || this.pixels + columns * rows > PIXELS_MAX) return kept;
    const picture = document.createElement("canvas");
    [picture.width, picture.height] = [columns, rows];
    const inner = picture.getContext("2d");
    const edge = 1 / fineness;
    inner.scale(fineness, fineness);
    inner.translate(edge - left - text.x, edge - top - text.y);
    paint(inner, shape, text);
    this.pixels += columns * rows;
    const made = {
      scale, picture, left: left - edge, top: top - edge, width: columns / fineness, height: rows / fineness,
    };
    this.kept.set(text, made);
    return made;
  }

  forget(text) {
    const picture = this.kept.get(text)?.picture;
    if (picture) this.pixels -= picture.width * picture.height;
  }
}

/** Left, top, width and height of what is visible, from where the text is. */
function bounds({ ink: [left, top, width, height], image }, text) {
  if (!text.width) return [left, top, width, height];
  const factor = image ? image.height / image.width : height / width;
  return [0, (text.height - text.width * factor) / 2, text.width, text.width * factor];
}

/** Draws a text exactly. */
function paint(context, shape, text) {
  const { ink: [inkLeft, inkTop, inkWidth], path, image } = shape;
  const [left, top, width, height] = bounds(shape, text);
  if (text.width && image) {
    context.save();
    context.imageSmoothingQuality = "high";
    context.drawImage(image, text.x, text.y + top, width, height);
    context.restore();
    return;
  }
  const scale = text.width ? width / inkWidth : 1;
  context.save();
  context.translate(text.x + left - inkLeft * scale, text.y + top - inkTop * scale);
  context.scale(scale / 100, scale / 100);
  context.fillStyle = cssColor(text.color);
  context.fill(path);
  context.restore();
}
