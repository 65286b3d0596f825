// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import Synchronization

/// Threads that share numbered tasks, round after round.
///
/// Each thread has a share of a round: successive tasks, the same ones in every round of the same size, so
/// that what they read stays in that thread's caches. A thread that is done with its share takes tasks of a
/// thread that has several left, and after a while the last one too. So a thread that the system does not run
/// delays the others only if it was stopped in the middle of a task.
///
/// A round allocates nothing and takes no lock. Tasks are handed out by serial numbers that are
/// never reused, so a round need not wait for threads that woke too late to take any. An idle worker spins
/// for some microseconds, then sleeps; only waking sleepers, and waiting for a worker that takes long,
/// are system calls.
package final class WorkerPool: Sendable {
  /// Number of threads that work, the calling one included.
  package let threadCount: Int

  private let shared: Shared
  private let threads: [BackgroundThread]

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
    let shared = Shared(threadCount: threadCount, work: work)
    self.shared = shared
    var threads: [BackgroundThread] = []
    for index in 1..<threadCount {
      do throws(SystemCallError) {
        threads.append(try BackgroundThread { shared.serve(thread: index) })
      } catch {
        shared.stop(threads)
        throw error
      }
    }
    self.threads = threads
  }

  deinit { shared.stop(threads) }

  /// Does the tasks `0..<taskCount`, each once, and returns when all are done.
  ///
  /// - Parameters:
  ///   - taskCount: Number of tasks.
  ///   - threads: How many of the threads have a share, 1 … `threadCount`; all by default. With one,
  ///     the caller does everything and nobody is woken.
  package func run(taskCount: Int, threads: Int? = nil) {
    let threads = min(threads ?? threadCount, threadCount, taskCount)
    if threads <= 1 {
      for task in 0..<taskCount { shared.work(task, 0) }
    } else {
      shared.run(taskCount: taskCount, threads: threads)
    }
  }
}

/// One thread's share of the present round, and its sleep.
///
/// Serial numbers count a thread's tasks of all rounds. One that was issued is taken by whoever raises
/// `taken`, once; the round lasts until every one is done.
private struct Share: ~Copyable {
  /// Serial numbers issued, which an idle worker watches; only the caller of `run` raises it.
  let issued = Atomic<Int>(0)
  /// Serial numbers taken, by the owner or by another thread.
  let taken = Atomic<Int>(0)
  /// Tasks that this thread has done, of any share; only this thread raises it.
  let done = Atomic<Int>(0)
  /// Serial minus task; written before the round's tasks are issued.
  var firstSerial = 0
  /// The system's number of the thread; written before it first sleeps.
  var threadID: Int32 = 0
  /// The processor that the thread must not run on; only the caller of `run` uses it.
  var avoidedProcessor: Int32 = -1
  /// Whether the thread sleeps, or is about to.
  let isAsleep = Atomic<Bool>(false)
  /// What the thread sleeps on.
  let wakeWord = FutexWord()
}

/// The state that the threads share.
private final class Shared: @unchecked Sendable {
  private let threadCount: Int
  private let memory: UnsafeMutableRawPointer
  private let isStopping = Atomic<Bool>(false)
  /// Tasks of all shares and rounds; only the caller of `run` uses it.
  private var issuedCount = 0
  /// Whether the caller of `run` sleeps on `finished`, or is about to.
  private let callerIsAsleep = Atomic<Bool>(false)
  private let finished = FutexWord()
  let work: @Sendable (_ task: Int, _ thread: Int) -> Void

  init(threadCount: Int, work: @escaping @Sendable (Int, Int) -> Void) {
    self.threadCount = threadCount
    self.work = work
    memory = .allocate(byteCount: threadCount * Self.shareBytes, alignment: Self.shareBytes)
    for thread in 0..<threadCount { share(thread).initialize(to: Share()) }
  }

  deinit {
    for thread in 0..<threadCount { share(thread).deinitialize(count: 1) }
    memory.deallocate()
  }

  /// Two cache lines, which processors fetch in pairs: no two shares have a line in common.
  private static let shareBytes = 128

  private func share(_ thread: Int) -> UnsafeMutablePointer<Share> {
    (memory + thread * Self.shareBytes).assumingMemoryBound(to: Share.self)
  }
}

// MARK: - The caller's side

extension Shared {
  /// Spins before the last task of another thread's share is taken: a few microseconds.
  private static let patientSpinCount = 256

  /// Spins before the caller sleeps.
  private static let callerSpinCount = 4096

  /// One round with several threads.
  func run(taskCount: Int, threads: Int) {
    issuedCount += taskCount
    for thread in 0..<threads {
      let first = taskCount * thread / threads
      let count = taskCount * (thread + 1) / threads - first
      let share = share(thread)
      let serial = share.pointee.issued.load(ordering: .relaxed)
      share.pointee.firstSerial = serial - first
      // Pairs with the acquiring load in `take`: the thread that takes a task sees the line above, and the
      // caller's preparations for the round. Also pairs with the store in `waitForTasks`: the worker sees the
      // tasks, or this thread sees that the worker sleeps.
      share.pointee.issued.store(serial + count, ordering: .sequentiallyConsistent)
      if thread > 0, share.pointee.isAsleep.load(ordering: .sequentiallyConsistent) {
        keepOffThisProcessor(share)
        wake(share)
      }
    }
    takeTasks(of: 0, thread: 0, leaving: 0)
    takeOthers(thread: 0, leaving: 1)
    var spins = 0
    while !isFinished {
      linux_spin_hint()
      spins += 1
      if spins % Self.patientSpinCount == 0 { takeOthers(thread: 0, leaving: 0) }
      if spins == Self.callerSpinCount {
        sleepUntilFinished()
        return
      }
    }
  }

