// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: at every frame a player shows what a timeline on a screen would.
///
/// Method: players are asked at frame times written out; contexts are compared by their seconds since
/// 1970, nil where a frame changes nothing.
@Suite struct TimelinePlayerTests {
  private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  private func dates(_ seconds: Double...) -> [Date] { seconds.map { at($0) } }

  /// What a player answers at each frame.
  private func play<Schedule: TimelineSchedule>(
    _ player: inout TimelinePlayer<Schedule>, at frames: Double...
  ) -> [Double?] {
    frames.map { player.update(at: at($0))?.date.timeIntervalSince1970 }
  }

  /// [S3-01] The content is called with date 8 and cadence live; [L-01] the view shows 8 at 11 and
  /// 12 at 12.
  @Test func entryBeforeNowIsShownAtOnce() {
    var player = TimelinePlayer(.periodic(from: at(0), by: 4))
    #expect(player.context == nil)
    let first = player.update(at: at(11))
    #expect(first == TimelineViewDefaultContext(date: at(8), cadence: .live))
    #expect(player.context == first)
    #expect(player.nextEntry == at(12))
    #expect(play(&player, at: 11.5, 12 - 1e-6, 12, 12.1, 16) == [nil, nil, 12, nil, 16])
  }

  /// [S3-04] Now, now + 5, now + 10 -> updates at 0, 5, 10, then none.
  @Test func explicitDatesAreShownOnceEach() {
    let now = 1_746_087_342.25
    var player = TimelinePlayer(.explicit(dates(now, now + 5, now + 10)))
    let answers = (0...40).map { player.update(at: at(now + Double($0) / 2)) != nil }
    #expect(answers.indices.filter { answers[$0] } == [0, 10, 20])
    #expect(player.nextEntry == nil)
  }

  /// [L-05] [-9, -4] at 0 -> -4 once; [6] at 0 -> 0, then 6; [-2, 3] -> -2, then 3; after 3 none.
  @Test func explicitDatesBeforeAndAfterNow() {
    var past = TimelinePlayer(.explicit(dates(-9, -4)))
    #expect(play(&past, at: 0, 1, 100) == [-4, nil, nil])
    var future = TimelinePlayer(.explicit(dates(6)))
    #expect(play(&future, at: 0, 3, 6, 7) == [0, nil, 6, nil])
    var mixed = TimelinePlayer(.explicit(dates(-2, 3)))
    #expect(play(&mixed, at: 0, 2, 3, 4, 1_000) == [-2, nil, 3, nil, nil])
    var none = TimelinePlayer(.explicit([]))
    #expect(play(&none, at: 0, 1) == [0, nil])
  }

  @Test func datesOutOfOrderAreSkipped() {
    var player = TimelinePlayer(.explicit(dates(-4, -9, 3, 2, 3, 5)))
    #expect(play(&player, at: 0, 3, 4, 5) == [-4, 3, nil, 5])
  }

  /// [L-02] A start in the future: now once, then from the start.
  @Test func periodicInTheFutureShowsNowFirst() {
    var player = TimelinePlayer(.periodic(from: at(10), by: 4))
    #expect(play(&player, at: 3, 9, 10, 12, 14) == [3, nil, 10, nil, 14])
  }

  /// [S3-05] 60 Hz, minimumInterval 0.05 -> every third frame; at any date, also at the reference
  /// date, where the most digits count, and with frame times cut to whole nanoseconds.
  @Test(arguments: [978_307_200, 0, 1_746_087_342.123] as [Double])
  func animationUpdatesNoFasterThanItsInterval(start: Double) {
    var exact = TimelinePlayer(.animation(minimumInterval: 0.05))
    var whole = exact
    var fast = TimelinePlayer(.animation(minimumInterval: 1.0 / 60))
    for frame in 0..<3_600 {
      let seconds = Double(frame) / 60
      let cut = Double(frame * 1_000_000_000 / 60) / 1e9
      let isThird = frame.isMultiple(of: 3)
      let isUpdate = exact.update(at: at(start).addingTimeInterval(seconds)) != nil
      let isCutUpdate = whole.update(at: at(start).addingTimeInterval(cut)) != nil
      let isFastUpdate = fast.update(at: at(start).addingTimeInterval(cut)) != nil
      let isGood = isUpdate == isThird && isCutUpdate == isThird && isFastUpdate
      #expect(isGood, "frame \(frame)")
      guard isGood else { return }
    }
  }

