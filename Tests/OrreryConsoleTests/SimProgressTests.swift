// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryConsole
import Testing

/// Goal: a sim says how far it is four times a second, to a program and not to a person.
///
/// Method: a clock that the test moves, and the lines that were written.
@Suite struct SimProgressTests {
  /// What a sim says that shows its progress at these times.
  private static func lines(isJSON: Bool, milliseconds: [UInt64]) -> [String] {
    var lines: [String] = []
    var nowNs: UInt64 = 0
    var progress = SimProgress(
      isJSON: isJSON, tickSeconds: 0.5, clock: { nowNs }, write: { lines.append($0) })
    for (index, time) in milliseconds.enumerated() {
      nowNs = time * 1_000_000
      progress.show(tick: UInt64(index), frames: UInt64(index) + 4, lateTicks: UInt64(index) * 10)
    }
    return lines
  }

  private static func ticks(_ lines: [String]) -> [UInt64] {
    lines.compactMap { line in
      let report: ProgressReport? = ReportLine.decode(line)
      return report?.tick
    }
  }

  @Test func fourLinesASecond() {
    let lines = Self.lines(isJSON: true, milliseconds: [1000, 1001, 1249, 1250, 1499, 1500, 3000])
    #expect(Self.ticks(lines) == [0, 3, 5, 6])
  }

  @Test func lineSaysWhereTheSimIs() {
    let lines = Self.lines(isJSON: true, milliseconds: [0, 1000, 2000, 3000])
    #expect(Self.ticks(lines) == [0, 1, 2, 3])
    #expect(
      lines.last
        == "{\"schema\":\"orrery.progress.v2\",\"late_ticks\":30,\"program\":\"sim\","
        + "\"ran_s\":3.5,\"seconds\":1.5,\"tick\":3}\n")
  }

  /// `orrery run` starts the subscribers then.
  @Test func phaseIsToldToAProgramAtOnce() throws {
    for isJSON in [true, false] {
      var lines: [String] = []
      SimProgress.enter(.waiting, isJSON: isJSON) { lines.append($0) }
      #expect(lines.count == (isJSON ? 1 : 0))
      guard let line = lines.first else { continue }
      #expect(line.hasPrefix("{\"schema\":\"orrery.work.v1\","))
      let report: WorkReport = try #require(ReportLine.decode(line))
      #expect(report == WorkReport(program: "sim", phase: .waiting))
    }
  }

  @Test func personIsToldNothing() {
    #expect(Self.lines(isJSON: false, milliseconds: [1000, 2000]) == [])
  }
}
