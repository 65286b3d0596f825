// Frames as the server encodes them, and those of the last ten seconds.

import { FIELDS } from "/layout.js";

const HEAD_BYTES = 48, COLUMN_BYTES = 24, ABSENT = -32768;

/** One column: values of one field of one batch, in multiples of a unit; a unit of 0 means that they are floats. */
class Column {
  constructor(view, at, buffer) {
    this.batch = view.getUint32(at, true);
    this.first = view.getUint32(at + 4, true);
    this.field = view.getUint32(at + 8, true);
    const [count, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    this.unit = view.getFloat32(at + 20, true);
    this.values = this.unit === 0
      ? new Float32Array(buffer, offset, count) : new Int16Array(buffer, offset, count);
  }

  /** The value at an index; no number if there is none. */
  at(index) {
    const value = this.values[index];
    if (this.unit === 0) return value;
    return value === ABSENT ? NaN : value * this.unit;
  }
}

/** One frame. */
export class Frame {
  /** @param {ArrayBuffer} buffer A binary message of the server. */
  constructor(buffer) {
    const view = new DataView(buffer);
    if (view.getUint32(0, true) !== 1) throw new Error("the frame's encoding is unknown: load the page again");
    this.bytes = buffer.byteLength;
    this.sequence = Number(view.getBigUint64(8, true));
    this.tick = Number(view.getBigUint64(16, true));
    this.seconds = Number(view.getBigUint64(24, true)) / 1e9;
    this.publishedUs = Number(view.getBigUint64(32, true) / 1000n);
    this.run = view.getUint32(40, true);
    this.isExact = (view.getUint32(44, true) & 1) === 1;
    /** Columns by batch, then by field. */
    this.columns = new Map();
    const count = view.getUint32(4, true);
    for (let index = 0; index < count; index++) {
      const column = new Column(view, HEAD_BYTES + index * COLUMN_BYTES, buffer);
      if (!this.columns.has(column.batch)) this.columns.set(column.batch, {});
      this.columns.get(column.batch)[column.field] = column;
    }
  }

  /** The columns of a batch by their fields. */
  batch(index) { return this.columns.get(index) ?? {}; }

  /** A value of an entity. */
  value(batch, index, field) {
    const column = this.batch(batch)[field];
    return column ? column.at(index) : FIELDS[field].rest;
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

  add(frame) {
    const last = this.frames.at(-1) ?? this.samples.at(-1);
    // After a seek, a curve begins anew.
    if (last && Math.abs(frame.seconds - last.seconds) > 1) { this.frames = []; this.samples = []; }
    const isSmall = frame.bytes * 600 <= History.BYTES_MAX;
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
