// SPDX-License-Identifier: Apache-2.0

/// Places linear tweens.
///
///     x = base + frac(phase) · span
///
/// Per entity: 16 bytes read, 4 written; bound by memory.
func placeTweens(
  count: UInt32, elapsed: UInt32, phase: UnsafePointer<UInt32>, step: UnsafePointer<UInt32>,
  base: UnsafePointer<Float>, span: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>
) {
  placeTweens(count, elapsed, phase, step, base, span, x, progress: turnFraction)
}

/// The loop over lane groups, for one way to get from a phase to progress.
@inline(__always)
func placeTweens(
  _ count: UInt32, _ elapsed: UInt32, _ phase: UnsafePointer<UInt32>,
  _ step: UnsafePointer<UInt32>, _ base: UnsafePointer<Float>, _ span: UnsafePointer<Float>,
  _ x: UnsafeMutablePointer<Float>, progress: (Words) -> Lanes
) {
  let (phases, steps) = (groups(phase), groups(step))
  let (bases, spans, xs) = (groups(base), groups(span), groups(x))
  let wholeGroups = Int(count) / Lanes.scalarCount
  for i in 0..<wholeGroups {
    xs[i] = bases[i] + progress(phases[i] &+ steps[i] &* elapsed) * spans[i]
  }
  if Int(count) % Lanes.scalarCount != 0 {
    let i = wholeGroups
    storeTail(
      loadTail(base, count: count) + progress(phases[i] &+ steps[i] &* elapsed) * spans[i], x,
      count: count)
  }
}
