// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBench
import TestSupport
import Testing

/// What `bench --json` writes is as docs/schemas says.
///
/// Method: reports by hand, with all that a report may have and with as little; and files with one fault each,
/// which the checker has to name.
@Suite struct BenchSchemaTests {
  private func expect(_ report: some BenchReport, _ name: String) throws {
    let base = try TemporaryBase()
    let path = base.path + "/report.json"
    try report.write(to: path)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try Repository.schema("bench-\(name)").faults(of: data) == [])
    // A document begins with what it is.
    let start = "{\n  \"schema\" : \"orrery.bench-\(name).v2\",\n"
    #expect(String(decoding: data, as: UTF8.self).hasPrefix(start))
  }

  @Test func ticksAreWrittenAsTheirSchemaSays() throws {
    var report = TickReport(machine: HandMade.machine, lookAhead: 7, roundCount: 2)
    try expect(report, "tick")
    let row = HandMade.kernel(.ours, "1 tick", ns: [1, 2])
    row.isa = "avx2"
    report.rows = [
      TickReport.Row(row, threadsMean: 1.5, hashMode: .rolling, hash: 0xab, tick: 9)
    ]
    try expect(report, "tick")
    #expect(report.rows[0].threadsMean == 1.5)
    #expect(report.rows[0].hash == "rolling")
    #expect(report.rows[0].stateHash == "00000000000000ab")
    #expect(report.rows[0].minNs < report.rows[0].medianNs)
  }

  @Test func startsAreWrittenAsTheirSchemaSays() throws {
    var report = StartupReport(
      machine: HandMade.machine, rows: [.init(entities: 25)], roundCount: 1)
    report.judge()
    try expect(report, "startup")
  }

  @Test func pipelinesAreWrittenAsTheirSchemaSays() throws {
    var report = PipelineReport(machine: HandMade.machine, durationSeconds: 0.5)
    report.judge()
    try expect(report, "pipeline")
    let cost = PipelineReport.Cost(userSeconds: 1, systemSeconds: 0, residentMaxBytes: 1)
    let frames = PublishedFrames([], frameBytes: 1, ticksPerSecond: 60)
    let sim = PipelineReport.Program(sim: frames, cost: cost)
    for subscribers in PipelineSubscribers.allCases {
      let programs = subscribers.programs.map {
        PipelineReport.Program($0, [], of: frames, cost: cost)
      }
      report.rows.append(.init(SampleReports.sim(), subscribers, programs: [sim] + programs))
    }
    report.goals = [BenchGoal("goal", atMost: 1, 2)]
    try expect(report, "pipeline")
  }

  @Test func recordingsAreWrittenAsTheirSchemaSays() throws {
    var report = RecordReport(
      machine: HandMade.machine, entities: 10, frameBytes: 80, roundCount: 2)
    report.judge()
    try expect(report, "record")
    report.missing = ["fio: not there"]
    report.rows = [
      .init(
        key: "shm/ours/lz4", target: .shm, subject: .ours, name: "a", rounds: [1, 2], stored: 1),
      .init(key: "memory/limit/copy", target: .memory, subject: .limit, name: "b", rounds: [3]),
    ]
    report.runs = [
      .init(
        target: .disk, entities: 10, published: 9, missed: 1, aloneP99Ns: 5, recordedP99Ns: 6,
        residentMaxBytes: 7)
    ]
    report.uses = [HandMade.use(.full), HandMade.use(.delta)]
    report.judge()
    try expect(report, "record")
  }

  @Test func picturesAreWrittenAsTheirSchemaSays() throws {
    var report = DrawReport(machine: HandMade.machine, width: 64, height: 36, roundCount: 2)
    try expect(report, "draw")
    report.rows = [DrawReport.Row(HandMade.kernel(.ours, "1 tick", ns: [1, 2]))]
    try expect(report, "draw")
    #expect(report.rows[0].maxHz > report.rows[0].medianHz)
  }

  @Test func kernelsAreWrittenAsTheirSchemaSays() throws {
    var report = HandMade.kernelReport()
    try expect(report, "kernels")
    let hashed = HandMade.kernel(.ours, "1 tick", ns: [1, 2])
    hashed.hash = 1
    report.add(.orbit, [hashed, HandMade.kernel(.peer, family: "peer", ns: [3])]) { _ in 1 }
    report.peersMissing = ["one"]
    report.checks = [
      .init(kind: "orbit", peer: "peer", pointsOff: 0, isRight: true, pointsOffAfterAnHour: 0)
    ]
    report.bandwidths = [
      .init(
        isa: "avx2", stream: "copy", isNonTemporal: true, threads: 1, workingSetBytes: 8192,
        bytesPerSecond: 1)
    ]
    report.arithmetic = [.init(isa: "avx2", isFused: true, threads: 1, operationsPerSecond: 1)]
    report.goals = KernelGoals.all(report) + [BenchGoal("goal", 1, 2)]
    try expect(report, "kernels")
  }

  @Test func viewsAreWrittenAsTheirSchemaSays() throws {
    var report = ViewReport(machine: HandMade.machine, compiler: nil, roundCount: 1, missing: [])
    try expect(report, "views")
    let scene = try ViewScene(count: 1, records: .all)
    for row in [scene.begin, scene.underWay, scene.end] { row.add(ns: 1000, calls: 1) }
    report.rows = RowReport.group("transitions", [scene.begin, scene.underWay]) { _ in 1 }
    for pattern in QueueTask.Pattern.allCases {
      let rows = QueueTask(pattern, count: 10_000).rows
      for row in rows { row.add(ns: 100_000, calls: 1) }
      report.rows += RowReport.group(pattern.rawValue, rows) { _ in nil }
    }
    (report.compiler, report.missing) = ("g++ 12", ["one"])
    report.judge()
    try expect(report, "views")
  }

  @Test func transportIsWrittenAsItsSchemaSays() throws {
    var report = HandMade.transportReport()
    try expect(report, "transport")
    for way in HandoverWay.allCases {
      let row = HandMade.transport(way.rawValue, .rate, .limit, way)
      row.take(HandMade.answer(way))
      report.add(row)
    }
    let failed = HandMade.transport("failed")
    failed.take(HandoverAnswer(error: "it hangs"))
    report.add(failed)
    report.missing = ["one"]
    report.goals = TransportGoals.all(report)
    try expect(report, "transport")
  }

  @Test func subscribersAreWrittenAsTheirSchemaSays() throws {
    var report = SubscriberBenchReport(machine: HandMade.machine, entities: 1)
    let figures = HandMade.figures(p99Ns: 1)
    report.pairs = [.init(alone: figures, attached: figures)]
    let some = StartedProgram.Resources(
      descriptors: 1, maps: "a\n", status: "VmRSS: 1 kB\nRssAnon: 1 kB\n")
    report.stop = .init(seconds: 1, sim: figures, undisturbed: figures, before: some, after: some)
    report.churn = .init(
      seconds: 1, subscribers: 1, killed: 1, joined: 1, whole: 1, torn: 0, missed: 0,
      sim: figures, alone: figures, before: some, after: some)
    report.judge()
    try expect(report, "subscribers")
  }

  @Test func fileThatCannotBeWrittenIsNamed() {
    let error = #expect(throws: (any Error).self) {
      try HandMade.kernelReport().write(to: "/nonexistent/report.json")
    }
    #expect("\(error as Any)".contains("/nonexistent/report.json"))
  }

  private static let small = """
    {"type": "object", "additionalProperties": false, "required": ["a"], "$defs": {"n": {"type": "integer"}},
     "properties": {"a": {"type": "number", "exclusiveMinimum": 0, "maximum": 9},
       "b": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/n"}},
       "c": {"enum": ["x", 1]}, "d": {"type": "string", "minLength": 2}, "e": {"type": "boolean"},
       "f": {"minimum": 3}, "g": {"$ref": "#/$defs/none"}, "h": {"format": "x"},
       "i": {"const": 1, "description": "one"}, "j": {"type": "string", "maxLength": 2, "pattern": "^a"},
       "k": {"maxItems": 1}, "l": {"additionalProperties": {"type": "string"}}, "m": {"allOf": [{"minimum": 1}]},
       "n": {"anyOf": [{"minimum": 5}, {"maximum": 1}]}, "o": {"oneOf": [{"minimum": 1}, {"minimum": 5}]}}}
    """

  @Test(arguments: [
    #"{"a": 9}"#, #"{"a": 0.1, "b": [1], "c": "x", "d": "ab", "e": true, "f": 3}"#,
    #"{"a": 1, "c": 1, "e": false}"#, #"{"a": 1, "i": 1, "j": "ab", "k": [2], "l": {"x": "y"}}"#,
    #"{"a": 1, "m": 1, "n": 1, "o": 4}"#, #"{"a": 1, "n": 5, "l": {}}"#,
  ])
  func whatFitsHasNoFaults(text: String) throws {
    #expect(try JSONSchema(Data(Self.small.utf8)).faults(of: Data(text.utf8)) == [])
  }

  @Test(arguments: [
    ("[]", ": array instead of object"), (#"{}"#, ": no a"),
    (#"{"a": "1"}"#, "/a: string instead of number"),
    (#"{"a": true}"#, "/a: boolean instead of number"),
    (#"{"a": 0}"#, "/a: 0.0 against exclusiveMinimum"), (#"{"a": 10}"#, "/a: 10.0 against maximum"),
    (#"{"a": 1, "z": 1}"#, ": what is z?"), (#"{"a": 1, "b": []}"#, "/b: 0.0 against minItems"),
    (#"{"a": 1, "b": [1, 2.5]}"#, "/b/1: number instead of integer"),
    (#"{"a": 1, "c": "y"}"#, "/c: not in enum"),
    (#"{"a": 1, "d": "a"}"#, "/d: 1.0 against minLength"),
    (#"{"a": 1, "e": 1}"#, "/e: integer instead of boolean"),
    (#"{"a": 1, "f": 2}"#, "/f: 2.0 against minimum"), (#"{"a": 1, "g": 2}"#, "/g: no none"),
    (#"{"a": 1, "h": "x"}"#, "/h: what is format?"),
    (#"{"a": 1, "i": 2}"#, "/i: not the const"),
    (#"{"a": 1, "j": "abc"}"#, "/j: 3.0 against maxLength"),
    (#"{"a": 1, "j": "b"}"#, "/j: not as its pattern"),
    (#"{"a": 1, "k": [1, 2]}"#, "/k: 2.0 against maxItems"),
    (#"{"a": 1, "l": {"x": 1}}"#, "/l/x: integer instead of string"),
    (#"{"a": 1, "m": 0}"#, "/m: 0.0 against minimum"),
    (#"{"a": 1, "n": 3}"#, "/n: fits none of anyOf"),
    (#"{"a": 1, "o": 0}"#, "/o: fits 0 of oneOf"), (#"{"a": 1, "o": 5}"#, "/o: fits 2 of oneOf"),
    (#"{"a": 1, "e": null}"#, "/e: null instead of boolean"),
  ])
  func oneFaultIsNamed(text: String, fault: String) throws {
    #expect(try JSONSchema(Data(Self.small.utf8)).faults(of: Data(text.utf8)) == [fault])
  }
}
