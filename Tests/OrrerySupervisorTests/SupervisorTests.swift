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
@Suite struct SupervisorTests {
  /// A program of this name that runs shell commands; it waits for nothing for longer than the test would.
  private static func child(
    _ name: String, _ commands: String, outputs: [String] = [], waitsForSim: Bool = false
  ) -> ChildCommand {
    ChildCommand(
      name: name, path: "/bin/sh", arguments: ["-c", commands], outputs: outputs,
      waitsForSim: waitsForSim)
  }

  /// A line in which a program says what it is at.
  private static func says(_ program: String, _ phase: String, done: String = "0") -> String {
    "printf '{\"schema\":\"orrery.work.v1\",\"program\":\"\(program)\",\"phase\":\"\(phase)\",'; "
      + "printf '\"done\":%s,\"missed\":0}\\n' \(done)"
  }

  /// What is written where progress is not asked for.
  private final class Messages: Sendable {
    private let texts = Monitor<[String]>([])
    var all: String { texts.read { $0.joined() } }
    var display: ProgressDisplay {
      ProgressDisplay(
        style: .none, run: "demo", duration: nil,
        write: { [texts] text in texts.change { $0.append(text) } })
    }
  }

  /// Does nothing for half a minute, or until a signal ends it: the shell becomes the sleeper.
  private static let sleeps = "exec sleep 30"

  /// Says that the run has begun.
  private static let begins =
    "echo '{\"schema\":\"orrery.progress.v1\",\"program\":\"sim\",\"tick\":1,\"seconds\":0.5,\"ranSeconds\":0.5,\"lateTicks\":0}'"

  /// Half a minute in pieces, between which the trap on SIGTERM is served; nobody may wait until it is over.
  private static func waits(first: String = ":", trap: String, atEnd: String = "exit 9") -> String {
    "trap '\(trap)' TERM; \(first); n=0; while [ $n -lt 600 ]; do sleep 0.05; n=$((n+1)); done; \(atEnd)"
  }

  /// Begins the run, and makes a file when that has been read.
  private static func begins(andMakes path: String) -> String {
    "\(begins); sleep 0.3; touch \(path)"
  }

  /// Stops itself, and has a file made once the kernel says that it is stopped: a signal that comes
  /// before would end it as any other.
  private static func isStopped(andMakes path: String) -> String {
    "(n=0; until grep -q '^State:.T' /proc/$$/status || [ $n -ge 600 ]; do sleep 0.05; n=$((n+1)); done; "
      + "touch \(path)) & kill -STOP $$; exit 0"
  }

  private static func run(
    _ children: [ChildCommand], limits: EndLimits = patient, stops: @escaping () -> Int = { 0 },
    display: ProgressDisplay = Messages().display
  ) throws -> RunOutcome {
    var supervisor = Supervisor(display: display, limits: limits, stopSignalCount: stops)
    return try supervisor.run(children)
  }

  /// Limits that no test comes to.
  private static var patient: EndLimits {
    var limits = EndLimits()
    (limits.finishNs, limits.silentNs, limits.simSilentNs) = (60 << 30, 60 << 30, 60 << 30)
    (limits.againNs, limits.killNs) = (60 << 30, 60 << 30)
    return limits
  }

  /// The same, with a short one.
  private static func limits(_ change: (inout EndLimits) -> Void) -> EndLimits {
    var limits = patient
    change(&limits)
    return limits
  }

  /// The number of stop signals: one more each time that one of these files is there, in their order.
  private static func stops(after files: [String]) -> () -> Int {
    { files.prefix { FileManager.default.fileExists(atPath: $0) }.count }
  }

  /// One stop signal, once all of the files are there.
  private static func stop(afterAll files: [String]) -> () -> Int {
    { files.allSatisfy { FileManager.default.fileExists(atPath: $0) } ? 1 : 0 }
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
    // The others died of the signal at their start: that is no failure of theirs.
    #expect(outcome.ends.map(\.name) == ["logger"])
    #expect(outcome.failure?.status == .inputOutput)
  }

  @Test func failureAfterwardsLeavesTheOthersAtWork() throws {
    let outcome = try Self.run([
      Self.child("sim", Self.waits(first: Self.begins + "; sleep 1; exit 0", trap: "exit 3")),
      Self.child("renderer", "sleep 0.5; exit 69"),
    ])
    #expect(outcome.ends == [ChildEnd(name: "renderer", status: .exited(69))])
  }

