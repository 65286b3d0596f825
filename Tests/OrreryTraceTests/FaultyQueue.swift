// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryTrace

/// Writes past the page cache that end in any order, late, short or with an error, as its seed says.
///
/// What is begun is done when it is waited for: until then the file does not have it.
final class FaultyQueue: TraceWriteQueue {
  /// What happens to one write.
  enum Fault: CaseIterable {
    case error, short, shortOfABlock, interrupted, again, refused
  }

  /// A fault, and the number of the write that it happens to, from 1; for ever if it lasts.
  struct Plan {
    var fault: Fault
    var number: Int
    var lasts = false
  }

  private struct Job {
    let bytes: UnsafeRawBufferPointer
    let offset: Int
    let tag: UInt64
  }

  private let descriptor: CInt
  private let plan: Plan?
  private let afterWrite: () -> Void
  private var jobs: [Job] = []
  private var random: UInt64
  private(set) var count = 0

  init(
    _ descriptor: CInt, seed: UInt64 = 1, plan: Plan? = nil, afterWrite: @escaping () -> Void = {}
  ) {
    self.descriptor = descriptor
    self.plan = plan
    self.afterWrite = afterWrite
    random = seed
  }

  func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, tag: UInt64) -> CInt {
    precondition(
      offset % 4096 == 0 && bytes.count % 4096 == 0 && bytes.count > 0
        && UInt(bitPattern: bytes.baseAddress) % 4096 == 0, "a write that is not of whole blocks")
    count += 1
    if isFaulty(.refused) { return ENOMEM }
    jobs.append(Job(bytes: bytes, offset: offset, tag: tag))
    return 0
  }

  func wait() -> (tag: UInt64, result: Int) {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    let job = jobs.remove(at: Int(random >> 33) % jobs.count)
    defer { afterWrite() }
    if isFaulty(.error) { return (job.tag, -Int(EIO)) }
    if isFaulty(.interrupted) { return (job.tag, -Int(EINTR)) }
    if isFaulty(.again) { return (job.tag, -Int(EAGAIN)) }
    let byteCount =
      isFaulty(.short)
      ? max(job.bytes.count / 2 / 4096 * 4096, 1)
      : isFaulty(.shortOfABlock) ? min(job.bytes.count, 5_000) : job.bytes.count
    return (job.tag, pwrite(descriptor, job.bytes.baseAddress, byteCount, job.offset))
  }

  private func isFaulty(_ fault: Fault) -> Bool {
    guard let plan, plan.fault == fault else { return false }
    return plan.lasts ? count >= plan.number : count == plan.number
  }

  /// Calls that use such a queue, on any file system.
  static func calls(
    seed: UInt64 = 1, plan: Plan? = nil, afterWrite: @escaping () -> Void = {}
  ) -> TraceSystemCalls {
    var calls = TraceSystemCalls.live
    calls.bypassCache = { _, _ in 0 }
    calls.makeQueue = { descriptor, _ in
      FaultyQueue(descriptor, seed: seed, plan: plan, afterWrite: afterWrite)
    }
    return calls
  }
}
