// The curve editor: a motion in Swift's words. The server evaluates and writes it; the page draws what it answers.

import { button, canvas, element, input, select } from "/dom.js";
import { Keyframes } from "/keyframes.js";
import { FIELDS, commandOf, nameOf } from "/layout.js";
import { MotionPlot } from "/motionplot.js";
import { word } from "/steering.js";

const NUMBER = "(-?[\\d.]+(?:e-?\\d+)?)";
const POINT_MAX = 10;

/** A parameter: its name, the ends of its slider, what it begins with. */
const parameter = (name, min, max, start, hasSlider = true) => ({ name, min, max, start, hasSlider });

/** What can be written with parameters; the numbers of a text are theirs if its form is this one. */
const KINDS = {
  bounce: {
    form: "spring(duration: #, bounce: #)",
    parameters: [parameter("Duration, s", 0.05, 3, 0.5), parameter("Bounce", -1, 1, 0.3)],
  },
  damping: {
    form: "spring(response: #, dampingFraction: #)",
    parameters: [parameter("Response, s", 0.05, 3, 0.5), parameter("Damping", 0, 2, 0.7)],
  },
  points: {
    form: "timingCurve(#, #, #, #, duration: #)",
    parameters: [
      parameter("x1", 0, 1, 0.3, false), parameter("y1", -POINT_MAX, POINT_MAX, -0.4, false),
      parameter("x2", 0, 1, 0.3, false), parameter("y2", -POINT_MAX, POINT_MAX, 1.4, false),
      parameter("Duration, s", 0.05, 3, 0.8),
    ],
  },
  keyframes: { form: "", parameters: [] },
  written: { form: "", parameters: [] },
};
/** What an arrow moves a control point by; with shift ten times that. */
const STEP = 0.01;
/** Changes that come so soon after each other are one, ms; and how many can be taken back. */
const ONE_CHANGE = 700, UNDO_MAX = 100;
/** Seconds that the sim gets to take the changes of a track, and for each of them. */
const LEAD = 0.25, LEAD_OF_CHANGE = 0.01;
for (const kind of Object.values(KINDS)) {
  const pattern = kind.form.replace(/[().]/g, "\\$&").replaceAll(" ", " ?").replaceAll("#", NUMBER);
  kind.pattern = new RegExp(`^\\.?${pattern}$`);
}

/**
 * @typedef {{ target: string, text?: string, note: string }} Text
 * @typedef {{ time_s: number, value: number, animation?: string }} Change
 * @typedef {{ curve: import("/motionplot.js").Curve, facts: string, animation?: string, texts: Text[],
 *   keyframes?: { time_s: number, value: number }[], changes?: Change[] }} Sheet
 */

