// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The membership of a run, shared by the threads that serve subscribers and by the sim's thread.
///
/// In live delivery the sim's thread takes this lock only before the first frame and after the
/// last one, and for a `stats` request.
package final class Subscribers: Sendable {
  private let members = Monitor(Membership())

  /// Ends the sleep of the sim's thread.
  private let wake: FileDescriptor

  /// Gets the count of connected subscribers after each change.
  private let counted: @Sendable (Int) -> Void

  /// Makes a membership without subscribers.
  ///
  /// - Parameters:
  ///   - directory: The run's.
  ///   - counted: Gets the count of connected subscribers after each change, from one thread at a time.
  /// - Throws: `FrameError.system`.
  package init(
    _ directory: RunDirectory, counted: @escaping @Sendable (Int) -> Void = { _ in }
  ) throws(FrameError) {
    self.counted = counted
    do throws(SystemCallError) {
      wake = try .wakeDescriptor(directory.joinPath)
    } catch {
      throw .system(error)
    }
  }

  /// Reads the membership.
  package func read<Result>(_ body: (Membership) -> Result) -> Result { members.read(body) }

  /// Changes the membership, and wakes the sim's thread if that completes its wait.
  package func change<Result>(_ body: (inout Membership) -> Result) -> Result {
    let (result, isWaitOver) = members.change { members in
      let result = body(&members)
      counted(members.reports.count(where: \.isConnected))
      return (result, members.completeWait())
    }
    if isWaitOver { wake.signal() }
    return result
  }

  /// Count of subscribers that have joined for frames so far, connected or departed.
  package var joinedCount: UInt64 { members.read { $0.joinedCount } }

  /// Reports on the last departed subscribers and on the connected ones.
  package var reports: [SubscriberReport] { members.read { $0.reports } }
}

// MARK: - The sim's thread

extension Subscribers {
  /// Waits until every subscriber of frames is done with all frames up to this one.
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
        members.change { $0.stopWaiting(nowNs: Clock.monotonicNs()) }
        return false
      }
      sleep(milliseconds: -1)
    }
    return true
  }

  /// Makes `waitForProgress` check whether it is interrupted.
  package func interruptWaiting() { wake.signal() }

  /// Waits until every subscriber has reported all frames up to this one or has left, and nobody
  /// prepares any more, or until the timeout.
  ///
  /// The reports make the subscribers' accounts final.
  package func waitForReports(through sequence: UInt64, timeoutNs: UInt64) {
    let deadline = Clock.monotonicNs() + timeoutNs
    while !members.change({ $0.isFinished(sequence, nowNs: Clock.monotonicNs()) }) {
      let now = Clock.monotonicNs()
      if now >= deadline || StopSignals.count > 1 { break }
      // A first stop signal has been handled by now, and must not end this sleep again and again.
      sleep(milliseconds: Int32((deadline - now) / 1_000_000 + 1), endsOnStop: false)
    }
    members.change { $0.stopWaiting(nowNs: Clock.monotonicNs()) }
  }

  /// Sleeps until `change` or `interruptWaiting` signals, a stop signal arrives, or the time is
  /// over.
  private func sleep(milliseconds: Int32, endsOnStop: Bool = true) {
    var polled = [
      pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0),
      pollfd(
        fd: endsOnStop ? StopSignals.descriptor : -1, events: Int16(POLLIN), revents: 0),
    ]
    if poll(&polled, nfds_t(polled.count), milliseconds) > 0, polled[0].revents != 0 {
      wake.drain()
    }
  }
}
