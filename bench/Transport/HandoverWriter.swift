// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import OrreryBase
import OrreryFrame
import OrreryPublisher

/// The writer of one of Orrery's rows: a ring, and readers in processes of their own.
final class HandoverWriter {
  private let task: HandoverTask
  private let shape: FrameShape
  private let writer: FrameWriter
  private let memory: HandoverMemory
  /// Nil if readers only map the ring.
  private let run: HandoverRun?
  private let scale = CounterScale()
  private var readers: [Process] = []

  /// Sequence of the last frame.
  private var last: UInt64 = 0

  /// Makes the ring, starts the readers and waits until they have joined.
  ///
  /// - Throws: `Failure`.
  init(_ task: HandoverTask) throws(Failure) {
    self.task = task
    do {
      var shape = try FrameShape(bytes: task.frameBytes)
      let writer = try FrameWriter(
        layout: shape.layout, slotCount: task.slotCount,
        spareCount: task.measure == .remote ? Self.spareCount(task.frameBytes) : 0, staticPart: [],
        generation: .random(in: .min ... .max), delivery: .live,
        clockOffsetNs: Int64(Clock.wallNs()) - Int64(Clock.monotonicNs()))
      self.writer = writer
      // Decide this as a sim does.
      shape.streams = SimOptions(run: HandoverRun.name).streams(
        ringBytes: writer.segmentBytes, cacheBytes: Memory.lastLevelCacheBytes())
      self.shape = shape
      memory = try HandoverMemory()
      run = task.subscribes ? try HandoverRun(writer, isRemote: task.measure == .remote) : nil
    } catch {
      throw Failure(.unavailable, error)
    }
    for index in 0..<task.readerCount { try start(index) }
    if task.isPinned { linux_run_on(0) }
    try waitForReaders(.ready, 1)
  }

  deinit {
    for reader in readers { kill(reader.processIdentifier, SIGKILL) }
  }

  /// Spare places for frames being sent: 32 MiB of them, as in a sim.
  private static func spareCount(_ bytes: Int) -> UInt64 {
    UInt64(min(max((32 << 20) / bytes, 4), 1024))
  }

  private func start(_ index: Int) throws(Failure) {
    let reader = Process()
    reader.executableURL = URL(fileURLWithPath: StartedProgram.bench)
    reader.arguments = [
      "transport-part", task.text, "--reader", "\(index)", "--board", memory.path, "--source",
      run?.endpoint ?? run?.base ?? "/proc/\(getpid())/fd/\(writer.descriptor.number)",
    ]
    do {
      try reader.run()
    } catch {
      throw Failure(.unavailable, "a reader cannot be started: \(error)")
    }
    readers.append(reader)
  }

  /// Measures the requested rounds until the input ends.
  func serve() throws(Failure) {
    while let request = HandoverRequest.read() {
      let answer: HandoverAnswer
      switch task.measure {
      case .latency: answer = try measureLatency(request)
      case .rate, .remote: answer = try measureRate(request)
      case .cost: answer = try measureCost(request)
      }
      Standard.output(answer.text + "\n")
    }
  }
}

// MARK: - Rounds

extension HandoverWriter {
  /// A reader that does nothing for this long hangs; who asks for the round waits longer.
  private static let patienceNs: UInt64 = 100_000_000_000

  private func begin(_ count: UInt64) throws(Failure) {
    memory.count = count
    memory.beginRound()
    try waitForReaders(.ready, memory.round + 1)
    // Gives the readers time to begin their first wait.
    usleep(2000)
  }

  /// The sum of a word over all readers.
  private func sum(_ word: HandoverMemory.ReaderWord) -> UInt64 {
    (0..<task.readerCount).reduce(0) { $0 + memory.read(word, of: $1) }
  }

  private func waitForReaders(_ word: HandoverMemory.ReaderWord, _ number: UInt64) throws(Failure) {
    let end = Clock.monotonicNs() + Self.patienceNs
    for index in 0..<task.readerCount {
      while memory.read(word, of: index) < number {
        guard readers[index].isRunning, Clock.monotonicNs() < end else {
          throw Failure(.unavailable, "reader \(index) is silent")
        }
        usleep(200)
      }
    }
  }