export class Editor {
  /** @param {import("/main.js").Page} page `steering`, `entity`, `picture`, `layout` and `end`. */
  constructor(page) {
    this.page = page;
    /**
     * The server's last answer for a motion.
     *
     * @type {Sheet}
     */
    this.sheet = null;
    this.wanted = null;
    this.isAsking = false;
    /**
     * The text, those before it, and those that were taken back.
     *
     * @type {{ now: string | null, before: string[], after: string[], changedAt: number }}
     */
    this.texts = { now: null, before: [], after: [], changedAt: -Infinity };
    this.keyframes = new Keyframes(element("parameters"), () => this.writeKeyframes());
    this.plot = new MotionPlot(canvas("course"), canvas("course-speed"), element("course-box"), {
      drag: (index, time, value) => this.dragSpot(index, time, value),
      push: (index, x, y, isLarge) => this.pushSpot(index, x, y, isLarge),
      choose: (index, isMore) => { if (this.kind === "keyframes") this.keyframes.choose(index, isMore); },
    });
    select("kind").addEventListener("change", () => {
      // A track that was made stays while another kind is looked at.
      if (select("kind").value === "keyframes" && this.keyframes.list.length === 0) {
        this.keyframes.begin(Number(this.present()));
      }
      this.choose(select("kind").value);
      if (this.kind === "keyframes") this.writeKeyframes();
      else if (this.kind !== "written") this.writeParameters();
    });
    input("spec").addEventListener("input", () => this.write(input("spec").value));
    button("undo").addEventListener("click", () => this.undo());
    element("editor").addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      this.undo(event.shiftKey);
    });
    button("apply").addEventListener("click", () => this.apply());
    button("apply-toggle").addEventListener("click", () => this.toggle());
    select("move").addEventListener("change", () => this.offerValue());
    for (const target of ["swift", "scene", "css"]) {
      element(`copy-${target}`).addEventListener(
        "click", () => page.steering.copy(element(`text-${target}`).textContent));
    }
    this.choose("bounce");
    this.writeParameters();
    this.first = input("spec").value;
    this.texts.changedAt = -Infinity;
  }

  /** Begins a kind of motion; its parameters have the values of the text, or those that they begin with. */
  choose(name, numbers = KINDS[name].parameters.map(({ start }) => start)) {
    this.kind = name;
    select("kind").value = name;
    if (name === "keyframes") {
      this.inputs = [];
      this.keyframes.build();
      return;
    }
    this.inputs = KINDS[name].parameters.map((one, index) => this.field(one, numbers[index], index));
    element("parameters").replaceChildren(...this.inputs.map(({ box }) => box));
  }

  /** The slider and the number of a parameter. */
  field({ name, min, max, hasSlider }, value, index) {
    const box = document.createElement("span");
    const [label, number] = [document.createElement("label"), document.createElement("input")];
    box.className = "parameter";
    [label.textContent, label.htmlFor] = [name, `parameter-${index}`];
    Object.assign(number, { id: `parameter-${index}`, type: "number", step: 0.01, min, max, value });
    box.append(label);
    const inputs = [number];
    if (hasSlider) {
      const slider = document.createElement("input");
      Object.assign(slider, { type: "range", min, max, step: 0.01, value });
      slider.setAttribute("aria-label", name);
      box.append(slider);
      inputs.push(slider);
    }
    box.append(number);
    for (const input of inputs) {
      input.addEventListener("input", () => {
        if (input.value === "") return;
        for (const other of inputs) if (other !== input) other.value = input.value;
        this.writeParameters();
      });
    }
    return { box, inputs, get value() { return Number(number.value); } };
  }

  get numbers() { return this.inputs.map(({ value }) => value); }

  /** Writes the text that the parameters mean. */
  writeParameters() {
    const numbers = this.numbers.map(String);
    input("spec").value = KINDS[this.kind].form.replaceAll("#", () => numbers.shift());
    this.evaluate(input("spec").value);
  }

  /** Writes the text of the keyframes. */
  writeKeyframes() {
    this.keyframes.update();
    input("spec").value = this.keyframes.text;
    // What was moved is seen at once, and its curve when the answer comes.
    if (this.sheet) this.plot.show(this.sheet.curve, this.keyframes.spots, this.plot.lines);
    this.evaluate(input("spec").value);
  }

  /** Whether the text is another one than the page began with. */
  get isEdited() { return input("spec").value !== this.first; }

  /** Takes a text from elsewhere. */
  take(text) {
    input("spec").value = text;
    this.write(text);
  }

  /** Takes a text that was typed: parameters follow where it has their form. */
  write(text) {
    if (/^\s*[[{]/.test(text) && this.keyframes.read(text)) {
      if (this.kind !== "keyframes") this.choose("keyframes");
      this.keyframes.update();
      this.evaluate(text);
      return;
    }
    const found = Object.entries(KINDS).find(([name, { pattern }]) => name !== "written" && pattern.test(text.trim()));
    const numbers = found ? found[1].pattern.exec(text.trim()).slice(1).map(Number) : [];
    const name = found?.[0] ?? "written";
    if (name !== this.kind) this.choose(name, numbers);
    this.setNumbers(numbers);
    this.evaluate(text);
  }

  setNumbers(numbers) {
    this.inputs.forEach(({ inputs }, index) => { for (const input of inputs) input.value = String(numbers[index]); });
  }

  /** A handle was dragged to a time and a value. */
  dragSpot(index, time, value) {
    if (this.kind === "keyframes") this.keyframes.drag(index, time, value);
    else this.movePoint(index, time / this.numbers[4], value);
  }

  /** A handle was moved by an arrow. */
  pushSpot(index, x, y, isLarge) {
    if (this.kind === "keyframes") {
      this.keyframes.push(index, x, y, isLarge);
      return;
    }
    const [numbers, step] = [this.numbers, isLarge ? 10 * STEP : STEP];
    this.movePoint(index, numbers[2 * index] + x * step, numbers[2 * index + 1] + y * step);
  }

  movePoint(index, x, y) {
    const numbers = this.numbers;
    numbers[2 * index] = Math.min(Math.max(x, 0), 1);
    numbers[2 * index + 1] = Math.min(Math.max(y, -POINT_MAX), POINT_MAX);
    this.setNumbers(numbers.map((number) => Math.round(number * 1000) / 1000));
    if (this.sheet) this.plot.show(this.sheet.curve, this.spots);
    this.writeParameters();
  }

  /** What the plot lets move. */
  get spots() {
    if (this.kind === "keyframes") return this.keyframes.spots;
    if (this.kind !== "points") return [];
    const [x1, y1, x2, y2, seconds] = this.numbers;
    return [[x1, y1, 0], [x2, y2, 1]].map(([x, y, end], index) => ({
      time: x * seconds, value: y, stem: [end * seconds, end], label: `Control point ${index + 1}: x ${x}, y ${y}`,
    }));
  }

  /** Remembers the text before this one. */
  remember(text) {
    const { texts } = this;
    if (text === texts.now) return;
    const now = performance.now();
    if (texts.now !== null && now > texts.changedAt + ONE_CHANGE) texts.before.push(texts.now);
    if (texts.before.length > UNDO_MAX) texts.before.shift();
    [texts.now, texts.changedAt, texts.after] = [text, now, []];
    button("undo").disabled = texts.before.length === 0;
  }

  /** Takes the last change of the text back, or makes it again. */
  undo(isAgain = false) {
    const { texts } = this;
    const [from, to] = isAgain ? [texts.after, texts.before] : [texts.before, texts.after];
    if (from.length === 0) return;
    to.push(texts.now);
    [texts.now, texts.changedAt] = [from.pop(), -Infinity];
    button("undo").disabled = texts.before.length === 0;
    this.take(texts.now);
  }

  /** Asks the server for the course and the texts; while an answer is due, only the newest text is kept. */
  async evaluate(spec) {
    this.remember(spec);
    this.wanted = spec;
    if (this.isAsking) return;
    this.isAsking = true;
    while (this.wanted !== null) {
      const asked = this.wanted;
      this.wanted = null;
      this.show(await sheetOf(asked));
    }
    this.isAsking = false;
  }

  /** @param {Sheet | { error: string }} sheet */
  show(sheet) {
    const facts = element("course-facts");
    const isWrong = "error" in sheet;
    facts.textContent = isWrong ? sheet.error : sheet.facts;
    facts.classList.toggle("refused", isWrong);
    input("spec").setAttribute("aria-invalid", String(isWrong));
    this.sheet = isWrong ? null : sheet;
    if (!isWrong) {
      for (const { target, text, note } of sheet.texts) {
        element(`text-${target}`).textContent = text ?? "";
        element(`note-${target}`).textContent = note;
        button(`copy-${target}`).disabled = text === undefined;
      }
      const ends = sheet.keyframes;
      if (ends && this.wanted === null) this.keyframes.times = ends.map(({ time_s }) => time_s);
      const values = ends && sheet.curve.rows.map(({ value }) => value);
      const lines = values && [Math.min(...values), Math.max(...values)].map((value) => Number(value.toPrecision(4)));
      this.plot.show(sheet.curve, this.spots, lines && [...new Set(lines)]);
    }
    this.enable();
  }

  /** Whether what is picked can be moved. */
  enable() {
    const { entity, layout, steering, end } = this.page;
    const isView = entity.picked && layout?.batches[entity.picked.batch].kind === "view";
    const canMove = Boolean(isView && entity.name && select("move").options.length > 0 && steering.isSteered && !end);
    const isOn = Boolean(canMove && this.sheet?.animation);
    const canPlay = Boolean(canMove && this.sheet?.keyframes?.length > 0 && this.sheet.changes);
    for (const one of [input("move-to"), button("apply-toggle")]) one.disabled = !isOn;
    for (const one of [select("move"), button("apply")]) one.disabled = !(isOn || canPlay);
    const isTrack = this.kind === "keyframes";
    for (const id of ["move-to", "move-to-label", "apply-toggle"]) element(id).hidden = isTrack;
    button("apply").textContent = isTrack ? "Play" : "Set";
  }

  /** Another field is looked at: it is the one to move. */
  move(field) {
    select("move").value = field;
    this.offerValue();
  }

  /** Something else is picked: its fields can be moved. */
  pick() {
    const fields = select("move");
    fields.replaceChildren(...this.page.entity.fields.map((field) => new Option(FIELDS[field]?.name ?? field, field)));
    this.move(select("field").value);
    this.enable();
  }

  /** Offers the present value, to be changed. */
  offerValue() { input("move-to").value = this.present(); }

  present() {
    const { entity: { picked }, picture: { frame } } = this.page;
    const field = Number(select("move").value);
    if (!picked || !frame || !field) return "";
    return String(Math.round(frame.value(picked.batch, picked.index, field) * 1000) / 1000);
  }

  /** Plays the keyframes: a change for each, all sent ahead, so that they come at their times. */
  play() {
    const { entity: { name }, steering } = this.page;
    const field = FIELDS[Number(select("move").value)].name;
    const { changes } = this.sheet;
    const lead = (LEAD + LEAD_OF_CHANGE * changes.length) * Math.max(steering.speed, 1);
    const start = Math.ceil((steering.seconds + lead) * 100) / 100;
    return steering.askAll(changes.map(({ time_s, value, animation }) => {
      const seconds = Number((start + time_s).toFixed(9));
      const words = animation ? ` --animation ${word(animation)}` : "";
      return {
        verb: "set", fields: { views: { [name]: { [field]: value } }, seconds, ...(animation && { animation }) },
        words: `set ${word(name)} ${word(`${field}=${value}`)} --at ${seconds}${words}`,
      };
    }), `${changes.length} changes from ${start} s on`);
  }

  /** Moves what is picked with this animation; the value before is offered then, for the way back. */
  async apply() {
    if (this.sheet.changes) {
      await this.play();
      return;
    }
    const { entity, steering } = this.page;
    const [field, to] = [FIELDS[Number(select("move").value)].name, Number(input("move-to").value)];
    const [name, { animation }, before] = [entity.name, this.sheet, this.present()];
    const answer = await steering.ask(
      "set", { views: { [name]: { [field]: to } }, animation },
      `set ${word(name)} ${word(`${field}=${to}`)} --animation ${word(animation)}`);
    if (answer.ok) input("move-to").value = before;
  }

  /** Toggles what is picked with this animation. */
  toggle() {
    const { entity, layout, steering } = this.page;
    return steering.toggle(commandOf(layout, entity.number) || nameOf(layout, entity.number), this.sheet.animation);
  }
}

/** @param {string} spec @returns {Promise<Sheet | { error: string }>} */
async function sheetOf(spec) {
  try {
    const response = await fetch(`/curve?spec=${encodeURIComponent(spec)}`);
    if (response.ok) return await response.json();
    return { error: await response.text() };
  } catch {
    return { error: "the server does not answer any more" };
  }
}
