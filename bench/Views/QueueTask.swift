// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase

/// Events that are pushed and popped in the course of a second, 60 ticks long.
package struct QueueTask {
  /// When events are pushed, and for when.
  package enum Pattern: String, CaseIterable, Sendable {
    /// All are pushed at once, for the same time.
    case burst
    /// All are pushed at once, for times anywhere in the second.
    case spread
    /// Each popped event pushes one a second later, so the number of queued events stays the same.
    case steady
  }

  /// When events are pushed, and for when.
  package let pattern: Pattern
  /// Seconds from the start of the second to each event, between 0 and 1; exact in a `Double`.
  private let times: [Double]

  /// Events whose times are the same in each run.
  package init(_ pattern: Pattern, count: Int) {
    self.pattern = pattern
    times = (0..<count).map { index in
      let random = StableHash.mix(UInt64(index) &* 0x9e37_79b9_7f4a_7c15)
      return pattern == .burst ? 0.5 : (Double(random >> 44) + 0.5) / 0x1p20
    }
  }

  /// The rows of all queues that are made for the pattern: Orrery's, then peers.
  package var rows: [BenchRow] {
    let rows = [
      row(.ours, "event queue", EventQueue<UInt32>.self),
      row(.peer, "binary heap", BinaryHeap.self),
    ]
    return pattern == .steady ? rows : rows + [row(.peer, "sorted array", SortedList.self)]
  }

  private func row<Queue: TimedQueue>(
    _ subject: StudyRow.Subject, _ name: String, _: Queue.Type
  ) -> BenchRow {
    let player = Player<Queue>(self)
    return BenchRow(
      subject, name: subject == .ours ? name : "", family: subject == .ours ? "" : name,
      count: times.count, traffic: nil
    ) { player.playSecond() }
  }

  /// A queue and its current second.
  package final class Player<Queue: TimedQueue> {
    private let task: QueueTask
    private var queue = Queue()
    private var second = 0.0

    /// A queue at second 0.
    package init(_ task: QueueTask) {
      self.task = task
      guard task.pattern == .steady else { return }
      for (index, time) in task.times.enumerated() { queue.push(UInt32(index), at: time) }
    }

    /// Pushes and pops each event once.
    ///
    /// - Returns: A number that depends on the order in which events were popped.
    @discardableResult package func playSecond() -> UInt64 {
      defer { second += 1 }
      return Self.play(&queue, task.times, task.pattern, from: second)
    }

    /// One access to the queue for all events: a check for each would be timed as well.
    private static func play(
      _ queue: inout Queue, _ times: [Double], _ pattern: Pattern, from second: Double
    ) -> UInt64 {
      if pattern != .steady {
        for (index, time) in times.enumerated() { queue.push(UInt32(index), at: second + time) }
      }
      var order: UInt64 = 0
      for tick in 1...60 {
        while let event = queue.pop(notAfter: second + Double(tick) / 60) {
          order = order &* 31 &+ UInt64(event.payload)
          if pattern == .steady { queue.push(event.payload, at: event.time + 1) }
        }
      }
      return order
    }
  }
}
