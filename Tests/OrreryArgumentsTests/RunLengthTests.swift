// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Orrery
import OrreryArguments
import Testing

/// How long a run lasts, as it is asked for.
@Suite struct RunLengthTests {
  @Test func secondsBecomeTicksOfTheScene() throws {
    let rate = try #require(TickRate("60"))
    #expect(try RunLength.parse(["--duration", "2.5"]).tickCount(rate: rate) == 150)
    #expect(try RunLength.parse(["--ticks", "7"]).tickCount(rate: rate) == 7)
    #expect(try RunLength.parse([]).tickCount(rate: rate) == nil)
  }

  @Test(arguments: ["0", "-1", "nan", "inf", "1000000001"])
  func durationOutOfRangeIsRefused(seconds: String) {
    #expect {
      try RunLength.parse(["--duration", seconds])
    } throws: { error in
      RunLength.message(for: error).contains("use more than 0 and at most 1000000000 seconds")
    }
  }

  @Test(arguments: ["0.001", "1000000000"])
  func durationInRangeIsTaken(seconds: String) throws {
    #expect(try RunLength.parse(["--duration", seconds]).duration == Double(seconds))
  }

  @Test func ticksAndSecondsExcludeEachOther() {
    #expect {
      try RunLength.parse(["--duration", "1", "--ticks", "60"])
    } throws: { error in RunLength.message(for: error).contains("exclude each other") }
  }
}
