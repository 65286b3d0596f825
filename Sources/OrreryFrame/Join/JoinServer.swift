// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Logging
import OrreryBase

/// Hands a ring to subscribers and keeps account of them, on its own thread.
///
/// A subscriber connects to the join socket, says its name, and gets the ring's descriptor. The
/// open connection is its lease: the kernel closes it when either side dies. The subscriber reports
/// its progress over the same connection; readers write nothing into shared memory.
package final class JoinServer: Sendable {
  let writer: FrameWriter
  let directory: RunDirectory
  let listener: FileDescriptor
  let wake: FileDescriptor
  let log = Logger(label: "join")
  let members = Monitor(Membership())
  let stallLimitNs: UInt64
  let audienceChanged: @Sendable (Audience) -> Void
  private let progressed: FileDescriptor
  private let thread = Monitor<BackgroundThread?>(nil)

  /// How long a run in lockstep waits for a stalled subscriber.
  package static let defaultStallLimitNs: UInt64 = 10_000_000_000

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - writer: The ring's.
  ///   - directory: The run's, locked.
  ///   - stallLimitNs: How long lockstep delivery waits for a stalled subscriber.
  ///   - audienceChanged: Called on this server's thread with every new audience, before the
  ///     subscriber that caused the change gets its reply.
  /// - Throws: `FrameError.system`.
  package init(
    writer: FrameWriter, directory: RunDirectory,
    stallLimitNs: UInt64 = JoinServer.defaultStallLimitNs,
    audienceChanged: @escaping @Sendable (Audience) -> Void = { _ in }
  ) throws(FrameError) {
    self.writer = writer
    self.directory = directory
    self.stallLimitNs = stallLimitNs
    self.audienceChanged = audienceChanged
    do throws(SystemCallError) {
      listener = FileDescriptor(
        owning: try systemCall("bind", directory.joinPath) {
          linux_listen(directory.joinPath, 64)
        })
      wake = try Self.wakeDescriptor(directory)
      progressed = try Self.wakeDescriptor(directory)
      let started = try BackgroundThread { [self] in serve() }
      thread.change { $0 = started }
    } catch {
      throw .system(error)
    }
  }

  private static func wakeDescriptor(
    _ directory: RunDirectory
  ) throws(SystemCallError) -> FileDescriptor {
    FileDescriptor(
      owning: try systemCall("eventfd", directory.joinPath) { linux_wake_descriptor() })
  }

  /// Closes every connection and ends the thread.
  package func stop() {
    members.change { $0.isStopping = true }
    Self.signal(wake)
    thread.change { slot in
      slot?.join()
      slot = nil
    }
  }

  /// Count of subscribers that have joined so far, connected or departed.
  package var joinedCount: UInt64 { members.read { $0.joinedCount } }

  /// Reports on the last departed subscribers and on the connected ones.
  package var reports: [SubscriberReport] { members.read { $0.reports } }

  /// Waits until every connected subscriber is done with all frames up to this one.
  ///
  /// A subscriber without progress for longer than the stall limit is dropped, and no longer waited
  /// for.
  ///
  /// - Parameters:
  ///   - sequence: The last of the frames.
  ///   - isInterrupted: Checked before each sleep; `interruptWaiting` ends a sleep.
  /// - Returns: False if a stop signal came first, or the wait was interrupted.
  package func waitForProgress(
    _ sequence: UInt64, orUntil isInterrupted: () -> Bool = { false }
  ) -> Bool {
    while !members.change({ $0.isDone(sequence, nowNs: Clock.monotonicNs()) }) {
      if StopSignals.count > 0 || isInterrupted() {
        members.change { $0.stopWaiting() }
        return false
      }
      sleep(milliseconds: -1)
    }
    return true
  }

  /// Makes `waitForProgress` check whether it is interrupted.
  package func interruptWaiting() { Self.signal(progressed) }

  /// Waits until every connected subscriber has reported all frames up to this one, or until the
  /// timeout.
  ///
  /// The reports make the subscribers' accounts complete.
  package func waitForReports(through sequence: UInt64, timeoutNs: UInt64) {
    let deadline = Clock.monotonicNs() + timeoutNs
    while !members.change({ $0.isDone(sequence, nowNs: Clock.monotonicNs()) }) {
      let now = Clock.monotonicNs()
      if now >= deadline || StopSignals.count > 1 { break }
      // A first stop signal has been handled by now, and must not end this sleep again and again.
      sleep(milliseconds: Int32((deadline - now) / 1_000_000 + 1), endsOnStop: false)
    }
    members.change { $0.stopWaiting() }
  }

  /// Sleeps until `wakeSim` or `interruptWaiting` signals, a stop signal arrives, or the time is
  /// over.
  private func sleep(milliseconds: Int32, endsOnStop: Bool = true) {
    var polled = [
      pollfd(fd: progressed.number, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: endsOnStop ? StopSignals.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    if poll(&polled, nfds_t(polled.count), milliseconds) > 0, polled[0].revents != 0 {
      Self.drain(progressed)
    }
  }

  /// Wakes the sim's thread if its wait is complete.
  func wakeSim() {
    if members.change({ $0.completeWait() }) { Self.signal(progressed) }
  }

  static func signal(_ event: borrowing FileDescriptor) {
    var one: UInt64 = 1
    _ = write(event.number, &one, 8)
  }

  static func drain(_ event: borrowing FileDescriptor) {
    var count: UInt64 = 0
    _ = read(event.number, &count, 8)
  }
}
