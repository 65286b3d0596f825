// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import TestSupport
import Testing

/// Goal: the progress of a run as JSON is as docs/schemas says.
@Suite struct RunProgressSchemaTests {
  private static func faults(of progress: RunProgress) throws -> [String] {
    try Repository.schema("run-progress").faults(of: Data(progress.json.utf8))
  }

  @Test func progressIsAsItsSchemaSays() throws {
    var progress = RunProgress(run: "demo", duration: 4)
    #expect(try Self.faults(of: progress) == [], "\(progress.json)")
    #expect(progress.json.contains("\"preparing_s\":0"))
    for tick in [1, 60] as [UInt64] {
      progress.take(
        ProgressReport(tick: tick, seconds: Double(tick) / 60, lateTicks: 1),
        nowNs: tick * 20_000_000)
    }
    progress.take(WorkReport(program: "renderer", phase: .drawing, done: 5, missed: 2), nowNs: 0)
    for ms in [1, 2] as [UInt64] {
      progress.take(
        WorkReport(program: "logger", phase: .recording, fileBytes: 9 * ms), nowNs: ms * 1_000_000)
    }
    progress.waitedFor = [
      WaitedProgram(program: "logger", seconds: 3, isStopped: true),
      WaitedProgram(program: "renderer", seconds: 3, remainder: "212 pictures to encode"),
    ]
    #expect(try Self.faults(of: progress) == [], "\(progress.json)")
    #expect(!progress.json.contains("preparing_s"))
    for key in [
      "duration_s", "ran_s", "remaining_s", "speed", "trace_bytes", "trace_bytes_per_second",
      "waiting_for",
    ] {
      #expect(progress.json.contains("\"\(key)\":"), "\(progress.json)")
    }
  }
}
