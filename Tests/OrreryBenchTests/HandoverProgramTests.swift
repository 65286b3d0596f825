// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Programs answer rounds in lines, and whatever else they do is an error that says what.
///
/// Method: shell scripts stand in for peers.
@Suite struct HandoverProgramTests {
  private func shell(_ script: String, folder: String? = nil) -> HandoverProgram.Launch {
    .init(path: "/bin/sh", arguments: ["-c", script], folder: folder)
  }

  private let request = HandoverRequest(count: 3, pauseNs: 70)

  @Test func answersFollowRequests() throws {
    let program = try HandoverProgram(
      shell(
        """
        while read count pause; do echo "{\\"p50\\":$count,\\"p90\\":$pause,\\"p99\\":3,\\"max\\":4,\
        \\"received\\":5,\\"missed\\":6,\\"seconds\\":7,\\"way\\":\\"spin\\",\\"slept\\":8}"; done
        """))
    let answer = program.ask(request)
    #expect(answer.error == nil)
    #expect(answer.p50 == 3)
    #expect(answer.p90 == 70)
    let second = program.ask(HandoverRequest(count: 9, pauseNs: 1))
    #expect(second.p50 == 9, "each request has an answer of its own")
    #expect(second.slept == 8)
  }

  @Test func linesThatComeTogetherAreReadOneByOne() throws {
    let program = try HandoverProgram(shell("printf 'first\\nsecond\\nrest'"))
    #expect(program.readLine() == Array("first".utf8))
    #expect(program.readLine() == Array("second".utf8))
    #expect(program.readLine() == nil, "no line without its end")
  }

  @Test func whatIsNoAnswerIsTheError() throws {
    let program = try HandoverProgram(shell("read line; echo 'no such peer'"))
    #expect(program.ask(request).error == "no such peer")
  }

  @Test func programThatEndedIsNamedSo() throws {
    let program = try HandoverProgram(shell("read line"))
    #expect(program.ask(request).error == "it ended or hangs")
  }

  @Test func programThatHangsIsGivenUp() throws {
    let program = try HandoverProgram(shell("exec sleep 30"), answerTimeoutNs: 20_000_000)
    let beginNs = Clock.monotonicNs()
    #expect(program.ask(request).error == "it ended or hangs")
    #expect(Clock.monotonicNs() - beginNs >= 20_000_000, "not before its time")
    program.stop(graceNs: 1_000_000)
  }

  @Test func programIsToldWhereItsFilesGo() throws {
    let base = try TemporaryBase()
    let program = try HandoverProgram(shell("echo $TMPDIR", folder: base.path))
    #expect(program.readLine() == Array(base.path.utf8))
  }

  @Test func missingProgramIsNamed() {
    let error = #expect(throws: Failure.self) {
      _ = try HandoverProgram(.init(path: "/nonexistent/peer", arguments: []))
    }
    #expect(error?.description.contains("/nonexistent/peer") == true)
    #expect(error?.status == .unavailable)
  }

  @Test func programEndsWhenNobodyAsksAnyMore() throws {
    let base = try TemporaryBase()
    let program = try HandoverProgram(
      shell("while read line; do :; done; echo end > \(base.path)/end"))
    program.stop()
    #expect(SmallFile.read(base.path + "/end") == "end\n", "its input has an end")
  }

  /// The number that a shell prints of its own process.
  private func processID(_ program: HandoverProgram) throws -> pid_t {
    let line = try #require(program.readLine())
    return try #require(pid_t(String(decoding: line, as: UTF8.self)))
  }

  /// Whether there is a process of this number, were it only one that nobody has looked after.
  private func isThere(_ processID: pid_t) -> Bool { kill(processID, 0) == 0 }

  @Test func programThatDoesNotListenIsKilled() throws {
    let program = try HandoverProgram(shell("trap '' TERM; echo $$; exec sleep 30"))
    let processID = try processID(program)
    #expect(isThere(processID))
    program.stop(graceNs: 50_000_000)
    // Long before it would have ended by itself.
    try waitUntil("the program's end") { !isThere(processID) }
    #expect(program.readLine() == nil)
  }

  @Test func programThatDoesNotSeeTheEndIsToldBeforeItIsKilled() throws {
    let base = try TemporaryBase()
    // A program takes over which signals are blocked, and threads of tests block most.
    var (signals, previous) = (sigset_t(), sigset_t())
    sigemptyset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let program = try HandoverProgram(
      shell(
        "trap 'kill $!; echo told > \(base.path)/told; exit 0' TERM; sleep 30 & echo $$; wait"))
    let processID = try processID(program)
    program.stop(graceNs: 1_500_000_000)
    try waitUntil("the program's end") { !isThere(processID) }
    #expect(SmallFile.read(base.path + "/told") == "told\n")
  }

  /// Whoever holds the other end of a program's input keeps it alive.
  @Test func programThatWasStartedLaterHoldsNobodysInput() throws {
    let base = try TemporaryBase()
    let first = try HandoverProgram(
      shell("while read line; do :; done; echo end > \(base.path)/end"))
    let later = try HandoverProgram(shell("trap '' TERM; echo $$; exec sleep 30"))
    let processID = try processID(later)
    first.stop()
    #expect(SmallFile.read(base.path + "/end") == "end\n")
    #expect(isThere(processID), "it was not told to end")
    later.stop(graceNs: 1_000_000)
    try waitUntil("the program's end") { !isThere(processID) }
  }

  /// It has ended by itself, which is noticed.
  @Test func programThatHasEndedIsStoppedTwice() throws {
    let program = try HandoverProgram(shell("echo $$"))
    let processID = try processID(program)
    try waitUntil("the program's end") { !isThere(processID) }
    program.stop()
    program.stop()
    #expect(program.readLine() == nil)
  }
}
