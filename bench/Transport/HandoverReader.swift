// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase
import OrreryFrame
import OrreryWire

/// The reader of one of Orrery's rows.
final class HandoverReader {
  private let task: HandoverTask
  private let index: Int
  private let memory: HandoverMemory
  private let source: Source

  /// Sequence of the last frame read or missed.
  private var last: UInt64 = 0

  /// The source of frames.
  private enum Source {
    /// The ring alone.
    case ring(FrameReader)
    /// A subscription, as of a subscriber on this machine or on another.
    case run(any RunSubscription)
  }

  /// - Throws: `Failure` if the memory cannot be mapped or the frames cannot be reached.
  init(_ task: HandoverTask, index: Int, memoryPath: String, source: String) throws(Failure) {
    self.task = task
    self.index = index
    do {
      self.memory = try HandoverMemory(path: memoryPath)
      self.source = try Self.open(source, task, index: index)
    } catch {
      throw Failure(.unavailable, error)
    }
  }

  private static func open(_ source: String, _ task: HandoverTask, index: Int) throws -> Source {
    let name = "reader-\(index)"
    if task.measure == .remote {
      let address = WireAddress.tcp(try WireEndpoint(source), keys: nil)
      let connection = try RemoteSubscription.connect(to: address, waitSeconds: 10)
      return .run(
        try RemoteSubscription(connection, address, RemoteOptions(name: name), waitSeconds: 10))
    }
    if task.subscribes {
      let directory = try RunDirectory(name: HandoverRun.name, base: source)
      let waiting: Waiting =
        switch task.waiting {
        case .spin: .spin
        case .futex: .futex
        case .announcement: .announcement
        }
      let connection = try Subscription.connect(to: directory, waitSeconds: 10)
      return .run(
        try Subscription(
          connection, directory: directory, name: name, reading: .every, waiting: waiting))
    }
    let file = FileDescriptor(
      owning: try systemCall("open", source) { Glibc.open(source, O_RDONLY | O_CLOEXEC) })
    var status = stat()
    try systemCall("fstat", source) { fstat(file.number, &status) }
    return .ring(try FrameReader(descriptor: file, segmentBytes: UInt64(status.st_size)))
  }

  /// Reads the rounds that the writer begins, until the writer ends this process.
  func serve() -> Never {
    if task.isPinned { linux_run_on(CInt(1 + index)) }
    memory.write(.ready, of: index, 1)
    var round: UInt64 = 0
    while true {
      memory.waitForRound(after: round)
      round = memory.round
      let count = memory.count
      memory.write(.ready, of: index, round + 1)
      let sleptBefore = Self.sleepCount()
      switch (task.measure, source) {
      case (.latency, .ring(let reader)): readEach(count) { receive($0, from: reader) }
      case (.latency, .run(let run)):
        let source = run.source
        readEach(count) { receive($0, from: run, source) }
      case (_, .ring(let reader)): readAll(count, from: reader)
      case (_, .run(let run)): readAll(count, from: run)
      }
      memory.write(.slept, of: index, Self.sleepCount() - sleptBefore)
      memory.write(.done, of: index, round)
    }
  }

  /// Count of this thread's sleeps, as the kernel counts them.
  private static func sleepCount() -> UInt64 {
    var usage = rusage()
    // RUSAGE_THREAD, which glibc declares for GNU C only.
    getrusage(__rusage_who_t(1), &usage)
    return UInt64(usage.ru_nvcsw)
  }
}

// MARK: - Each frame as soon as it is published

extension HandoverReader {
  /// Reads each frame and stores its age after reading.
  private func readEach(_ count: UInt64, _ receive: (UInt64) -> Int64) {
    let times = memory.times(of: index)
    for message in 0..<Int(count) {
      last += 1
      times[message] = receive(last)
      memory.write(.had, of: index, last)
    }
    memory.write(.received, of: index, count)
  }

  /// Waits for a frame, reads its stamp in place and checks that it is whole.
  @inline(__always) private func receive(_ sequence: UInt64, from reader: FrameReader) -> Int64 {
    while true {
      let published = task.waiting == .futex ? reader.published : 0
      if case .frame(let view) = reader.acquire(sequence) {
        let stamp = view.stamp()
        if reader.isWhole(view) { return Int64(linux_counter_after() &- stamp.simTimeNs) }
      }
      if task.waiting == .futex {
        reader.wait(after: published, timeoutNs: 1_000_000_000)
      } else {
        linux_spin_hint()
      }
    }
  }

  /// The same through a subscription; a missed frame counts as half of `Int64.max`.
  private func receive(
    _ sequence: UInt64, from run: any RunSubscription, _ source: any FrameSource
  ) -> Int64 {
    var ticks = Int64.max / 2
    repeat {
      let event = run.next(timeoutNs: 1_000_000_000) { view in
        let stamp = view.stamp()
        let isWhole = source.isWhole(view)
        ticks = Int64(linux_counter_after() &- stamp.simTimeNs)
        return isWhole
      }
      if case .frame = event { run.report() }
    } while run.losses.last < sequence
    return ticks
  }
}

// MARK: - All frames of a round

extension HandoverReader {
  /// Reads the available frames up to the round's last one, and counts missed ones.
  private func readAll(_ count: UInt64, from reader: FrameReader) {
    let end = last + count
    var received: UInt64 = 0
    let own = copyMemory(reader.layout.frameBytes)
    defer { own.deallocate() }
    while last < end {
      let published = task.waiting == .futex ? reader.published : 0
      switch reader.acquire(last + 1) {
      case .frame(let view):
        if task.copies, let base = view.bytes.baseAddress { memcpy(own, base, view.bytes.count) }
        let stamp = view.stamp()
        if reader.isWhole(view), stamp.tick == last + 1 { received += 1 }
        last += 1
      case .lapped(let oldest):
        last = min(max(oldest, last + 2) - 1, end)
      case .notYet:
        // Readers may share a processor: let the others run.
        if task.waiting == .futex {
          reader.wait(after: published, timeoutNs: 1_000_000_000)
        } else if task.readerCount > 1 {
          sched_yield()
        } else {
          linux_spin_hint()
        }
        continue
      }
      report(end)
    }
    memory.write(.received, of: index, received)
    memory.write(.missed, of: index, count - received)
  }

  private func readAll(_ count: UInt64, from run: any RunSubscription) {
    let end = last + count
    let (source, before) = (run.source, run.losses)
    while last < end {
      let event = run.next(timeoutNs: 1_000_000_000) { view in
        _ = view.stamp()
        return source.isWhole(view)
      }
      switch event {
      case .frame: run.report()
      case .missed, .idle: break
      case .ended, .simDied, .dropped: exit(1)
      }
      last = run.losses.last
      report(end)
    }
    memory.write(.received, of: index, run.losses.receivedCount - before.receivedCount)
    memory.write(.missed, of: index, run.losses.missedCount - before.missedCount)
  }

  /// Reports the last frame to the writer, every `framesPerReport` frames.
  @inline(__always) private func report(_ end: UInt64) {
    if last % task.framesPerReport == 0 || last == end { memory.write(.had, of: index, last) }
  }

  private func copyMemory(_ bytes: UInt64) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: Int(bytes), alignment: 64)
    memset(memory, 1, Int(bytes))
    return memory
  }
}
