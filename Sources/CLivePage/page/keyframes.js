// A track of keyframes in the curve editor: its text, its fields, and what is chosen to be moved together.

/**
 * A keyframe as `orrery eval` has it: its kind is the key of its value.
 * @typedef {Record<string, any>} Keyframe
 */

const NAMES = { linear: "linear", cubic: "cubic", springTo: "spring", move: "jump" };
const DURATION_MIN = 0.01, COUNT_MAX = 100;
/** What a spring has that is not written. */
const SPRING = { duration: 0.5, bounce: 0 };

/** @param {Keyframe} keyframe */
const kindOf = (keyframe) => Object.keys(NAMES).find((kind) => kind in keyframe);
/** Whether a keyframe comes a time after the one before that can be chosen. */
const isTimed = (keyframe) => kindOf(keyframe) === "linear" || kindOf(keyframe) === "cubic";

/**
 * The duration and bounce of a keyframe's spring; null if it has none, or one in another form.
 * @param {Keyframe} keyframe
 */
function springOf({ springTo, spring }) {
  const isShown = springTo !== undefined
    && Object.entries(spring ?? {}).every(([key, value]) => key in SPRING && typeof value === "number");
  return isShown ? { ...SPRING, ...spring } : null;
}

const rounded = (number) => Math.round(number * 1000) / 1000;

export class Keyframes {
  /**
   * @param {HTMLElement} box Gets the fields. @param {() => void} changed Called when the track or the choice changes.
   */
  constructor(box, changed) {
    this.box = box;
    this.changed = changed;
    this.initial = 0;
    /** @type {Keyframe[]} */
    this.list = [];
    /** @type {Set<number>} */
    this.chosen = new Set();
    /** When each keyframe ends, as the server said last, s. */
    this.times = [];
    /** @type {(() => void)[]} */
    this.updates = [];
  }

  /** A track to begin with, from a value. */
  begin(value) {
    const way = Math.abs(value) > 1 ? 40 : 1;
    this.initial = value;
    this.list = [
      { cubic: rounded(value + way), duration: 0.4 }, { linear: rounded(value - way / 2), duration: 0.3 },
      { springTo: value, startVelocity: 0 },
    ];
    this.chosen = new Set();
    this.times = [];
  }

  /** The track as JSON. */
  get text() { return JSON.stringify({ keyframes: this.list, initial: this.initial }); }

  /** What decides which fields there are. */
  get forms() { return this.list.map((keyframe) => `${kindOf(keyframe)} ${springOf(keyframe) !== null}`).join(); }

  /** Takes a text; false if it has no track that fields can show. */
  read(text) {
    let found;
    try { found = JSON.parse(text); } catch { return false; }
    if (Array.isArray(found)) found = { keyframes: found };
    const { keyframes: list, initial = 0 } = found ?? {};
    const isRight = Array.isArray(list) && list.length <= COUNT_MAX && typeof initial === "number" && list.every(
      (keyframe) => keyframe && typeof keyframe === "object" && typeof keyframe[kindOf(keyframe)] === "number"
        && (!isTimed(keyframe) || typeof keyframe.duration === "number"));
    if (!isRight) return false;
    const [before, count] = [this.forms, this.list.length];
    [this.list, this.initial] = [list, initial];
    if (count !== list.length) this.chosen = new Set();
    if (before !== this.forms) this.build();
    return true;
  }

  /** Chooses a keyframe alone, or changes whether it is chosen. */
  choose(index, isMore) {
    if (!isMore) this.chosen = new Set([index]);
    else if (!this.chosen.delete(index)) this.chosen.add(index);
    this.changed();
  }

  /** Moves what is chosen, or one keyframe alone if it is not, by seconds and a value. */
  move(index, seconds, value) {
    const chosen = this.chosen.has(index) ? this.chosen : new Set([index]);
    // A spring and a jump come when the keyframe before them is over: they move along with it.
    let isMovedBefore = false;
    const moved = this.list.map((keyframe, place) => {
      isMovedBefore = isTimed(keyframe) ? chosen.has(place) : isMovedBefore;
      return isMovedBefore;
    });
    const wider = [], narrower = [];
    this.list.forEach((keyframe, place) => {
      const [is, was] = [moved[place], place > 0 && moved[place - 1]];
      if (isTimed(keyframe) && is !== was) (is ? wider : narrower).push(keyframe);
    });
    const room = (keyframes) => Math.min(...keyframes.map(({ duration }) => Math.max(duration - DURATION_MIN, 0)));
    const by = Math.min(Math.max(seconds, -room(wider)), room(narrower));
    for (const keyframe of wider) keyframe.duration = rounded(keyframe.duration + by);
    for (const keyframe of narrower) keyframe.duration = rounded(keyframe.duration - by);
    for (const place of chosen) {
      const kind = kindOf(this.list[place]);
      this.list[place][kind] = rounded(this.list[place][kind] + value);
      // The next key or pointer goes on from here, whenever the answer comes.
      if (moved[place] && Number.isFinite(this.times[place])) this.times[place] += by;
    }
    this.changed();
  }

  /** Drags a keyframe to a time and a value, and along with it what is chosen. */
  drag(index, seconds, value) {
    if (!this.chosen.has(index)) this.chosen = new Set([index]);
    const keyframe = this.list[index];
    this.move(index, seconds - (this.times[index] ?? seconds), value - keyframe[kindOf(keyframe)]);
  }

