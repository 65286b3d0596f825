// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import TestSupport
import Testing

/// Goal: a person sees how far a run is on a terminal, once a second where lines are asked for, and nothing where nobody
/// asked; a program reads the same as JSON.
///
/// Method: a clock that the test moves, and what was written.
@Suite struct ProgressDisplayTests {
  /// What is written of a run of three seconds that reports four times a second, at twice the speed of its scene.
  private static func written(
    _ style: ProgressWriter.Style, duration: Double? = 3, columns: Int = 200
  ) -> [String] {
    var pieces: [String] = []
    var nowNs: UInt64 = 5_000_000_000
    var display = ProgressDisplay(
      style: style, run: "demo", duration: duration, clock: { nowNs }, columns: { columns },
      write: { pieces.append($0) })
    for quarter in 0..<12 as Range<UInt64> {
      display.show(
        ProgressReport(tick: quarter * 15, seconds: Double(quarter) / 8, lateTicks: quarter / 4))
      nowNs += 250_000_000
    }
    display.close()
    return pieces
  }

  @Test func linesComeOnceASecond() {
    #expect(
      Self.written(.plain) == [
        "0.0 / 3.0 s  tick 0  late 0\n",
        "0.5 / 3.0 s  x0.50  tick 60  late 1  5 s left\n",
        "1.0 / 3.0 s  x0.50  tick 120  late 2  4 s left\n",
      ])
  }

  @Test func runWithoutAnEndNamesNone() {
    let lines = Self.written(.plain, duration: nil)
    #expect(lines.last == "1.0 s  x0.50  tick 120  late 2\n")
  }

  @Test func terminalShowsReportsOnOneLine() {
    let pieces = Self.written(.line)
    #expect(pieces.count == 13)
    #expect(pieces.first == "\r\u{1b}[K0.0 / 3.0 s  tick 0  late 0")
    #expect(pieces.dropLast().allSatisfy { $0.hasPrefix("\r\u{1b}[K") && !$0.contains("\n") })
    // What comes after it begins on a line of its own.
    #expect(pieces.last == "\n")
  }

  /// A line that wraps cannot be rewritten.
  @Test func lineIsCutAtTheTerminalsEdge() {
    let pieces = Self.written(.line, columns: 12)
    #expect(pieces.first == "\r\u{1b}[K0.0 / 3.0 s")
  }

  @Test func nobodyIsToldUnasked() { #expect(Self.written(.none) == []) }

  @Test func programsReadJSON() throws {
    let lines = Self.written(.json)
    #expect(lines.count == 12)
    let line = try #require(lines.last)
    let last: JSONDocument = try #require(ReportLine.decode(line))
    #expect(last["schema"]?.string == "orrery.run-progress.v1")
    #expect(last["run"]?.string == "demo")
    #expect(last["tick"]?.number == 165)
    #expect(last["seconds"]?.number == 1.375)
    #expect(last["speed"]?.number == 0.5)
    #expect(last["remaining_s"]?.number == 3.25)
    #expect(last["is_paused"] == .boolean(false))
  }

  /// What standard error is, and what `TERM` says of it, belong to the whole process.
  @Test func terminalIsOneThatCanRewriteALine() async {
    await #expect(processExitsWith: .success) {
      func isTerminal(_ path: String, _ term: String?) -> Bool {
        let number = open(path, O_WRONLY | O_NOCTTY)
        precondition(dup2(number, STDERR_FILENO) == STDERR_FILENO, path)
        if let term { setenv("TERM", term, 1) } else { unsetenv("TERM") }
        return ProgressWriter.isOnTerminal
      }
      // A new terminal, unlocked, and its number: TIOCSPTLCK and TIOCGPTN, which Swift does not know.
      let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var (lock, number) = (CInt(0), CInt(-1))
      precondition(ioctl(master, 0x4004_5431, &lock) == 0)
      precondition(ioctl(master, 0x8004_5430, &number) == 0)
      let terminal = "/dev/pts/\(number)"
      precondition(isTerminal(terminal, "xterm"))
      precondition(!isTerminal(terminal, "dumb"))
      precondition(!isTerminal(terminal, nil))
      precondition(!isTerminal("/dev/null", "xterm"))
      precondition(ProgressWriter.terminalColumns == 80)
    }
  }

  static let styles: [(ProgressMode, Bool, Bool, ProgressWriter.Style)] = [
    (.auto, true, false, .line), (.auto, false, false, .none), (.auto, true, true, .none),
    (.plain, true, false, .plain), (.plain, false, true, .plain), (.json, false, true, .json),
    (.json, true, false, .json), (.none, true, false, .none),
  ]

  @Test(arguments: styles)
  func modeIsShownAsItIsAskedFor(
    mode: ProgressMode, isTerminal: Bool, isForPrograms: Bool, style: ProgressWriter.Style
  ) {
    #expect(mode.style(isTerminal: isTerminal, isForPrograms: isForPrograms) == style)
  }

  @Test func unknownModeIsRefusedWithTheKnownOnes() {
    #expect {
      try ProgressMode(argument: "often")
    } throws: { "\($0)".contains("auto, plain, json, none") }
  }

  @Test func messageStandsOnALineOfItsOwn() {
    var pieces: [String] = []
    var display = ProgressDisplay(
      style: .line, run: "demo", duration: nil, clock: { 0 }, columns: { 80 },
      write: { pieces.append($0) })
    display.note("first")
    display.show(ProgressReport(tick: 0, seconds: 0, lateTicks: 0))
    display.note("second")
    display.close()
    #expect(
      pieces == [
        "first\n", "\r\u{1b}[K0.0 s  tick 0  late 0", "\r\u{1b}[Ksecond\n",
      ])
  }

  /// A scene of many millions takes its time.
  @Test func preparingIsShownOnceItTakesASecond() {
    var pieces: [String] = []
    var nowNs: UInt64 = 7_000_000_000
    var display = ProgressDisplay(
      style: .plain, run: "demo", duration: nil, clock: { nowNs }, write: { pieces.append($0) })
    for _ in 0..<11 {
      display.prepare()
      nowNs += 250_000_000
    }
    #expect(pieces == ["preparing, 1 s\n", "preparing, 2 s\n"])
    display.show(ProgressReport(tick: 1, seconds: 1, lateTicks: 0))
    nowNs += 1_000_000_000
    display.show(ProgressReport(tick: 2, seconds: 2, lateTicks: 0))
    #expect(pieces.last?.hasPrefix("2.0 s") == true, "\(pieces)")
  }

  /// A refusal says why, which the end of a line has no room for.
  @Test func refusedKeyIsToldInALine() {
    var pieces: [String] = []
    var display = ProgressDisplay(
      style: .line, run: "demo", duration: nil, clock: { 0 }, columns: { 24 },
      write: { pieces.append($0) })
    display.show(ProgressReport(tick: 0, seconds: 0, lateTicks: 0))
    display.notice(SteeringNotice(text: "one tick, tick 7", isPaused: true))
    display.notice(
      SteeringNotice(text: "refused: " + String(repeating: "why ", count: 30), isPaused: nil))
    display.close()
    #expect(
      pieces == [
        "\r\u{1b}[K0.0 s  tick 0  late 0", "\r\u{1b}[K0.0 s  paused  tick 0  ",
        "\r\u{1b}[Krefused: " + String(repeating: "why ", count: 30) + "\n",
      ])
  }

  /// An answer says where the run is; it goes away by itself, also while nothing else is reported.
  @Test func noticeBringsItsPositionAndGoesAway() {
    var pieces: [String] = []
    var nowNs: UInt64 = 1_000_000_000
    var display = ProgressDisplay(
      style: .line, run: "demo", duration: nil, hint: "keys", clock: { nowNs }, columns: { 80 },
      write: { pieces.append($0) })
    display.show(ProgressReport(tick: 60, seconds: 1, lateTicks: 0))
    let position = ProgressReport(tick: 121, seconds: 2, ranSeconds: 1, lateTicks: 0)
    display.notice(SteeringNotice(text: "one tick", isPaused: true, position: position))
    #expect(pieces.last == "\r\u{1b}[K2.0 s  paused  tick 121  late 0  one tick")
    nowNs += 3_900_000_000
    display.wait(for: [])
    #expect(pieces.count == 2)
    nowNs += 200_000_000
    display.wait(for: [])
    #expect(pieces.last == "\r\u{1b}[K2.0 s  paused  tick 121  late 0  keys")
  }

  @Test func narrowLineLeavesOutWhatTheReportHas() {
    var progress = RunProgress(run: "demo", duration: nil, hint: "[space . + - arrows q]")
    progress.take(ProgressReport(tick: 60, seconds: 1, lateTicks: 3), nowNs: 1)
    progress.take(
      WorkReport(program: "logger", phase: .recording, missed: 2, fileBytes: 1_500_000), nowNs: 1)
    let whole = "1.0 s  tick 60  late 3  trace 1.5 MB  missed 2 by logger  [space . + - arrows q]"
    #expect(progress.text(columns: whole.count) == whole)
    let shorter = "1.0 s  tick 60  late 3  missed 2 by logger  [space . + - arrows q]"
    #expect(progress.text(columns: whole.count - 1) == shorter)
    #expect(
      progress.text(columns: shorter.count - 1)
        == "1.0 s  tick 60  missed 2 by logger  [space . + - arrows q]")
    #expect(progress.text(columns: 57) == "1.0 s  tick 60  missed 2 by logger")
    #expect(progress.text(columns: 10).hasPrefix("1.0 s  tick 60  missed 2"))
  }

  @Test func messageAmongLinesOfJSONIsJSON() {
    var pieces: [String] = []
    var display = ProgressDisplay(
      style: .json, run: "demo", duration: nil, clock: { 0 }, write: { pieces.append($0) })
    display.note("first")
    #expect(pieces == ["{\"schema\":\"orrery.note.v1\",\"text\":\"first\"}\n"])
  }

  @Test func lineIsClosedOnce() {
    var pieces: [String] = []
    var display = ProgressDisplay(
      style: .line, run: "demo", duration: nil, clock: { 0 }, write: { pieces.append($0) })
    display.close()
    #expect(pieces == [])
    display.show(ProgressReport(tick: 0, seconds: 0, lateTicks: 0))
    display.close()
    display.close()
    #expect(pieces.count == 2)
  }

  @Test func programsThatAreWaitedForAreNamedAtOnce() {
    var pieces: [String] = []
    var display = ProgressDisplay(
      style: .line, run: "demo", duration: nil, clock: { 0 }, columns: { 100 },
      write: { pieces.append($0) })
    display.wait(for: [])
    #expect(pieces == [])
    display.wait(for: [
      WaitedProgram(program: "renderer", seconds: 1, remainder: "212 pictures to encode"),
      WaitedProgram(program: "logger", seconds: 3.9),
    ])
    #expect(
      pieces == ["\r\u{1b}[Kwaiting for renderer: 212 pictures to encode, logger (3 s)"])
  }
}

