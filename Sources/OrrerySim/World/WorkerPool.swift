// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import Synchronization

/// Threads that share out numbered pieces of work, again and again.
///
/// A round allocates nothing and takes no lock: pieces are handed out by one atomic counter. A worker
/// that has nothing to do spins for some microseconds, then sleeps; only waking a sleeper is a system call.
package final class WorkerPool: Sendable {
  /// Threads that work, the calling one included.
  package let threadCount: Int

  private let shared: Shared
  private let threads: [BackgroundThread]

  /// What the threads have in common.
  private final class Shared: @unchecked Sendable {
    /// Number of the round; in memory of its own, because sleepers give the kernel its address.
    let roundWord: UnsafeMutablePointer<Atomic<UInt32>>
    let nextSegment = Atomic<Int>(0)
    let pieceCount = Atomic<Int>(0)
    let busyCount = Atomic<Int>(0)
    let sleeperCount = Atomic<Int>(0)
    let isStopping = Atomic<Bool>(false)
    let work: @Sendable (_ piece: Int, _ thread: Int) -> Void

    init(work: @escaping @Sendable (Int, Int) -> Void) {
      self.work = work
      roundWord = .allocate(capacity: 1)
      roundWord.initialize(to: Atomic(0))
    }

    deinit {
      roundWord.deinitialize(count: 1)
      roundWord.deallocate()
    }

    /// The round counter as the kernel sees it.
    var futexWord: UnsafePointer<UInt32> {
      UnsafeRawPointer(roundWord).assumingMemoryBound(to: UInt32.self)
    }
  }

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - threadCount: 1 … 1024; one of them is the caller of `run`.
  ///   - work: Does one piece; called with the piece's number and the thread's.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(
    threadCount: Int, work: @escaping @Sendable (_ piece: Int, _ thread: Int) -> Void
  ) throws(SystemCallError) {
    precondition((1...1024).contains(threadCount), "\(threadCount) threads")
    self.threadCount = threadCount
    let shared = Shared(work: work)
    self.shared = shared
    var threads: [BackgroundThread] = []
    for index in 1..<threadCount {
      do throws(SystemCallError) {
        threads.append(try BackgroundThread { Self.serve(shared, thread: index) })
      } catch {
        Self.stop(threads, shared)
        throw error
      }
    }
    self.threads = threads
  }

  deinit { Self.stop(threads, shared) }

  /// Does the pieces `0..<pieceCount`, each once, and returns when all are done.
  package func run(pieceCount: Int) {
    if threadCount == 1 {
      for piece in 0..<pieceCount { shared.work(piece, 0) }
      return
    }
    shared.nextSegment.store(0, ordering: .relaxed)
    shared.pieceCount.store(pieceCount, ordering: .relaxed)
    shared.busyCount.store(threadCount - 1, ordering: .relaxed)
    // Pairs with the acquiring load in `serve`: workers see the three stores above.
    shared.roundWord.pointee.add(1, ordering: .sequentiallyConsistent)
    if shared.sleeperCount.load(ordering: .sequentiallyConsistent) > 0 { Self.wake(shared) }
    Self.takeSegments(shared, thread: 0)
    var spins = 0
    // Pairs with the releasing subtraction in `serve`: the caller sees what workers wrote.
    while shared.busyCount.load(ordering: .acquiring) > 0 {
      linux_spin_hint()
      spins += 1
      if spins % 4096 == 0 { sched_yield() }
    }
  }

  private static func takeSegments(_ shared: Shared, thread: Int) {
    let pieceCount = shared.pieceCount.load(ordering: .relaxed)
    while true {
      let piece = shared.nextSegment.add(1, ordering: .relaxed).oldValue
      if piece >= pieceCount { return }
      shared.work(piece, thread)
    }
  }

  private static func serve(_ shared: Shared, thread: Int) {
    var seen: UInt32 = 0
    while true {
      waitForRound(after: seen, shared)
      // Pairs with the addition in `run`. A round cannot begin before every worker has left the one
      // before, so none is missed.
      seen = shared.roundWord.pointee.load(ordering: .acquiring)
      if shared.isStopping.load(ordering: .acquiring) { return }
      takeSegments(shared, thread: thread)
      shared.busyCount.subtract(1, ordering: .releasing)
    }
  }

  /// Spins before it sleeps: about 20 µs, less than a sleep and a wake would take.
  private static let spinCount = 1000

  private static func waitForRound(after seen: UInt32, _ shared: Shared) {
    for _ in 0..<spinCount {
      if shared.roundWord.pointee.load(ordering: .relaxed) != seen { return }
      linux_spin_hint()
    }
    shared.sleeperCount.add(1, ordering: .sequentiallyConsistent)
    while shared.roundWord.pointee.load(ordering: .sequentiallyConsistent) == seen {
      linux_futex_wait(shared.futexWord, seen, 1_000_000_000)
    }
    shared.sleeperCount.subtract(1, ordering: .sequentiallyConsistent)
  }

  private static func stop(_ threads: [BackgroundThread], _ shared: Shared) {
    shared.isStopping.store(true, ordering: .releasing)
    shared.roundWord.pointee.add(1, ordering: .releasing)
    wake(shared)
    for thread in threads { thread.join() }
  }

  private static func wake(_ shared: Shared) { linux_futex_wake_all(shared.futexWord) }
}
