// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import CLinux
import CZeroMQ
import Glibc
import OrreryBase
import OrreryFrame
import Synchronization

/// Tells subscribers that frames are there, on a thread of its own.
///
/// The thread that publishes only notes the frame, and wakes one thread at most: nobody where nobody
/// listens, the one reader that sleeps on the ring's word or the thread that serves other machines where it is the
/// only one to be told, and otherwise this thread if it sleeps. What takes longer (ZeroMQ's sockets, several
/// readers) happens here.
///
/// Announcements only wake: a subscriber that misses some learns from the ring what there is. So frames
/// that follow each other faster than this thread are announced together, by the newest, and the socket
/// drops what a slow subscriber does not take.
package final class FrameAnnouncer: Sendable {
  private let board = Board()
  private let outbox = Monitor(Outbox())
  private let writer: FrameWriter
  private let voice: AnnouncementSocket
  private let thread = Monitor<BackgroundThread?>(nil)

  private struct Outbox {
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
    voice = try AnnouncementSocket(directory: directory, generation: writer.generation)
    do throws(SystemCallError) {
      let started = try BackgroundThread { [self] in serve() }
      thread.change { $0 = started }
    } catch {
      throw .frame(.system(error))
    }
  }

  /// Tells of a frame that was just published; to be called by the publishing thread.
  package func announce(sequence: UInt64, _ stamp: FrameStamp) {
    board.write(sequence, stamp, clockNs: Clock.monotonicNs())
    // Pairs with the fence in `sleep`: either this thread sees that the announcer sleeps, or the announcer sees the
    // frame.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    switch board.plan.load(ordering: .relaxed) {
    case Plan.nobody: break
    case Plan.oneReader: writer.wakeReaders()
    case Plan.listener: outbox.read { $0.listener }?()
    default: board.wakeAnnouncer()
    }
  }

  /// Tells that no frame follows.
  package func announceEnd() {
    board.hasEnded.store(true, ordering: .releasing)
    writer.wakeReaders()
    board.wakeAnnouncer()
  }

  /// Who waits for frames in which way.
  package func listen(for audience: Audience) {
    outbox.change {
      $0.audience = audience
      board.plan.store(Self.plan(for: $0), ordering: .sequentiallyConsistent)
    }
    board.hasErrand.store(true, ordering: .sequentiallyConsistent)
    board.wakeAnnouncer()
  }

  /// Calls a closure after each frame, or after some where they follow each other fast; nil calls none.
  ///
  /// - Parameter listener: Called on the publishing thread where nobody else is to be told, otherwise on the
  ///   announcer's; it must not wait.
  package func setListener(_ listener: (@Sendable () -> Void)?) {
    outbox.change {
      $0.listener = listener
      board.plan.store(Self.plan(for: $0), ordering: .sequentiallyConsistent)
    }
  }

  /// Sends what is left and ends the thread; to be called once, after `announceEnd`.
  package func stop() {
    outbox.change { $0.isStopping = true }
    board.hasErrand.store(true, ordering: .sequentiallyConsistent)
    board.wakeAnnouncer()
    thread.change { slot in
      slot?.join()
      slot = nil
    }
  }

  private static func plan(for outbox: Outbox) -> UInt32 {
    let announces = outbox.audience.announcementCount > 0 || outbox.hasAnnouncementSubscribers
    switch (announces, outbox.audience.futexCount, outbox.listener != nil) {
    case (false, 0, false): return Plan.nobody
    case (false, 1, false): return Plan.oneReader
    case (false, 0, true): return Plan.listener
    default: return Plan.announcer
    }
  }
}

/// Whom the publishing thread wakes.
private enum Plan {
  static let nobody: UInt32 = 0
  static let oneReader: UInt32 = 1
  static let listener: UInt32 = 2
  static let announcer: UInt32 = 3
}

// MARK: - The thread

extension FrameAnnouncer {
  /// Between two looks for subscribers that have connected to the socket without joining.
  private static let lookNs: UInt64 = 100_000_000

