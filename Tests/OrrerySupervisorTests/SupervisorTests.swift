// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import TestSupport
import Testing

/// Goal: a supervisor ends the sim first and the others after it, loses no report, and names every program that failed.
///
/// Method: shells in the sim's, renderer's and logger's place, each of which ends by itself within half a minute; stop
/// signals that the test counts; what the shells write into files says which signals came.
@Suite(.timeLimit(.minutes(10))) struct SupervisorTests {
  /// A program of this name that runs shell commands; it waits for nothing for longer than the test would.
  private static func child(_ name: String, _ commands: String) -> ChildCommand {
    ChildCommand(name: name, path: "/bin/sh", arguments: ["-c", commands])
  }

  /// Does nothing for half a minute, or until a signal ends it: the shell becomes the sleeper.
  private static let sleeps = "exec sleep 30"

  /// Says that the run has begun.
  private static let begins =
    "echo '{\"schema\":\"orrery.progress.v1\",\"program\":\"sim\",\"tick\":1,\"seconds\":0.5,\"lateTicks\":0}'"

  /// Half a minute in pieces, between which the trap on SIGTERM is served; nobody may wait until it is over.
  private static func waits(first: String = ":", trap: String, atEnd: String = "exit 9") -> String {
    "trap '\(trap)' TERM; \(first); n=0; while [ $n -lt 600 ]; do sleep 0.05; n=$((n+1)); done; \(atEnd)"
  }

  /// Begins the run, and makes a file when that has been read.
  private static func begins(andMakes path: String) -> String {
    "\(begins); sleep 0.3; touch \(path)"
  }

  private static func run(
    _ children: [ChildCommand], finishNs: UInt64 = 60_000_000_000,
    stops: @escaping () -> Int = { 0 },
    display: ProgressDisplay = ProgressDisplay(isQuiet: true, duration: nil)
  ) throws -> RunOutcome {
    var supervisor = Supervisor(display: display, finishNs: finishNs, stopSignalCount: stops)
    return try supervisor.run(children)
  }

  /// The number of stop signals: one more each time that one of these files is there, in their order.
  private static func stops(after files: [String]) -> () -> Int {
    { files.prefix { FileManager.default.fileExists(atPath: $0) }.count }
  }

  @Test func programsThatEndWellAreNoFailure() throws {
    let outcome = try Self.run([
      Self.child("sim", "exit 0"), Self.child("renderer", "exit 0"), Self.child("logger", "exit 0"),
    ])
    #expect(outcome.ends == [])
    #expect(outcome.sim == nil)
    #expect(outcome.subscribers == [])
  }

  @Test func failuresAreInTheOrderInWhichTheyCame() throws {
    let base = try TemporaryBase()
    let wait =
      "n=0; while [ ! -e \(base.path)/go ] && [ $n -lt 600 ]; do sleep 0.05; n=$((n+1)); done"
    let outcome = try Self.run([
      Self.child("sim", "\(Self.begins); \(wait); sleep 0.3; exit 69"),
      Self.child("logger", "sleep 0.3; touch \(base.path)/go; exit 74"),
    ])
    #expect(
      outcome.ends == [
        ChildEnd(name: "logger", status: .exited(74)), ChildEnd(name: "sim", status: .exited(69)),
      ])
    #expect(outcome.failure?.status == .inputOutput)
  }

  @Test func programThatIsKilledSaysBySignal() throws {
    let outcome = try Self.run([Self.child("sim", "kill -11 $$; sleep 30")])
    #expect(outcome.ends == [ChildEnd(name: "sim", status: .killed(signal: 11))])
  }

  /// A run that nobody has seen the first tick of is not worth beginning.
  @Test func failureBeforeTheFirstTickEndsTheOthers() throws {
    let outcome = try Self.run([
      Self.child("sim", Self.sleeps), Self.child("renderer", Self.sleeps),
      Self.child("logger", "exit 74"),
    ])
    #expect(outcome.ends.map(\.name).first == "logger")
    #expect(outcome.failure?.status == .inputOutput)
    #expect(
      outcome.ends.dropFirst().allSatisfy { $0.status == .killed(signal: 15) }, "\(outcome.ends)")
    #expect(outcome.ends.count == 3)
  }

  @Test func failureAfterwardsLeavesTheOthersAtWork() throws {
    let outcome = try Self.run([
      Self.child("sim", Self.waits(first: Self.begins + "; sleep 1; exit 0", trap: "exit 3")),
      Self.child("renderer", "sleep 0.5; exit 69"),
    ])
    #expect(outcome.ends == [ChildEnd(name: "renderer", status: .exited(69))])
  }

  @Test func reportsAreKept() throws {
    let subscriber = SubscriberReportMessage(
      program: "logger", run: "demo", joinedAfter: 0, published: 9, received: 7, missed: 2,
      gaps: [], latency: DurationReport(Histogram()), use: DurationReport(Histogram()),
      simEnded: true, files: ["a.mcap"])
    let sim = SimReport(
      scene: "flags", run: "demo", entities: 2, isa: "baseline", threads: 1, delivery: "live",
      slots: 8, frameBytes: 64, lookAhead: 0, output: "float32", stores: "cached",
      ticksPerSecond: 60, frames: 9, stateHash: "00ff", seconds: 1,
      tick: DurationReport(Histogram()), publish: DurationReport(Histogram()), lateTicks: 0,
      scheduleShifts: 0, memory: MemoryReport(estimatedBytes: 1, residentBytesMost: 1))
    let simLine = ReportLine.encode(sim, schema: "orrery.sim.v1")
    let line = ReportLine.encode(subscriber, schema: "orrery.subscriber.v1")
    var shown: [String] = []
    let display = ProgressDisplay(
      isQuiet: false, duration: nil, isTerminal: true, clock: { 0 }, write: { shown.append($0) })
    let outcome = try Self.run(
      [
        // In two pieces, and the last thing that it does.
        Self.child("sim", "\(Self.begins); printf '%s' '\(simLine)'; sleep 0.2; echo"),
        // The last words may be those of a program that it started.
        Self.child("logger", "(sleep 0.2; echo nonsense; sleep 0.2; echo '\(line)') & exit 0"),
      ], display: display)
    #expect(outcome.sim == sim)
    #expect(outcome.subscribers == [subscriber])
    #expect(shown == ["\r\u{1b}[K0.5 s  tick 1  late 0", "\n"])
  }

  /// Its looks at the stop signals count the rounds of its loop.
  @Test func childThatHasNothingMoreToSayIsNotAskedAgainAndAgain() throws {
    var rounds = 0
    _ = try Self.run(
      [Self.child("sim", "\(Self.begins); exec >&-; sleep 0.5")],
      stops: {
        rounds += 1
        return 0
      })
    // A millisecond or more each.
    #expect(rounds < 2_000)
  }

  @Test func firstStopSignalEndsTheSimOnly() throws {
    let base = try TemporaryBase()
    let (ready, told) = (base.path + "/ready", base.path + "/told")
    let outcome = try Self.run(
      [
        Self.child(
          "sim", Self.waits(first: Self.begins(andMakes: ready), trap: "touch \(told); exit 0")),
        // It ends by itself when the sim has, as one that reads what is left.
        Self.child(
          "logger",
          Self.waits(first: ":", trap: "exit 3").replacingOccurrences(
            of: "sleep 0.05;", with: "sleep 0.05; [ -e \(told) ] && sleep 0.3 && exit 0;")),
      ], stops: Self.stops(after: [ready]))
    #expect(FileManager.default.fileExists(atPath: told))
    #expect(outcome.ends == [])
  }

  /// What fails because of one signal is named: a trace that could not be finished is not a trace.
  @Test func failureAfterOneStopSignalIsNamed() throws {
    let base = try TemporaryBase()
    let ready = base.path + "/ready"
    let outcome = try Self.run(
      [
        Self.child(
          "sim", Self.waits(first: Self.begins(andMakes: ready), trap: "sleep 0.5; exit 0")),
        Self.child(
          "logger", "while [ ! -e \(ready) ]; do sleep 0.05; done; sleep 0.3; exit 74"),
      ], stops: Self.stops(after: [ready]))
    #expect(outcome.ends == [ChildEnd(name: "logger", status: .exited(74))])
    #expect(outcome.failure?.status == .inputOutput)
  }

  @Test func secondStopSignalEndsAllAndIsNobodysFailure() throws {
    let base = try TemporaryBase()
    let (ready, told) = (base.path + "/ready", base.path + "/told")
    let (again, logger) = (base.path + "/again", base.path + "/logger")
    let outcome = try Self.run(
      [
        Self.child(
          "sim",
          Self.waits(
            first: Self.begins(andMakes: ready),
            trap: "if [ -e \(told) ]; then touch \(again); exit 5; fi; touch \(told)")),
        Self.child("renderer", Self.sleeps),
        Self.child("logger", Self.waits(trap: "touch \(logger); exit 74")),
      ], stops: Self.stops(after: [ready, told]))
    #expect(outcome.ends == [])
    #expect(outcome.failure == nil)
    #expect(FileManager.default.fileExists(atPath: again))
    #expect(FileManager.default.fileExists(atPath: logger))
  }

  @Test func thirdStopSignalIsByForce() throws {
    let base = try TemporaryBase()
    let (ready, told) = (base.path + "/ready", base.path + "/told")
    let (again, late) = (base.path + "/again", base.path + "/late")
    let outcome = try Self.run(
      [
        // It takes no notice of any signal that it can.
        Self.child(
          "sim",
          Self.waits(
            first: Self.begins(andMakes: ready),
            trap: "if [ -e \(told) ]; then touch \(again); fi; touch \(told)",
            atEnd: "touch \(late)"))
      ], stops: Self.stops(after: [ready, told, again]))
    #expect(outcome.ends == [])
    #expect(!FileManager.default.fileExists(atPath: late))
  }

  @Test func stopSignalBeforeTheFirstTickEndsAll() throws {
    let base = try TemporaryBase()
    let ready = base.path + "/ready"
    let outcome = try Self.run(
      [
        Self.child("sim", "touch \(ready); " + Self.sleeps), Self.child("logger", Self.sleeps),
      ], stops: Self.stops(after: [ready]))
    #expect(outcome.ends.count == 2)
    #expect(outcome.ends.allSatisfy { $0.status == .killed(signal: 15) }, "\(outcome.ends)")
  }

  /// One that has to drain an encoder gets its time, then a signal, then the end.
  @Test func stragglersAreToldAndThenKilled() throws {
    let base = try TemporaryBase()
    let told = base.path + "/told"
    let outcome = try Self.run(
      [
        Self.child("sim", "\(Self.begins); exit 0"), Self.child("renderer", "sleep 0.2; exit 0"),
        // It would end by itself, but too late.
        Self.child(
          "logger",
          "trap 'echo x >> \(told)' TERM; n=0; while [ $n -lt 50 ]; do sleep 0.05; n=$((n+1)); done"
        ),
      ], finishNs: 800_000_000)
    #expect(outcome.ends == [ChildEnd(name: "logger", status: .killed(signal: 9))])
    #expect(FileManager.default.fileExists(atPath: told))
  }

  @Test func stragglerMayFinishWhenItIsTold() throws {
    let outcome = try Self.run(
      [
        Self.child("sim", "exit 0"), Self.child("logger", Self.waits(trap: "exit 0")),
      ], finishNs: 300_000_000)
    #expect(outcome.ends == [])
  }

  @Test func videoHasTwoMinutesToDrain() { #expect(Supervisor.finishNs == 120_000_000_000) }

  /// All children of a process of its own are those of the supervisor.
  @Test func programThatCannotBeStartedEndsThoseThatWere() async {
    await #expect(processExitsWith: .success) {
      do throws(Failure) {
        var supervisor = Supervisor(display: ProgressDisplay(isQuiet: true, duration: nil))
        _ = try supervisor.run([
          Self.child("sim", Self.waits(trap: "exit 0")), Self.child("renderer", Self.sleeps),
          ChildCommand(name: "no-such-program", arguments: []),
        ])
        preconditionFailure("it was started")
      } catch {
        precondition(error.status == .unavailable)
        precondition(
          error.description == "the program no-such-program does not stand beside orrery")
      }
      precondition(waitpid(-1, nil, WNOHANG) == -1, "a child is left")
      precondition(errno == ECHILD, "\(errno)")
    }
  }

  @Test func fileThatIsNoProgramIsNamed() throws {
    let base = try TemporaryBase()
    let path = base.path + "/text"
    try "text".write(toFile: path, atomically: false, encoding: .utf8)
    #expect {
      try Self.run([ChildCommand(name: "sim", path: path, arguments: [])])
    } throws: { error in
      (error as? Failure)?.status == .unavailable && "\(error)".contains("\(path): posix_spawn")
    }
  }
}
