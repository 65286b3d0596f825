// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrrerySim
import Synchronization
import TestSupport
import Testing

/// Goal: each task of each round is done exactly once, and the caller sees what was done.
///
/// Method: workers count their tasks in plain memory, of which each task has a place of its own;
/// more threads than processors and than tasks; pauses long enough for all to fall asleep.
@Suite struct WorkerPoolTests {
  /// Plain counters, one for each task.
  private final class Counters: @unchecked Sendable {
    let counts: UnsafeMutableBufferPointer<Int>

    init(_ count: Int) {
      counts = .allocate(capacity: count)
      counts.initialize(repeating: 0)
    }

    deinit { counts.deallocate() }
  }

  @Test(arguments: [1, 2, 3, 8], [0, 1, 2, 7, 100])
  func everyTaskIsDoneOnceInEachRound(threads: Int, tasks: Int) throws {
    let counters = Counters(100)
    let pool = try WorkerPool(threadCount: threads) { task, _ in counters.counts[task] += 1 }
    for round in 1...2_000 {
      pool.run(taskCount: tasks)
      let isRight = (0..<100).allSatisfy { counters.counts[$0] == ($0 < tasks ? round : 0) }
      if !isRight {
        Issue.record("round \(round)")
        return
      }
    }
  }

  /// A sleeper that nobody wakes looks by itself once a second: then this takes longer than a test waits.
  @Test func sleepersWakeForEachRound() throws {
    let counters = Counters(64)
    try within("500 rounds") {
      let pool = try WorkerPool(threadCount: 4) { task, _ in counters.counts[task] += 1 }
      for round in 1...500 {
        // Much longer than workers spin.
        usleep(2_000)
        pool.run(taskCount: 64)
        try #require(counters.counts.allSatisfy { $0 == round }, "round \(round)")
      }
    }
  }

  /// A caller that nobody wakes looks by itself once a second: then this takes longer than a test waits.
  @Test func callerWakesWhenTheLastTaskIsDone() throws {
    let counters = Counters(2)
    try within("a thousand rounds") {
      let pool = try WorkerPool(threadCount: 2) { task, thread in
        // Much longer than the caller spins.
        if thread == 1 { usleep(2_000) }
        counters.counts[task] += 1
      }
      for _ in 0..<1_000 { pool.run(taskCount: 2) }
    }
    #expect(counters.counts.allSatisfy { $0 == 1_000 })
  }

  /// One task lasts until all others are done, wherever it is in the shares.
  @Test(arguments: [0, 4, 5, 9]) func heldUpThreadHoldsUpNoOtherTask(held: Int) throws {
    let (done, rounds, tasks) = (Done(), 50, 10)
    let pool = try WorkerPool(threadCount: 2) { task, _ in
      let goal = (done.count.load(ordering: .relaxed) / tasks + 1) * tasks - 1
      if task == held {
        for _ in 0..<10_000 where done.count.load(ordering: .relaxed) < goal { usleep(1_000) }
        #expect(done.count.load(ordering: .relaxed) == goal)
      }
      done.count.add(1, ordering: .relaxed)
    }
    for _ in 0..<rounds { pool.run(taskCount: tasks) }
    #expect(done.count.load(ordering: .relaxed) == rounds * tasks)
  }

  /// Tasks done in all rounds.
  private final class Done: Sendable {
    let count = Atomic<Int>(0)
  }

  @Test(arguments: [1, 2, 3, 4])
  func fewerThreadsMayShareARound(sharing: Int) throws {
    let counters = Counters(100)
    let pool = try WorkerPool(threadCount: 4) { task, thread in
      counters.counts[task] += sharing == 1 && thread != 0 ? 1_000_000 : 1
    }
    for round in 1...500 {
      pool.run(taskCount: 100, threads: sharing)
      try #require(counters.counts.allSatisfy { $0 == round }, "round \(round)")
    }
  }

  @Test func threadsAreNumberedFromTheCaller() throws {
    let counters = Counters(3)
    let pool = try WorkerPool(threadCount: 3) { _, thread in
      // The caller would do all tasks before the others awake.
      usleep(1_000)
      counters.counts[thread] += 1
    }
    for _ in 0..<20 { pool.run(taskCount: 30) }
    #expect(counters.counts.reduce(0, +) == 600)
    #expect(counters.counts.allSatisfy { $0 > 0 })
  }

