// Plots: what they have in common, and curves over the last ten seconds.

/** A canvas in its own pixels, cleared, with the page's colours. */
export function begin(canvas) {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
  if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const style = getComputedStyle(canvas);
  const color = (name) => style.getPropertyValue(name).trim();
  context.font = "11px system-ui, sans-serif";
  return { context, width, height, color };
}

/**
 * Draws a curve over the last ten seconds.
 *
 * @param {HTMLCanvasElement} canvas The plot. @param {number[][]} points Scene time and value. @param {string} name Of
 *   the field.
 */
export function drawCurve(canvas, points, name) {
  const plot = begin(canvas);
  const { context, width, height, color } = plot;
  const { left, top, bottom } = drawFrame(plot);
  const known = points.filter(([, value]) => Number.isFinite(value));
  if (known.length === 0) return;
  let low = Infinity, high = -Infinity;
  for (const [, value] of known) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const room = Math.max((high - low) * 0.05, Math.abs(high) * 1e-6, 1e-6);
  const end = known.at(-1)[0];
  const x = (seconds) => left + ((seconds - end + 10) / 10) * (width - left);
  const y = (value) => bottom - ((value - low + room) / (high - low + 2 * room)) * (bottom - top);
  context.textAlign = "right";
  // Enough digits to tell the two apart.
  const places = Math.min(Math.max(1 - Math.floor(Math.log10(high - low || 1)), 0), 6);
  context.fillText(high.toFixed(places), left - 4, top + 9);
  if (high > low) context.fillText(low.toFixed(places), left - 4, bottom);
  context.fillText(`${end.toFixed(1)} s`, width, height - 3);
  context.textAlign = "left";
  context.fillText(`${(end - 10).toFixed(1)} s`, left, height - 3);
  context.fillText(name, 0, height / 2);
  context.strokeStyle = color("--accent");
  context.lineWidth = 1.5;
  context.beginPath();
  points.forEach(([seconds, value], index) => {
    const isNew = index === 0 || !Number.isFinite(value) || !Number.isFinite(points[index - 1][1]);
    if (isNew) context.moveTo(x(seconds), y(value));
    else context.lineTo(x(seconds), y(value));
  });
  context.stroke();
}

/** The frame of a plot whose left edge has room for numbers: its `left`, `top` and `bottom`. */
export function drawFrame({ context, width, height, color }) {
  const [left, top, bottom] = [52, 6, height - 16];
  context.strokeStyle = color("--line");
  context.strokeRect(left + 0.5, top + 0.5, width - left - 1, bottom - top);
  context.fillStyle = color("--dim");
  return { left, top, bottom };
}

/** A dashed line at a limit. */
export function drawLimit({ context, color }, [x1, y1], [x2, y2]) {
  context.strokeStyle = color("--late");
  context.setLineDash([4, 3]);
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
  context.setLineDash([]);
}

/** The number below which a part of sorted numbers lies. */
export function quantile(sorted, part) {
  return sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)];
}
