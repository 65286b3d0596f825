// SPDX-License-Identifier: Apache-2.0

/// Progress that a sim reports from time to time.
package struct ProgressReport: Codable, Equatable, Sendable {
  /// Name of the program.
  package var program = "sim"
  /// Tick of the newest frame.
  package var tick: UInt64
  /// Time of the tick in the scene, in seconds.
  package var seconds: Double
  /// Scene time of all frames so far, in seconds: jumps to other ticks are no part of it.
  package var ranSeconds: Double
  /// Ticks that were published late so far.
  package var lateTicks: UInt64

  /// Creates a report; without `ranSeconds` the run has not jumped.
  package init(tick: UInt64, seconds: Double, ranSeconds: Double? = nil, lateTicks: UInt64) {
    self.tick = tick
    self.seconds = seconds
    self.ranSeconds = ranSeconds ?? seconds
    self.lateTicks = lateTicks
  }
}

/// Sixteen hexadecimal digits.
package func hexadecimal(_ word: UInt64) -> String {
  String(word, radix: 16).alignedRight(16, filler: "0")
}
