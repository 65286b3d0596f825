// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame
import Synchronization

/// Announces published frames to subscribers, on a thread of its own.
///
/// The publishing thread only stores the frame's numbers and wakes at most one thread:
/// - none, if there are no listeners,
/// - the one reader that sleeps on the ring's futex word, if it is the only listener,
/// - the thread that serves other machines, if it is the only listener,
/// - otherwise the announcer's thread, if it sleeps.
///
/// The announcer's thread does what takes longer: it sends through ZeroMQ, and wakes readers if
/// there are several.
///
/// Announcements only wake subscribers; the ring says which frames exist. So missing one does no
/// harm: if frames come faster than this thread announces them, it announces only the newest, and
/// the socket drops announcements that a slow subscriber does not take.
package final class FrameAnnouncer: Sendable {
  private let state = SharedState()
  private let recipients = Monitor(Recipients())
  private let writer: FrameWriter
  private let socket: AnnouncementSocket
  private let thread = Monitor<BackgroundThread?>(nil)

  private struct Recipients {
    var listener: (@Sendable () -> Void)?
    var audience = Audience()
    var hasAnnouncementSubscribers = false
    var isStopping = false
  }

  /// Binds the socket of announcements and starts the thread.
  ///
  /// - Throws: `WireError.zeroMQ`, or `system` when no thread is left.
  package init(writer: FrameWriter, directory: RunDirectory) throws(WireError) {
    self.writer = writer
    socket = try AnnouncementSocket(directory: directory, generation: writer.generation)
    do throws(SystemCallError) {
      let started = try BackgroundThread { [self] in serve() }
      thread.change { $0 = started }
    } catch {
      throw .frame(.system(error))
    }
  }

  /// Announces a frame that was just published; called by the publishing thread.
  package func announce(sequence: UInt64, _ stamp: FrameStamp) {
    state.write(sequence, stamp, clockNs: Clock.monotonicNs())
    // Pairs with the fence in `sleep`: either this thread sees that the announcer sleeps, or the
    // announcer sees the frame.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    switch state.plan.load(ordering: .relaxed) {
    case Plan.nobody: break
    case Plan.oneReader: writer.wakeReaders()
    case Plan.listener: recipients.read { $0.listener }?()
    default: state.wakeAnnouncer()
    }
  }

  /// Announces that no frame will follow.
  package func announceEnd() {
    state.hasEnded.store(true, ordering: .releasing)
    writer.wakeReaders()
    state.wakeAnnouncer()
  }

  /// Sets how many subscribers wait for frames, and in which way.
  package func listen(for audience: Audience) {
    recipients.change {
      $0.audience = audience
      state.plan.store(Self.plan(for: $0), ordering: .sequentiallyConsistent)
    }
    state.hasUpdate.store(true, ordering: .sequentiallyConsistent)
    state.wakeAnnouncer()
  }

  /// Sets a closure that is called after a frame; nil calls none.
  ///
  /// Frames that follow each other fast may share one call.
  ///
  /// - Parameter listener: Called on the publishing thread if there is no other listener, otherwise
  ///   on the announcer's thread. It must not wait.
  package func setListener(_ listener: (@Sendable () -> Void)?) {
    recipients.change {
      $0.listener = listener
      state.plan.store(Self.plan(for: $0), ordering: .sequentiallyConsistent)
    }
  }

  /// Sends pending announcements and ends the thread; call it once, after `announceEnd`.
  package func stop() {
    recipients.change { $0.isStopping = true }
    state.hasUpdate.store(true, ordering: .sequentiallyConsistent)
    state.wakeAnnouncer()
    thread.change { slot in
      slot?.join()
      slot = nil
    }
  }

  private static func plan(for recipients: Recipients) -> UInt32 {
    let announces =
      recipients.audience.announcementCount > 0 || recipients.hasAnnouncementSubscribers
    switch (announces, recipients.audience.futexCount, recipients.listener != nil) {
    case (false, 0, false): return Plan.nobody
    case (false, 1, false): return Plan.oneReader
    case (false, 0, true): return Plan.listener
    default: return Plan.announcer
    }
  }
}

/// Which thread the publishing thread wakes.
private enum Plan {
  static let nobody: UInt32 = 0
  static let oneReader: UInt32 = 1
  static let listener: UInt32 = 2
  static let announcer: UInt32 = 3
}

// MARK: - The thread

extension FrameAnnouncer {
  /// Interval of looking for subscribers that connected to the socket without joining.
  private static let pollNs: UInt64 = 100_000_000