  /// Publishes the claimed and filled frame, and wakes the waiters.
  @inline(__always) private func publish() {
    last += 1
    guard let run else {
      let time = task.measure == .rate ? last : linux_counter()
      writer.publish(
        FrameStamp(tick: last, simTimeNs: time, publishTimeNs: 0, stateHash: last))
      if task.waiting == .futex { writer.wakeReaders() }
      return
    }
    // Date frames as a sim does.
    let nowNs = UInt64(bitPattern: Int64(Clock.monotonicNs()) + writer.clockOffsetNs)
    let stamp = FrameStamp(
      tick: last, simTimeNs: linux_counter(), publishTimeNs: nowNs, stateHash: last)
    run.announce(writer.publish(stamp), stamp)
  }

  private func answer(_ times: [Double], seconds: Double) -> HandoverAnswer {
    HandoverAnswer(
      way: task.way, times: times, received: sum(.received), missed: sum(.missed),
      seconds: seconds, slept: sum(.slept))
  }

  private func measureLatency(_ request: HandoverRequest) throws(Failure) -> HandoverAnswer {
    let count = min(request.count, UInt64(HandoverMemory.messagesMax))
    let sleeps = task.waiting != .spin
    try begin(count)
    let beginNs = Clock.monotonicNs()
    for _ in 0..<count {
      shape.fill(writer.claim().memory, last + 1)
      writer.prefetchForPublish()
      request.pause(sleeps: sleeps)
      publish()
      // Wait for the readers, so that frames never queue, whatever else the machine does.
      let end = Clock.monotonicNs() + Self.patienceNs
      for index in 0..<task.readerCount {
        while memory.read(.had, of: index) < last {
          guard Clock.monotonicNs() < end else {
            throw Failure(.unavailable, "frame \(last) got lost")
          }
          if sleeps { usleep(20) } else { linux_spin_hint() }
        }
      }
    }
    let seconds = Double(Clock.monotonicNs() - beginNs) / 1e9
    try waitForReaders(.done, memory.round)
    var times: [Double] = []
    for index in 0..<task.readerCount {
      // Skip the first frames: caches are cold, and readers may start late.
      for message in min(Int(count) / 20, 100)..<Int(count) {
        times.append(scale.ns(memory.times(of: index)[message]))
      }
    }
    return answer(times, seconds: seconds)
  }

  private func measureRate(_ request: HandoverRequest) throws(Failure) -> HandoverAnswer {
    let own = UnsafeMutableRawPointer.allocate(
      byteCount: max(shape.values.bytes, 64), alignment: 64)
    defer { own.deallocate() }
    memset(own, 1, max(shape.values.bytes, 64))
    let (offset, bytes) = shape.values
    try begin(request.count)
    // Keep the oldest two: readers treat these slots as overwritten.
    let window = task.slotCount - 2
    var freeTo = last + window
    let beginNs = Clock.monotonicNs()
    for _ in 0..<request.count {
      if !task.isFree, last + 1 > freeTo {
        repeat {
          let slowest = (0..<task.readerCount).map { memory.read(.had, of: $0) }.min() ?? last
          freeTo = slowest + window
          // The wire server's threads need the processor, and a sim would not spin.
          if task.measure == .remote, last + 1 > freeTo { usleep(100) }
        } while last + 1 > freeTo
      }
      let frame = writer.claim().memory
      if task.copies { memcpy(frame + offset, own, bytes) }
      publish()
    }
    // Frames for another machine have yet to arrive.
    if task.measure == .remote { try waitForReaders(.done, memory.round) }
    let seconds = Double(Clock.monotonicNs() - beginNs) / 1e9
    try waitForReaders(.done, memory.round)
    return answer([], seconds: seconds)
  }

  /// Times claiming, publishing and waking for each frame, without the filling in between.
  private func measureCost(_ request: HandoverRequest) throws(Failure) -> HandoverAnswer {
    try begin(request.count)
    var times: [Double] = []
    let beginNs = Clock.monotonicNs()
    for _ in 0..<request.count {
      let first = linux_counter()
      let frame = writer.claim().memory
      let claimed = linux_counter_after() - first
      shape.fill(frame, last + 1)
      if request.pauseNs > 0 { request.pause(sleeps: true) }
      let second = linux_counter()
      publish()
      times.append(scale.ns(Int64(claimed)) + scale.ns(Int64(linux_counter_after() - second)))
    }
    let seconds = Double(Clock.monotonicNs() - beginNs) / 1e9
    try waitForReaders(.done, memory.round)
    return answer(times, seconds: seconds)
  }
}
