// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The waits for frames, from the time at which each was due.
///
/// No due frame is left out: a tick that the schedule skipped, and a frame that a subscriber missed, count
/// until the next one was there. Otherwise a program that stands still would seem fast (coordinated
/// omission).
package enum FrameWaits {
  /// Waits for the sim's frames.
  ///
  /// - Parameters:
  ///   - published: The frames, in their order; those without a due time are left out.
  ///   - tickNs: Time from one tick to the next; above 0.
  ///   - time: The end of the wait.
  /// - Returns: A wait for each tick that was due, in ns.
  package static func ofSim(
    _ published: [SimFrameTimes], tickNs: UInt64, until time: (SimFrameTimes) -> UInt64
  ) -> [UInt64] {
    var waits: [UInt64] = []
    var last: UInt64?
    for frame in published {
      guard let dueNs = frame.dueNs else { continue }
      // The schedule was shifted: ticks that were due between the two never came.
      if let last, tickNs > 0 {
        var missing = last + tickNs
        while missing + tickNs / 2 < dueNs, waits.count < waitsMax {
          waits.append(time(frame) - min(missing, time(frame)))
          missing += tickNs
        }
      }
      waits.append(time(frame) - min(dueNs, time(frame)))
      last = dueNs
    }
    return waits
  }

  /// A subscriber's waits for the sim's frames; the wait for a missed frame lasts until the next frame that
  /// it has.
  ///
  /// - Parameters:
  ///   - times: The subscriber's frames, in their order.
  ///   - published: The sim's frames, in their order.
  ///   - time: The end of the wait.
  /// - Returns: A wait for each published frame up to the last that the subscriber has, in ns.
  package static func of(
    _ times: [SubscriberFrameTimes], _ published: [SimFrameTimes],
    until time: (SubscriberFrameTimes) -> UInt64
  ) -> [UInt64] {
    var waits: [UInt64] = []
    var index = 0
    for frame in published {
      guard let dueNs = frame.dueNs else { continue }
      while index < times.count, times[index].sequence < frame.sequence { index += 1 }
      guard index < times.count else { break }
      waits.append(time(times[index]) - min(dueNs, time(times[index])))
    }
    return waits
  }

  /// No bench has more frames: a day at 1000 Hz.
  private static let waitsMax = 86_400_000

  /// The medians of runs of values: the rounds of a row.
  ///
  /// - Parameters:
  ///   - values: The values in their order.
  ///   - length: Values in a round; a shorter rest is left out unless it is all there is.
  /// - Returns: A median for each round.
  package static func rounds(_ values: [Double], of length: Int) -> [Double] {
    guard values.count >= length else {
      return values.isEmpty ? [] : [SampleSummary.median(values)]
    }
    return stride(from: 0, through: values.count - length, by: length).map { first in
      SampleSummary.median(Array(values[first..<first + length]))
    }
  }
}