  private func serve() {
    // It must not take the processor from the thread that woke it.
    linux_schedule_as_batch()
    var announced: UInt64 = 0
    var hasAnnouncedEnd = false
    while true {
      state.hasUpdate.store(false, ordering: .sequentiallyConsistent)
      let (listener, readers, isStopping) = recipients.read { recipients in
        (recipients.listener, recipients.audience.futexCount, recipients.isStopping)
      }
      // The end mark is read first, so that every frame published before it is announced first.
      let hasEnded = state.hasEnded.load(ordering: .acquiring)
      if let frame = state.read(), frame.sequence > announced {
        announced = frame.sequence
        if readers > 0 { writer.wakeReaders() }
        socket.announce(frame)
        listener?()
      }
      if hasEnded, !hasAnnouncedEnd { socket.announceEnd(sequence: announced) }
      hasAnnouncedEnd = hasEnded
      lookForSubscribers()
      if isStopping { return }
      state.sleep(unlessAfter: announced, knowsEnd: hasEnded, ns: Self.pollNs)
    }
  }

  private func lookForSubscribers() {
    guard let hasSubscribers = socket.takeSubscriptions() else { return }
    recipients.change {
      $0.hasAnnouncementSubscribers = hasSubscribers
      state.plan.store(Self.plan(for: $0), ordering: .sequentiallyConsistent)
    }
  }
}

// MARK: - Shared by the two threads

/// The newest frame's announcement, and whether the announcer sleeps.
private final class SharedState: @unchecked Sendable {
  let plan = Atomic<UInt32>(Plan.nobody)
  let hasEnded = Atomic<Bool>(false)

  /// Whether the recipients or the stop request changed since the announcer last read them.
  let hasUpdate = Atomic<Bool>(false)

  /// Seqlock: odd while the five fields below are being written.
  private let version = Atomic<UInt64>(0)
  private let sequence = Atomic<UInt64>(0)
  private let tick = Atomic<UInt64>(0)
  private let simTimeNs = Atomic<UInt64>(0)
  private let clockNs = Atomic<UInt64>(0)
  private let stateHash = Atomic<UInt64>(0)

  /// 1 while the announcer sleeps on it.
  private let asleep = FutexWord()

  /// Stores a frame's numbers; called by one thread only.
  func write(_ sequence: UInt64, _ stamp: FrameStamp, clockNs: UInt64) {
    let next = version.load(ordering: .relaxed) + 2
    version.store(next - 1, ordering: .relaxed)
    // Pairs with the fence in `read`: a reader that sees any new field sees the odd version.
    atomicMemoryFence(ordering: .releasing)
    self.sequence.store(sequence, ordering: .relaxed)
    tick.store(stamp.tick, ordering: .relaxed)
    simTimeNs.store(stamp.simTimeNs, ordering: .relaxed)
    self.clockNs.store(clockNs, ordering: .relaxed)
    stateHash.store(stamp.stateHash, ordering: .relaxed)
    // Pairs with the first load in `read`.
    version.store(next, ordering: .releasing)
  }

  /// The newest frame; nil before the first.
  ///
  /// Retries while the fields are being written, which takes some nanoseconds.
  func read() -> AnnouncementSocket.Frame? {
    while true {
      // Pairs with the last store in `write`.
      let before = version.load(ordering: .acquiring)
      if before == 0 { return nil }
      let found = AnnouncementSocket.Frame(
        sequence: sequence.load(ordering: .relaxed), tick: tick.load(ordering: .relaxed),
        simTimeNs: simTimeNs.load(ordering: .relaxed), clockNs: clockNs.load(ordering: .relaxed),
        hash: stateHash.load(ordering: .relaxed))
      // Pairs with the fence in `write`.
      atomicMemoryFence(ordering: .acquiring)
      if before % 2 == 0, version.load(ordering: .relaxed) == before { return found }
      linux_spin_hint()
    }
  }

  /// Wakes the announcer if it sleeps; of several callers, one makes the system call.
  func wakeAnnouncer() {
    guard asleep.atomic.pointee.load(ordering: .relaxed) == 1,
      asleep.atomic.pointee.exchange(0, ordering: .sequentiallyConsistent) == 1
    else { return }
    asleep.wakeAll()
  }

  /// Sleeps until there is a newer frame, the end or an update, at most `ns` nanoseconds.
  func sleep(unlessAfter announced: UInt64, knowsEnd: Bool, ns: UInt64) {
    asleep.atomic.pointee.store(1, ordering: .sequentiallyConsistent)
    // Pairs with the fence in `FrameAnnouncer.announce`.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let isIdle =
      sequence.load(ordering: .relaxed) == announced && !hasUpdate.load(ordering: .relaxed)
      && hasEnded.load(ordering: .relaxed) == knowsEnd
    if isIdle { asleep.wait(while: 1, ns: ns) }
    asleep.atomic.pointee.store(0, ordering: .sequentiallyConsistent)
  }
}
