// Frames as the server encodes them, and those of the last ten seconds.

import { FIELDS } from "/layout.js";

const HEAD_BYTES = 48, COLUMN_BYTES = 24, ABSENT = -32768, EXACT = 1, CHANGES = 2, BLOCK_VALUES = 256;

/** One column: values of one field of one batch, in multiples of a unit; a unit of 0 means that they are floats. */
export class Column {
  /** @param {number} batch @param {number} field @param {number} unit @param {Float32Array | Int16Array} values */
  constructor(batch, field, unit, values) {
    this.batch = batch;
    this.field = field;
    this.unit = unit;
    this.values = values;
  }

  /**
   * Reads a column.
   *
   * @param {DataView} view Of a message. @param {number} at Where the column's head is.
   * @param {Frame | null} base If the message has changes only: the frame that they begin from.
   */
  static read(view, at, base) {
    const [batch, field] = [view.getUint32(at, true), view.getUint32(at + 8, true)];
    const [count, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const unit = view.getFloat32(at + 20, true);
    const values = base ? changed(base.batch(batch)[field].values, new Uint8Array(view.buffer, offset), count)
      : unit === 0 ? new Float32Array(view.buffer, offset, count) : new Int16Array(view.buffer, offset, count);
    return new Column(batch, field, unit, values);
  }

  /** What stands for a value that is no number, where that is not NaN itself. */
  get absent() { return this.unit === 0 ? NaN : ABSENT; }

  /** The value at an index; no number if there is none. */
  at(index) {
    const value = this.values[index];
    if (this.unit === 0) return value;
    return value === ABSENT ? NaN : value * this.unit;
  }
}

/**
 * Columns of a batch by their fields.
 *
 * @typedef {{ [field: number]: Column }} Columns
 */

/**
 * The values after their changes: a byte for each 256 of them says how many bytes each change takes. Sums wrap around at
 * 16 bits, as the differences did.
 *
 * @param {Float32Array | Int16Array} old @param {Uint8Array} bytes The changes, and what follows. @param {number} count
 */
function changed(old, bytes, count) {
  const values = new Int16Array(old);
  const blocks = Math.ceil(count / BLOCK_VALUES);
  let at = blocks;
  for (let block = 0; block < blocks; block++) {
    const [first, end] = [block * BLOCK_VALUES, Math.min((block + 1) * BLOCK_VALUES, count)];
    if (bytes[block] === 1) {
      for (let index = first; index < end; index++) values[index] += (bytes[at++] << 24) >> 24;
    } else if (bytes[block] === 2) {
      for (let index = first; index < end; index++, at += 2) values[index] += bytes[at] | (bytes[at + 1] << 8);
    }
  }
  return values;
}

/** The values of all entities at a time. */
export class Moment {
  constructor() {
    this.sequence = this.tick = this.seconds = this.run = 0;
    /**
     * Columns by batch, then by field.
     *
     * @type {Map<number, Columns>}
     */
    this.columns = new Map();
  }

  /** The columns of a batch by their fields. */
  batch(index) { return this.columns.get(index) ?? {}; }

  /** A value of an entity. */
  value(batch, index, field) {
    const column = this.batch(batch)[field];
    return column ? column.at(index) : FIELDS[field].rest;
  }
}

/** One frame. */
export class Frame extends Moment {
  /**
   * @param {ArrayBuffer} buffer A binary message of the server.
   * @param {Frame | null} last The frame of the message before it.
   */
  constructor(buffer, last) {
    super();
    const view = new DataView(buffer);
    if (view.getUint32(0, true) !== 1) throw new Error("the frame's encoding is unknown: load the page again");
    this.bytes = buffer.byteLength;
    this.sequence = Number(view.getBigUint64(8, true));
    this.tick = Number(view.getBigUint64(16, true));
    this.seconds = Number(view.getBigUint64(24, true)) / 1e9;
    this.publishedUs = Number(view.getBigUint64(32, true) / 1000n);
    this.run = view.getUint32(40, true);
    const flags = view.getUint32(44, true);
    this.isExact = (flags & EXACT) !== 0;
    this.hasChanges = (flags & CHANGES) !== 0;
    const count = view.getUint32(4, true);
    const base = this.hasChanges ? last : null;
    if (base && base.sequence !== Number(view.getBigUint64(HEAD_BYTES + count * COLUMN_BYTES, true))) {
      throw new Error("changes of a frame that did not come: load the page again");
    }
    /** Bytes of all values, however they came. */
    this.size = 0;
    for (let index = 0; index < count; index++) {
      const column = Column.read(view, HEAD_BYTES + index * COLUMN_BYTES, base);
      if (!this.columns.has(column.batch)) this.columns.set(column.batch, {});
      this.columns.get(column.batch)[column.field] = column;
      this.size += column.values.byteLength;
    }
  }
}

/** Values of the last ten seconds of scene time: whole frames where they are small, else those of one entity. */
export class History {
  static SECONDS = 10;
  static BYTES_MAX = 16 << 20;

  constructor() { this.clear(); }

  clear() {
    this.frames = [];
    this.samples = [];
    this.followed = [];
  }

  /** Whose values are kept where frames are too large; each entity has `batch` and `index`. */
  follow(entities) { this.followed = entities.map(({ batch, index }) => ({ batch, index })); }

  /** @param {Frame} frame */
  add(frame) {
    const last = this.frames.at(-1) ?? this.samples.at(-1);
    // After a seek, a curve begins anew.
    if (last && Math.abs(frame.seconds - last.seconds) > 1) { this.frames = []; this.samples = []; }
    const isSmall = frame.size * 600 <= History.BYTES_MAX;
    if (isSmall) this.frames.push(frame);
    else if (this.followed.length > 0) {
      const entities = new Map(this.followed.map(({ batch, index }) => {
        const values = Object.keys(frame.batch(batch)).map((field) => [field, frame.value(batch, index, field)]);
        return [`${batch}/${index}`, Object.fromEntries(values)];
      }));
      this.samples.push({ seconds: frame.seconds, entities });
    }
    for (const list of [this.frames, this.samples]) {
      let old = 0;
      while (old < list.length && (list[old].seconds < frame.seconds - History.SECONDS || list.length - old > 2400)) old++;
      if (old > 0) list.splice(0, old);
    }
  }

  /** The curve of a field: pairs of scene time and value; no number where the entity was not followed. */
  curve(batch, index, field) {
    return this.frames.length > 0
      ? this.frames.map((frame) => [frame.seconds, frame.value(batch, index, field)])
      : this.samples.map(({ seconds, entities }) => {
        const values = entities.get(`${batch}/${index}`);
        return [seconds, values ? values[field] ?? FIELDS[field].rest : NaN];
      });
  }
}
