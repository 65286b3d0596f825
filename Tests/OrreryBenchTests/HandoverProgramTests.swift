// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Programs answer rounds in lines, and whatever else they do is an error that says what.
///
/// Method: shell scripts stand in for peers.
@Suite(.timeLimit(.minutes(10))) struct HandoverProgramTests {
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
    let program = try HandoverProgram(shell("exec sleep 30"), patienceNs: 20_000_000)
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

  @Test func programThatDoesNotListenIsKilled() throws {
    let program = try HandoverProgram(shell("trap '' TERM; echo ready; exec sleep 30"))
    #expect(program.readLine() == Array("ready".utf8))
    program.stop(graceNs: 10_000_000)
    #expect(program.readLine() == nil)
  }
}
