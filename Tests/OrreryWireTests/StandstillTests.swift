// SPDX-License-Identifier: Apache-2.0

import Testing

import OrreryWire

/// Goal: a run that stands still is told of once, and so is its going on.
///
/// Method: times that are made up.
@Suite(.timeLimit(.minutes(10))) struct StandstillTests {
  private static func ms(_ milliseconds: UInt64) -> UInt64 {
    5_000_000_000 + milliseconds * 1_000_000
  }

  @Test func nothingIsSaidBeforeTheFirstFrame() {
    var standstill = Standstill()
    #expect(standstill.nothingCame(nowNs: Self.ms(90_000)) == nil)
    #expect(standstill.frameCame(nowNs: Self.ms(99_000)) == nil)
  }

  @Test func aPauseIsToldOnceAndItsEndToo() {
    var standstill = Standstill()
    for frame in 0..<10 as Range<UInt64> {
      #expect(standstill.frameCame(nowNs: Self.ms(frame * 16)) == nil)
      #expect(standstill.nothingCame(nowNs: Self.ms(frame * 16 + 15)) == nil)
    }
    #expect(standstill.nothingCame(nowNs: Self.ms(144 + 999)) == nil)
    let told = standstill.nothingCame(nowNs: Self.ms(144 + 1050))
    #expect(told?.hasPrefix("no frame for 1.0 s: ") == true)
    #expect(standstill.nothingCame(nowNs: Self.ms(9000)) == nil)
    #expect(standstill.frameCame(nowNs: Self.ms(144 + 60_250)) == "frames come again, after 60.2 s")
    // Two frames later the pause is no measure any more.
    #expect(standstill.frameCame(nowNs: Self.ms(144 + 60_266)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(144 + 61_300)) != nil)
  }

  @Test func slowRunsAreLeftAlone() {
    var standstill = Standstill()
    #expect(standstill.frameCame(nowNs: Self.ms(0)) == nil)
    // After one frame nobody knows how slow a run is.
    #expect(
      standstill.nothingCame(nowNs: Self.ms(1999))
        == "no frame for 1.9 s: the sim is paused, stopped or out of reach")
    #expect(standstill.frameCame(nowNs: Self.ms(2000)) == "frames come again, after 2.0 s")
    for frame in 2..<5 as Range<UInt64> {
      #expect(standstill.nothingCame(nowNs: Self.ms(frame * 2000 - 1)) == nil)
      #expect(standstill.frameCame(nowNs: Self.ms(frame * 2000)) == nil)
    }
    #expect(standstill.nothingCame(nowNs: Self.ms(8000 + 7999)) == nil)
    #expect(standstill.nothingCame(nowNs: Self.ms(8000 + 8000)) != nil)
  }
}
