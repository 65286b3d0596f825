// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot
import TestSupport
import Testing

/// Goal: `orrery curve --json` says in numbers what its table and its plot show.
@Suite struct CurveReportTests {
  @Test(arguments: [
    "spring(duration: 0.5, bounce: 0.3)", "easeInOut(duration: 0.8).repeatCount(3).delay(0.2)",
    "steps(4, jump-end)", "spring(duration: 0.5, bounce: 1)",
  ])
  func motionIsAsTheSchemaSays(spec: String) throws {
    let report = CurveReport(try MotionPlot(spec))
    let line = ReportLine.encode(report, schema: CurveReport.schema)
    #expect(try Repository.schema("curve").faults(of: Data(line.utf8)) == [], "\(line)")
    #expect(line.hasPrefix("{\"schema\":\"orrery.curve.v1\","))
    #expect(report.spec == spec)
    #expect(report.rows.count == 21)
  }

  @Test func rowsAreThoseOfTheMotion() throws {
    let plot = try MotionPlot("spring(duration: 0.5, bounce: 0.3)")
    let report = CurveReport(plot)
    #expect(report.rows.first?.timeSeconds == 0)
    #expect(report.rows.last?.timeSeconds == plot.duration)
    for row in report.rows {
      let time = try #require(row.timeSeconds)
      #expect((row.value, row.velocity) == (plot.value(time), plot.velocity(time)))
      #expect(row.progress == nil)
    }
    #expect(report.marks.map(\.timeSeconds) == plot.marks.map(\.time))
    #expect(report.marks.map(\.kind) == ["overshoot", "logically_complete", "end"])
  }

  @Test func unitCurveMovesByProgress() throws {
    let report = CurveReport(try MotionPlot("easeIn"))
    #expect(report.rows.map(\.timeSeconds).allSatisfy { $0 == nil })
    #expect(report.rows.last?.progress == 1)
    #expect(report.rows.last?.value == 1)
  }
}
