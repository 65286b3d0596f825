// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import Testing

/// Goal: a person sees how far a run is: always on a terminal, once a second elsewhere, never where nobody asked.
///
/// Method: a clock that the test moves, and what was written.
@Suite struct ProgressDisplayTests {
  /// What is written of a run of three seconds that reports four times a second.
  private static func written(
    isQuiet: Bool = false, duration: Double? = 3, isTerminal: Bool
  ) -> [String] {
    var pieces: [String] = []
    var nowNs: UInt64 = 5_000_000_000
    var display = ProgressDisplay(
      isQuiet: isQuiet, duration: duration, isTerminal: isTerminal, clock: { nowNs },
      write: { pieces.append($0) })
    for quarter in 0..<12 as Range<UInt64> {
      display.show(
        ProgressReport(tick: quarter * 15, seconds: Double(quarter) / 4, lateTicks: quarter / 4))
      nowNs += 250_000_000
    }
    display.close()
    return pieces
  }

  @Test func fileGetsALineASecond() {
    #expect(
      Self.written(isTerminal: false) == [
        "0.0 / 3.0 s  tick 0  late 0\n", "1.0 / 3.0 s  tick 60  late 1\n",
        "2.0 / 3.0 s  tick 120  late 2\n",
      ])
  }

  @Test func secondIsAWholeSecond() {
    var pieces: [String] = []
    var nowNs: UInt64 = 0
    var display = ProgressDisplay(
      isQuiet: false, duration: nil, isTerminal: false, clock: { nowNs },
      write: { pieces.append($0) })
    for time in [5, 1_000_000_004, 1_000_000_005, 2_000_000_004, 2_000_000_005] as [UInt64] {
      nowNs = time
      display.show(ProgressReport(tick: time, seconds: 0, lateTicks: 0))
    }
    #expect(
      pieces == [5, 1_000_000_005, 2_000_000_005].map { "0.0 s  tick \($0)  late 0\n" })
  }

  /// What standard error is, and what `TERM` says of it, belong to the whole process.
  @Test func terminalIsOneThatCanRewriteALine() async {
    await #expect(processExitsWith: .success) {
      func isTerminal(_ path: String, _ term: String?) -> Bool {
        let number = open(path, O_WRONLY | O_NOCTTY)
        precondition(dup2(number, STDERR_FILENO) == STDERR_FILENO, path)
        if let term { setenv("TERM", term, 1) } else { unsetenv("TERM") }
        return ProgressDisplay.isOnTerminal
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
    }
  }

  @Test func runWithoutAnEndNamesNone() {
    #expect(Self.written(duration: nil, isTerminal: false).first == "0.0 s  tick 0  late 0\n")
  }

  @Test func terminalShowsEveryReportOnOneLine() {
    let pieces = Self.written(isTerminal: true)
    #expect(pieces.count == 13)
    #expect(pieces.first == "\r\u{1b}[K0.0 / 3.0 s  tick 0  late 0")
    #expect(pieces.dropLast().allSatisfy { $0.hasPrefix("\r\u{1b}[K") })
    #expect(pieces.dropLast().allSatisfy { !$0.contains("\n") })
    // What comes after it begins on a line of its own.
    #expect(pieces.last == "\n")
  }

  @Test(arguments: [false, true])
  func nobodyIsToldUnasked(isTerminal: Bool) {
    #expect(Self.written(isQuiet: true, isTerminal: isTerminal) == [])
  }

  @Test func lineIsClosedOnce() {
    var pieces: [String] = []
    var display = ProgressDisplay(
      isQuiet: false, duration: nil, isTerminal: true, clock: { 0 }, write: { pieces.append($0) })
    display.close()
    #expect(pieces == [])
    display.show(ProgressReport(tick: 0, seconds: 0, lateTicks: 0))
    display.close()
    display.close()
    #expect(pieces.count == 2)
  }
}
