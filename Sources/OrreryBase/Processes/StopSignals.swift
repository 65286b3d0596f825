// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// Counts the signals that ask for the end, so that a program can stop in order instead of being killed.
///
/// They are SIGINT and SIGTERM; SIGHUP, which comes when the terminal closes; and the kernel's word
/// that the parent has died. The last two may come several times for one cause, so they count only
/// if they are the first. A program that was started with SIGHUP ignored, as by nohup, ignores it.
package enum StopSignals {
  /// Starts to count these signals, and to ignore SIGPIPE.
  ///
  /// Call it once, at the start of main. It ends the program if too few descriptors or threads are available.
  ///
  /// - Parameter threads: Threads that the program will have besides this one, at least.
  package static func installHandlers(threads: Int = 2) {
    do throws(SystemCallError) {
      try FileDescriptor.checkRoom(for: descriptorsWanted)
      try BackgroundThread.checkRoom(for: threads)
      try systemCall("eventfd", "stop signals") { linux_catch_stop_signals() }
    } catch {
      let path = CommandLine.arguments.first ?? "orrery"
      Failure(.resource, error).exit(program: String(path.split(separator: "/").last ?? "orrery"))
    }
  }

  /// More descriptors than a sim, a renderer or a logger opens before the first subscriber joins:
  /// ZeroMQ aborts if none is left.
  private static let descriptorsWanted = 48

  /// Threads of a program that publishes a run: its own, and two for each of ZeroMQ's contexts.
  package static let publishingThreads = 10

  /// Signals received so far: 1 asks to stop in order, 2 to stop at once.
  package static var count: Int { Int(linux_stop_signal_count()) }

  /// From now on, a second signal ends this process at once, with exit code 130 and a message.
  ///
  /// It is ended in the signal's handler, so it does not matter what the process waits for.
  ///
  /// - Parameters:
  ///   - message: What to print: which outputs are incomplete.
  ///   - path: An incomplete file to remove; nil: none.
  package static func endAtSecond(message: String, removing path: String? = nil) {
    linux_end_at_second_stop_signal(message + "\n", path)
  }

  /// From now on, a second signal is only counted, as before `endAtSecond`.
  package static func onlyCount() { linux_end_at_second_stop_signal(nil, nil) }

  /// A descriptor for polling, readable after the first signal.
  ///
  /// A signal between a check of `count` and a sleep therefore ends the sleep. Before
  /// `installHandlers` it is -1, which `poll` ignores.
  package static var descriptor: CInt { linux_stop_signal_descriptor() }

  /// Ends this process when its parent dies, if the parent asked for that: as a first signal does after
  /// `installHandlers`, else at once.
  ///
  /// `ORRERY_PARENT` holds the parent's process id. A parent that died before this call is noticed
  /// too.
  package static func endWithParent() {
    guard let text = getenv("ORRERY_PARENT"), let parent = pid_t(String(cString: text)) else {
      return
    }
    _ = linux_end_with_parent(parent)
  }
}