/// Goal: what programs report becomes the speed, the losses and the time that is left.
///
/// Method: reports of made-up times.
@Suite struct RunProgressTests {
  private static func report(_ seconds: Double, late: UInt64 = 0) -> ProgressReport {
    ProgressReport(tick: UInt64(seconds * 60), seconds: seconds, lateTicks: late)
  }

  @Test func runThatHasNotBegunIsPrepared() {
    #expect(RunProgress(run: "demo", duration: 3).text == "preparing")
  }

  @Test func speedIsThatOfTheLastSeconds() {
    var progress = RunProgress(run: "demo", duration: nil)
    #expect(progress.speed == nil)
    for second in 0..<10 as Range<UInt64> {
      // Slow at first, real time later.
      let seconds = second < 5 ? Double(second) / 10 : Double(second) - 4.5
      progress.take(Self.report(seconds), nowNs: second * 1_000_000_000)
    }
    #expect(progress.speed == 1)
    #expect(progress.remainingSeconds == nil)
  }

  /// A run ends after its frames, wherever in the scene they are.
  @Test(arguments: [-6.5, 500]) func jumpIsNeitherSpeedNorTimeThatHasRun(jump: Double) {
    var progress = RunProgress(run: "demo", duration: 10)
    progress.take(Self.report(7), nowNs: 0)
    progress.take(Self.report(8), nowNs: 500_000_000)
    #expect(progress.text == "8.0 / 10.0 s  x2.00  tick 480  late 0  1 s left")
    let after = ProgressReport(
      tick: UInt64((9 + jump) * 60), seconds: 9 + jump, ranSeconds: 9, lateTicks: 0)
    progress.take(after, nowNs: 1_000_000_000)
    #expect(progress.speed == 2)
    #expect(progress.remainingSeconds == 0.5)
    let at = decimal(9 + jump, places: 1)
    #expect(
      progress.text == "at \(at) s  9.0 / 10.0 s  x2.00  tick \(after.tick)  late 0  1 s left")
  }

  @Test func lossesAreNamedByProgram() {
    var progress = RunProgress(run: "demo", duration: nil)
    progress.take(Self.report(1), nowNs: 0)
    progress.take(WorkReport(program: "renderer", phase: .drawing, done: 3, missed: 12), nowNs: 0)
    progress.take(WorkReport(program: "logger", phase: .recording, done: 15), nowNs: 0)
    #expect(progress.text == "1.0 s  tick 60  late 0  missed 12 by renderer")
    progress.take(WorkReport(program: "logger", phase: .recording, done: 15, missed: 1), nowNs: 0)
    #expect(progress.text.hasSuffix("missed 1 by logger, 12 by renderer"))
  }

  @Test func traceHasASizeAndARate() {
    var progress = RunProgress(run: "demo", duration: nil)
    func logger(_ bytes: UInt64, atMs ms: UInt64) {
      progress.take(
        WorkReport(program: "logger", phase: .recording, fileBytes: bytes), nowNs: ms * 1_000_000)
    }
    progress.take(Self.report(1), nowNs: 0)
    logger(1_000_000, atMs: 0)
    #expect(progress.text == "1.0 s  tick 60  late 0  trace 1.0 MB")
    logger(4_500_000, atMs: 500)
    #expect(progress.text == "1.0 s  tick 60  late 0  trace 4.5 MB, 7.0 MB/s")
    #expect(progress.json.contains("\"trace_bytes\":4500000"))
    // The rate is that of the last two seconds.
    logger(4_500_000, atMs: 2_400)
    logger(4_500_000, atMs: 4_600)
    #expect(progress.text.hasSuffix("trace 4.5 MB, 0.0 MB/s"))
    // The next file of a set.
    logger(100_000, atMs: 4_700)
    #expect(progress.text.hasSuffix("trace 0.1 MB"))
  }

  @Test func pausedRunHasNoSpeedAndNoTimeLeft() {
    var progress = RunProgress(run: "demo", duration: 4)
    progress.take(Self.report(1), nowNs: 0)
    progress.take(Self.report(2), nowNs: 1_000_000_000)
    #expect(progress.text == "2.0 / 4.0 s  x1.00  tick 120  late 0  2 s left")
    progress.isPaused = true
    progress.notice = "paused by a key"
    #expect(progress.text == "2.0 / 4.0 s  paused  tick 120  late 0  paused by a key")
  }

  @Test func stoppedProgramIsCalledStopped() {
    #expect(
      WaitedProgram(program: "sim", seconds: 2.5, isStopped: true, remainder: "x").text
        == "sim (stopped, 2 s)")
  }
}
