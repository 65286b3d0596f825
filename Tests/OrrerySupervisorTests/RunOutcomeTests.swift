// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import TestSupport
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
    (.exited(4), .unavailable, "sim ended with exit code 4"),
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

  @Test func interruptedRunSaysWhatIsIncomplete() {
    var outcome = RunOutcome()
    outcome.isInterrupted = true
    #expect(outcome.failure?.status == .interrupted)
    #expect(outcome.failure?.description == "interrupted; every output is complete")
    outcome.incompleteOutputs = ["b.mp4", "a.png"]
    #expect(outcome.failure?.description == "interrupted; incomplete: a.png, b.mp4")
  }

  @Test func programThatWasKilledForAReasonHasItInWords() {
    var outcome = RunOutcome()
    outcome.ends = [
      ChildEnd(name: "renderer", status: .killed(signal: 9), reason: "was stopped and was killed")
    ]
    outcome.incompleteOutputs = ["a.mp4"]
    #expect(outcome.failure?.status == .unavailable)
    #expect(
      outcome.failure?.description == "renderer was stopped and was killed; incomplete: a.mp4")
    #expect(!outcome.lacksName)
  }

  /// The clock limits a run whose ticks come in time; another is limited by the program that works most, or by the
  /// schedule if none of them works for half of the time.
  @Test func limitIsTheClockOrTheBusiestProgram() throws {
    func once(_ ns: UInt64) -> DurationReport { SampleReports.durations(ns) }
    var outcome = RunOutcome()
    #expect(outcome.limit == nil)
    var sim = SampleReports.sim()
    (sim.frames, sim.pace.elapsedSeconds, sim.pace.pausedSeconds) = (100, 3, 1)
    (sim.work, sim.publish) = (once(400_000_000), once(100_000_000))
    var logger = SampleReports.subscriber("logger", files: [])
    (logger.working, logger.waitingTime) = (once(100_000), once(900_000))
    var renderer = SampleReports.subscriber("renderer", files: [])
    (renderer.working, renderer.waitingTime) = (once(90_000), once(10_000))
    (sim.pace.askedHz, sim.pace.reachedHz) = (60, 59.5)
    (outcome.sim, outcome.subscribers) = (sim, [logger])
    #expect(outcome.text.hasPrefix("limit         the clock; sim at work 25 % of the time\n"))
    outcome.sim?.pace.reachedHz = 59.3
    #expect(
      outcome.text.hasPrefix(
        "limit         the schedule: other programs had the processors; sim at"))
    #expect(outcome.limit?.by == "schedule")
    outcome.sim?.work = once(1_100_000_000)
    #expect(outcome.text.hasPrefix("limit         sim, at work 60 % of the time\n"))
    outcome.sim?.work = once(400_000_000)
    outcome.sim?.pace.askedHz = nil
    outcome.subscribers.append(renderer)
    #expect(outcome.text.hasPrefix("limit         renderer, at work 90 % of the time\n"))
    #expect(outcome.json.contains(#""limit":{"busiest":"renderer","by":"renderer","part":0.9"#))
    // Its processor time says whether it worked, or waited for a processor.
    outcome.processorSeconds = ["renderer": 0.000_05]
    #expect(outcome.limit?.starved == false)
    outcome.processorSeconds = ["renderer": 0.000_04]
    #expect(outcome.limit?.starved == true)
    #expect(
      outcome.text.hasPrefix(
        "limit         renderer, at work 90 % of the time, for most of which other"))
    outcome.sim?.pace.askedHz = 60
    #expect(outcome.limit?.by == "schedule")
    outcome.sim?.pace.askedHz = nil
    outcome.sim?.frames = 0
    #expect(outcome.limit == nil)
    #expect(outcome.text.hasPrefix("scene"))
  }

  /// A file that somebody has taken away since is not among those that are there.
  @Test func outputThatIsGoneIsSaid() throws {
    let base = try TemporaryBase()
    let folder = base.path + "/frames"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let (here, gone) = (folder + "/ (3 pictures)", base.path + "/a.mcap")
    var outcome = RunOutcome()
    outcome.subscribers = [SampleReports.subscriber("logger", files: [gone, here])]
    outcome.findLostOutputs()
    #expect(outcome.failure?.status == .inputOutput)
    #expect(outcome.failure?.description == "\(gone): removed or moved after it was written")
    #expect(outcome.text.hasSuffix("\nfiles         \(here)\n"))
    // Programs that failed come first.
    outcome.ends = [ChildEnd(name: "renderer", status: .exited(69))]
    #expect(outcome.failure?.status == .unavailable)
    #expect(FileManager.default.createFile(atPath: gone, contents: nil))
    outcome.ends = []
    outcome.findLostOutputs()
    #expect(outcome.failure == nil && outcome.text.contains(gone))
  }

  @Test func summaryOfNothingIsEmpty() { #expect(RunOutcome().text == "") }

  /// The one that ended first may be either.
  @Test func summaryIsInOneOrder() {
    let renderer = SampleReports.subscriber("renderer", files: ["b.png", "b.mp4"])
    let logger = SampleReports.subscriber("logger", files: ["a.mcap"])
    var outcome = RunOutcome()
    outcome.sim = SampleReports.sim()
    outcome.subscribers = [renderer, logger]
    var expected = "limit         the clock; logger at work 2 % of the time\n"
    expected +=
      [SampleReports.sim().text, logger.text, renderer.text].joined(separator: "\n") + "\n"
    expected += "files         a.mcap\n              b.mp4\n              b.png\n"
    #expect(outcome.text == expected)
    outcome.subscribers.reverse()
    #expect(outcome.text == expected)
  }

  /// What the sim knows of a subscriber is not said beside what the subscriber says of itself.
  @Test func subscriberThatReportedIsToldOnce() {
    var outcome = RunOutcome()
    outcome.sim = SampleReports.sim(subscribers: [1, 2].map { SampleReports.account($0) })
    outcome.sim?.subscribers[0].name = "logger"
    #expect(outcome.text.contains("subscriber    logger"))
    outcome.subscribers = [SampleReports.subscriber("logger")]
    #expect(!outcome.text.contains("subscriber    logger"))
    #expect(outcome.text.contains("subscriber    s2"))
    #expect(outcome.text.contains("\nlogger        received 100 of 100 frames"))
  }

  /// Two of one program stand as they ended.
  @Test func programsOfOneNameKeepTheirOrder() {
    let loggers = ["z.mcap", "a.mcap"].map { SampleReports.subscriber("logger", files: [$0]) }
    var outcome = RunOutcome()
    outcome.subscribers = [
      loggers[0], SampleReports.subscriber("renderer", files: []), loggers[1],
    ]
    // What they say is the same but for what is told of the run.
    let other = SampleReports.subscriber("logger", missed: 3, files: ["b.mcap"])
    outcome.subscribers.append(other)
    let texts = [loggers[0].text, loggers[1].text, other.text, outcome.subscribers[1].text]
    #expect(
      outcome.text == texts.joined(separator: "\n")
        + "\nfiles         a.mcap\n              b.mcap\n              z.mcap\n")
  }

  @Test func summaryForProgramsIsOneLine() throws {
    var outcome = RunOutcome()
    outcome.sim = SampleReports.sim()
    outcome.subscribers = [SampleReports.subscriber("logger", files: ["a.mcap"])]
    outcome.ends = [ChildEnd(name: "renderer", status: .killed(signal: 11))]
    let json = outcome.json
    #expect(json.hasPrefix("{\"schema\":\"orrery.run.v2\","))
    #expect(json.hasSuffix("}\n"))
    #expect(try Repository.schema("run").faults(of: Data(json.utf8)) == [])
    #expect(try Repository.schema("run").faults(of: Data(RunOutcome().json.utf8)) == [])
    #expect(json.split(separator: "\n").count == 1)
    struct Document: Decodable {
      let sim: SimReport
      let subscribers: [SubscriberReportMessage]
      let failure: String
    }
    let read: Document = try #require(ReportLine.decode(json))
    #expect(read.sim == SampleReports.sim())
    #expect(read.subscribers == outcome.subscribers)
    #expect(read.failure == "renderer was killed by signal 11")
  }
}
