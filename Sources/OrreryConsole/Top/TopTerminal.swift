// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import OrrerySupervisor

/// `orrery top` on a terminal: looks at the counters again and again, shows them, and reads keys.
///
/// The terminal is as it was before when `run` returns, when the process ends in any other way but SIGKILL, and while
/// it is stopped by Ctrl-Z.
package final class TopTerminal {
  private var window: TopWindow
  private let intervalNs: UInt64
  private var screen = TopScreen()
  private var painter: ScreenPainter
  private var steerings: [String: RunSteering] = [:]

  /// How often keys, answers and the terminal's size are looked at: half of what a person notices.
  private static let pollMs: CInt = 50

  /// Shows nothing yet.
  ///
  /// - Parameters:
  ///   - window: What is shown.
  ///   - intervalNs: Time between two looks.
  package init(_ window: TopWindow, intervalNs: UInt64) {
    (self.window, self.intervalNs) = (window, intervalNs)
    painter = ScreenPainter(isUTF8: TerminalText.isUTF8(Environment.value))
  }

  /// Shows the runs until a key or a signal ends it.
  ///
  /// - Throws: `Failure` when the directory of all runs cannot be used.
  package func run() throws(Failure) {
    let keyboard = Keyboard()
    linux_take_screen()
    defer { linux_leave_screen() }
    var (nextNs, size, resumptions): (UInt64, TerminalSize?, CInt) = (0, nil, 0)
    while StopSignals.count == 0 {
      var hasChanged = false
      if linux_screen_resumptions() != resumptions || size != TerminalSize(of: STDOUT_FILENO) {
        (resumptions, size) = (linux_screen_resumptions(), TerminalSize(of: STDOUT_FILENO))
        painter.forget()
        hasChanged = true
      }
      for key in keyboard?.typed() ?? [] {
        hasChanged = true
        switch screen.press(key) {
        case .pause(let name): try pause(name)
        case .end: return
        case nil: break
        }
      }
      hasChanged = takeAnswers() || hasChanged
      let nowNs = Clock.monotonicNs()
      if nowNs >= nextNs {
        nextNs = nowNs + intervalNs
        screen.report = try Failure.of(.notPermitted) { try window.look() }
        hasChanged = true
      }
      if hasChanged, let size {
        let lines = screen.lines(columns: size.columns, rows: size.rows)
        let text = painter.paint(lines)
        if !text.isEmpty, !Standard.output(text) { return }
      }
      var polled = [
        pollfd(fd: keyboard?.polled ?? -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: StopSignals.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      if poll(&polled, 2, Self.pollMs) > 0, polled[0].revents & Int16(POLLHUP | POLLERR) != 0 {
        return
      }
    }
  }

  private func pause(_ name: String) throws(Failure) {
    if steerings[name] == nil, let directory = try? RunDirectory(name: name) {
      steerings[name] = try RunSteering(directory)
    }
    screen.notice = "\(name): asked"
    steerings[name]?.press(.pause)
  }

  private func takeAnswers() -> Bool {
    var hasAnswer = false
    for (name, steering) in steerings {
      guard let notice = steering.takeNotice() else { continue }
      screen.notice = "\(name): " + (notice.isPaused == true ? "paused" : notice.text)
      hasAnswer = true
    }
    return hasAnswer
  }
}