  /// [S3-05] Without an interval every frame is an update, with its own date, at any rate.
  @Test(arguments: [24, 59.94, 60, 144, 1_000])
  func animationUpdatesAtEveryFrame(rate: Double) {
    var player = TimelinePlayer(.animation)
    for frame in 0..<500 {
      let now = at(1e9).addingTimeInterval(Double(frame) / rate)
      #expect(player.update(at: now)?.date == now, "frame \(frame)")
      #expect(player.update(at: now) == nil, "frame \(frame)")
    }
  }

  /// [S3-24] Paused 10...20: what is shown during 15 is what was shown at 10; then now.
  @Test func pausedAnimationStays() {
    var player = TimelinePlayer(.animation)
    #expect(play(&player, at: 9, 10) == [9, 10])
    player.schedule = .animation(paused: true)
    #expect(play(&player, at: 10.5, 15, 19.9) == [nil, nil, nil])
    #expect(player.context?.date == at(10))
    player.schedule = .animation
    #expect(play(&player, at: 20, 21) == [20, 21])
    var pausedFromTheStart = TimelinePlayer(.animation(paused: true))
    #expect(play(&pausedFromTheStart, at: 3, 4) == [3, nil])
  }

  /// [L-08] By 4 from 0, frames at 3 and 21 -> contexts 0 and 20.
  @Test func missedEntriesAreSkipped() {
    var player = TimelinePlayer(.periodic(from: at(0), by: 4))
    #expect(play(&player, at: 3, 21, 22, 24) == [0, 20, nil, 24])
  }

  /// [L-08] [L-09] However many were missed, the answer is that of a player that begins there.
  ///
  /// Ten thousand million entries one by one would take minutes.
  @Test func longGapsCostNoMoreThanShortOnes() {
    for seed in UInt64(1)...500 {
      var numbers = SeededRandom(seed: seed)
      let interval = numbers.number(in: 0.001...10)
      let gap = pow(10, numbers.number(in: 0...10)) * interval
      let now = at(numbers.number(in: 0...1e9))
      var player = TimelinePlayer(.periodic(from: now, by: interval))
      _ = player.update(at: now)
      _ = player.update(at: now + gap)
      var fresh = TimelinePlayer(.periodic(from: now, by: interval))
      _ = fresh.update(at: now + gap)
      let isGood = player.context == fresh.context && player.nextEntry == fresh.nextEntry
      #expect(isGood, "seed \(seed): interval \(interval), gap \(gap)")
      guard isGood else { return }
    }
  }

  /// [L-10] By 4 replaced by 10, from 0, at 13 -> contexts 12 before, 10 after, then 20.
  @Test func changedScheduleIsAskedAgain() {
    var player = TimelinePlayer(.periodic(from: at(0), by: 4))
    #expect(play(&player, at: 12.5) == [12])
    player.schedule = .periodic(from: at(0), by: 10)
    #expect(play(&player, at: 13, 19, 20) == [10, nil, 20])
  }

  /// [L-10] A reset asks from now; before it, a clock that was set back shows nothing new.
  @Test func resetIsAskedAgain() {
    var player = TimelinePlayer(.periodic(from: at(0), by: 4))
    #expect(play(&player, at: 13, 5) == [12, nil])
    player.reset()
    #expect(player.nextEntry == nil)
    #expect(play(&player, at: 5, 8) == [4, 8])
  }

