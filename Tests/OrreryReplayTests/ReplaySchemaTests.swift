// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryReplay
import TestSupport
import Testing

/// Goal: what `orrery trace diff` and `prove` print is as docs/schemas says.
@Suite struct ReplaySchemaTests {
  private func expect(_ name: String, _ line: String) throws {
    #expect(try Repository.schema(name).faults(of: Data(line.utf8)) == [], "\(line)")
  }

  @Test func reportsAreAsTheirSchemasSay() throws {
    let run = try RecordedRun(ticks: Array(1...4))
    let other = try run.write(.full, "other") { bytes, sequence in
      if sequence == 3 { bytes[bytes.count - 1] ^= 0x40 }
    }
    let full = try FrameArchive(paths: [run.write(.full)])
    for path in [full.path, other] {
      let archive = try FrameArchive(paths: [path])
      var check = try ContentCheck(archive)
      try expect(
        "trace-prove", ReportLine.encode(check.run(), schema: ContentCheck.Report.schema))
      var difference = try RunDifference(full, archive, tolerance: 0)
      let report = try difference.run()
      #expect(report.isEqual == (path == full.path))
      try expect("trace-diff", ReportLine.encode(report, schema: RunDifference.Report.schema))
    }
  }
}
