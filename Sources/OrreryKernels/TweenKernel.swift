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
  let (phases, steps) = (groups(phase), groups(step))
  let (bases, spans, xs) = (groups(base), groups(span), groups(x))
  let wholeGroups = Int(count) / Lanes.scalarCount
  for i in 0..<wholeGroups {
    xs[i] = bases[i] + turnFraction(phases[i] &+ steps[i] &* elapsed) * spans[i]
  }
  if Int(count) % Lanes.scalarCount != 0 {
    let i = wholeGroups
    storeTail(
      loadTail(base, count: count) + turnFraction(phases[i] &+ steps[i] &* elapsed) * spans[i], x,
      count: count)
  }
}
