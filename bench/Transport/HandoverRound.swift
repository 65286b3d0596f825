// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import OrreryBase

/// A round requested on standard input: the count of messages and the pause before each.
package struct HandoverRequest {
  /// Messages of the round.
  package let count: UInt64
  /// Pause before each message.
  package let pauseNs: UInt64

  /// The request as a line.
  package var text: String { "\(count) \(pauseNs)\n" }

  /// Creates a request.
  package init(count: UInt64, pauseNs: UInt64) {
    self.count = count
    self.pauseNs = pauseNs
  }

  /// The next request; nil at the end, or if the line is malformed.
  package static func read() -> Self? { readLine().flatMap(Self.init) }

  /// Reads a line; nil if it is malformed.
  package init?(line: String) {
    let words = line.split(separator: " ").compactMap { UInt64($0) }
    guard words.count == 2, words[0] > 0 else { return nil }
    self.init(count: words[0], pauseNs: words[1])
  }

  /// Time to spin before a message: a sim computes before it publishes, so its processor is awake.
  private static let busyNs: UInt64 = 20_000

  /// Waits for the pause between two messages.
  package func pause(sleeps: Bool) {
    let end = Clock.monotonicNs() + pauseNs
    if sleeps, pauseNs > Self.busyNs { Clock.sleep(untilMonotonicNs: end - Self.busyNs) }
    while Clock.monotonicNs() < end { linux_spin_hint() }
  }
}

/// The results of a round, times in ns; the programs of bench/peers use the same keys.
package struct HandoverAnswer: Codable {
  /// The median.
  package var p50 = 0.0
  /// The 90th percentile.
  package var p90 = 0.0
  /// The 99th percentile.
  package var p99 = 0.0
  /// The longest.
  package var max = 0.0
  /// Messages that all readers together received.
  package var received: UInt64 = 0
  /// Messages that all readers together missed.
  package var missed: UInt64 = 0
  /// Duration of the round.
  package var seconds = 0.0
  /// How messages were handed over; nil after an error.
  package var way: HandoverWay?
  /// Count of the readers' sleeps, as the kernel counts them; nil if not counted.
  package var slept: UInt64?
  /// Why there are no results.
  package var error: String?

  /// Creates an answer from the times of all readers.
  ///
  /// - Parameters:
  ///   - way: How messages were handed over.
  ///   - times: Time of each message and reader, ns, in any order.
  ///   - received: Messages that all readers together received.
  ///   - missed: Messages that all readers together missed.
  ///   - seconds: Time of all messages.
  ///   - slept: Count of the readers' sleeps.
  package init(
    way: HandoverWay, times: [Double], received: UInt64, missed: UInt64, seconds: Double,
    slept: UInt64? = nil
  ) {
    let sorted = times.sorted()
    let part = { (p: Double) in
      sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * p + 0.5)]
    }
    (p50, p90, p99, max) = (part(0.5), part(0.9), part(0.99), part(1))
    (self.received, self.missed, self.seconds) = (received, missed, seconds)
    (self.way, self.slept) = (way, slept)
  }

  /// Creates an answer without results.
  package init(error: String) { self.error = error }

  private enum CodingKeys: CodingKey {
    case p50, p90, p99, max, received, missed, seconds, way, slept, error
  }

  /// Decodes the line that a program prints.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    error = try values.decodeIfPresent(String.self, forKey: .error)
    if error != nil { return }
    p50 = try values.decode(Double.self, forKey: .p50)
    p90 = try values.decode(Double.self, forKey: .p90)
    p99 = try values.decode(Double.self, forKey: .p99)
    max = try values.decode(Double.self, forKey: .max)
    received = try values.decode(UInt64.self, forKey: .received)
    missed = try values.decode(UInt64.self, forKey: .missed)
    seconds = try values.decode(Double.self, forKey: .seconds)
    way = try values.decode(HandoverWay.self, forKey: .way)
    slept = try values.decodeIfPresent(UInt64.self, forKey: .slept)
  }

  /// The answer as a line of JSON.
  package var text: String { JSONLine.text(self) }
}
