// Reads the fields of a protobuf message, one after the other.

/** The wire types that messages of Orrery have. */
const VARINT = 0, FIXED64 = 1, BYTES = 2, FIXED32 = 5;

/**
 * Calls `use` for each field of a message.
 *
 * @param {Uint8Array} bytes The message.
 * @param {(number: number, value: any) => void} use Gets a varint as a number, a fixed64 as a BigInt, bytes as a
 *   Uint8Array, and a fixed32 as a DataView at it.
 */
export function readFields(bytes, use) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  const varint = () => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[offset++];
      if (byte === undefined) throw new Error("a message ends too early");
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  while (offset < bytes.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case VARINT: use(number, varint()); break;
      case FIXED64: use(number, view.getBigUint64(offset, true)); offset += 8; break;
      case FIXED32: use(number, new DataView(bytes.buffer, bytes.byteOffset + offset, 4)); offset += 4; break;
      case BYTES: {
        const count = varint();
        if (offset + count > bytes.length) throw new Error("a message ends too early");
        use(number, bytes.subarray(offset, offset + count));
        offset += count;
        break;
      }
      default: throw new Error(`field ${number} has wire type ${tag % 8}`);
    }
  }
}

/** A fixed64 field that holds a double. */
export function double(bits) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

/** A packed list of varints, or one that was not packed. */
export function varints(value) {
  if (typeof value === "number") return [value];
  const found = [];
  let [number, factor] = [0, 1];
  for (const byte of value) {
    number += (byte & 127) * factor;
    factor *= 128;
    if (byte < 128) { found.push(number); [number, factor] = [0, 1]; }
  }
  return found;
}

/** A packed list of floats. */
export function floats(value) {
  return new Float32Array(value.slice().buffer);
}

/** A packed list of fixed32. */
export function words(value) {
  return new Uint32Array(value.slice().buffer);
}

const decoder = new TextDecoder();

/** Text in UTF-8. */
export function text(value) {
  return decoder.decode(value);
}
