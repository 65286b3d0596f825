// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrrerySupervisor
import Testing

/// Goal: a summary has what each program said, and of the programs that failed the first one's code and all of them by
/// name.
///
/// Method: outcomes put together by hand, and what is said of them.
@Suite struct RunOutcomeTests {
  @Test func theFirstFailureDecides() throws {
    var outcome = RunOutcome()
    #expect(outcome.failure == nil)
    outcome.ends = [
      ChildEnd(name: "logger", status: .exited(74)), ChildEnd(name: "sim", status: .exited(69)),
    ]
    let failure = try #require(outcome.failure)
    #expect(failure.status == .inputOutput)
    #expect(
      failure.description == "logger ended with exit code 74; sim ended with exit code 69")
  }

  static let ends: [(ChildStatus, OrreryBase.ExitStatus, String)] = [
    (.exited(64), .usage, "sim ended with exit code 64"),
    (.exited(71), .resource, "sim ended with exit code 71"),
    // A code that none of the programs has.
    (.exited(1), .unavailable, "sim ended with exit code 1"),
    (.killed(signal: 9), .unavailable, "sim was killed by signal 9"),
    (.killed(signal: 74), .unavailable, "sim was killed by signal 74"),
  ]

  @Test(arguments: ends)
  func eachEndHasItsCodeAndWords(
    status: ChildStatus, code: OrreryBase.ExitStatus, text: String
  ) {
    var outcome = RunOutcome()
    outcome.ends = [ChildEnd(name: "sim", status: status)]
    #expect(outcome.failure?.status == code)
    #expect(outcome.failure?.description == text)
  }

  private static func subscriber(_ program: String, files: [String]) -> SubscriberReportMessage {
    SubscriberReportMessage(
      program: program, run: "demo", joinedAfter: 0, published: 9, received: 7, missed: 2,
      gaps: ["3-4"], latency: DurationReport(Histogram()), use: DurationReport(Histogram()),
      simEnded: true, files: files)
  }

  private static var sim: SimReport {
    SimReport(
      scene: "flags", run: "demo", entities: 2, isa: "baseline", threads: 1, delivery: "live",
      slots: 8, frameBytes: 64, lookAhead: 0, output: "float32", stores: "cached",
      ticksPerSecond: 60, frames: 9, stateHash: "00ff", seconds: 1,
      tick: DurationReport(Histogram()), publish: DurationReport(Histogram()), lateTicks: 0,
      scheduleShifts: 0, memory: MemoryReport(estimatedBytes: 1, residentBytesMost: 1))
  }

  @Test func summaryOfNothingIsEmpty() { #expect(RunOutcome().text == "") }

  /// The one that ended first may be either.
  @Test func summaryIsInOneOrder() {
    let renderer = Self.subscriber("renderer", files: ["b.png", "b.mp4"])
    let logger = Self.subscriber("logger", files: ["a.mcap"])
    var outcome = RunOutcome()
    outcome.sim = Self.sim
    outcome.subscribers = [renderer, logger]
    var expected = [Self.sim.text, logger.text, renderer.text].joined(separator: "\n") + "\n"
    expected += "files      a.mcap\n           b.mp4\n           b.png\n"
    #expect(outcome.text == expected)
    outcome.subscribers.reverse()
    #expect(outcome.text == expected)
  }

  /// Two of one program stand as they ended.
  @Test func programsOfOneNameKeepTheirOrder() {
    let loggers = ["z.mcap", "a.mcap"].map { Self.subscriber("logger", files: [$0]) }
    var outcome = RunOutcome()
    outcome.subscribers = [
      loggers[0], Self.subscriber("renderer", files: []), loggers[1],
    ]
    // What they say is the same but for what is told of the run.
    let other = SubscriberReportMessage(
      program: "logger", run: "other", joinedAfter: 1, published: 3, received: 3, missed: 0,
      gaps: [], latency: DurationReport(Histogram()), use: DurationReport(Histogram()),
      simEnded: false, files: ["b.mcap"])
    outcome.subscribers.append(other)
    let texts = [loggers[0].text, loggers[1].text, other.text, outcome.subscribers[1].text]
    #expect(
      outcome.text == texts.joined(separator: "\n")
        + "\nfiles      a.mcap\n           b.mcap\n           z.mcap\n")
  }

  @Test func summaryForProgramsIsOneLine() throws {
    var outcome = RunOutcome()
    outcome.sim = Self.sim
    outcome.subscribers = [Self.subscriber("logger", files: ["a.mcap"])]
    outcome.ends = [ChildEnd(name: "renderer", status: .killed(signal: 11))]
    let json = outcome.json
    #expect(json.hasPrefix("{\"schema\":\"orrery.run.v1\","))
    #expect(json.hasSuffix("}\n"))
    #expect(json.split(separator: "\n").count == 1)
    struct Document: Decodable {
      let sim: SimReport
      let subscribers: [SubscriberReportMessage]
      let failure: String
    }
    let read: Document = try #require(ReportLine.decode(json))
    #expect(read.sim == Self.sim)
    #expect(read.subscribers == outcome.subscribers)
    #expect(read.failure == "renderer was killed by signal 11")
  }
}
