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
}
