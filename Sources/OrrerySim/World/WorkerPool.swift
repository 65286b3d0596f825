// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import Synchronization

/// Threads that share numbered tasks, round after round.
///
/// A round allocates nothing and takes no lock: an atomic counter hands out the tasks. An idle worker
/// spins for some microseconds, then sleeps; only waking sleeping workers is a system call.
package final class WorkerPool: Sendable {
  /// Number of threads that work, the calling one included.
  package let threadCount: Int

  private let shared: Shared
  private let threads: [BackgroundThread]

  /// The state that the threads share.
  private final class Shared: @unchecked Sendable {
    /// Number of the round; idle workers sleep on it.
    let roundWord = FutexWord()
    let nextTask = Atomic<Int>(0)
    let taskCount = Atomic<Int>(0)
    let busyCount = Atomic<Int>(0)
    let sleepingCount = Atomic<Int>(0)
    let isStopping = Atomic<Bool>(false)
    let work: @Sendable (_ task: Int, _ thread: Int) -> Void

    init(work: @escaping @Sendable (Int, Int) -> Void) {
      self.work = work
    }
  }

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - threadCount: 1 … 1024; one of them is the caller of `run`.
  ///   - work: Does one task; called with the indexes of the task and of the thread.
  /// - Throws: `SystemCallError` when a thread cannot be started.
  package init(
    threadCount: Int, work: @escaping @Sendable (_ task: Int, _ thread: Int) -> Void
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

  /// Does the tasks `0..<taskCount`, each once, and returns when all are done.
  package func run(taskCount: Int) {
    if threadCount == 1 {
      for task in 0..<taskCount { shared.work(task, 0) }
      return
    }
    shared.nextTask.store(0, ordering: .relaxed)
    shared.taskCount.store(taskCount, ordering: .relaxed)
    shared.busyCount.store(threadCount - 1, ordering: .relaxed)
    // Pairs with the acquiring load in `serve`: workers see the three stores above.
    shared.roundWord.atomic.pointee.add(1, ordering: .sequentiallyConsistent)
    if shared.sleepingCount.load(ordering: .sequentiallyConsistent) > 0 { Self.wake(shared) }
    Self.takeTasks(shared, thread: 0)
    var spins = 0
    // Pairs with the releasing subtraction in `serve`: the caller sees what workers wrote.
    while shared.busyCount.load(ordering: .acquiring) > 0 {
      linux_spin_hint()
      spins += 1
      if spins % 4096 == 0 { sched_yield() }
    }
  }

  private static func takeTasks(_ shared: Shared, thread: Int) {
    let taskCount = shared.taskCount.load(ordering: .relaxed)
    while true {
      let task = shared.nextTask.add(1, ordering: .relaxed).oldValue
      if task >= taskCount { return }
      shared.work(task, thread)
    }
  }

  private static func serve(_ shared: Shared, thread: Int) {
    var seen: UInt32 = 0
    while true {
      waitForRound(after: seen, shared)
      // Pairs with the addition in `run`. No round is missed: one begins only after every worker has
      // left the round before.
      seen = shared.roundWord.atomic.pointee.load(ordering: .acquiring)
      if shared.isStopping.load(ordering: .acquiring) { return }
      takeTasks(shared, thread: thread)
      shared.busyCount.subtract(1, ordering: .releasing)
    }
  }

  /// Spins before a worker sleeps: about 20 µs, less than a sleep and a wake take.
  private static let spinCount = 1000

  private static func waitForRound(after seen: UInt32, _ shared: Shared) {
    for _ in 0..<spinCount {
      if shared.roundWord.atomic.pointee.load(ordering: .relaxed) != seen { return }
      linux_spin_hint()
    }
    shared.sleepingCount.add(1, ordering: .sequentiallyConsistent)
    while shared.roundWord.atomic.pointee.load(ordering: .sequentiallyConsistent) == seen {
      shared.roundWord.wait(while: seen, ns: 1_000_000_000)
    }
    shared.sleepingCount.subtract(1, ordering: .sequentiallyConsistent)
  }

  private static func stop(_ threads: [BackgroundThread], _ shared: Shared) {
    shared.isStopping.store(true, ordering: .releasing)
    shared.roundWord.atomic.pointee.add(1, ordering: .releasing)
    wake(shared)
    for thread in threads { thread.join() }
  }

  private static func wake(_ shared: Shared) { shared.roundWord.wakeAll() }
}
