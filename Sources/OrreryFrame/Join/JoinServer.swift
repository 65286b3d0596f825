// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import Logging
import OrreryBase
import Synchronization

/// Hands a ring to subscribers and records what they report, on its own thread.
///
/// A subscriber connects to the join socket, says its name, and gets the ring's descriptor. The
/// open connection is its lease: the kernel closes it when either side dies. The subscriber reports
/// its progress over the same connection; readers write nothing into shared memory.
package final class JoinServer: Sendable {
  let writer: FrameWriter
  let directory: RunDirectory
  /// The run's subscribers.
  package let subscribers: Subscribers
  let listener: FileDescriptor
  let wake: FileDescriptor
  let log = Logger(label: "join")
  let stallLimitNs: UInt64
  let guestCame: @Sendable () -> Void
  let audienceChanged: @Sendable (Audience) -> Void
  let hasEnded = Atomic(false)
  let isStopping = Atomic(false)
  private let thread = Monitor<BackgroundThread?>(nil)

  /// How long a run in lockstep waits for a stalled subscriber.
  package static let defaultStallLimitNs: UInt64 = 10_000_000_000

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - writer: The ring's.
  ///   - directory: The run's, locked.
  ///   - subscribers: The run's.
  ///   - stallLimitNs: How long lockstep delivery waits for a stalled subscriber.
  ///   - guestCame: Called on this server's thread when a subscriber begins to prepare: it connects to the run's other
  ///     sockets next.
  ///   - audienceChanged: Called on this server's thread with every new audience, before the
  ///     subscriber that caused the change gets its reply.
  /// - Throws: `FrameError.system`.
  package init(
    writer: FrameWriter, directory: RunDirectory, subscribers: Subscribers,
    stallLimitNs: UInt64 = JoinServer.defaultStallLimitNs,
    guestCame: @escaping @Sendable () -> Void = {},
    audienceChanged: @escaping @Sendable (Audience) -> Void = { _ in }
  ) throws(FrameError) {
    self.writer = writer
    self.directory = directory
    self.subscribers = subscribers
    self.stallLimitNs = stallLimitNs
    self.guestCame = guestCame
    self.audienceChanged = audienceChanged
    do throws(SystemCallError) {
      listener = FileDescriptor(
        owning: try systemCall("bind", directory.joinPath) {
          linux_listen(directory.joinPath, 64)
        })
      // The socket's mode follows the umask, which may shut out this user, too.
      try systemCall("chmod", directory.joinPath) { chmod(directory.joinPath, 0o600) }
      wake = try .wakeDescriptor(directory.joinPath)
      let started = try BackgroundThread { [self] in serve() }
      thread.change { $0 = started }
    } catch {
      throw .system(error)
    }
  }

  /// Lets no further subscriber join; call it when no frame will follow.
  ///
  /// A subscriber with --follow would otherwise join this run again while the sim waits for another
  /// one's report.
  package func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    wake.signal()
  }

  /// Closes every connection and ends the thread.
  package func stop() {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    wake.signal()
    thread.change { slot in
      slot?.join()
      slot = nil
    }
  }
}