  @Test func reportsAreKept() throws {
    var subscriber = SampleReports.subscriber(files: ["a.mcap"])
    // A shell hands it on.
    subscriber.run = "demo"
    let sim = SampleReports.sim()
    let simLine = ReportLine.encode(sim, schema: SimReport.schema)
    let line = ReportLine.encode(subscriber, schema: SubscriberReportMessage.schema)
    var shown: [String] = []
    let display = ProgressDisplay(
      style: .line, run: "demo", duration: nil, clock: { 0 }, columns: { 80 },
      write: { shown.append($0) })
    let outcome = try Self.run(
      [
        // In two pieces, and the last thing that it does.
        Self.child("sim", "\(Self.begins); printf '%s' '\(simLine)'; sleep 0.2; echo"),
        // The last words may be those of a program that it started.
        Self.child("logger", "(sleep 0.2; echo nonsense; sleep 0.2; echo '\(line)') & exit 0"),
      ], display: display)
    #expect(outcome.sim == sim)
    #expect(outcome.subscribers == [subscriber])
    #expect(shown.first == "\r\u{1b}[K0.5 s  tick 1  late 0")
    #expect(shown.last == "\n")
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

  /// Who did not get to the end of its work is named by its files.
  @Test func secondStopSignalEndsAllAndNamesWhatIsIncomplete() throws {
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
        Self.child("renderer", Self.sleeps, outputs: ["b.mp4", "a.png"]),
        Self.child("logger", Self.waits(trap: "touch \(logger); exit 0"), outputs: ["c.mcap"]),
      ], stops: Self.stops(after: [ready, told]))
    #expect(outcome.ends == [])
    #expect(outcome.failure?.status == .interrupted)
    // The renderer had not begun with its files, and the logger says nothing of its own.
    #expect(outcome.failure?.description == "interrupted; not made: a.png, b.mp4, c.mcap")
    #expect(FileManager.default.fileExists(atPath: again))
    #expect(FileManager.default.fileExists(atPath: logger))
  }

  /// Files that were there before are not what the program made.
  @Test func onlyWhatWasBegunIsIncomplete() throws {
    let base = try TemporaryBase()
    let (ready, earlier) = (base.path + "/ready", base.path + "/earlier.png")
    let written = base.path + "/written"
    try "picture".write(toFile: earlier, atomically: false, encoding: .utf8)
    let trace = base.path + "/a.mcap"
    try "trace".write(toFile: trace, atomically: false, encoding: .utf8)
    let outcome = try Self.run(
      [
        Self.child("sim", Self.waits(first: Self.begins(andMakes: ready), trap: "exit 0")),
        Self.child("renderer", Self.sleeps, outputs: [earlier, base.path + "/never.mp4"]),
        Self.child(
          "logger", "echo more >> \(trace); touch \(written); \(Self.sleeps)", outputs: [trace]),
      ], stops: Self.stops(after: [ready, written]))
    #expect(outcome.incompleteOutputs == [trace])
    #expect(outcome.notMade == [earlier, base.path + "/never.mp4"])
    #expect(
      outcome.failure?.description
        == "interrupted; incomplete: \(trace); not made: \(earlier), \(base.path)/never.mp4")
  }

  /// The renderer waits for the run, and would do so for half a minute; the logger gets ready.
  @Test func runThatEndsFirstIsNoFailure() throws {
    let messages = Messages()
    let outcome = try Self.run(
      [
        Self.child("sim", "\(Self.says("sim", "preparing")); sleep 0.5; exit 0"),
        Self.child(
          "renderer",
          Self.waits(first: Self.says("renderer", "waiting"), trap: "exit 0"),
          outputs: ["a.mp4", "a.png"], waitsForSim: true),
        Self.child(
          "logger",
          "trap 'exit 7' TERM; \(Self.says("logger", "waiting")); \(Self.says("logger", "preparing")); "
            + "sleep 1; exit 0", outputs: ["a.mcap"], waitsForSim: true),
      ], display: messages.display)
    #expect(outcome.failure == nil)
    #expect(outcome.notMade.sorted() == ["a.mcap", "a.mp4", "a.png"])
    #expect(
      messages.all.contains("renderer: no frame, the run ended first; not made: a.mp4, a.png\n"))
    #expect(messages.all.contains("logger: no frame, the run ended first; not made: a.mcap\n"))
    #expect(!messages.all.contains("sign of life"))
    #expect(try Repository.schema("run").faults(of: Data(outcome.json.utf8)) == [])
    #expect(outcome.json.contains("\"not_made\":[\"a.mcap\",\"a.mp4\",\"a.png\"]"))
  }

  /// A program that is just starting dies of the signal that would end it in order a moment later.
  @Test func programThatIsStoppedAtItsStartIsNoFailure() throws {
    let base = try TemporaryBase()
    let ready = base.path + "/ready"
    let messages = Messages()
    let sim = Self.child(
      "sim",
      Self.waits(first: "\(Self.says("sim", "preparing")); touch \(ready)", trap: "exit 0"))
    let outcome = try Self.run(
      [sim, Self.child("renderer", Self.sleeps, outputs: ["a.mp4"])],
      stops: Self.stops(after: [ready]), display: messages.display)
    #expect(outcome.failure == nil)
    #expect(outcome.notMade == ["a.mp4"])
    #expect(messages.all.contains("renderer: no frame, the run ended first; not made: a.mp4\n"))
    // One that has said something handles signals, so it died of something else.
    let said = base.path + "/said"
    let failed = try Self.run(
      [
        Self.child("sim", Self.waits(first: Self.says("sim", "preparing"), trap: "exit 0")),
        Self.child("logger", "\(Self.says("logger", "waiting")); touch \(said); \(Self.sleeps)"),
      ], stops: Self.stops(after: [said]))
    #expect(failed.ends.map(\.name) == ["logger"])
  }

  /// A sim that fails says why; what its subscribers did not do then is no news.
  @Test func runThatFailsFirstIsToldOnce() throws {
    let messages = Messages()
    let outcome = try Self.run(
      [
        Self.child("sim", "\(Self.says("sim", "preparing")); sleep 0.5; exit 65"),
        Self.child(
          "renderer", Self.waits(first: Self.says("renderer", "waiting"), trap: "exit 0"),
          outputs: ["a.mp4"], waitsForSim: true),
      ], display: messages.display)
    #expect(outcome.failure?.description == "sim ended with exit code 65")
    #expect(outcome.notMade == [])
    #expect(!messages.all.contains("not made"))
  }

  /// Nobody outlives the second signal for long, and each gets a last chance to clean up.
  @Test func secondStopSignalIsByForceInTheEnd() throws {
    let base = try TemporaryBase()
    let (ready, again) = (base.path + "/ready", base.path + "/again")
    let (video, late) = (base.path + "/a.mp4", base.path + "/late")
    let outcome = try Self.run(
      [
        Self.child("sim", Self.waits(first: Self.begins(andMakes: ready), trap: "exit 0")),
        Self.child(
          "renderer",
          Self.waits(
            first: "touch \(base.path)/a.$$.partial.mp4", trap: "echo x >> \(again)",
            atEnd: "touch \(late)"), outputs: [video]),
      ],
      limits: Self.limits { ($0.againNs, $0.killNs) = (300_000_000, 700_000_000) },
      stops: Self.stops(after: [ready, ready]))
    #expect(outcome.isInterrupted)
    #expect(outcome.incompleteOutputs == [video])
    #expect(try String(contentsOfFile: again, encoding: .utf8) == "x\nx\n")
    #expect(!FileManager.default.fileExists(atPath: late))
    // Its temporary file went with it.
    let files = try FileManager.default.contentsOfDirectory(atPath: base.path)
    #expect(files.sorted() == ["again", "ready"])
  }

  @Test func programThatHangsAfterTheFirstSignalIsEnded() throws {
    let base = try TemporaryBase()
    let (ready, deaf, video) = (base.path + "/ready", base.path + "/deaf", base.path + "/a.mp4")
    let listens = base.path + "/listens"
    let messages = Messages()
    // The others end seconds before the deaf one is given up, also where processors are busy: the logger
    // waits for its run, so it is asked as soon as the sim has ended.
    let outcome = try Self.run(
      [
        Self.child("sim", Self.waits(first: Self.begins(andMakes: ready), trap: "exit 0")),
        // It takes no notice of SIGTERM.
        Self.child(
          "renderer",
          "trap '' TERM; touch \(base.path)/a.$$.partial.mp4; touch \(deaf); \(Self.sleeps)",
          outputs: [video]),
        Self.child(
          "logger",
          Self.waits(first: "\(Self.says("logger", "waiting")); touch \(listens)", trap: "exit 0"),
          outputs: ["c.mcap"]),
      ], limits: Self.limits { ($0.silentNs, $0.graceNs) = (3_000_000_000, 500_000_000) },
      stops: Self.stop(afterAll: [ready, deaf, listens]), display: messages.display)
    let end = try #require(outcome.ends.first)
    #expect(outcome.ends.count == 1)
    #expect(end.name == "renderer")
    #expect(end.status == .killed(signal: 9))
    let failure = try #require(outcome.failure)
    #expect(failure.status == .unavailable)
    #expect(failure.description.hasPrefix("renderer gave no sign of life for "))
    #expect(failure.description.hasSuffix("; incomplete: \(video); not made: c.mcap"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: base.path).sorted()
        == ["deaf", "listens", "ready"])
    #expect(
      messages.all.hasPrefix("ending the run; waiting for sim, renderer, logger; "),
      "\(messages.all)")
  }

  /// The renderer, at the lowest priority, on a machine with other work.
  @Test func programThatWaitsForAProcessorIsNotTakenForOneThatHangs() throws {
    let base = try TemporaryBase()
    let ready = base.path + "/ready"
    let others = try (0..<4).map { _ in try Self.spinner() }
    defer { others.forEach { $0.kill() } }
    let work = "n=0; while [ $n -lt 40000 ]; do n=$((n+1)); done"
    let outcome = try Self.run(
      [
        Self.child("sim", Self.waits(first: Self.begins(andMakes: ready), trap: "exit 0")),
        Self.child(
          "renderer",
          "trap : TERM; taskset -pc 0 $$ >&2; until [ -e \(ready) ]; do sleep 0.05; done; "
            + "renice 19 $$ >&2; \(work); exit 0"),
      ], limits: Self.limits { ($0.silentNs, $0.graceNs) = (300_000_000, 100_000_000) },
      stops: Self.stops(after: [ready]))
    #expect(outcome.ends == [])
  }

  @Test func timeWithoutAProcessorCountsAndSleepDoesNot() throws {
    let others = try (0..<2).map { _ in try Self.spinner() }
    defer { others.forEach { $0.kill() } }
    let busy = "taskset -pc 0 $$ >&2; renice 19 $$ >&2; \(Self.spins)"
    let starved = try Child(Self.child("renderer", busy))
    // It waits for a program of its own.
    let waiting = try Child(Self.child("renderer", "exec timeout 60 sh -c '\(busy)'"))
    let sleeper = try Child(Self.child("logger", Self.sleeps))
    defer {
      for child in [starved, waiting, sleeper] {
        child.signal(SIGTERM)
        // A test that waits for any child would wait for ever beside one that nobody waited for.
        _ = Clock.wait(seconds: patienceSeconds) {
          child.reap()
          return child.status != nil
        }
      }
    }
    try waitUntil("the programs to lack a processor for a second") {
      for child in [starved, waiting, sleeper] { child.lookAtState(nowNs: Clock.monotonicNs()) }
      return min(starved.starvedNs, waiting.starvedNs) > 1_000_000_000
    }
    #expect(starved.starvedSinceProgressNs == starved.starvedNs)
    #expect(sleeper.starvedNs < starved.starvedNs / 2)
  }

  /// A program that computes for ever looks like one that waits for a processor, on a busy machine.
  @Test func programThatComputesForEverIsEnded() throws {
    let base = try TemporaryBase()
    let ready = base.path + "/ready"
    let outcome = try Self.run(
      [
        Self.child("sim", Self.waits(first: Self.begins(andMakes: ready), trap: "exit 0")),
        Self.child("renderer", "trap '' TERM; \(Self.spins)"),
      ],
      limits: Self.limits {
        ($0.silentNs, $0.graceNs, $0.starvedNs) = (300_000_000, 100_000_000, 1_000_000_000)
      }, stops: Self.stops(after: [ready]))
    #expect(outcome.ends.map(\.status) == [.killed(signal: 9)])
  }

  /// Computes until it is killed: the processor limit ends it if nobody does.
  private static let spins = "ulimit -t 30; while :; do :; done"

  /// A program that takes the first processor for half a minute, or until it is killed.
  private static func spinner() throws -> ChildProcess {
    try ChildProcess("/usr/bin/taskset", ["-c", "0", "sh", "-c", spins])
  }

  @Test func stoppedProgramsAreNamedAndEnded() throws {
    let base = try TemporaryBase()
    let files = [base.path + "/sim", base.path + "/logger"]
    let messages = Messages()
    let outcome = try Self.run(
      [
        Self.child("sim", "\(Self.begins); sleep 0.6; \(Self.isStopped(andMakes: files[0]))"),
        Self.child("logger", Self.isStopped(andMakes: files[1])),
      ], limits: Self.limits { ($0.silentNs, $0.graceNs) = (600_000_000, 200_000_000) },
      stops: { Self.stops(after: files)() == files.count ? 1 : 0 }, display: messages.display)
    #expect(outcome.ends.map(\.status) == [.killed(signal: 9), .killed(signal: 9)])
    #expect(outcome.failure?.description.contains("logger was stopped and was killed") == true)
    #expect(outcome.failure?.description.contains("sim was stopped and was killed") == true)
    #expect(messages.all.contains("logger (pid "), "\(messages.all)")
    #expect(messages.all.contains(") is stopped\n"), "\(messages.all)")
  }

  /// An encoder may need its time: each report is a sign of life.
  @Test func programThatWorksMayGoOnAfterTheFirstSignal() throws {
    let base = try TemporaryBase()
    let (ready, told) = (base.path + "/ready", base.path + "/told")
    let outcome = try Self.run(
      [
        Self.child("sim", Self.waits(first: Self.begins(andMakes: ready), trap: "exit 0")),
        Self.child(
          "renderer",
          "trap 'touch \(told)' TERM; n=0; while [ $n -lt 30 ]; do "
            + Self.says("renderer", "encoding", done: "$n")
            + "; sleep 0.05; n=$((n+1)); done; exit 0", outputs: ["a.mp4"]),
      ], limits: Self.limits { ($0.silentNs, $0.graceNs) = (800_000_000, 100_000_000) },
      stops: Self.stops(after: [ready]))
    #expect(outcome.ends == [])
    #expect(outcome.failure == nil)
    #expect(!FileManager.default.fileExists(atPath: told))
  }

  /// Earlier they could join another run of that name.
  @Test func subscribersBeginWhenTheSimHasItsName() throws {
    let base = try TemporaryBase()
    let taken = base.path + "/taken"
    let outcome = try Self.run([
      Self.child(
        "sim", "sleep 0.3; touch \(taken); \(Self.says("sim", "preparing")); sleep 0.5; exit 0"),
      Self.child("renderer", "[ -e \(taken) ] || exit 9", waitsForSim: true),
      Self.child("logger", "[ -e \(taken) ] && exit 74", waitsForSim: true),
    ])
    #expect(outcome.ends.first == ChildEnd(name: "logger", status: .exited(74)))
  }

  @Test func simWithoutItsNameStartsNobody() throws {
    let base = try TemporaryBase()
    let started = base.path + "/started"
    let outcome = try Self.run([
      Self.child("sim", "exit 75"),
      Self.child("renderer", "touch \(started)", waitsForSim: true),
    ])
    #expect(outcome.lacksName)
    #expect(outcome.failure?.status == .nameTaken)
    #expect(!FileManager.default.fileExists(atPath: started))
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
    #expect(outcome.ends == [] && outcome.failure == nil)
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
      ], limits: Self.limits { $0.finishNs = 800_000_000 })
    #expect(outcome.ends == [ChildEnd(name: "logger", status: .killed(signal: 9))])
    // Once: the second signal would end a real one before its files are whole.
    #expect(try String(contentsOfFile: told, encoding: .utf8) == "x\n")
  }

  @Test func stragglerMayFinishWhenItIsTold() throws {
    let outcome = try Self.run(
      [
        Self.child("sim", "exit 0"), Self.child("logger", Self.waits(trap: "exit 0")),
      ], limits: Self.limits { $0.finishNs = 1_000_000_000 })
    #expect(outcome.ends == [])
  }

  @Test func videoHasTwoMinutesToDrain() { #expect(EndLimits().finishNs == 120_000_000_000) }

  /// One that hangs from the end of a hanging sim on is the last to be ended.
  @Test func nobodyWhoHangsOutlivesTheFirstSignalByMoreThanFifteenSeconds() {
    let limits = EndLimits()
    #expect(limits.simSilentNs + limits.silentNs + limits.graceNs <= 15_000_000_000)
    #expect(limits.killNs <= 2_000_000_000)
  }

  /// All children of a process of its own are those of the supervisor.
  @Test func programThatCannotBeStartedEndsThoseThatWere() async {
    await #expect(processExitsWith: .success) {
      do throws(Failure) {
        var supervisor = Supervisor(display: Messages().display)
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
      (error as? Failure)?.status == .notPermitted && "\(error)".contains("\(path): posix_spawn")
    }
  }
}
