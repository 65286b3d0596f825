// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// What a counter's number means.
package enum CounterKind: UInt32, Sendable {
  /// It only grows.
  case total = 0
  /// It goes up and down.
  case gauge = 1
  /// How often each length of time was counted.
  case histogram = 2

  /// Words of a counter's memory: a histogram has the sum of its values, and a count for each bucket.
  var wordCount: Int { self == .histogram ? 1 + Histogram.bucketCount : 1 }
}

/// The counters of one kind of program, in the order of their labels.
package protocol CounterName: RawRepresentable, CaseIterable, Sendable where RawValue == Int {
  /// What its number means.
  var kind: CounterKind { get }
}

extension CounterName {
  /// As the page has it: `tickNs` is `tick_ns`.
  package var label: String { ReportKey.document("\(self)") }
}

/// What a sim counts.
package enum SimCounter: Int, CounterName {
  /// What the sim is at: a `SimPhase`.
  case phase
  /// 1 while no frame is wanted: the run is paused.
  case paused
  /// Frames published.
  case frames
  /// The newest frame's number; more than `frames` in a shard that came into a run.
  case sequence
  /// The newest frame's tick.
  case tick
  /// When the newest frame was published, by CLOCK_MONOTONIC; 0 before it.
  case publishedNs
  /// From one tick to the next at the run's speed; 0 if ticks are due at no time.
  case periodNs
  case lateTicks
  case overBudgetFrames
  /// The longest time between two frames beyond the due one.
  case stallMaxNs
  case scheduleShifts
  case entities
  case frameBytes
  /// Events of views, sent or dropped.
  case events
  /// Changes of views by commands.
  case changes
  /// Time in which a run in lockstep waited for its subscribers.
  case waitedNs
  /// Subscribers that are connected, here and on other machines, whether they keep counters or not.
  case subscribers
  /// Times to compute a frame, and to publish it.
  case workTimesNs
  case publishTimesNs

  package var kind: CounterKind {
    switch self {
    case .workTimesNs, .publishTimesNs: .histogram
    case .frames, .lateTicks, .overBudgetFrames, .scheduleShifts, .events, .changes, .waitedNs:
      .total
    case .phase, .paused, .sequence, .tick, .publishedNs, .periodNs, .stallMaxNs, .entities,
      .frameBytes,
      .subscribers:
      .gauge
    }
  }
}

/// What a sim is at, as its counter `phase` says.
package enum SimPhase: UInt64, Sendable {
  /// It waits for subscribers or for the other shards.
  case waiting = 0
  case running = 1
  /// No frame follows: it waits for its subscribers' last reports.
  case ending = 2
}

/// What a subscriber counts.
package enum SubscriberCounter: Int, CounterName {
  case received
  case missed
  /// The last frame that was received or missed.
  case sequence
  /// When that was, by CLOCK_MONOTONIC; 0 before it.
  case seenNs
  case frameBytes
  /// Bytes of the file that is written; 0: there is none, or its size says nothing.
  case fileBytes
  /// Times from publishing a frame to the start of its use.
  case ageTimesNs
  /// Times to use a frame: to draw or record it.
  case workTimesNs

  package var kind: CounterKind {
    switch self {
    case .ageTimesNs, .workTimesNs: .histogram
    case .received, .missed: .total
    case .sequence, .seenNs, .frameBytes, .fileBytes: .gauge
    }
  }
}
