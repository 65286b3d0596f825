// Everything by keys; those of `orrery run` mean the same here.

import { input } from "/dom.js";

/**
 * Listens to keys.
 *
 * @param {import("/main.js").Page} page What the keys act on.
 */
export function listenToKeys(page) {
  const { steering, entity, picture } = page;
  const pan = (x, y) => picture.panBy(x / picture.zoom, y / picture.zoom);
  const keys = {
    " ": () => steering.pause(),
    ".": () => steering.step(),
    "ArrowLeft": ({ shiftKey }) => steering.seekBy(shiftKey ? -10 : -1),
    "ArrowRight": ({ shiftKey }) => steering.seekBy(shiftKey ? 10 : 1),
    "+": () => steering.setSpeed(steering.speed * 2),
    "-": () => steering.setSpeed(steering.speed / 2),
    "n": () => entity.pickNext(1),
    "p": () => entity.pickNext(-1),
    "Enter": () => entity.toggle(),
    "k": () => entity.pin(),
    "l": () => page.ticks.seekLongest(),
    "f": () => picture.fit(),
    "z": () => picture.zoomBy(1.25),
    "x": () => picture.zoomBy(0.8),
    "w": () => pan(0, -60),
    "a": () => pan(-60, 0),
    "s": () => pan(0, 60),
    "d": () => pan(60, 0),
    "c": () => input("spec").focus(),
    "m": () => page.setMotion(!page.hasMotion),
    "i": () => page.setBetween(!page.between.isOn),
    "e": () => page.setExact(!page.isExact),
    "?": () => page.help.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || page.help.open) return;
    const target = /** @type {Element} */ (event.target);
    const isTyping = target.matches("input:not([type=range]), textarea, select");
    // Buttons and the slider have these keys for themselves.
    const isPress = target.matches("button") && (event.key === " " || event.key === "Enter");
    const isSlider = target.matches("input[type=range]") && event.key.startsWith("Arrow");
    const key = keys[event.key];
    if (!key || isTyping || isPress || isSlider) return;
    event.preventDefault();
    key(event);
  });
}
