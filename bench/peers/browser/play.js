// SPDX-License-Identifier: Apache-2.0
//
// Plays a scene for some seconds, and says how many frames there were and how long the longest took.
//
//   scene   orbits: `count` discs on circles; flags: two flags, one from each side, each on its own period (the
//           scene `flags`); flow: seven pills that slide in, hold and fade, one after another, over and over
//   way     waapi: one Web Animation for each element, which the browser advances;
//           loop: one requestAnimationFrame callback that computes every element and sets its style, as GSAP's
//           ticker does: tweens in an array, a transform string for each
//
// The query is ?scene=orbits&way=loop&count=1000&seconds=5. The answer is posted to /result as JSON.
"use strict";

const words = new URLSearchParams(location.search);
const [scene, way] = [words.get("scene"), words.get("way")];
const [count, seconds] = [Number(words.get("count")), Number(words.get("seconds"))];

const random = (() => {
  let state = 1;
  return () => (state = Math.imul(state, 1664525) + 1013904223 >>> 0) / 2 ** 32;
})();

/** Motions: each has a class, a period in ms, a begin in ms, and its value at a progress of 0 to 1. */
function motions() {
  if (scene === "orbits") {
    return Array.from({ length: count }, () => {
      const [x, y] = [640 + (random() - 0.5) * 1100, 360 + (random() - 0.5) * 600];
      const [radius, period, phase] = [4 + 56 * random(), 10_000 + 90_000 * random(), random()];
      return { name: "orbit", period, phase, at: part => {
        const angle = 2 * Math.PI * (part + phase);
        return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle), opacity: 1 };
      } };
    });
  }
  if (scene === "flags") {
    return [[1, 4000, 200], [-1, 6000, 400]].map(([way, period, y]) => ({
      name: "flag", period, phase: 0,
      at: part => ({ x: way > 0 ? -60 + 1340 * part : 1280 - 1340 * part, y, opacity: 1 }),
    }));
  }
  const ease = t => t * t * (3 - 2 * t);
  return Array.from({ length: 7 }, (_, row) => ({
    name: "flow", period: 3500, phase: -row / 7,
    at: part => {
      const t = (part + 2) % 1;
      return { x: 580 - 300 * (1 - ease(Math.min(t * 4, 1))), y: 100 + 70 * row,
               opacity: t < 0.75 ? Math.min(t * 4, 1) : 1 - (t - 0.75) * 4 };
    },
  }));
}

const transform = value => `translate(${value.x}px, ${value.y}px)`;
const all = motions();
const elements = all.map(motion => {
  const element = document.createElement("i");
  element.className = motion.name;
  document.body.append(element);
  return element;
});

if (way === "waapi") {
  // A circle is 32 straight pieces: the Web Animations API has no other curve for a transform.
  const pieces = scene === "orbits" ? 32 : scene === "flags" ? 1 : 28;
  for (const [index, motion] of all.entries()) {
    const frames = Array.from({ length: pieces + 1 }, (_, piece) => {
      const value = motion.at(piece / pieces);
      return { transform: transform(value), opacity: value.opacity };
    });
    elements[index].animate(frames, { duration: motion.period, iterations: Infinity });
  }
}

const times = [];
function tick(now) {
  if (way === "loop") {
    for (let index = 0; index < all.length; index += 1) {
      const motion = all[index];
      const value = motion.at((now / motion.period) % 1);
      const style = elements[index].style;
      style.transform = transform(value);
      style.opacity = value.opacity;
    }
  }
  times.push(now);
  // The first second is for the browser to settle.
  if (now - times[0] < (seconds + 1) * 1000) return requestAnimationFrame(tick);
  const used = times.filter(time => time >= times[0] + 1000);
  const gaps = used.slice(1).map((time, index) => time - used[index]).sort((a, b) => a - b);
  const at = share => gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))] ?? 0;
  fetch("/result", { method: "POST", body: JSON.stringify({
    frames: gaps.length, seconds: (used.at(-1) - used[0]) / 1000, p50: at(0.5), p99: at(0.99), max: gaps.at(-1) ?? 0,
  }) });
}
requestAnimationFrame(tick);
