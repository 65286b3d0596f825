// What happened in the run, as it comes, and what it has of each kind.

import { element } from "/dom.js";

const LINES_MAX = 50;

export class Happenings {
  /** @param {HTMLElement} list Where lines are added, the newest first. */
  constructor(list) {
    this.list = list;
    this.clear();
  }

  clear() {
    this.count = 0;
    this.list.replaceChildren();
    this.write();
  }

  /** Adds events: how many there were, and the newest of them. */
  add({ count, newest }) {
    this.count += count;
    const lines = newest.map(({ at, text }) => {
      const line = document.createElement("li");
      line.textContent = `${at.toFixed(3)} s  ${text}`;
      return line;
    });
    this.list.prepend(...lines.reverse());
    while (this.list.children.length > LINES_MAX) this.list.lastElementChild.remove();
    this.write();
  }

  write() {
    element("happened-count").textContent = this.count === 0
      ? "no completion and no command yet"
      : `${this.count.toLocaleString("en")} ${this.count === 1 ? "completion or command" : "completions and commands"}`
        + " since this page was opened; the newest first";
  }
}

/** Shows how many entities of each kind there are, and the bytes of a frame that are theirs. */
export function showKinds(table, layout, frame) {
  const kinds = new Map();
  layout.batches.forEach(({ kind, count }, index) => {
    const bytes = Object.values(frame.batch(index)).reduce((sum, { values }) => sum + values.byteLength, 0);
    const known = kinds.get(kind) ?? { count: 0, bytes: 0 };
    kinds.set(kind, { count: known.count + count, bytes: known.bytes + bytes });
  });
  table.tBodies[0].replaceChildren(...[...kinds].map(([kind, { count, bytes }]) => {
    const row = document.createElement("tr");
    for (const value of [kind, count.toLocaleString("en"), bytes.toLocaleString("en")]) {
      row.insertCell().textContent = value;
    }
    return row;
  }));
}
