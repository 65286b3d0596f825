// The WebSocket to the server: frames with credit, texts, requests and their answers, the server's clock.

const RETRY_MS = 1000, CLOCK_MS = 2000;
/** When the clock is asked for at the start: the quickest of several answers says best what it is. */
const CLOCK_FIRST_MS = [0, 100, 250, 500, 1000];

export class Connection {
  /**
   * @param {object} on Functions that are called: `open`, `close`, `frame(buffer)`, `text(object)`.
   */
  constructor(on) {
    this.on = on;
    this.lastID = 0;
    this.answers = new Map();
    /** Round trips of the last asks for the clock, in ms, with what it was ahead of ours, in µs. */
    this.clocks = [];
    this.isOver = false;
    this.connect();
    setInterval(() => this.say({ clock: performance.now() }), CLOCK_MS);
  }

  connect() {
    this.socket = new WebSocket(`ws://${location.host}/live`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.askClock();
      this.on.open();
    };
    this.socket.onmessage = ({ data }) => {
      if (typeof data !== "string") return this.on.frame(data);
      const message = JSON.parse(data);
      if ("clock" in message) this.takeClock(message);
      else if ("id" in message) this.takeAnswer(message);
      else this.on.text(message);
    };
    this.socket.onclose = () => {
      for (const answer of this.answers.values()) answer({ ok: false, reason: "the connection is lost" });
      this.answers.clear();
      this.on.close();
      // A run that is over has no server any more; the page stays as it is.
      if (!this.isOver) setTimeout(() => this.connect(), RETRY_MS);
    };
  }

  say(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Says that a frame was drawn: the server may send another. */
  drawn(frame) { this.say({ drawn: frame.sequence, run: frame.run }); }

  /**
   * Asks the sim for something.
   *
   * @returns {Promise<object>} The answer: `ok`, and `reason` if it is false.
   */
  ask(verb, fields = {}) {
    const id = ++this.lastID;
    return new Promise((resolve) => {
      if (this.socket.readyState !== WebSocket.OPEN) return resolve({ ok: false, reason: "not connected" });
      this.answers.set(id, resolve);
      this.say({ do: verb, id, ...fields });
    });
  }

  takeAnswer(message) {
    this.answers.get(message.id)?.(message);
    this.answers.delete(message.id);
  }

  /** Asks for the server's clock anew: another run's frames may be dated by another one. */
  askClock() {
    this.clocks = [];
    for (const ms of CLOCK_FIRST_MS) setTimeout(() => this.say({ clock: performance.now() }), ms);
  }

  takeClock({ clock, us }) {
    const now = performance.now();
    this.clocks.push({ trip: now - clock, ahead: us - ((clock + now) / 2) * 1000 });
    if (this.clocks.length > 16) this.clocks.shift();
  }

  get best() { return this.clocks.reduce((first, second) => (second.trip < first.trip ? second : first)); }

  /** Now by the clock that dates frames, in µs; no number before it is known. */
  nowUs() { return this.clocks.length === 0 ? NaN : performance.now() * 1000 + this.best.ahead; }

  /** How far that may be from the truth, in ms. */
  get errorMs() { return this.clocks.length === 0 ? NaN : this.best.trip / 2; }
}
