// SPDX-License-Identifier: Apache-2.0

import Testing

import OrreryWire

/// Goal: a run that stands still is told of once, and so is its going on.
///
/// Method: times that are made up.
@Suite struct StandstillTests {
  /// A frame that is had when it is published.
  private static func frameCame(
    _ standstill: inout Standstill, _ sequence: UInt64, nowNs: UInt64
  ) -> String? {
    standstill.frameCame(sequence, publishedNs: (1 << 60) + nowNs, nowNs: nowNs)
  }

  private static func ms(_ milliseconds: UInt64) -> UInt64 {
    5_000_000_000 + milliseconds * 1_000_000
  }

  @Test func nothingIsSaidBeforeTheFirstFrame() {
    var standstill = Standstill()
    #expect(standstill.nothingCame(nowNs: Self.ms(90_000)) == nil)
    #expect(Self.frameCame(&standstill, 1, nowNs: Self.ms(99_000)) == nil)
  }

  @Test func aPauseIsToldOnceAndItsEndToo() {
    var standstill = Standstill()
    for frame in 0..<10 as Range<UInt64> {
      #expect(Self.frameCame(&standstill, frame, nowNs: Self.ms(frame * 16)) == nil)
      #expect(standstill.nothingCame(nowNs: Self.ms(frame * 16 + 15)) == nil)
    }
    #expect(standstill.nothingCame(nowNs: Self.ms(144 + 999)) == nil)
    let told = standstill.nothingCame(nowNs: Self.ms(144 + 1050))
    #expect(told?.hasPrefix("no frame for 1.0 s: ") == true)
    #expect(standstill.nothingCame(nowNs: Self.ms(9000)) == nil)
    #expect(
      Self.frameCame(&standstill, 10, nowNs: Self.ms(144 + 60_250))
        == "frames come again, after 60.2 s")
    // Two frames later the pause is no measure any more.
    #expect(Self.frameCame(&standstill, 11, nowNs: Self.ms(144 + 60_266)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(144 + 61_300)) != nil)
  }

  @Test func slowRunsAreLeftAlone() {
    var standstill = Standstill()
    #expect(Self.frameCame(&standstill, 0, nowNs: Self.ms(0)) == nil)
    // After one frame nobody knows how slow a run is.
    #expect(
      standstill.nothingCame(nowNs: Self.ms(1999))
        == "no frame for 1.9 s: the sim is paused, stopped or out of reach")
    #expect(
      Self.frameCame(&standstill, 1, nowNs: Self.ms(2000)) == "frames come again, after 2.0 s")
    for frame in 2..<5 as Range<UInt64> {
      #expect(standstill.nothingCame(nowNs: Self.ms(frame * 2000 - 1)) == nil)
      #expect(Self.frameCame(&standstill, frame, nowNs: Self.ms(frame * 2000)) == nil)
    }
    #expect(standstill.nothingCame(nowNs: Self.ms(8000 + 7999)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(8000 + 8000)) != nil)
  }

  @Test func subscriberThatIsLateItselfIsNoSlowRun() {
    var standstill = Standstill()
    #expect(standstill.frameCame(1, publishedNs: Self.ms(0), nowNs: Self.ms(0)) == nil)
    // Published 160 ms after the first, ten frames later, and had after 700.
    #expect(standstill.frameCame(11, publishedNs: Self.ms(160), nowNs: Self.ms(700)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(1699)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(1700))?.hasPrefix("no frame for 1.0 s") == true)
  }

  /// Ten frames in ten seconds, of which one was had, are a second apart: four of them are worth a word.
  @Test func intervalIsSharedByTheFramesThatWereMissed() {
    var standstill = Standstill()
    #expect(Self.frameCame(&standstill, 1, nowNs: Self.ms(0)) == nil)
    #expect(Self.frameCame(&standstill, 11, nowNs: Self.ms(10_000)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(13_999)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(14_000))?.hasPrefix("no frame for 4.0 s") == true)
  }

  /// What is no step forward, in number or in time, says nothing of the interval.
  @Test func intervalIsOfStepsForwardOnly() {
    for (sequence, publishedMs, nowMs) in [(2, 0, 2_000), (1, 2_000, 2_000), (2, 2_000, 0)]
      as [(UInt64, UInt64, UInt64)]
    {
      var standstill = Standstill()
      #expect(standstill.frameCame(1, publishedNs: Self.ms(0), nowNs: Self.ms(0)) == nil)
      #expect(
        standstill.frameCame(
          sequence, publishedNs: Self.ms(publishedMs), nowNs: Self.ms(nowMs)) == nil)
      #expect(standstill.nothingCame(nowNs: Self.ms(nowMs + 999)) == nil)
      #expect(standstill.nothingCame(nowNs: Self.ms(nowMs + 1_000)) != nil)
    }
  }

  /// There a frame comes when the slowest subscriber is ready; the sim drops a stalled one after ten seconds.
  @Test func runInLockstepMayTakeItsTime() {
    var standstill = Standstill(delivery: .lockstep)
    for frame in 0..<3 as Range<UInt64> {
      #expect(Self.frameCame(&standstill, frame, nowNs: Self.ms(frame * 16)) == nil)
    }
    #expect(standstill.nothingCame(nowNs: Self.ms(32 + 14_999)) == nil)
    #expect(
      standstill.nothingCame(nowNs: Self.ms(32 + 15_000))
        == "no frame for 15.0 s: the sim is paused, stopped or out of reach")
  }
}
