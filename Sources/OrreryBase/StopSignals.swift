// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// SIGINT and SIGTERM, counted: a program looks whether it should stop instead of being stopped.
package enum StopSignals {
  /// Counts the two signals from now on, and ignores SIGPIPE.
  ///
  /// To be called once, first thing in main. Where descriptors are short, it ends the program.
  package static func catchThem() {
    do throws(SystemCallError) {
      try FileDescriptor.checkRoom(for: descriptorsWanted)
      try systemCall("eventfd", "stop signals") { linux_catch_stop_signals() }
    } catch {
      let path = CommandLine.arguments.first ?? "orrery"
      Failure(.resource, error).exit(program: String(path.split(separator: "/").last ?? "orrery"))
    }
  }

  /// More than a sim, a renderer or a logger opens before anybody joins: ZeroMQ aborts where it finds none
  /// left.
  private static let descriptorsWanted = 48

  /// How many came: 1 asks to stop in order, 2 to stop at once.
  package static var count: Int { Int(linux_stop_signal_count()) }

  /// A descriptor that is readable from the first one on, for polling.
  ///
  /// A signal that comes between a look at `count` and a sleep ends the sleep all the same. -1, which `poll`
  /// passes over, while they are not caught.
  package static var descriptor: CInt { linux_stop_signal_descriptor() }

  /// Ends this process with SIGTERM when its parent dies, if the parent said that it is one.
  ///
  /// `ORRERY_PARENT` holds the parent's process id; a parent that has died before this call is noticed.
  package static func endWithParent() {
    guard let text = getenv("ORRERY_PARENT"), let parent = pid_t(String(cString: text)) else {
      return
    }
    _ = linux_end_with_parent()
    if getppid() != parent { raise(SIGTERM) }
  }
}
