// Draws crowds: each entity of a large batch is a dot that script writes into the pixels.

/** Batches of at least this many entities without parents are crowds. */
export const CROWD_MIN = 3000;

/** Pixels that the dots of all crowds may have: they become smaller rather than late. */
const PIXELS_MAX = 2_500_000;

/** Opacity below which a dot is not drawn. */
const OPACITY_MIN = 0.05;

/**
 * Dots that are placed before they are written: two short loops take half the time of one that does both, and what
 * lies between them stays in the nearest cache.
 */
const BLOCK = 2048;
const places = new Int32Array(BLOCK), entities = new Int32Array(BLOCK);

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
   * @param {number} inAll Entities of all crowds.
   */
  constructor(layout, batch, inAll) {
    this.batch = batch;
    this.sideMax = Math.min(12, Math.floor(Math.sqrt(PIXELS_MAX / inAll)));
    const look = batch.sprites.map((index) => {
      const element = layout.sprites[index]?.elements[0];
      const radius = element?.kind === "disc" ? element.radius : Math.min(element?.width ?? 2, element?.height ?? 2) / 2;
      return { color: pixel(element?.color ?? 0x808080ff), radius };
    });
    this.colors = new Uint32Array(batch.count);
    for (let index = 0; index < batch.count; index++) this.colors[index] = look[look.length === 1 ? 0 : index].color;
    this.originX = forEach(batch.originX, batch.count);
    this.originY = forEach(batch.originY, batch.count);
    this.zeros = new Int16Array(batch.count);
    this.radius = look.reduce((sum, { radius }) => sum + radius, 0) / look.length;
    /** The side of a dot in the last frame, in pixels, and what it would be without the limit. */
    this.side = this.wanted = 1;
  }

  /** The side of a dot at a scale from points to pixels. */
  sideFor(scale) {
    this.wanted = Math.max(1, Math.round(2 * this.radius * scale));
    this.side = Math.max(1, Math.min(this.wanted, this.sideMax));
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
    const side = this.sideFor(view.scale), offset = (side - 1) / 2 - 0.5;
    const { originX, originY, zeros } = this, { scale } = view;
    const [x, y, opacity] = [columns[1], columns[2], columns[3]];
    const dots = {
      originX, originY, scale, width,
      xs: x?.values ?? zeros, ys: y?.values ?? zeros,
      unitX: (x?.unit || 1) * scale, unitY: (y?.unit || 1) * scale,
      absentX: x?.absent ?? NaN, absentY: y?.absent ?? NaN,
      left: view.left - offset, top: view.top - offset, right: width - side + 1, bottom: height - side + 1,
    };
    for (let first = 0; first < count; first += BLOCK) {
      let found = place(dots, first, Math.min(first + BLOCK, count));
      if (opacity) found = keepVisible(found, opacity.values, OPACITY_MIN / (opacity.unit || 1));
      paint(pixels, width, side, this.colors, found);
    }
  }

  /** The index of the entity whose dot is the nearest to a point of the scene, and the square of its distance. */
  nearest(columns, pointX, pointY) {
    let [best, bestDistance] = [-1, Infinity];
    for (let index = 0; index < this.batch.count; index++) {
      const dx = this.originX[index] + (columns[1]?.at(index) ?? 0) - pointX;
      const dy = this.originY[index] + (columns[2]?.at(index) ?? 0) - pointY;
      const distance = dx * dx + dy * dy;
      if (distance < bestDistance) [best, bestDistance] = [index, distance];
    }
    return { index: best, distance: bestDistance };
  }
}

/** Values of all entities, where one is given for all, too. @param {Float32Array} values @param {number} count */
function forEach(values, count) {
  return values.length === 1 ? new Float32Array(count).fill(values[0]) : values;
}

/**
 * Finds the pixels in which dots begin, and whose they are. Dots that are not wholly in the picture are left out, and
 * those without a place. No branch asks which columns there are: each would cost a third of the time.
 *
 * @returns {number} How many there are.
 */
function place(dots, first, end) {
  const { originX, originY, scale, width, xs, ys, unitX, unitY, absentX, absentY, left, top, right, bottom } = dots;
  let found = 0;
  for (let index = first; index < end; index++) {
    const ownX = xs[index], ownY = ys[index];
    const x = left + originX[index] * scale + ownX * unitX;
    const y = top + originY[index] * scale + ownY * unitY;
    const isSeen = x > -1 && y > -1 && x < right && y < bottom && ownX !== absentX && ownY !== absentY;
    if (!isSeen) continue;
    places[found] = (y | 0) * width + (x | 0);
    entities[found++] = index;
  }
  return found;
}

/** Leaves out dots whose opacity is too low, or absent. @returns {number} How many are left. */
function keepVisible(found, opacities, least) {
  let kept = 0;
  for (let index = 0; index < found; index++) {
    if (!(opacities[entities[index]] >= least)) continue;
    places[kept] = places[index];
    entities[kept++] = entities[index];
  }
  return kept;
}

/** Writes the dots that were placed; corners of larger ones are cut. */
function paint(pixels, width, side, colors, found) {
  if (side === 1) {
    for (let index = 0; index < found; index++) pixels[places[index]] = colors[entities[index]];
  } else if (side === 2) {
    for (let index = 0; index < found; index++) {
      const at = places[index], color = colors[entities[index]];
      pixels[at] = pixels[at + 1] = pixels[at + width] = pixels[at + width + 1] = color;
    }
  } else if (side === 3) {
    for (let index = 0; index < found; index++) {
      const first = places[index], color = colors[entities[index]];
      for (let at = first; at <= first + 2 * width; at += width) pixels[at] = pixels[at + 1] = pixels[at + 2] = color;
    }
  } else {
    for (let index = 0; index < found; index++) {
      const first = places[index], last = first + (side - 1) * width, color = colors[entities[index]];
      for (let at = first + 1; at < first + side - 1; at++) pixels[at] = color;
      for (let line = first + width; line < last; line += width) {
        for (let at = line; at < line + side; at++) pixels[at] = color;
      }
      for (let at = last + 1; at < last + side - 1; at++) pixels[at] = color;
    }
  }
}
