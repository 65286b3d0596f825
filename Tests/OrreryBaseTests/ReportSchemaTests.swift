// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: each document that a program prints is as its file in docs/schemas says, and no file is
/// without a document.
///
/// Method: reports by hand, with everything that a report may have and with as little.
@Suite struct ReportSchemaTests {
  private func expect(_ name: String, _ line: String) throws {
    let faults = try Repository.schema(name).faults(of: Data(line.utf8))
    #expect(faults == [], "\(name): \(line)")
    #expect(line.hasPrefix("{\"schema\":\"orrery.\(name).v"), "\(line)")
  }

  @Test func reportsOfASimAreAsTheirSchemaSays() throws {
    var unpaced = SampleReports.troubledSim()
    unpaced.pace.askedHz = nil
    for report in [SampleReports.sim(), SampleReports.troubledSim(), unpaced] {
      try expect("sim", ReportLine.encode(report, schema: SimReport.schema))
    }
  }

  @Test func reportsOfASubscriberAreAsTheirSchemaSays() throws {
    for delivery in ["live", "lockstep"] {
      for end in [SubscriberReportMessage.End.runEnded, .simDied, .stopped, .dropped, .failed] {
        let report = SampleReports.subscriber(
          delivery: delivery, missed: 2, gaps: ["9-10"], ended: end, files: ["a.mcap"])
        try expect(
          "subscriber", ReportLine.encode(report, schema: SubscriberReportMessage.schema))
      }
    }
  }

  @Test func progressIsAsItsSchemaSays() throws {
    try expect(
      "progress",
      ReportLine.encode(
        ProgressReport(tick: 5, seconds: 0.5, lateTicks: 2), schema: "orrery.progress.v2"))
  }

  @Test func reportsOfWorkAreAsTheirSchemaSays() throws {
    for phase in WorkReport.Phase.allCases {
      for total in [nil, 9] as [UInt64?] {
        let report = WorkReport(program: "renderer", phase: phase, done: 5, total: total, missed: 1)
        try expect("work", ReportLine.encode(report, schema: WorkReport.schema))
      }
    }
  }

  @Test func notesAreAsTheirSchemaSays() throws {
    var lines: [String] = []
    var writer = ProgressWriter(.json, write: { lines.append($0) })
    writer.note("logger (pid 7) is stopped")
    try expect("note", #require(lines.first))
  }

  @Test(
    arguments: [
      (nil, 0), ("demo", 0), ("demo", 255), ("demo.2of4", 7),
    ] as [(String?, UInt64)])
  func linesOfTheLogAreAsTheirSchemaSays(run: String?, generation: UInt64) throws {
    let report = LogReport(
      .warning, program: "sim", text: "a \"b\"\nc", run: run, generation: generation,
      timeNs: 1_795_400_000_000_000_042)
    try expect("log", report.line)
    #expect(report.time == "2026-11-23T02:13:20.000000042Z")
    #expect(report.run == run.map { _ in "demo" })
    #expect(report.shard == (run == "demo.2of4" ? "2/4" : nil))
    #expect(
      report.generation
        == (generation == 0 ? nil : generation == 7 ? "0000000000000007" : "00000000000000ff"))
    #expect(report.line.contains(#""process_id":\#(getpid())"#), "\(report.line)")
  }

  @Test func errorsAreAsTheirSchemaSays() throws {
    let report = ErrorReport(program: "sim", Failure(.nameTaken, "run 'a' is \"taken\""))
    let line = ReportLine.encode(report, schema: ErrorReport.schema)
    try expect("error", line)
    #expect(
      line == #"{"schema":"orrery.error.v1","error":"run 'a' is \"taken\"","exit_code":75,"#
        + #""program":"sim"}"#)
  }

  /// People and programs read different streams; nothing is said twice on one.
  @Test(arguments: [false, true])
  func failureGoesToStandardOutputOnlyIfJSONIsAskedFor(isJSON: Bool) async {
    let result: ExitTest.Result?
    if isJSON {
      result = await #expect(
        processExitsWith: .exitCode(69),
        observing: [\.standardOutputContent, \.standardErrorContent]
      ) { Failure(.unavailable, "no such run").exit(program: "logger", isJSON: true) }
    } else {
      result = await #expect(
        processExitsWith: .exitCode(69),
        observing: [\.standardOutputContent, \.standardErrorContent]
      ) { Failure(.unavailable, "no such run").exit(program: "logger", isJSON: false) }
    }
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(errors.contains("logger: no such run\n"))
    #expect(output.contains("orrery.error.v1") == isJSON, "\(output)")
  }

  /// The same key is the same thing everywhere: keys are in snake case.
  @Test(arguments: [
    "bench-compare", "bench-peers", "bench-result", "control", "curve", "curve-export", "doctor",
    "error", "eval",
    "hash", "log", "note", "picture-diff", "progress",
    "ps", "run",
    "run-progress", "sample", "sim", "subscriber", "trace-diff", "trace-play", "trace-prove",
    "work",
  ])
  func schemaHasKeysOfOneStyle(name: String) throws {
    let schema = try JSONDecoder().decode(
      JSONDocument.self, from: Repository.data("docs/schemas/\(name).schema.json"))
    let keys = Self.keys(schema)
    #expect(keys.contains("schema"))
    for key in keys {
      #expect(key.wholeMatch(of: /[a-z][a-z0-9]*(_[a-z0-9]+)*/) != nil, "\(name): \(key)")
    }
    let kind = schema["properties"]?["schema"]?["enum"]?.members.first?.string ?? ""
    #expect(kind.wholeMatch(of: /orrery\.(.+)\.v[1-9]/)?.1 == Substring(name), "\(kind)")
  }

  /// The keys that a schema gives to objects, at any depth.
  private static func keys(_ schema: JSONDocument) -> [String] {
    guard case .object(let members) = schema else { return schema.members.flatMap(keys) }
    return members.flatMap { word, value -> [String] in
      guard word == "properties", case .object(let properties) = value else { return keys(value) }
      return properties.keys + properties.values.flatMap(keys)
    }
  }
}
