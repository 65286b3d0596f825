// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import OrreryBase

/// A round that is asked for on standard input: how many messages, and the pause before each.
package struct HandoverRequest {
  /// Messages of the round.
  package let count: UInt64
  /// Before each message.
  package let pauseNs: UInt64

  /// A line of the request.
  package var text: String { "\(count) \(pauseNs)\n" }

  /// Asks for messages with a pause before each.
  package init(count: UInt64, pauseNs: UInt64) {
    self.count = count
    self.pauseNs = pauseNs
  }

  /// The next one; nil at the end, or if it cannot be understood.
  package static func read() -> Self? { readLine().flatMap(Self.init) }

  /// What a line asks for; nil if it cannot be understood.
  package init?(line: String) {
    let words = line.split(separator: " ").compactMap { UInt64($0) }
    guard words.count == 2, words[0] > 0 else { return nil }
    self.init(count: words[0], pauseNs: words[1])
  }

  /// A sim computes before it publishes: its processor is awake then.
  private static let busyNs: UInt64 = 20_000

  /// Lets the time between two messages pass.
  package func pause(sleeps: Bool) {
    let end = Clock.monotonicNs() + pauseNs
    if sleeps, pauseNs > Self.busyNs { Clock.sleep(untilMonotonicNs: end - Self.busyNs) }
    while Clock.monotonicNs() < end { linux_spin_hint() }
  }
}

/// What a round came to, ns; the same words in the programs of bench/peers.
package struct HandoverAnswer: Codable {
  /// The median.
  package var p50 = 0.0
  /// Of ten, the ninth.
  package var p90 = 0.0
  /// Of a hundred, the ninety-ninth.
  package var p99 = 0.0
  /// The longest.
  package var max = 0.0
  /// Of all readers together.
  package var received: UInt64 = 0
  /// Messages that went by.
  package var missed: UInt64 = 0
  /// How long it took.
  package var seconds = 0.0
  /// How messages were handed over; nil if there are none.
  package var way: HandoverWay?
  /// How often the readers' threads went to sleep, by the kernel's account; nil where nobody looked.
  package var slept: UInt64?
  /// Why there is nothing.
  package var error: String?

  /// What the times of all readers come to.
  ///
  /// - Parameters:
  ///   - way: How messages were handed over.
  ///   - times: Of each message and reader, ns, in any order.
  ///   - received: By all readers together.
  ///   - missed: By all readers together.
  ///   - seconds: How long all messages took.
  ///   - slept: How often the readers' threads went to sleep.
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

  /// Nothing, and why.
  package init(error: String) { self.error = error }

  private enum CodingKeys: CodingKey {
    case p50, p90, p99, max, received, missed, seconds, way, slept, error
  }

  /// From the line that a program prints.
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

  /// A line of JSON.
  package var text: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