  /// [L-10] A change of mode asks from now; [L-07] once a minute, and content is told so.
  @Test func changedModeIsAskedAgain() {
    var player = TimelinePlayer(Heartbeat())
    #expect(play(&player, at: 500, 501.5) == [500, 501])
    player.mode = .lowFrequency
    #expect(
      player.update(at: at(502))
        == TimelineViewDefaultContext(date: at(502), cadence: .minutes))
    #expect(play(&player, at: 561, 562) == [nil, 562])
    player.mode = .lowFrequency
    #expect(play(&player, at: 570) == [nil])
  }

  @Test func cadenceInLowFrequencyFollowsTheEntries() {
    var seconds = TimelinePlayer(.periodic(from: at(0), by: 1), mode: .lowFrequency)
    #expect(seconds.update(at: at(0))?.cadence == .seconds)
    var minutes = TimelinePlayer(.everyMinute(in: .gmt), mode: .lowFrequency)
    #expect(minutes.update(at: at(30))?.cadence == .minutes)
    var animation = TimelinePlayer(.animation)
    #expect(animation.update(at: at(7))?.cadence == .live)
    animation.mode = .lowFrequency
    #expect(
      animation.update(at: at(8)) == TimelineViewDefaultContext(date: at(7), cadence: .minutes))
    #expect(animation.update(at: at(9)) == nil)
  }

  /// [S3-07] A player whose owner is gone at 2.5 s makes no update at 3: its entries end with it.
  @Test func scheduleEndsWithItsOwner() {
    let count = Counter()
    weak var entries: CountedEntries?
    var owner: Owner? = Owner(
      player: TimelinePlayer(
        .explicit(
          AnySequence {
            let counted = CountedEntries(count)
            entries = counted
            return AnyIterator { counted.next() }
          })))
    for frame in [0, 1, 2, 2.4] { _ = owner?.player.update(at: at(frame)) }
    #expect(entries != nil)
    #expect(count.value == 4)
    owner = nil
    #expect(entries == nil)
    #expect(count.value == 4)
  }

  private final class Counter {
    var value = 0
  }

  /// Whole seconds from 1970 on, counting how many were asked for.
  private final class CountedEntries {
    private let count: Counter

    init(_ count: Counter) {
      self.count = count
    }

    func next() -> Date? {
      count.value += 1
      return Date(timeIntervalSince1970: Double(count.value - 1))
    }
  }

  private final class Owner {
    var player: TimelinePlayer<ExplicitTimelineSchedule<AnySequence<Date>>>

    init(player: TimelinePlayer<ExplicitTimelineSchedule<AnySequence<Date>>>) {
      self.player = player
    }
  }

  /// A frame that is less than half a microsecond early is on time: clocks are cut to whole nanoseconds.
  @Test func halfAMicrosecondEarlyIsOnTime() {
    func reference(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
    for (early, isShown) in [(0.4e-6, true), (0.6e-6, false)] {
      var player = TimelinePlayer(.periodic(from: reference(0), by: 4))
      _ = player.update(at: reference(1))
      let context = player.update(at: reference(8 - early))
      #expect(context?.date == reference(isShown ? 8 : 4), "\(early)")
    }
  }

  /// [S3-23] In low frequency entries a minute apart, or more, are minutes, and less are seconds.
  @Test(
    arguments: [(59.9, .seconds), (60, .minutes), (61, .minutes)] as [(Double, TimelineCadence)])
  func cadenceTurnsAtAMinute(interval: Double, cadence: TimelineCadence) {
    var player = TimelinePlayer(.periodic(from: at(0), by: interval), mode: .lowFrequency)
    #expect(player.update(at: at(0))?.cadence == cadence)
    var normal = TimelinePlayer(.periodic(from: at(0), by: interval))
    #expect(normal.mode == .normal)
    #expect(normal.update(at: at(0))?.cadence == .live)
  }

  /// An entry at the very time of a frame is shown in it, also after many others.
  @Test(arguments: [1, 15, 16, 17, 40]) func entryOfTheFrameIsShown(missed: Int) {
    var player = TimelinePlayer(.periodic(from: at(0), by: 0.5))
    _ = player.update(at: at(0))
    let now = Double(missed) / 2
    #expect(play(&player, at: now) == [now])
    #expect(player.nextEntry == at(now + 0.5))
    #expect(play(&player, at: now + 0.25, now + 0.5) == [nil, now + 0.5])
  }
}
