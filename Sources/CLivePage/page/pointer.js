// The picture by mouse, finger and wheel: drag pans, wheel and two fingers zoom, a click picks.

const CLICK_PIXELS = 5;

/**
 * Listens to pointers.
 *
 * @param {import("/picture.js").Picture} picture The picture.
 * @param {(x: number, y: number) => void} click Gets CSS pixels of the canvas.
 */
export function listenToPointers(picture, click) {
  const canvas = picture.canvas;
  const pointers = new Map();
  let moved = 0;
  const at = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = () => {
    const [first, second] = [...pointers.values()];
    return { size: Math.hypot(first.x - second.x, first.y - second.y), x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, at(event));
    if (pointers.size === 1) moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = at(event);
    if (pointers.size === 2) {
      const old = spread();
      pointers.set(event.pointerId, now);
      const next = spread();
      if (old.size > 0) picture.zoomBy(next.size / old.size, next.x, next.y);
      moved = Infinity;
      return;
    }
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    pointers.set(event.pointerId, now);
    if (moved <= CLICK_PIXELS) return;
    const [from, to] = [picture.toScene(before.x, before.y), picture.toScene(now.x, now.y)];
    picture.panBy(from.x - to.x, from.y - to.y);
  });
  const lift = (event) => {
    const isClick = pointers.size === 1 && moved <= CLICK_PIXELS && event.type === "pointerup";
    if (pointers.delete(event.pointerId) && isClick) click(at(event).x, at(event).y);
  };
  canvas.addEventListener("pointerup", lift);
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const { x, y } = at(event);
    picture.zoomBy(Math.exp(-event.deltaY / 400), x, y);
  }, { passive: false });
}