  /** Moves by one step of the arrows, or by ten: 0.01 s, and a hundredth of what the plot shows. */
  push(index, x, y, isLarge) {
    const values = [this.initial, ...this.list.map((keyframe) => keyframe[kindOf(keyframe)])];
    const span = Math.max(...values) - Math.min(...values) || 1;
    const [factor, step] = [isLarge ? 10 : 1, Math.max(10 ** Math.floor(Math.log10(span)) / 100, 0.001)];
    this.move(index, x * factor * 0.01, y * factor * step);
  }

  /**
   * What the plot shows of it.
   *
   * @returns {import("/motionplot.js").Spot[]}
   */
  get spots() {
    return this.list.slice(0, this.times.length).map((keyframe, index) => {
      const [time, value] = [this.times[index], keyframe[kindOf(keyframe)]];
      const label = `Keyframe ${index + 1}, ${NAMES[kindOf(keyframe)]}: ${value} at ${rounded(time)} s`;
      return { time, value, label, isChosen: this.chosen.has(index) };
    });
  }

  // Fields.

  /** Makes the fields. */
  build() {
    this.updates = [];
    const start = document.createElement("div");
    start.className = "row";
    start.append(
      this.number("From", () => this.initial, (value) => { this.initial = value; }),
      this.press("Add", "Add a keyframe", () => this.add()),
      this.press("Choose all", "Choose all keyframes, to move them together", () => {
        this.chosen = new Set(this.list.keys());
      }));
    this.box.replaceChildren(start, ...this.list.map((_, index) => this.row(index)));
    this.update();
  }

  /** Shows the values in the fields, but where somebody types. */
  update() { for (const update of this.updates) update(); }

  row(index) {
    const [box, check, kind] = ["div", "input", "select"].map((tag) => document.createElement(tag));
    const name = `keyframe ${index + 1}`;
    if (!(check instanceof HTMLInputElement) || !(kind instanceof HTMLSelectElement)) return box;
    box.className = "row";
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", name);
    check.type = "checkbox";
    check.setAttribute("aria-label", `Choose ${name}`);
    check.addEventListener("change", () => this.choose(index, true));
    kind.setAttribute("aria-label", `Kind of ${name}`);
    kind.append(...Object.entries(NAMES).map(([value, text]) => new Option(text, value)));
    kind.addEventListener("change", () => {
      const old = this.list[index];
      const added = kind.value === "springTo" ? { startVelocity: 0 } : kind.value === "move" ? {}
        : { duration: old.duration ?? 0.3 };
      this.list[index] = { [kind.value]: old[kindOf(old)], ...added };
      this.build();
      this.changed();
    });
    this.updates.push(() => {
      check.checked = this.chosen.has(index);
      kind.value = kindOf(this.list[index]);
    });
    box.append(check, kind, this.number(
      "to", () => this.list[index][kindOf(this.list[index])],
      (value) => { this.list[index][kindOf(this.list[index])] = value; }, `Value of ${name}`));
    if (isTimed(this.list[index])) {
      box.append(
        this.number("in", () => this.list[index].duration, (value) => { this.list[index].duration = value; },
          `Seconds of ${name}`, DURATION_MIN),
        "s");
    }
    if (springOf(this.list[index])) {
      const field = (key, text, label, min) => this.number(
        text, () => springOf(this.list[index])?.[key] ?? SPRING[key],
        (value) => { this.list[index].spring = { ...springOf(this.list[index]), [key]: value }; }, label, min);
      box.append(
        field("duration", "spring", `Seconds of the spring of ${name}`, DURATION_MIN), "s",
        field("bounce", "bounce", `Bounce of ${name}`, undefined));
    }
    box.append(this.press("×", `Remove ${name}`, () => {
      this.list.splice(index, 1);
      this.chosen = new Set();
      this.build();
      // The keyboard goes on from the next one, or from the last.
      this.box.children[Math.min(index + 1, this.list.length)].querySelector("button").focus();
    }));
    return box;
  }

  add() {
    if (this.list.length >= COUNT_MAX) return;
    const last = this.list.at(-1);
    this.list.push({ cubic: last ? last[kindOf(last)] : this.initial, duration: 0.3 });
    this.build();
    const field = this.box.lastElementChild.querySelector("input[type=number]");
    if (field instanceof HTMLInputElement) field.focus();
  }

  press(text, label, act) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text });
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => {
      act();
      this.changed();
    });
    return button;
  }

  number(text, read, write, name = text, min = undefined) {
    const [label, input] = [document.createElement("label"), document.createElement("input")];
    label.className = "parameter";
    Object.assign(input, { type: "number", step: "any", required: true, ...(min !== undefined && { min }) });
    if (name !== text) input.setAttribute("aria-label", name);
    label.append(text, input);
    input.addEventListener("input", () => {
      input.setAttribute("aria-invalid", String(!input.validity.valid));
      if (!input.validity.valid) return;
      write(Number(input.value));
      this.changed();
    });
    // What was not taken is not left standing.
    input.addEventListener("change", () => {
      input.value = String(read());
      input.removeAttribute("aria-invalid");
    });
    this.updates.push(() => { if (document.activeElement !== input) input.value = String(read()); });
    return label;
  }
}
