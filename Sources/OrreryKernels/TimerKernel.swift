// SPDX-License-Identifier: Apache-2.0

/// Evaluates offsets that a timer increments and resets.
///
///     x = start + increment · (timerTicks mod loopTicks)
///
/// Per entity: 24 bytes read, 4 written, and one 64-bit division, which is the bound. The kernel is
/// exact rather than fast: timers imitate a habit of existing programs, and a scene has only a few.
func evaluateTimers(
  count: UInt32, timerTicks: UnsafePointer<UInt64>, loopTicks: UnsafePointer<UInt64>,
  start: UnsafePointer<Float>, increment: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>
) {
  for i in 0..<Int(count) {
    x[i] = start[i] + increment[i] * Float(timerTicks[i] % loopTicks[i])
  }
}
