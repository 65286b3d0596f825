// SPDX-License-Identifier: Apache-2.0

/// Progress that a sim reports from time to time.
package struct ProgressReport: Codable, Equatable, Sendable {
  /// Name of the program.
  package var program = "sim"
  /// Tick of the newest frame.
  package var tick: UInt64
  /// Time of the tick in the scene, in seconds.
  package var seconds: Double
  /// Ticks that were published late so far.
  package var lateTicks: UInt64

  package init(
    tick: UInt64, seconds: Double, lateTicks: UInt64
  ) {
    self.tick = tick
    self.seconds = seconds
    self.lateTicks = lateTicks
  }
}

/// Sixteen hexadecimal digits.
package func hexadecimal(_ word: UInt64) -> String {
  let digits = String(word, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}
