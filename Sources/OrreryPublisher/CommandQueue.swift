// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orrery
import OrreryBase
import OrreryScene
import OrreryWire
import Synchronization

/// Where requests to a running sim wait until its loop has time for them, between two ticks.
///
/// Requests are read and checked on the thread that brings them. The loop looks at one word per tick; only
/// when that says that something waits, it takes the lock. So a tick without a command takes none and
/// allocates nothing.
package final class CommandQueue: ControlHandler, @unchecked Sendable {
  /// Something to do, and whom to tell.
  package struct Entry: Sendable {
    package let order: SimOrder
    package let answer: Answer
  }

  /// Tells whoever asked, once.
  package typealias Answer = @Sendable (ControlReply) -> Void

  /// Entries that may wait: a client that waits for answers has one.
  package static let capacity = 64

  private let reader: OrderReader
  private let snapshot: @Sendable () -> ControlReply
  private let mailbox = Mutex(Mailbox())

  /// 1 while entries wait; in memory of its own, because a sleeping loop gives the kernel its address.
  private let word: UnsafeMutablePointer<Atomic<UInt32>>

  private struct Mailbox {
    var entries: [Entry] = []
    var isClosed = false
    /// Wakes the loop where it waits for something else than the desk.
    var interrupt: @Sendable () -> Void = {}
  }

  /// Opens a desk.
  ///
  /// - Parameters:
  ///   - reader: Reads requests.
  ///   - snapshot: Answers `snapshot`, on the thread that asks.
  package init(reader: OrderReader, snapshot: @escaping @Sendable () -> ControlReply) {
    self.reader = reader
    self.snapshot = snapshot
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(0))
  }

  deinit {
    word.deinitialize(count: 1)
    word.deallocate()
  }

  /// Puts a request on the desk, or refuses it at once; see `ControlHandler`.
  package func handle(
    _ request: ControlRequest, answer: @escaping @Sendable (ControlReply) -> Void
  ) {
    if request.verb == .snapshot {
      answer(snapshot())
      return
    }
    do throws(ControlRefusal) {
      put(Entry(order: try reader.order(request), answer: answer))
    } catch {
      answer(.refused(error.description))
    }
  }

  private func put(_ entry: Entry) {
    let (refusal, interrupt) = mailbox.withLock { mailbox -> (String?, @Sendable () -> Void) in
      if mailbox.isClosed { return (Self.endedReason, {}) }
      if mailbox.entries.count >= Self.capacity {
        return ("\(Self.capacity) requests wait already; try again", {})
      }
      mailbox.entries.append(entry)
      return (nil, mailbox.interrupt)
    }
    if let refusal {
      entry.answer(.refused(refusal))
      return
    }
    // Pairs with the acquiring exchange in `takeAll`.
    word.pointee.store(1, ordering: .releasing)
    linux_futex_wake_all(futexWord)
    interrupt()
  }

  /// What wakes the loop where it waits for something else than the desk; called until `close`.
  package func setInterrupt(_ interrupt: @escaping @Sendable () -> Void) {
    mailbox.withLock { $0.interrupt = interrupt }
  }

  private var futexWord: UnsafePointer<UInt32> {
    UnsafeRawPointer(word).assumingMemoryBound(to: UInt32.self)
  }

  /// Why nothing more is done.
  static let endedReason = "the run has ended"
}

// MARK: - The loop's side

extension CommandQueue {
  /// Whether something waits: what a tick asks.
  package var isWaiting: Bool { word.pointee.load(ordering: .relaxed) != 0 }

  /// Takes what waits, in the order in which it came.
  package func takeAll() -> [Entry] {
    guard word.pointee.exchange(0, ordering: .acquiring) != 0 else { return [] }
    return mailbox.withLock { mailbox in
      defer { mailbox.entries = [] }
      return mailbox.entries
    }
  }

  /// Sleeps until something waits, a signal arrives, or so much time has passed.
  package func wait(ns: UInt64) { linux_futex_wait(futexWord, 0, ns) }

  /// Refuses what waits and what comes from now on.
  package func close() {
    let entries = mailbox.withLock { mailbox in
      (mailbox.isClosed, mailbox.interrupt) = (true, {})
      defer { mailbox.entries = [] }
      return mailbox.entries
    }
    for entry in entries { entry.answer(.refused(Self.endedReason)) }
  }
}
