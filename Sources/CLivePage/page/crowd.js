// Draws crowds: each entity of a large batch is a dot that script writes into the pixels.

/** Batches of at least this many entities without parents are crowds. */
export const CROWD_MIN = 3000;

/** Pixels that the dots of a frame may have in all: they become smaller rather than late. */
const PIXELS_MAX = 2_500_000;

/** 0xRRGGBBAA as a word of ImageData on a little-endian machine. */
export function pixel(color) {
  const [red, green, blue, alpha] = [color >>> 24, (color >>> 16) & 255, (color >>> 8) & 255, color & 255];
  return ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** The dots of one batch. */
export class Crowd {
  /**
   * @param {import("/layout.js").Layout} layout The scene's layout.
   * @param {import("/layout.js").Batch} batch The batch in it.
   */
  constructor(layout, batch) {
    this.batch = batch;
    const look = batch.sprites.map((index) => {
      const element = layout.sprites[index]?.elements[0];
      const radius = element?.kind === "disc" ? element.radius : Math.min(element?.width ?? 2, element?.height ?? 2) / 2;
      return { color: pixel(element?.color ?? 0x808080ff), radius };
    });
    this.colors = new Uint32Array(batch.count);
    for (let index = 0; index < batch.count; index++) this.colors[index] = look[look.length === 1 ? 0 : index].color;
    this.radius = look.reduce((sum, { radius }) => sum + radius, 0) / look.length;
    /** The side of a dot in the last frame, in pixels, and what it would be without the limit. */
    this.side = this.wanted = 1;
  }

  /** The side of a dot at a scale from points to pixels. */
  sideFor(scale) {
    this.wanted = Math.max(1, Math.round(2 * this.radius * scale));
    this.side = Math.max(1, Math.min(this.wanted, 12, Math.floor(Math.sqrt(PIXELS_MAX / this.batch.count))));
    return this.side;
  }

  /**
   * Writes the dots into pixels.
   *
   * @param {Uint32Array} pixels Of the picture. @param {number} width Its width. @param {number} height Its height.
   * @param {import("/frames.js").Columns} columns The frame's columns of the batch.
   * @param {{ scale: number, left: number, top: number }} view `scale` from points to pixels, and `left`, `top` of
   *   the scene in pixels.
   * @param {number} count Entities.
   */
  draw(pixels, width, height, columns, view, count = this.batch.count) {
    const { batch, colors } = this;
    const side = this.sideFor(view.scale);
    const [x, y] = [columns[1], columns[2]];
    const [xs, ys] = [x?.values ?? null, y?.values ?? null];
    const unitX = (x ? x.unit || 1 : 0) * view.scale, unitY = (y ? y.unit || 1 : 0) * view.scale;
    const [originX, originY] = [batch.originX, batch.originY];
    const [oneX, oneY] = [originX.length === 1, originY.length === 1];
    const scale = view.scale, half = (side - 1) / 2;
    const left = view.left - half + 0.5, top = view.top - half + 0.5;
    const opacity = columns[3];
    const [lastX, lastY] = [width - side, height - side];
    for (let index = 0; index < count; index++) {
      const column = (left + originX[oneX ? 0 : index] * scale + (xs === null ? 0 : xs[index] * unitX)) | 0;
      const row = (top + originY[oneY ? 0 : index] * scale + (ys === null ? 0 : ys[index] * unitY)) | 0;
      if (column < 0 || row < 0 || column > lastX || row > lastY) continue;
      if (opacity !== undefined && opacity.at(index) < 0.05) continue;
      const color = colors[index];
      let at = row * width + column;
      if (side === 1) { pixels[at] = color; continue; }
      for (let line = 0; line < side; line++, at += width) {
        // Corners of larger dots are cut.
        const cut = side > 3 && (line === 0 || line === side - 1) ? 1 : 0;
        for (let dot = cut; dot < side - cut; dot++) pixels[at + dot] = color;
      }
    }
  }

  /** The index of the entity whose dot is the nearest to a point of the scene, and the square of its distance. */
  nearest(columns, pointX, pointY) {
    const { batch } = this;
    let [best, bestDistance] = [-1, Infinity];
    for (let index = 0; index < batch.count; index++) {
      const dx = batch.originX[batch.originX.length === 1 ? 0 : index] + (columns[1]?.at(index) ?? 0) - pointX;
      const dy = batch.originY[batch.originY.length === 1 ? 0 : index] + (columns[2]?.at(index) ?? 0) - pointY;
      const distance = dx * dx + dy * dy;
      if (distance < bestDistance) [best, bestDistance] = [index, distance];
    }
    return { index: best, distance: bestDistance };
  }
}