  private func serve() {
    // It must not take the processor from the thread that woke it.
    linux_schedule_as_batch()
    var told: UInt64 = 0
    var hasToldEnd = false
    while true {
      board.hasErrand.store(false, ordering: .sequentiallyConsistent)
      let (listener, readers, isStopping) = outbox.read { outbox in
        (outbox.listener, outbox.audience.futexCount, outbox.isStopping)
      }
      // The end is looked at first: what was published before it is told before it.
      let hasEnded = board.hasEnded.load(ordering: .acquiring)
      if let frame = board.read(), frame.sequence > told {
        told = frame.sequence
        if readers > 0 { writer.wakeReaders() }
        voice.announce(frame)
        listener?()
      }
      if hasEnded, !hasToldEnd { voice.announceEnd(sequence: told) }
      hasToldEnd = hasEnded
      lookForSubscribers()
      if isStopping { return }
      board.sleep(unlessAfter: told, knowsEnd: hasEnded, ns: Self.lookNs)
    }
  }

  private func lookForSubscribers() {
    guard let hasSubscribers = voice.takeSubscriptions() else { return }
    outbox.change {
      $0.hasAnnouncementSubscribers = hasSubscribers
      board.plan.store(Self.plan(for: $0), ordering: .sequentiallyConsistent)
    }
  }
}

// MARK: - What the two threads share

/// The newest frame's announcement, and whether the announcer sleeps.
private final class Board: @unchecked Sendable {
  let plan = Atomic<UInt32>(Plan.nobody)
  let hasEnded = Atomic<Bool>(false)
  let hasErrand = Atomic<Bool>(false)

  /// Odd while the words below are being changed.
  private let version = Atomic<UInt64>(0)
  private let sequence = Atomic<UInt64>(0)
  private let tick = Atomic<UInt64>(0)
  private let simTimeNs = Atomic<UInt64>(0)
  private let clockNs = Atomic<UInt64>(0)
  private let stateHash = Atomic<UInt64>(0)

  /// 1 while the announcer sleeps; in memory of its own, because the kernel gets its address.
  private let asleep: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    asleep = .allocate(capacity: 1)
    asleep.initialize(to: Atomic(0))
  }

  deinit {
    asleep.deinitialize(count: 1)
    asleep.deallocate()
  }

  /// Notes a frame; one thread does.
  func write(_ sequence: UInt64, _ stamp: FrameStamp, clockNs: UInt64) {
    let next = version.load(ordering: .relaxed) + 2
    version.store(next - 1, ordering: .relaxed)
    // Pairs with the fence in `read`: who sees a word of this frame sees the odd version.
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
  /// Looks again while it is being changed, which takes some nanoseconds.
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

  /// Wakes the announcer if it sleeps; whoever finds it asleep does, and nobody else.
  func wakeAnnouncer() {
    guard asleep.pointee.load(ordering: .relaxed) == 1,
      asleep.pointee.exchange(0, ordering: .sequentiallyConsistent) == 1
    else { return }
    linux_futex_wake_all(futexWord)
  }

  /// Sleeps until there is a frame after this one, the end, or an errand, at most so long.
  func sleep(unlessAfter told: UInt64, knowsEnd: Bool, ns: UInt64) {
    asleep.pointee.store(1, ordering: .sequentiallyConsistent)
    // Pairs with the fence in `FrameAnnouncer.announce`.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let isIdle =
      sequence.load(ordering: .relaxed) == told && !hasErrand.load(ordering: .relaxed)
      && hasEnded.load(ordering: .relaxed) == knowsEnd
    if isIdle { linux_futex_wait(futexWord, 1, ns) }
    asleep.pointee.store(0, ordering: .sequentiallyConsistent)
  }

  private var futexWord: UnsafePointer<UInt32> {
    UnsafeRawPointer(asleep).assumingMemoryBound(to: UInt32.self)
  }
}
