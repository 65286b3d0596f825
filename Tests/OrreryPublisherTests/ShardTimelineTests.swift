// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPublisher
import OrreryWire
import TestSupport
import Testing

/// Goal: a shard that comes into a run finds the frame, the tick and the schedule that the others have come to
/// step by step.
///
/// Method: 100 frames a second from time 0, changes at round times, and random ones.
@Suite struct ShardTimelineTests {
  private static let tickNs: UInt64 = 10_000_000

  private static func change(_ sequence: UInt64, atMs milliseconds: UInt64) -> ShardChange {
    ShardChange(
      number: 1, sequence: sequence, wallNs: milliseconds * 1_000_000, request: "", isMade: true)
  }

  /// Frame and next tick at a time.
  private static func position(
    _ changes: [(QueuedCommand, ShardChange)], atMs milliseconds: UInt64
  ) -> [UInt64] {
    var timeline = ShardTimeline(rate: 100, startWallNs: 0)
    for (command, change) in changes where change.wallNs <= milliseconds * 1_000_000 {
      timeline.make(command, change)
    }
    timeline.advance(toWallNs: milliseconds * 1_000_000)
    return [timeline.sequence, timeline.playback.nextTick]
  }

  @Test func framesComeByTheTime() {
    #expect(Self.position([], atMs: 0) == [0, 1])
    #expect(Self.position([], atMs: 9) == [0, 1])
    #expect(Self.position([], atMs: 10) == [1, 2])
    #expect(Self.position([], atMs: 3_600_000) == [360_000, 360_001])
  }

  @Test func eachChangeHasItsEffect() {
    let changes: [(QueuedCommand, ShardChange)] = [
      // Frame 11 does not come: it waits for 500 ms, and then shows tick 11.
      (.pause, Self.change(11, atMs: 110)), (.resume, Self.change(11, atMs: 500)),
      // Frame 21 shows tick 1000.
      (.seek(1_000), Self.change(21, atMs: 600)),
      // Frame 31 comes at 700 ms, and those after it each 2 ms.
      (.speed(5), Self.change(31, atMs: 700)),
      (.pause, Self.change(81, atMs: 800)),
      // Three more, and then none.
      (.step(3), Self.change(81, atMs: 1_000)),
      (.seek(7), Self.change(84, atMs: 1_100)),
    ]
    let expected: [(UInt64, [UInt64])] = [
      (109, [10, 11]), (110, [10, 11]), (499, [10, 11]), (500, [11, 12]), (510, [12, 13]),
      (599, [20, 21]), (600, [21, 1_001]), (690, [30, 1_010]), (700, [31, 1_011]),
      (702, [32, 1_012]), (799, [80, 1_060]), (800, [80, 1_060]), (999, [80, 1_060]),
      (1_000, [81, 1_061]), (1_004, [83, 1_063]), (1_099, [83, 1_063]), (1_100, [84, 8]),
      (9_000, [84, 8]),
    ]
    for (milliseconds, position) in expected {
      #expect(Self.position(changes, atMs: milliseconds) == position, "\(milliseconds) ms")
    }
  }

  /// However often it is looked at on the way.
  @Test func stepsOnTheWayChangeNothing() {
    var random = SeededRandom(seed: 5)
    for _ in 0..<200 * testEffort {
      var (often, once) = (
        ShardTimeline(rate: 60, startWallNs: 1_000), ShardTimeline(rate: 60, startWallNs: 1_000)
      )
      var (nowNs, sequence) = (UInt64(1_000), UInt64(0))
      for _ in 0..<12 {
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          nowNs += .random(in: 0...300_000_000, using: &random)
          often.advance(toWallNs: nowNs)
        }
        sequence = often.sequence + 1
        let wallNs =
          often.playback.wantsFrame
          ? max(often.clock.dueNs(sequence), nowNs) : nowNs + 100_000_000
        let command: QueuedCommand =
          switch Int.random(in: 0..<6, using: &random) {
          case 0: .pause
          case 1, 2: .resume
          case 3: .step(.random(in: 1...20, using: &random))
          case 4: .seek(.random(in: 0...1_000, using: &random))
          default: .speed([0.01, 0.3, 1, 7, 100].randomElement(using: &random) ?? 1)
          }
        let change = ShardChange(
          number: 1, sequence: sequence, wallNs: wallNs, request: "", isMade: true)
        nowNs = wallNs
        often.make(command, change)
        once.make(command, change)
      }
      nowNs += 50_000_000
      often.advance(toWallNs: nowNs)
      once.advance(toWallNs: nowNs)
      #expect(often.sequence == once.sequence)
      #expect(often.playback.nextTick == once.playback.nextTick)
      #expect(often.playback.owedCount == once.playback.owedCount)
      #expect(often.clock.dueNs(often.sequence + 1) == once.clock.dueNs(once.sequence + 1))
    }
  }

  /// Due times are rounded down to nanoseconds, and a frame comes at its own.
  @Test func frameComesAtTheNanosecondThatItIsDue() {
    for (nowNs, sequence) in [
      (16_666_665, 0), (16_666_666, 1), (33_333_332, 1), (33_333_333, 2), (50_000_000, 3),
    ] as [(UInt64, UInt64)] {
      var timeline = ShardTimeline(rate: 60, startWallNs: 0)
      timeline.advance(toWallNs: nowNs)
      #expect(timeline.sequence == sequence, "\(nowNs) ns")
    }
  }

  /// After 208 days fractions are rounded to four nanoseconds: no frame comes before it is due.
  @Test func frameOfALongRunIsNotTooEarly() {
    var timeline = ShardTimeline(rate: 1_000_000_000, startWallNs: 0)
    timeline.make(.speed(2), Self.change(1, atMs: 0))
    let nowNs: UInt64 = 1 << 54 + 3
    timeline.advance(toWallNs: nowNs)
    #expect(timeline.sequence == 1 << 55 + 5)
    #expect(timeline.clock.dueNs(timeline.sequence) <= nowNs)
    #expect(timeline.clock.dueNs(timeline.sequence + 1) > nowNs)
  }

  /// A log that no sim has written does no harm.
  @Test func changeOfAFrameThatHasPassedIsPassedOver() {
    var timeline = ShardTimeline(rate: 100, startWallNs: 0)
    timeline.make(.seek(9), Self.change(5, atMs: 50))
    timeline.make(.seek(1), Self.change(0, atMs: 60))
    timeline.make(.pause, Self.change(4, atMs: 70))
    #expect(timeline.playback.nextTick == 9)
    #expect(!timeline.playback.isPaused)
  }
}
