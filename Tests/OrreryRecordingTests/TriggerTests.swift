// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryRecording
import Testing

/// Goal: a trigger holds exactly when its words say so, and a wrong one is named with its column.
///
/// Method: conditions on values that are set by hand; then a watch on made-up messages.
@Suite struct TriggerTests {
  private static func values(_ known: [TriggerField: Double]) -> TriggerValues {
    var values = TriggerValues()
    for (field, value) in known { values[field] = value }
    return values
  }

  @Test(arguments: [
    ("tick_ms > 16.7", true), ("tick_ms >= 17", true), ("tick_ms < 17", false),
    ("tick_ms<=17", true), ("tick_ms == 17", true), ("tick_ms != 17", false),
    ("tick_ms > 16.7 && missed > 0", false), ("tick_ms > 16.7 and missed == 0", true),
    ("missed > 0 || tick_ms > 1", true), ("missed > 0 or missed < 0", false),
    ("!(missed > 0)", true), ("not missed > 0", true), ("not not missed > 0", false),
    // And binds closer than or.
    ("tick_ms > 1 or missed > 0 and missed > 0", true),
    ("(tick_ms > 1 or missed > 0) and missed > 0", false),
    ("missed > -1e0", true), ("missed < 1e3", true),
    // Not known: false, whatever the relation.
    ("received > 0", false), ("received <= 0", false), ("received != 0", false),
    ("not received > 0", true),
  ])
  func conditionMeansWhatItSays(text: String, holds: Bool) throws {
    let trigger = try Trigger(text)
    #expect(trigger.holds(Self.values([.tickMs: 17, .missed: 0])) == holds)
  }

  @Test(arguments: [
    ("", 1), ("tick > 1", 1), ("tick_ms", 8), ("tick_ms >", 10), ("tick_ms > 1 1", 13),
    ("tick_ms > 1 and", 16), ("(tick_ms > 1", 13), ("tick_ms > x", 11), ("tick_ms > inf", 11),
    ("tick_ms > 1 xor missed > 0", 13), ("tick_ms = 1", 9),
  ])
  func faultHasItsColumn(text: String, column: Int) {
    #expect {
      try Trigger(text)
    } throws: { error in
      (error as? TriggerError)?.column == column && !"\(error)".contains("\n")
    }
  }

  @Test func depthAndLengthHaveLimits() throws {
    _ = try Trigger(
      String(repeating: "(", count: 49) + "missed > 0" + String(repeating: ")", count: 49))
    #expect(throws: TriggerError.self) {
      try Trigger(String(repeating: "!", count: 900) + "missed > 0")
    }
    #expect(throws: TriggerError.self) { try Trigger(String(repeating: " ", count: 2000)) }
  }

  private static func timings(_ computeNs: [UInt64]) -> Orrery_Timings {
    var timings = Orrery_Timings()
    timings.waitNs = computeNs.map { _ in 1_000_000 }
    timings.computeNs = computeNs
    timings.publishNs = computeNs.map { _ in 1000 }
    return timings
  }

  private static func statistics(received: UInt64 = 0, missed: UInt64) -> Orrery_Statistics {
    var statistics = Orrery_Statistics()
    (statistics.received, statistics.missed) = (received, missed)
    return statistics
  }

  /// One slow frame among many is enough, and asks once.
  @Test func watchTellsTheBeginningOnly() throws {
    var watch = TriggerWatch(try Trigger("tick_ms > 16.7"))
    let results = [
      watch.take(Self.timings([1_000_000, 2_000_000])),
      watch.take(Self.timings([1_000_000, 17_000_000, 1_000_000])),
      watch.take(Self.timings([18_000_000])),
      watch.take(Self.timings([1_000_000])),
      watch.take(Self.timings([16_699_500])),
    ]
    // The last: computing and publishing together.
    #expect(results == [false, true, false, false, true])
  }

  /// Each time of a frame has a name of its own.
  @Test func eachTimeOfAFrameIsSeen() throws {
    var timings = Orrery_Timings()
    (timings.waitNs, timings.computeNs, timings.publishNs) = ([3_000_000], [500_000], [2_000_000])
    for (words, holds) in [
      ("wait_ms == 3", true), ("wait_ms != 3", false), ("compute_ms == 0.5", true),
      ("publish_ms == 2", true), ("tick_ms == 2.5", true),
    ] {
      var watch = TriggerWatch(try Trigger(words))
      #expect(watch.take(timings) == holds, "\(words)")
    }
  }

  /// Counts are those of the last second, not of the run.
  @Test func countsAreOfTheLastSecond() throws {
    var watch = TriggerWatch(try Trigger("missed > 0"))
    let results = [0, 5, 5, 6].map { watch.take(Self.statistics(missed: $0)) }
    #expect(results == [false, true, false, true])
  }

  /// Whoever asks for no times of frames is not asked when they come.
  @Test func timesOfFramesBeginNothingElse() throws {
    var watch = TriggerWatch(try Trigger("missed > 0"))
    let results = [
      watch.take(Self.timings([17_000_000])), watch.take(Self.statistics(missed: 1)),
      watch.take(Self.timings([17_000_000])),
    ]
    #expect(results == [false, true, false])
  }

  /// Frames and counts are told at different times; together they are of one second.
  @Test func framesAndCountsAreJoined() throws {
    for framesFirst in [true, false] {
      var watch = TriggerWatch(try Trigger("tick_ms > 16.7 && missed > 0"))
      _ = watch.take(Self.statistics(missed: 0))
      let results =
        framesFirst
        ? [watch.take(Self.timings([17_000_000])), watch.take(Self.statistics(missed: 1))]
        : [watch.take(Self.statistics(missed: 1)), watch.take(Self.timings([17_000_000]))]
      #expect(results == [false, true])
    }
  }
}
