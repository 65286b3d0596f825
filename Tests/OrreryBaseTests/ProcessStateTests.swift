// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: a process is found to be alive, stopped or gone, whatever its name is.
///
/// Method: children of this process, and texts of /proc by hand.
@Suite struct ProcessStateTests {
  private static func stat(_ name: String, _ letter: String, startTicks: UInt64) -> String {
    "4711 (\(name)) \(letter) 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 \(startTicks) 99 100\n"
  }

  @Test(arguments: ["sim", "a b", "a) S (b", ") Z 1 2", "", "\n"])
  func nameDoesNotMatter(name: String) {
    let state = ProcessState(
      stat: Self.stat(name, "T", startTicks: 500), uptimeNs: 60_000_000_000,
      wallNs: 1_000_000_000_000)
    // It began five seconds after the machine, 55 seconds ago.
    #expect(state?.startedSeconds == 945)
    #expect(state?.letter == "T")
    #expect(state?.isStopped == true)
  }

  @Test func lettersTellWhoIsStoppedOrGone() {
    for letter in ["R", "S", "D", "T", "t"] {
      let text = Self.stat("sim", letter, startTicks: 1)
      let state = ProcessState(stat: text, uptimeNs: 1, wallNs: 1)
      #expect(state?.isStopped == (letter.uppercased() == "T"), "\(letter)")
    }
    for letter in ["Z", "X", "x"] {
      let text = Self.stat("sim", letter, startTicks: 1)
      #expect(ProcessState(stat: text, uptimeNs: 1, wallNs: 1) == nil, "\(letter)")
    }
  }

  @Test(arguments: ["", "4711", "4711 (sim)", "4711 (sim) S 1 2"])
  func shortTextTellsNoTime(text: String) {
    let state = ProcessState(stat: text, uptimeNs: 5, wallNs: 5)
    #expect(state != nil)
    #expect(state?.startedSeconds == nil)
    #expect(state?.isStopped == false)
  }

  @Test func thisProcessBeganBeforeNow() throws {
    let state = try #require(ProcessState(of: getpid()))
    let started = try #require(state.startedSeconds)
    #expect(started <= Clock.wallNs() / 1_000_000_000 + 1)
    // The machine has not run for longer than since 1970.
    #expect(started > 0)
    #expect(!state.isStopped)
  }

  @Test func childIsSeenToBeStoppedAndToEnd() throws {
    let child = try ChildProcess("/bin/sleep", ["600"])
    defer { child.kill() }
    #expect(ProcessState(of: child.processID)?.isStopped == false)
    child.signal(SIGSTOP)
    try waitUntil("the child to be stopped") {
      ProcessState(of: child.processID)?.isStopped == true
    }
    child.signal(SIGKILL)
    // Also before anybody has waited for it.
    try waitUntil("the child to be gone") { ProcessState(of: child.processID) == nil }
  }

  @Test func numbersOfNoProcessHaveNoState() {
    #expect(ProcessState(of: 0) == nil)
    #expect(ProcessState(of: -1) == nil)
    #expect(ProcessState(of: pid_t.max) == nil)
  }
}