  /// Whether all tasks of all rounds are done.
  private var isFinished: Bool {
    var done = 0
    // Pairs with the releasing store in `takeTasks`: the caller sees what workers wrote.
    for thread in 0..<threadCount { done += share(thread).pointee.done.load(ordering: .acquiring) }
    return done == issuedCount
  }

  private func sleepUntilFinished() {
    callerIsAsleep.store(true, ordering: .sequentiallyConsistent)
    while true {
      let seen = finished.atomic.pointee.load(ordering: .acquiring)
      // Pairs with the fence in `serve`: the last worker sees that the caller sleeps, or the caller
      // sees that all is done.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      if isFinished { break }
      finished.wait(while: seen, ns: 1_000_000_000)
    }
    callerIsAsleep.store(false, ordering: .relaxed)
  }

  func stop(_ threads: [BackgroundThread]) {
    isStopping.store(true, ordering: .sequentiallyConsistent)
    for thread in 1..<threadCount { wake(share(thread)) }
    for thread in threads { thread.join() }
  }

  /// Makes the worker wake on another processor than the caller's.
  ///
  /// The system would wake it on its waker's processor, since a waker often sleeps next. This one goes on,
  /// and the two would take turns on one processor while the other is idle.
  private func keepOffThisProcessor(_ share: UnsafeMutablePointer<Share>) {
    let processor = linux_processor()
    guard processor != share.pointee.avoidedProcessor else { return }
    share.pointee.avoidedProcessor = processor
    linux_keep_off(share.pointee.threadID, processor)
  }

  private func wake(_ share: UnsafeMutablePointer<Share>) {
    share.pointee.wakeWord.atomic.pointee.add(1, ordering: .sequentiallyConsistent)
    share.pointee.wakeWord.wakeAll()
  }
}

// MARK: - Taking tasks

extension Shared {
  /// Does tasks of one share until at most `leaving` are left.
  ///
  /// - Parameters:
  ///   - owner: The thread whose share it is.
  ///   - thread: The thread that calls.
  ///   - leaving: Tasks to leave to the owner.
  private func takeTasks(of owner: Int, thread: Int, leaving: Int) {
    while let task = take(from: share(owner), leaving: leaving) {
      work(task, thread)
      let done = share(thread).pointee.done.load(ordering: .relaxed)
      share(thread).pointee.done.store(done + 1, ordering: .releasing)
    }
  }

  /// Does tasks of the shares of all other threads, the next thread's first.
  private func takeOthers(thread: Int, leaving: Int) {
    for next in 1..<threadCount {
      takeTasks(of: (thread + next) % threadCount, thread: thread, leaving: leaving)
    }
  }

  /// Takes a task.
  ///
  /// - Returns: The task; nil if no more than `leaving` are left.
  private func take(from share: UnsafeMutablePointer<Share>, leaving: Int) -> Int? {
    var serial = share.pointee.taken.load(ordering: .relaxed)
    while share.pointee.issued.load(ordering: .acquiring) - serial > leaving {
      let (isTaken, now) = share.pointee.taken.weakCompareExchange(
        expected: serial, desired: serial + 1, ordering: .relaxed)
      // The round cannot end before this task is done, so `firstSerial` is this round's.
      if isTaken { return serial - share.pointee.firstSerial }
      serial = now
    }
    return nil
  }
}

// MARK: - A worker's side

extension Shared {
  /// Spins before a worker sleeps: about 20 µs, less than a sleep and a wake take.
  private static let workerSpinCount = 1000

  func serve(thread: Int) {
    let share = share(thread)
    // Pairs with the load of `isAsleep` in `run`.
    share.pointee.threadID = linux_thread_id()
    var seen = 0
    while true {
      waitForTasks(after: seen, share)
      if isStopping.load(ordering: .acquiring) { return }
      seen = share.pointee.issued.load(ordering: .relaxed)
      takeTasks(of: thread, thread: thread, leaving: 0)
      takeOthers(thread: thread, leaving: 1)
      wakeCaller()
      guard spin(Self.patientSpinCount, after: seen, share) else { continue }
      takeOthers(thread: thread, leaving: 0)
      wakeCaller()
    }
  }

  /// Wakes the caller if it sleeps, to look whether all is done.
  private func wakeCaller() {
    // Pairs with the fence in `sleepUntilFinished`.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard callerIsAsleep.load(ordering: .relaxed) else { return }
    finished.atomic.pointee.add(1, ordering: .releasing)
    finished.wakeAll()
  }

  /// Spins until tasks are issued.
  ///
  /// - Returns: True if there are none after `count` spins.
  private func spin(_ count: Int, after seen: Int, _ share: UnsafeMutablePointer<Share>) -> Bool {
    for _ in 0..<count {
      if share.pointee.issued.load(ordering: .relaxed) != seen { return false }
      linux_spin_hint()
    }
    return true
  }

  private func waitForTasks(after seen: Int, _ share: UnsafeMutablePointer<Share>) {
    guard spin(Self.workerSpinCount, after: seen, share) else { return }
    share.pointee.isAsleep.store(true, ordering: .sequentiallyConsistent)
    sleepUntilIssued(after: seen, share)
    share.pointee.isAsleep.store(false, ordering: .relaxed)
  }

  private func sleepUntilIssued(after seen: Int, _ share: UnsafeMutablePointer<Share>) {
    while true {
      let word = share.pointee.wakeWord.atomic.pointee.load(ordering: .sequentiallyConsistent)
      if share.pointee.issued.load(ordering: .sequentiallyConsistent) != seen { return }
      if isStopping.load(ordering: .sequentiallyConsistent) { return }
      share.pointee.wakeWord.wait(while: word, ns: 1_000_000_000)
    }
  }
}
