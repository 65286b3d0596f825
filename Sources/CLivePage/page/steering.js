// Steers the run, and shows each action as the line of `orrery control` that does the same.

import { button, element, input, select } from "/dom.js";

const SPEED_MIN = 0.01, SPEED_MAX = 100;

export class Steering {
  /** @param {import("/main.js").Page} page `connection` and `say(text, isBad)`. */
  constructor(page) {
    this.page = page;
    this.run = "RUN";
    this.isSteered = this.isPaused = false;
    this.speed = 1;
    this.seconds = 0;
    this.isSeeking = false;
    this.nextSeek = null;
    element("pause").addEventListener("click", () => this.pause());
    element("step").addEventListener("click", () => this.step());
    element("back").addEventListener("click", () => this.seekBy(-1));
    element("forward").addEventListener("click", () => this.seekBy(1));
    input("seek").addEventListener("input", () => this.seek(Number(input("seek").value)));
    select("speed").addEventListener("change", () => this.setSpeed(Number(select("speed").value)));
    element("copy").addEventListener("click", () => this.copy(element("line").textContent));
  }

  /** Begins a run. */
  begin(run, isSteered) {
    this.run = run;
    element("line").textContent = `orrery control ${word(run)} pause`;
    this.enable(isSteered);
  }

  /** Whether the run can be steered. */
  enable(isOn) {
    this.isSteered = isOn;
    const buttons = ["pause", "step", "back", "forward"].map(button);
    for (const one of [...buttons, input("seek"), select("speed")]) one.disabled = !isOn;
  }

  /** Takes the sim's word on how it is. */
  take(stats) {
    this.isPaused = stats.paused === true;
    this.speed = stats.speed ?? 1;
    element("pause").textContent = this.isPaused ? "Resume" : "Pause";
    const choice = select("speed");
    if (![...choice.options].some((option) => Number(option.value) === this.speed)) {
      choice.append(new Option(String(this.speed)));
    }
    if (document.activeElement !== choice) choice.value = String(this.speed);
  }

  /** Shows the scene time of the newest frame. */
  showTime(seconds) {
    this.seconds = seconds;
    element("time").textContent = `${seconds.toFixed(1)} s`;
    const slider = input("seek");
    if (seconds > Number(slider.max)) slider.max = String(Math.ceil(seconds / 60) * 60);
    if (!this.isSeeking && this.nextSeek === null && !slider.matches(":active")) slider.value = String(seconds);
  }

  pause() {
    const verb = this.isPaused ? "resume" : "pause";
    this.isPaused = !this.isPaused;
    element("pause").textContent = this.isPaused ? "Resume" : "Pause";
    return this.ask(verb, {}, verb);
  }

  step() { return this.ask("step", { ticks: 1 }, "step 1"); }

  /** Toggles a view, with an animation if one is given. */
  toggle(name, animation) {
    const [fields, words] = animation ? [{ animation }, ` --animation ${word(animation)}`] : [{}, ""];
    return this.ask("toggle", { names: [name], ...fields }, `toggle ${word(name)}${words}`);
  }

  setSpeed(factor) {
    const bounded = Math.min(Math.max(factor, SPEED_MIN), SPEED_MAX);
    this.speed = bounded;
    return this.ask("speed", { factor: bounded }, `speed ${bounded}`);
  }

  /** Goes to a tick. */
  seekTick(tick, tickMs) { return this.seek((tick * tickMs) / 1000); }

  seekBy(seconds) { return this.seek(Math.max((this.nextSeek ?? this.seconds) + seconds, 0)); }

  /** Seeks; while an answer is due, only the newest wish is kept. */
  async seek(seconds) {
    this.nextSeek = Math.round(seconds * 1000) / 1000;
    if (this.isSeeking) return;
    this.isSeeking = true;
    while (this.nextSeek !== null) {
      const target = this.nextSeek;
      const answer = await this.ask("seek", { seconds: target }, `seek --at ${target}`);
      if (this.nextSeek === target || !answer.ok) this.nextSeek = null;
    }
    this.isSeeking = false;
    // In a paused run no later frame moves the slider.
    this.showTime(this.seconds);
  }

  async ask(verb, fields, words) {
    element("line").textContent = `orrery control ${word(this.run)} ${words}`;
    const answer = await this.page.connection.ask(verb, fields);
    this.page.say(answer.ok ? `done: ${words}` : `refused: ${answer.reason}`, !answer.ok);
    return answer;
  }

  /**
   * Asks for several things, one after the other, until one is refused.
   *
   * @param {{ verb: string, fields: object, words: string }[]} requests In their order.
   * @param {string} what What they do together.
   */
  async askAll(requests, what) {
    const lines = requests.map(({ words }) => `orrery control ${word(this.run)} ${words}`);
    element("line").textContent = lines.join("\n");
    for (const { verb, fields, words } of requests) {
      const answer = await this.page.connection.ask(verb, fields);
      if (!answer.ok) {
        this.page.say(`refused: ${words}: ${answer.reason}`, true);
        return;
      }
    }
    this.page.say(`done: ${what}`);
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.page.say("copied");
    } catch {
      this.page.say("the browser does not let the page copy; select the text", true);
    }
  }
}

/** A word as a shell takes it. */
export function word(text) {
  return /^[\w.,:\/+@%-][\w.,:\/+@%=-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
