// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import OrreryBase

/// A round that is asked for on standard input: how many messages, and the pause before each.
struct HandoverRequest {
  let count: UInt64
  let pauseNs: UInt64

  var text: String { "\(count) \(pauseNs)\n" }

  init(count: UInt64, pauseNs: UInt64) {
    self.count = count
    self.pauseNs = pauseNs
  }

  /// The next one; nil at the end, or if it cannot be understood.
  static func read() -> Self? {
    let words = readLine()?.split(separator: " ").compactMap { UInt64($0) } ?? []
    guard words.count == 2, words[0] > 0 else { return nil }
    return Self(count: words[0], pauseNs: words[1])
  }

  /// A sim computes before it publishes: its processor is awake then.
  private static let busyNs: UInt64 = 20_000

  /// Lets the time between two messages pass.
  func pause(sleeps: Bool) {
    let end = Clock.monotonicNs() + pauseNs
    if sleeps, pauseNs > Self.busyNs { Clock.sleep(untilMonotonicNs: end - Self.busyNs) }
    while Clock.monotonicNs() < end { linux_spin_hint() }
  }
}

/// What a round came to, ns; the same words in the programs of bench/peers.
struct HandoverAnswer: Codable {
  var p50 = 0.0
  var p90 = 0.0
  var p99 = 0.0
  var max = 0.0
  /// Of all readers together.
  var received: UInt64 = 0
  var missed: UInt64 = 0
  var seconds = 0.0
  /// Why there is nothing.
  var error: String?

  init(times: [Double], received: UInt64, missed: UInt64, seconds: Double) {
    let sorted = times.sorted()
    let part = { (p: Double) in
      sorted.isEmpty ? 0 : sorted[Int(Double(sorted.count - 1) * p + 0.5)]
    }
    (p50, p90, p99, max) = (part(0.5), part(0.9), part(0.99), part(1))
    (self.received, self.missed, self.seconds) = (received, missed, seconds)
  }

  init(error: String) { self.error = error }

  private enum CodingKeys: CodingKey {
    case p50, p90, p99, max, received, missed, seconds, error
  }

  init(from decoder: any Decoder) throws {
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
  }

  /// A line of JSON.
  var text: String {
    (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}
