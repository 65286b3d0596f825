// SPDX-License-Identifier: Apache-2.0

/// Places offsets that a timer increments and resets.
///
///     x = start + increment · (timerTicks mod loopTicks)
///
/// Per entity: 24 bytes read, 4 written, and one 64-bit division, which bounds it: the kind stands
/// for a habit of existing programs, of which a scene has a few, and is exact rather than fast.
func evaluateTimers(
  count: UInt32, timerTicks: UnsafePointer<UInt64>, loopTicks: UnsafePointer<UInt64>,
  start: UnsafePointer<Float>, increment: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>
) {
  for i in 0..<Int(count) {
    x[i] = start[i] + increment[i] * Float(timerTicks[i] % loopTicks[i])
  }
}