  /// A thread lets go of the work only when it returns.
  @Test func threadsAreGoneWhenThePoolIs() throws {
    for round in 0..<50 {
      weak var remaining: Counters?
      do {
        let counters = Counters(8)
        remaining = counters
        let pool = try WorkerPool(threadCount: 4) { task, _ in counters.counts[task] += 1 }
        pool.run(taskCount: 8)
        if round % 2 == 0 { usleep(1_000) }
      }
      #expect(remaining == nil, "round \(round)")
    }
  }

  /// If the system has no thread for the last worker, the first ones end.
  ///
  /// Method: a process of its own whose address space has room for twelve stacks of 8 MiB.
  @Test(.disabled(if: isSanitized, "a sanitizer has its own threads and memory"))
  func threadsOfAPoolThatIsShortOfSomeAreGone() async {
    await #expect(processExitsWith: .success) {
      let text = try #require(SmallFile.read("/proc/self/status"))
      let used = try #require(OrreryBase.Memory.bytes(of: "VmSize", in: text))
      let most = rlim_t(used + 102 << 20)
      var limit = rlimit(rlim_cur: most, rlim_max: most)
      try #require(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      weak var remaining: Counters?
      do {
        let counters = Counters(1)
        remaining = counters
        let error = #expect(throws: SystemCallError.self) {
          _ = try WorkerPool(threadCount: 1_024) { task, _ in counters.counts[task] += 1 }
        }
        #expect(error?.call == "pthread_create")
      }
      #expect(remaining == nil)
    }
  }

  /// In a process of its own, whose memory is that of the pools.
  @Test func memoryGoesWithThePool() async {
    await #expect(processExitsWith: .success) {
      let before = try #require(OrreryBase.Memory.residentBytes())
      for _ in 0..<300_000 { _ = try WorkerPool(threadCount: 1) { _, _ in } }
      let after = try #require(OrreryBase.Memory.residentBytes())
      precondition(isSanitized || after < before + (5 << 20), "\(before) grew to \(after)")
    }
  }

  /// Processors on which the calling thread may run.
  private static func allowedProcessorCount() -> Int {
    let lines = (SmallFile.read("/proc/thread-self/status") ?? "").split(separator: "\n")
    let mask = lines.first { $0.hasPrefix("Cpus_allowed:") }?.dropFirst("Cpus_allowed:".count) ?? ""
    return mask.compactMap(\.hexDigitValue).reduce(0) { $0 + $1.nonzeroBitCount }
  }

  /// A worker that is woken runs on any processor but its waker's, where there is another one.
  @Test func wokenWorkerKeepsOffItsWakersProcessor() throws {
    let (all, allowed) = (Self.allowedProcessorCount(), Done())
    guard all > 1 else { return }
    let pool = try WorkerPool(threadCount: 2) { _, thread in
      // The caller leaves the worker its task.
      if thread == 0 { usleep(1_000) }
      if thread == 1 { allowed.count.store(Self.allowedProcessorCount(), ordering: .relaxed) }
    }
    for _ in 0..<200 where allowed.count.load(ordering: .relaxed) != all - 1 {
      // Much longer than workers spin.
      usleep(2_000)
      pool.run(taskCount: 2)
    }
    #expect(allowed.count.load(ordering: .relaxed) == all - 1)
  }

  /// As many threads as there may be, where the machine has room for them.
  @Test func thousandThreadsShareTheirPieces() {
    let counters = Counters(100)
    let pool = try? WorkerPool(threadCount: 1_024) { task, _ in counters.counts[task] += 1 }
    guard let pool else { return }
    #expect(pool.threadCount == 1_024)
    pool.run(taskCount: 100)
    #expect(counters.counts.allSatisfy { $0 == 1 })
  }

  @Test func threadCountsOutOfRangeTrap() async {
    await #expect(processExitsWith: .failure) { _ = try WorkerPool(threadCount: 0) { _, _ in } }
    await #expect(processExitsWith: .failure) { _ = try WorkerPool(threadCount: 1_025) { _, _ in } }
  }
}
