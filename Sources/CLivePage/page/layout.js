// The scene's layout: what does not change for the whole run. See orrery.SceneLayout in orrery.proto.

import { double, floats, readFields, text, varints, words } from "/fields.js";

/** Fields of entities by their numbers, with the value of one that has no column. */
export const FIELDS = {
  1: { name: "x", rest: 0 }, 2: { name: "y", rest: 0 }, 3: { name: "opacity", rest: 1 },
  4: { name: "scale", rest: 1 }, 5: { name: "rotation", rest: 0 }, 6: { name: "blur", rest: 0 },
};

/**
 * Reads a message by a table of what each field does to the result.
 *
 * @template T
 * @param {Uint8Array} bytes @param {T} result @param {{ [field: number]: (value: any, result: T) => void }} table
 * @returns {T}
 */
function read(bytes, result, table) {
  readFields(bytes, (number, value) => table[number]?.(value, result));
  return result;
}

const set = (key, convert = (value) => value) => (value, result) => { result[key] = convert(value); };
const push = (key, convert) => (value, result) => { result[key].push(convert(value)); };
const word = (view) => view.getUint32(0, true);

const readText = (bytes) => read(bytes, { kind: "text", text: "", font: "", color: 0, width: 0, height: 0 }, {
  1: set("text", text), 2: set("font", text), 3: set("color", word), 4: set("width", double),
  5: set("height", double),
});
const readDisc = (bytes) =>
  read(bytes, { kind: "disc", radius: 0, color: 0 }, { 1: set("radius", double), 2: set("color", word) });
const readBox = (bytes) => read(bytes, { kind: "box", width: 0, height: 0, corner: 0, color: 0 }, {
  1: set("width", double), 2: set("height", double), 3: set("corner", double), 4: set("color", word),
});
const readImage = (bytes) => read(bytes, { kind: "image", image: 0, width: 0, height: 0 }, {
  1: set("image"), 2: set("width", double), 3: set("height", double),
});
const readGradient = (bytes) => read(bytes, { kind: "gradient", width: 0, height: 0, colors: [], angle: 0 }, {
  1: set("width", double), 2: set("height", double), 3: set("colors", words), 4: set("angle", double),
});

function readElement(bytes) {
  const element = read(bytes, { x: 0, y: 0, content: null }, {
    1: set("x", double), 2: set("y", double), 3: set("content", readText), 4: set("content", readDisc),
    5: set("content", readBox), 6: set("content", readImage), 7: set("content", readGradient),
  });
  return { ...element.content, x: element.x, y: element.y };
}

const readRectangle = (bytes) => read(bytes, { x: 0, y: 0, width: 0, height: 0 }, {
  1: set("x", double), 2: set("y", double), 3: set("width", double), 4: set("height", double),
});
const readMask = (bytes) =>
  read(bytes, { x: 0, y: 0, text: null }, { 1: set("x", double), 2: set("y", double), 3: set("text", readText) });
const readSprite = (bytes) => read(bytes, { elements: [], period: 0, periodY: 0, clip: null, mask: null }, {
  1: push("elements", readElement), 2: set("period", double), 3: set("clip", readRectangle),
  4: set("mask", readMask), 5: set("periodY", double),
});
const readBatch = (bytes) => read(bytes, {
  kind: "", first: 0, count: 0, originX: new Float32Array(1), originY: new Float32Array(1), sprites: [0], parents: [],
}, {
  1: set("kind", text), 2: set("first", word), 3: set("count", word), 5: set("originX", floats),
  6: set("originY", floats), 7: set("sprites", varints), 8: set("parents", varints),
});
const readFixture = (bytes) =>
  read(bytes, { x: 0, y: 0, sprite: 0 }, { 1: set("x", double), 2: set("y", double), 3: set("sprite", word) });
const readName = (bytes) =>
  read(bytes, { name: "", first: 0, count: 0 }, { 1: set("name", text), 2: set("first"), 3: set("count") });

/**
 * @typedef {ReturnType<typeof readBatch>} Batch
 * @typedef {ReturnType<typeof readLayout>} Layout
 */

