// Curves that stay beside the one of what is picked.

import { FIELDS, entityOf, batchOf, nameOf } from "/layout.js";
import { drawCurve } from "/plots.js";

const PINS_MAX = 4;

export class Pins {
  /**
   * @param {import("/main.js").Page} page `history`, `follow()` and `say(text, isBad)`.
   *
   * @param {HTMLElement} list Where they are.
   */
  constructor(page, list) {
    this.page = page;
    this.list = list;
    this.all = [];
  }

  /** Begins a scene. @param {import("/layout.js").Layout} layout */
  begin(layout) {
    this.layout = layout;
    this.all = [];
    this.list.replaceChildren();
  }

  /** Pins a field of an entity, or takes its pin away. */
  toggle(batch, index, field) {
    const found = this.all.find((pin) => pin.batch === batch && pin.index === index && pin.field === field);
    if (found) return this.remove(found);
    if (this.all.length === PINS_MAX) return this.page.say(`there are ${PINS_MAX} pins: take one away first`, true);
    const entity = this.layout.batches[batch].first + index;
    const pin = { batch, index, field, word: nameOf(this.layout, entity) || String(entity) };
    const name = `${FIELDS[field]?.name ?? field} of ${pin.word}`;
    pin.row = document.createElement("div");
    const [title, button] = [document.createElement("span"), document.createElement("button")];
    [title.textContent, button.textContent, button.type] = [name, "×", "button"];
    button.setAttribute("aria-label", `Take the pin of ${name} away`);
    button.addEventListener("click", () => this.remove(pin));
    const head = document.createElement("div");
    head.className = "row";
    head.append(title, button);
    pin.canvas = document.createElement("canvas");
    pin.canvas.className = "plot";
    pin.canvas.setAttribute("role", "img");
    pin.canvas.setAttribute("aria-label", `Curve of ${name}`);
    pin.row.append(head, pin.canvas);
    this.list.append(pin.row);
    this.all.push(pin);
    this.page.follow();
    this.draw();
  }

  remove(pin) {
    this.all = this.all.filter((other) => other !== pin);
    pin.row.remove();
    this.page.follow();
  }

  draw() {
    for (const { canvas, batch, index, field } of this.all) {
      drawCurve(canvas, this.page.history.curve(batch, index, field), FIELDS[field]?.name ?? "");
    }
  }

  /** As a part of a link: names or numbers, each with its field. */
  get words() { return this.all.map(({ word, field }) => `${word}:${field}`); }

  /** Pins what such words name. */
  take(words) {
    for (const word of words) {
      const at = word.lastIndexOf(":");
      const [entity, field] = [entityOf(this.layout, word.slice(0, at)), word.slice(at + 1)];
      if (entity < 0 || !(field in FIELDS)) continue;
      const batch = batchOf(this.layout, entity);
      const index = entity - this.layout.batches[batch].first;
      const isThere = this.all.some((pin) => pin.batch === batch && pin.index === index && pin.field === field);
      if (!isThere) this.toggle(batch, index, field);
    }
  }
}
