// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Goal: each stage of a start has the time of its own report, and the goals judge the largest scene.
@Suite struct StartupReportTests {
  private static func times(
    frame: UInt64? = 2_000_000_000, read: UInt64? = 3_000_000_000,
    recorded: UInt64? = 4_000_000_000,
    drawn: UInt64? = 6_000_000_000, beganNs: UInt64 = 1_000_000_000
  ) -> StartupTimes? {
    var (sim, logger, renderer) = (
      SampleReports.sim(), SampleReports.subscriber(), SampleReports.subscriber()
    )
    sim.firstFrameClockNs = frame
    (logger.program, logger.firstReadClockNs, logger.firstDoneClockNs) = ("logger", read, recorded)
    (renderer.program, renderer.firstReadClockNs) = ("renderer", 5_000_000_000)
    renderer.firstDoneClockNs = drawn
    return StartupTimes(sim, [renderer, logger], beganNs: beganNs)
  }

  @Test func stagesAreSecondsSinceTheCommand() throws {
    let times = try #require(Self.times())
    #expect([times.published, times.read, times.recorded, times.drawn] == [1, 2, 3, 5])
  }

  /// A time before the command is none of this run.
  @Test func missingTimesAreNoTimes() {
    #expect(Self.times(frame: nil) == nil)
    #expect(Self.times(read: nil) == nil)
    #expect(Self.times(recorded: nil) == nil)
    #expect(Self.times(drawn: nil) == nil)
    #expect(Self.times(frame: 999_999_999) == nil)
    #expect(Self.times(beganNs: 2_000_000_000)?.published == 0)
  }

  private static func report(_ entities: Int) throws -> StartupReport {
    var report = StartupReport(entities: [25, entities])
    for factor in [3, 1, 2] as [UInt64] {
      let start = try #require(Self.times(beganNs: 2_000_000_000 - factor * 500_000_000))
      report.add(start, row: 1)
    }
    return report
  }

  @Test func mediansAreJudgedOfTenMillionEntities() throws {
    let report = try Self.report(10_000_000)
    #expect(report.goals.map(\.measured) == [1, 5])
    #expect(report.goals.map(\.verdict) == ["holds", "missed"])
    #expect(try Self.report(1_000).goals.map(\.verdict) == ["not measured", "not measured"])
  }

  @Test func eachStageIsAFigureOfItsSize() throws {
    let rows = try Self.report(10_000_000).studyRows
    #expect(
      rows.map(\.place?.figure)
        == Array(repeating: ["published", "read", "recorded", "drawn"], count: 2).flatMap { $0 })
    #expect(rows[0].samples.isEmpty && rows[0].place?.line == "25 entities")
    #expect(rows[4].samples == [1.5, 0.5, 1])
    #expect(
      rows[4].name == "from 'orrery run stress' to its first frame: 10,000,000 entities, published")
    #expect(rows[4...].map { $0.summary?.median } == [1, 2, 3, 5])
    #expect(rows.allSatisfy { $0.unit == "s" && $0.better == .smaller })
  }
}
