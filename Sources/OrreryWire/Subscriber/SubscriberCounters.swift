// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryFrame

/// A subscriber's counters page: what it received and missed, how old frames were, and how long their use took.
final class SubscriberCounters {
  private let page: CounterPage

  /// Makes the page; without one the subscriber goes on, and a notice says why.
  ///
  /// - Parameters:
  ///   - program: The subscriber's name.
  ///   - location: Where the run is.
  ///   - subscription: How it is followed.
  init?(program: String, _ location: RunLocation, _ subscription: any RunSubscription) {
    do {
      page = try CounterPage(
        SubscriberCounter.self,
        facts: [
          "program": program, "run": location.name,
          "waiting": subscription.localWaiting.map { "\($0)" } ?? "message",
          "reading": "\(subscription.reading)", "transport": location.transport,
          "delivery": "\(subscription.source.delivery)",
        ])
    } catch {
      Logger(label: program).notice("orrery top does not show this program: \(error)")
      return nil
    }
    page.setGeneration(subscription.source.generation)
    page.set(.frameBytes, subscription.source.layout.frameBytes)
    page.set(.sequence, subscription.losses.last)
  }

  /// Counts what came.
  ///
  /// - Parameters:
  ///   - losses: Frames received and missed so far.
  ///   - nowNs: Now, by the monotonic clock.
  ///   - fileBytes: Bytes of the file that is written; nil: there is none.
  ///   - times: Of a frame that was received: its age if it has one, and how long its use took.
  func count(
    _ losses: Losses, nowNs: UInt64, fileBytes: UInt64?, times: (ageNs: UInt64?, workNs: UInt64)?
  ) {
    page.begin()
    page.set(.received, losses.receivedCount)
    page.set(.missed, losses.missedCount)
    page.set(.sequence, losses.last)
    page.set(.seenNs, nowNs)
    page.set(.fileBytes, fileBytes ?? 0)
    if let times {
      if let ageNs = times.ageNs { page.record(.ageTimesNs, ns: ageNs) }
      page.record(.workTimesNs, ns: times.workNs)
    }
    page.end()
  }
}

extension RunLocation {
  /// How frames come.
  fileprivate var transport: String {
    switch self {
    case .run: "memory"
    case .remote(_, let isCompressed), .remoteShards(_, let isCompressed):
      isCompressed ? "tcp, lz4" : "tcp"
    case .rendezvous(_, _, _, let isCompressed):
      isCompressed ? "memory or tcp, lz4" : "memory or tcp"
    }
  }
}

extension CounterPage {
  fileprivate func set(_ counter: SubscriberCounter, _ value: UInt64) {
    set(counter.rawValue, value)
  }

  fileprivate func record(_ counter: SubscriberCounter, ns: UInt64) {
    record(counter.rawValue, ns: ns)
  }
}
