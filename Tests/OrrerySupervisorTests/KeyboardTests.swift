// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrrerySupervisor
import TestSupport
import Testing

/// Goal: keys of a terminal reach the run, and the terminal is afterwards as it was.
///
/// Method: a process with a terminal of its own, into which the test types.
@Suite struct KeyboardTests {
  /// A new terminal that becomes this process's own.
  private static func terminal() -> (master: CInt, slave: CInt) {
    precondition(setsid() > 0, "setsid: \(errno)")
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    // TIOCSPTLCK and TIOCGPTN, which Swift does not know.
    var (lock, number) = (CInt(0), CInt(-1))
    precondition(ioctl(master, 0x4004_5431, &lock) == 0)
    precondition(ioctl(master, 0x8004_5430, &number) == 0)
    return (master, open("/dev/pts/\(number)", O_RDWR))
  }

  private static func localFlags(_ terminal: CInt) -> tcflag_t {
    var attributes = termios()
    precondition(tcgetattr(terminal, &attributes) == 0)
    return attributes.c_lflag
  }

  @Test func terminalIsGivenBackAsItWas() async {
    await #expect(processExitsWith: .success) {
      let (master, slave) = Self.terminal()
      let before = Self.localFlags(slave)
      var keyboard = Keyboard(descriptor: slave)
      precondition(Self.localFlags(slave) & tcflag_t(ICANON | ECHO) == 0)
      // Ctrl-C is still a signal.
      precondition(Self.localFlags(slave) & tcflag_t(ISIG) != 0)
      precondition(keyboard?.read() == [])
      precondition(write(master, " \u{1b}[", 3) == 3)
      var keys: [RunKey] = []
      precondition(
        Clock.wait(seconds: patienceSeconds) {
          keys += keyboard?.read() ?? []
          return keys == [.pause]
        })
      precondition(write(master, "C", 1) == 1)
      precondition(
        Clock.wait(seconds: patienceSeconds) {
          keys += keyboard?.read() ?? []
          return keys == [.pause, .seek(seconds: 1)]
        })
      keyboard = nil
      precondition(Self.localFlags(slave) == before)
    }
  }

  /// Signals do what they did before, while keys are read and after them.
  @Test func ignoredSignalsStayIgnored() async {
    await #expect(processExitsWith: .success) {
      let (_, slave) = Self.terminal()
      for number in [SIGHUP, SIGTSTP, SIGQUIT] { signal(number, SIG_IGN) }
      var keyboard = Keyboard(descriptor: slave)
      precondition(keyboard != nil)
      for number in [SIGHUP, SIGTSTP, SIGQUIT] { raise(number) }
      keyboard = nil
      for number in [SIGHUP, SIGTSTP, SIGQUIT] { raise(number) }
    }
  }

  /// The end of a terminal is counted as before, also while its keys are read and after that.
  @Test func terminalThatClosesIsCounted() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_DFL)
      StopSignals.installHandlers()
      let (master, slave) = Self.terminal()
      var keyboard = Keyboard(descriptor: slave)
      close(master)
      precondition(Clock.wait(seconds: patienceSeconds) { StopSignals.count == 1 })
      precondition(keyboard?.read() == [])
      keyboard = nil
      raise(SIGHUP)
      precondition(StopSignals.count == 1)
    }
  }

  @Test func whatIsNoTerminalHasNoKeys() {
    let file = open("/dev/null", O_RDONLY)
    defer { close(file) }
    #expect(Keyboard(descriptor: file) == nil)
  }

  /// Keeps the keys that it is given, and answers the first.
  private final class Hand: Steering {
    var keys: [RunKey] = []
    func press(_ key: RunKey) { keys.append(key) }
    func takeNotice() -> SteeringNotice? {
      keys.count == 1 ? SteeringNotice(text: "paused", isPaused: true) : nil
    }
  }

  /// The shell in the sim's place says that the run has begun, and ends by SIGTERM as a sim does.
  @Test func keysSteerAndEndTheRun() async {
    await #expect(processExitsWith: .success) {
      let (master, slave) = Self.terminal()
      let sim =
        "trap 'exit 0' TERM; n=0; while [ $n -lt 600 ]; do echo '{\"schema\":\"orrery.progress.v1\","
        + "\"program\":\"sim\",\"tick\":1,\"seconds\":0.5,\"ranSeconds\":0.5,\"lateTicks\":0}'; sleep 0.05; n=$((n+1));"
        + " done; exit 9"
      let texts = Monitor<[String]>([])
      let hand = Hand()
      let display = ProgressDisplay(
        style: .line, run: "demo", duration: nil, hint: RunKey.help, columns: { 200 },
        write: { text in
          texts.change { $0.append(text) }
          // Types once the run is seen to have begun, and again when the answer is shown.
          if text.hasSuffix(RunKey.help), hand.keys.isEmpty { _ = write(master, " ", 1) }
          if text.hasSuffix("paused") { _ = write(master, "q", 1) }
        })
      var supervisor = Supervisor(
        display: display, stopSignalCount: { 0 }, keyboard: Keyboard(descriptor: slave),
        steering: hand)
      let outcome = try supervisor.run([
        ChildCommand(name: "sim", path: "/bin/sh", arguments: ["-c", sim])
      ])
      precondition(outcome.failure == nil, "\(outcome.ends)")
      precondition(hand.keys.allSatisfy { $0 == .pause } && !hand.keys.isEmpty, "\(hand.keys)")
      let shown = texts.read { $0.joined() }
      precondition(shown.contains("0.5 s  paused  tick 1  late 0  paused"), shown)
      precondition(shown.contains("ending the run; waiting for sim"), shown)
    }
  }
}
