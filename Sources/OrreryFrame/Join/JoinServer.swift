// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Logging
import OrreryBase

/// Hands a ring to subscribers and keeps account of them, on a thread of its own.
///
/// A subscriber connects to the join socket, says who it is, and gets the ring's descriptor. Its open
/// connection is its lease: the kernel closes it when either side dies. What it reports (how far it
/// has read) comes over the same connection; nothing that a reader writes is in shared memory.
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

  /// How long a run in lockstep waits for a subscriber that does not get on.
  package static let defaultStallLimitNs: UInt64 = 10_000_000_000

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - writer: The ring's.
  ///   - directory: The run's, locked.
  ///   - stallLimitNs: How long lockstep delivery waits for a subscriber that does not get on.
  ///   - audienceChanged: Told, on this server's thread, who waits in which way whenever that changes,
  ///     before the subscriber concerned gets its answer.
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

  /// Subscribers that have joined so far, whether they are still there or not.
  package var joinedCount: UInt64 { members.read { $0.joinedCount } }

  /// Everybody who is there, and the last who were.
  package var reports: [SubscriberReport] { members.read { $0.reports } }

  /// Waits until every connected subscriber is done with all frames up to this one.
  ///
  /// One that does not get on for longer than the stall limit is dropped, and no longer waited for.
  ///
  /// - Parameters:
  ///   - sequence: The last of the frames.
  ///   - isInterrupted: Asked again after `interruptWaiting`.
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

  /// Lets `waitForProgress` ask whether it is interrupted.
  package func interruptWaiting() { Self.signal(progressed) }

  /// Waits until every connected subscriber has reported all frames up to this one, for their accounts'
  /// sake, and at most so long.
  package func settle(_ sequence: UInt64, timeoutNs: UInt64) {
    let deadline = Clock.monotonicNs() + timeoutNs
    while !members.change({ $0.isDone(sequence, nowNs: Clock.monotonicNs()) }) {
      let now = Clock.monotonicNs()
      if now >= deadline || StopSignals.count > 1 { break }
      // A stop signal has been seen by now, and must not end this sleep again and again.
      sleep(milliseconds: Int32((deadline - now) / 1_000_000 + 1), heedsStop: false)
    }
    members.change { $0.stopWaiting() }
  }

  /// Sleeps until `wakeSim` is called, a stop signal has come, or the time is over.
  private func sleep(milliseconds: Int32, heedsStop: Bool = true) {
    var polled = [
      pollfd(fd: progressed.number, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: heedsStop ? StopSignals.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    if poll(&polled, nfds_t(polled.count), milliseconds) > 0, polled[0].revents != 0 {
      Self.drain(progressed)
    }
  }

  /// Wakes the sim's thread if what it waits for has come.
  func wakeSim() {
    if members.change({ $0.takeArrival() }) { Self.signal(progressed) }
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
