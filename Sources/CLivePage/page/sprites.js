// Draws what an entity looks like: texts, discs, boxes, images and gradients, with clip, mask and repetition.

import { cssColor } from "/layout.js";
import { Texts } from "/texts.js";

const WEIGHTS = {
  thin: 100, ultralight: 200, extralight: 200, light: 300, semilight: 350, book: 380, regular: 400, normal: 400,
  medium: 500, semibold: 600, demibold: 600, bold: 700, ultrabold: 800, extrabold: 800, heavy: 900, black: 900,
};

/** A font description of Pango, "Noto Sans Semi-Bold 13", as CSS has it. */
export function cssFont(description) {
  const words = description.trim().split(/\s+/);
  const size = parseFloat(words.at(-1));
  if (!Number.isNaN(size)) words.pop();
  let [weight, style] = [400, "normal"];
  for (;;) {
    const word = (words.at(-1) ?? "").toLowerCase().replace("-", "");
    if (word in WEIGHTS && words.length > 1) weight = WEIGHTS[word];
    else if (word === "italic" || word === "oblique") style = word;
    else break;
    words.pop();
  }
  const family = words.join(" ").replace(/[",]+/g, "");
  return `${style} ${weight} ${size || 12}px "${family}", sans-serif`;
}

const isFromTheRight = (text) => /^[^A-Za-z\u00c0-\u024f]*[\u0590-\u08ff\ufb1d-\ufefc]/.test(text);

/** Edges of two repetitions between pixels would let what is behind them through. */
const SEAM = 1;

/** Sprites of a layout. */
export class Sprites {
  /** @param {import("/layout.js").Layout} layout The scene's layout. */
  constructor(layout) {
    this.layout = layout;
    /**
     * Called when another image can be drawn.
     *
     * @type {() => void}
     */
    this.whenReady = () => {};
    this.images = layout.images.map(() => null);
    layout.images.forEach((bytes, index) => {
      createImageBitmap(new Blob([bytes], { type: "image/png" }))
        .then((image) => { this.images[index] = image; this.whenReady(); })
        .catch(() => {});
    });
    for (const { mask } of layout.sprites) if (mask?.text) Object.assign(mask.text, { x: mask.x, y: mask.y, color: 0xff });
    for (const text of this.texts) text.css = cssFont(text.font);
    this.looks = new Texts();
    this.layer = document.createElement("canvas");
  }

  /** All texts of the sprites. */
  get texts() {
    return this.layout.sprites.flatMap(({ elements, mask }) =>
      [...elements.filter(({ kind }) => kind === "text"), ...(mask?.text ? [mask.text] : [])]);
  }

  /** Takes how texts look, as the renderer draws them; the browser draws the others in its way. */
  async take(shapes) {
    await this.looks.take(this.texts, shapes);
    this.whenReady();
  }

  /**
   * Draws a sprite.
   *
   * @param {CanvasRenderingContext2D} context Its coordinates are those in which the origin stands.
   * @param {number} index The sprite.
   * @param {object} at `originX`, `originY`; `x`, `y`, `scale`, `rotation` that move it; the picture's `width`, `height`.
   */
  draw(context, index, at) {
    const sprite = this.layout.sprites[index];
    if (!sprite) return;
    if (sprite.mask?.text) return this.drawMasked(context, sprite, at);
    context.save();
    this.clip(context, sprite, at);
    this.drawMoved(context, sprite, at);
    context.restore();
  }

  clip(context, { clip }, at) {
    if (!clip) return;
    context.beginPath();
    context.rect(at.originX + clip.x, at.originY + clip.y, clip.width, clip.height);
    context.clip();
  }

  drawMoved(context, sprite, at) {
    context.translate(at.originX + at.x, at.originY + at.y);
    if (at.rotation) context.rotate(at.rotation);
    if (at.scale !== 1) context.scale(at.scale, at.scale);
    if (!sprite.period && !sprite.periodY) return this.drawElements(context, sprite);
    const [firstX, lastX] = this.repeats(sprite.period, at.originX + at.x, at.width, sprite.clip, "x", at.x);
    const [firstY, lastY] = this.repeats(sprite.periodY, at.originY + at.y, at.height, sprite.clip, "y", at.y);
    for (let row = firstY; row <= lastY; row++) {
      for (let column = firstX; column <= lastX; column++) {
        context.save();
        context.translate(column * sprite.period, row * sprite.periodY);
        this.drawElements(context, sprite, SEAM);
        context.restore();
      }
    }
  }

  /** The first and the last repetition that may be seen: in the clip, or in the picture. */
  repeats(period, position, extent, clip, side, moved) {
    if (!period) return [0, 0];
    const [low, high] = clip
      ? [clip[side] - moved, clip[side] + clip[side === "x" ? "width" : "height"] - moved] : [-position, extent - position];
    return [Math.floor(low / period) - 1, Math.ceil(high / period)];
  }

  /** Draws into a layer, of which the glyphs of the mask stay. */
  drawMasked(context, sprite, at) {
    const [layer, canvas] = [this.layer, context.canvas];
    if (layer.width !== canvas.width || layer.height !== canvas.height) {
      [layer.width, layer.height] = [canvas.width, canvas.height];
    }
    const inner = layer.getContext("2d");
    inner.setTransform(1, 0, 0, 1, 0, 0);
    inner.globalCompositeOperation = "source-over";
    inner.clearRect(0, 0, layer.width, layer.height);
    inner.setTransform(context.getTransform());
    inner.save();
    this.clip(inner, sprite, at);
    this.drawMoved(inner, sprite, at);
    inner.restore();
    inner.globalCompositeOperation = "destination-in";
    inner.translate(at.originX, at.originY);
    this.drawText(inner, sprite.mask.text);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(layer, 0, 0);
    context.restore();
  }

  /** Draws the elements; gradients reach over their right and lower edges by `seam` points. */
  drawElements(context, sprite, seam = 0) {
    for (const element of sprite.elements) {
      switch (element.kind) {
        case "text": this.drawText(context, element); break;
        case "disc":
          context.fillStyle = cssColor(element.color);
          context.beginPath();
          context.arc(element.x, element.y, element.radius, 0, 2 * Math.PI);
          context.fill();
          break;
        case "box":
          context.fillStyle = cssColor(element.color);
          context.beginPath();
          context.roundRect(element.x, element.y, element.width, element.height, element.corner);
          context.fill();
          break;
        case "image": {
          const image = this.images[element.image];
          if (image) context.drawImage(image, element.x, element.y, element.width, element.height);
          break;
        }
        case "gradient":
          context.fillStyle = gradient(context, element);
          context.fillRect(element.x, element.y, element.width + seam, element.height + seam);
          break;
      }
    }
  }

  drawText(context, element) {
    if (this.looks.draw(context, element)) return;
    context.font = element.css;
    context.fillStyle = cssColor(element.color);
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.direction = isFromTheRight(element.text) ? "rtl" : "ltr";
    element.lines ??= element.text.split("\n").map((line) => ({ line, size: context.measureText(line) }));
    const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = element.lines[0].size;
    const lineHeight = ascent + descent;
    const width = Math.max(...element.lines.map(({ size }) => size.width), 1e-6);
    context.save();
    context.translate(element.x, element.y);
    if (element.width) {
      const factor = element.width / width;
      context.translate(0, (element.height - lineHeight * element.lines.length * factor) / 2);
      context.scale(factor, factor);
    }
    element.lines.forEach(({ line }, index) => context.fillText(line, 0, ascent + index * lineHeight));
    context.restore();
  }

  /** Half the size of a sprite around its origin, for picking; its box if it has no repetition. */
  bounds(index) {
    const sprite = this.layout.sprites[index];
    if (!sprite) return null;
    if (sprite.mask?.text) {
      const { width, height } = textSize(sprite.mask.text);
      return [sprite.mask.x, sprite.mask.y, width, height];
    }
    if (sprite.clip) return [sprite.clip.x, sprite.clip.y, sprite.clip.width, sprite.clip.height];
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const element of sprite.elements) {
      const radius = element.kind === "disc" ? element.radius : 0;
      const size = element.kind === "text" && !element.width ? textSize(element) : element;
      left = Math.min(left, element.x - radius);
      top = Math.min(top, element.y - radius);
      right = Math.max(right, element.x + (radius || size.width));
      bottom = Math.max(bottom, element.y + (radius || size.height));
    }
    return right > left ? [left, top, right - left, bottom - top] : null;
  }
}

const measuring = document.createElement("canvas").getContext("2d");

function textSize(element) {
  measuring.font = element.css;
  const size = measuring.measureText(element.text);
  return { width: size.width, height: size.fontBoundingBoxAscent + size.fontBoundingBoxDescent };
}

function gradient(context, { x, y, width, height, colors, angle }) {
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const half = (Math.abs(cosine) * width + Math.abs(sine) * height) / 2;
  const [middleX, middleY] = [x + width / 2, y + height / 2];
  const fill = context.createLinearGradient(
    middleX - cosine * half, middleY - sine * half, middleX + cosine * half, middleY + sine * half);
  colors.forEach((color, index) => fill.addColorStop(index / Math.max(colors.length - 1, 1), cssColor(color)));
  return fill;
}
