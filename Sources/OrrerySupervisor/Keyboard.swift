// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase

/// The keys of the terminal on standard input.
///
/// The terminal is as it was before when this object is released, when the process ends in any way
/// but SIGKILL, and while it is stopped by Ctrl-Z. There can be one keyboard at a time.
package final class Keyboard {
  private let descriptor: CInt
  private var parser = KeyParser()

  /// Whether the terminal has hung up.
  private var isAtEnd = false

  /// Begins to read keys.
  ///
  /// - Parameter descriptor: A terminal; nothing else has keys, and the result is nil.
  package init?(descriptor: CInt = STDIN_FILENO) {
    guard isatty(descriptor) == 1, linux_read_keys(descriptor) == 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit { linux_stop_reading_keys() }

  /// The descriptor to poll; -1 while another process has the terminal.
  package var polled: CInt { !isAtEnd && linux_owns_terminal(descriptor) != 0 ? descriptor : -1 }

  /// What the keys that were pressed since the last call do to a run; does not wait.
  package func read() -> [RunKey] { typed().compactMap { RunKey($0) } }

  /// The keys that were pressed since the last call; does not wait.
  package func typed() -> [TerminalKey] {
    guard polled >= 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if count < 0, errno != EINTR, errno != EAGAIN { isAtEnd = true }
    return parser.typed(bytes.prefix(max(count, 0)))
  }

  /// Notes that nothing more comes: the terminal has hung up.
  func end() { isAtEnd = true }
}

/// Steers a run by keys, without waiting for the sim.
package protocol Steering: AnyObject {
  /// Asks the sim for what a key means.
  func press(_ key: RunKey)

  /// What the sim has answered since the last call; nil: nothing.
  func takeNotice() -> SteeringNotice?
}

/// What a key did.
package struct SteeringNotice: Equatable, Sendable {
  /// What was done, or why not.
  package let text: String
  /// Whether the run is paused now; nil if nothing was done.
  package let isPaused: Bool?
  /// Where the run is after it; nil if it is not known.
  package let position: ProgressReport?

  package init(text: String, isPaused: Bool?, position: ProgressReport? = nil) {
    (self.text, self.isPaused, self.position) = (text, isPaused, position)
  }
}
