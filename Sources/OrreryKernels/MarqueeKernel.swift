// SPDX-License-Identifier: Apache-2.0

/// Places marquees.
///
///     x = frac(phase) · span
///
/// `span` is minus the period for content that moves left and plus the period for content that
/// moves right. Per entity: 12 bytes read, 4 written; bound by memory.
func placeMarquees(
  count: UInt32, elapsed: UInt32, phase: UnsafePointer<UInt32>, step: UnsafePointer<UInt32>,
  span: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>
) {
  let (phases, steps, spans, xs) = (groups(phase), groups(step), groups(span), groups(x))
  let wholeGroups = Int(count) / Lanes.scalarCount
  for i in 0..<wholeGroups {
    // Adding zero turns the -0 of a leftward marquee at its start into +0.
    xs[i] = turnFraction(phases[i] &+ steps[i] &* elapsed) * spans[i] + 0
  }
  if Int(count) % Lanes.scalarCount != 0 {
    let i = wholeGroups
    storeTail(
      turnFraction(phases[i] &+ steps[i] &* elapsed) * spans[i] + 0, x, count: count)
  }
}