/**
 * Reads a layout.
 *
 * @param {Uint8Array} bytes An encoded orrery.SceneLayout.
 */
export function readLayout(bytes) {
  const layout = read(bytes, {
    scene: "", run: "", rateNumerator: 60, rateDenominator: 1, width: 1280, height: 720, background: 0xffffffff,
    batches: /** @type {Batch[]} */ ([]), sprites: /** @type {ReturnType<typeof readSprite>[]} */ ([]),
    fixtures: /** @type {ReturnType<typeof readFixture>[]} */ ([]), images: /** @type {Uint8Array[]} */ ([]),
    names: /** @type {ReturnType<typeof readName>[]} */ ([]), source: "", delivery: "",
    tickMs: 1000 / 60, commands: /** @type {Set<string>} */ (new Set()),
  }, {
    1: set("scene", text), 2: set("run", text), 6: set("rateNumerator"), 7: set("rateDenominator"),
    8: set("width", double), 9: set("height", double), 10: set("background", word),
    13: push("batches", readBatch), 14: push("sprites", readSprite), 15: push("fixtures", readFixture),
    17: set("delivery", text), 18: set("source", text), 19: push("images", (value) => value.slice()),
    21: push("names", readName),
  });
  layout.tickMs = (1000 * layout.rateDenominator) / layout.rateNumerator;
  layout.commands = namesOfCommands(layout.source);
  return layout;
}

/** The names that the scene's file toggles, or that are rows of an accordion: a click on such a view toggles it. */
function namesOfCommands(source) {
  const found = new Set();
  const lines = source.split("\n").filter((line) => !/^\s*#/.test(line)).join("\n");
  for (const [, value] of lines.matchAll(/\btoggle\s*=\s*(\[[^\]]*\]|"[^"]*")/g)) {
    for (const [, name] of value.matchAll(/"([^"]*)"/g)) found.add(name);
  }
  for (const [content] of lines.matchAll(/kind\s*=\s*"accordion"[\s\S]*?(?=\n\[\[|$)/g)) {
    for (const [, name] of content.matchAll(/\{\s*name\s*=\s*"([^"]*)"/g)) found.add(name);
  }
  return found;
}

/**
 * The name of an entity: its own, one that it shares with a number, or "".
 *
 * @param {Layout} layout
 * @param {number} entity
 */
export function nameOf(layout, entity) {
  for (const { name, first, count } of layout.names) {
    if (count === 0 && entity === first) return name;
    if (entity >= first && entity < first + count) return `${name}[${entity - first}]`;
  }
  return "";
}

/**
 * The entity of a name, or of a number that is written; -1 if there is none.
 *
 * @param {Layout} layout
 * @param {string} word
 */
export function entityOf(layout, word) {
  for (const { name, first, count } of layout.names) {
    if (name === word) return first;
    const match = word.startsWith(`${name}[`) && /\[(\d+)\]$/.exec(word);
    if (match && Number(match[1]) < count) return first + Number(match[1]);
  }
  // A view of several parts is the first of them.
  const part = layout.names.find(({ name }) => name.startsWith(`${word}.`));
  if (part) return part.first;
  const number = /^\d+$/.test(word) ? Number(word) : -1;
  return layout.batches.some((batch) => number >= batch.first && number < batch.first + batch.count) ? number : -1;
}

/** 0xRRGGBBAA as CSS has it. */
export function cssColor(color) {
  return `#${color.toString(16).padStart(8, "0")}`;
}

/** The batch of an entity, by its index; -1 if there is none. @param {Layout} layout @param {number} entity */
export function batchOf(layout, entity) {
  return layout.batches.findIndex((batch) => entity >= batch.first && entity < batch.first + batch.count);
}

/** The name that a toggle of this entity has in the scene: the longest beginning that a command names; "" if none. */
export function commandOf(layout, entity) {
  const parts = nameOf(layout, entity).replace(/\[\d+\]$/, "").split(".");
  for (let count = parts.length; count > 0; count--) {
    const name = parts.slice(0, count).join(".");
    if (layout.commands.has(name)) return name;
  }
  return "";
}
