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
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("docs/schemas")

  private func schema(_ name: String) throws -> JSONSchema {
    try JSONSchema(
      Data(contentsOf: Self.folder.appendingPathComponent("bench-\(name).schema.json")))
  }

  private func expect(_ report: some BenchReport, _ name: String) throws {
    let base = try TemporaryBase()
    let path = base.path + "/report.json"
    try report.write(to: path)
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try schema(name).faults(of: data) == [])
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
    report.goals = KernelGoals.all(report) + [.init(name: "goal", wanted: 1, measured: 2)]
    try expect(report, "kernels")
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
    var report = SubscriberReport(machine: HandMade.machine, entities: 1)
    let figures = try HandMade.figures(p99Ns: 1)
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
       "f": {"minimum": 3}, "g": {"$ref": "#/$defs/none"}, "h": {"pattern": "x"}}}
    """

  @Test(arguments: [
    #"{"a": 9}"#, #"{"a": 0.1, "b": [1], "c": "x", "d": "ab", "e": true, "f": 3}"#,
    #"{"a": 1, "c": 1, "e": false}"#,
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
    (#"{"a": 1, "h": "x"}"#, "/h: what is pattern?"),
    (#"{"a": 1, "e": null}"#, "/e: null instead of boolean"),
  ])
  func oneFaultIsNamed(text: String, fault: String) throws {
    #expect(try JSONSchema(Data(Self.small.utf8)).faults(of: Data(text.utf8)) == [fault])
  }
}
