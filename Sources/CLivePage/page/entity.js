// What is picked: its name, its values, its curve of the last ten seconds.

import { button, canvas, element, input, select } from "/dom.js";
import { FIELDS, batchOf, commandOf, entityOf, nameOf } from "/layout.js";
import { drawCurve } from "/plots.js";

const LISTED_MAX = 500;

export class Entity {
  /**
   * @param {import("/main.js").Page} page `picture`, `history`, `pins`, `editor`, `follow()`, and `toggle(name)`.
   */
  constructor(page) {
    this.page = page;
    /** @type {import("/layout.js").Layout} */
    this.layout = null;
    /** @type {import("/picture.js").Place | null} */
    this.picked = null;
    input("names").addEventListener("change", () => this.pickWord(input("names").value.trim()));
    button("toggle").addEventListener("click", () => this.toggle());
    select("field").addEventListener("change", () => {
      this.show();
      page.editor.move(select("field").value);
    });
    button("pin").addEventListener("click", () => this.pin());
  }

  /** Begins a scene. @param {import("/layout.js").Layout} layout */
  begin(layout) {
    this.layout = layout;
    element("name-list").replaceChildren(...layout.names.slice(0, LISTED_MAX).map(({ name, count }) => {
      const option = document.createElement("option");
      option.value = count > 0 ? `${name}[0]` : name;
      return option;
    }));
    this.pick(null);
  }

  /** The number of what is picked in its scene; -1 if nothing is. */
  get number() {
    return this.picked ? this.layout.batches[this.picked.batch].first + this.picked.index : -1;
  }

  /** The name of what is picked; "" if it has none. */
  get name() { return this.picked ? nameOf(this.layout, this.number) : ""; }

  /** The numbers of the fields that move in what is picked. */
  get fields() {
    return this.picked ? Object.keys(this.page.picture.frame?.batch(this.picked.batch) ?? {}) : [];
  }

  /** Picks an entity by `batch` and `index`; null picks nothing. */
  pick(found) {
    this.picked = this.page.picture.picked = found;
    this.page.follow();
    const fields = select("field");
    fields.replaceChildren();
    input("names").value = "";
    button("toggle").disabled = button("pin").disabled = fields.disabled = !found;
    if (found) {
      const { name } = this;
      const batch = this.layout.batches[found.batch];
      input("names").value = name || String(this.number);
      const command = commandOf(this.layout, this.number);
      element("picked").textContent = `${name || "no name"}, entity ${this.number} of the batch ${batch.kind}`
        + (command ? `; a click toggles ${command}` : "");
      this.listFields();
    } else {
      element("picked").textContent = "Click into the picture, or press n.";
    }
    this.show();
    this.page.picture.draw();
    this.page.editor.pick();
  }

  /** Lists the fields of what is picked; the curve is that of one that moves, if one does. */
  listFields() {
    const { fields } = this;
    select("field").replaceChildren(...fields.map((field) => new Option(FIELDS[field]?.name ?? field, field)));
    const moves = fields.find((field) => {
      const values = this.page.history.curve(this.picked.batch, this.picked.index, field).map(([, value]) => value);
      return values.some((value) => value !== values[0]);
    });
    if (moves) select("field").value = moves;
  }

  /** Picks by name or number. */
  pickWord(word) {
    const entity = this.layout ? entityOf(this.layout, word) : -1;
    if (entity < 0) return this.page.say(`no entity is called '${word}'`, true);
    const batch = batchOf(this.layout, entity);
    this.pick({ batch, index: entity - this.layout.batches[batch].first });
  }

  /** Picks the named entity after this one, or before it. */
  pickNext(step) {
    const names = this.layout?.names ?? [];
    if (names.length === 0) {
      const count = this.layout?.batches.reduce((sum, batch) => sum + batch.count, 0) ?? 0;
      if (count > 0) this.pickWord(String((Math.max(this.number, step > 0 ? -1 : 0) + step + count) % count));
      return;
    }
    const at = names.findIndex(({ first, count }) => this.number >= first && this.number < first + Math.max(count, 1));
    const next = names[at < 0 ? (step > 0 ? 0 : names.length - 1) : (at + step + names.length) % names.length];
    this.pickWord(next.count > 0 ? `${next.name}[0]` : next.name);
  }

  /** Toggles what is picked: by the name that the scene's command has, or by its own. */
  toggle() {
    if (!this.picked) return;
    const name = commandOf(this.layout, this.number) || nameOf(this.layout, this.number);
    if (name) this.page.toggle(name);
    else this.page.say("what has no name cannot be toggled", true);
  }

  /** Pins the curve that is shown, or takes its pin away. */
  pin() {
    const field = select("field").value;
    if (this.picked && field) this.page.pins.toggle(this.picked.batch, this.picked.index, field);
  }

  /** Shows the newest values and the curve. */
  show() {
    const list = element("values");
    if (!this.picked) {
      list.replaceChildren();
      return drawCurve(canvas("curve"), [], "");
    }
    const { batch, index } = this.picked;
    const frame = this.page.picture.frame;
    // It was picked before the first frame.
    if (frame && select("field").options.length === 0 && this.fields.length > 0) {
      this.listFields();
      this.page.editor.pick();
    }
    const rows = Object.keys(frame?.batch(batch) ?? {}).flatMap((field) => {
      const [term, value] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = FIELDS[field]?.name ?? field;
      value.textContent = frame.value(batch, index, Number(field)).toFixed(3);
      return [term, value];
    });
    list.replaceChildren(...rows);
    const field = select("field").value;
    drawCurve(canvas("curve"), field ? this.page.history.curve(batch, index, field) : [], FIELDS[field]?.name ?? "");
  }
}
