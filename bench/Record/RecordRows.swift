// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import OrreryBase
import OrreryMessages
import OrreryTrace

/// How fast frames are recorded: one round of each way.
package struct RecordRows {
  /// What a round took.
  package struct Round: Equatable {
    /// Bytes of frames in a second.
    package let bytesPerSecond: Double
    /// Bytes stored for each byte of frames.
    package let stored: Double?
  }

  private let frames: RecordedFrames
  private let seconds: Double

  /// Rows of these frames; each round takes `seconds`.
  package init(_ frames: RecordedFrames, seconds: Double) {
    (self.frames, self.seconds) = (frames, seconds)
  }

  /// Calls `use` with one frame after another until the time is over.
  private func timed(_ use: (UnsafeRawBufferPointer) throws -> Void, end: () throws -> Void)
    rethrows -> (count: Int, seconds: Double)
  {
    let start = Clock.monotonicNs()
    let last = start + UInt64(seconds * 1e9)
    var count = 0
    repeat {
      try use(frames[count])
      count += 1
    } while Clock.monotonicNs() < last
    try end()
    return (count, Double(Clock.monotonicNs() - start) / 1e9)
  }

  private func rate(_ count: Int, _ seconds: Double) -> Double {
    Double(count * frames.frameBytes) / seconds
  }

  /// Records to a file.
  ///
  /// - Parameters:
  ///   - compression: Compression of the chunks.
  ///   - path: The file, which is removed again; nil: chunks are made and dropped.
  /// - Returns: The round's time and bytes.
  /// - Throws: `TraceError`.
  package func ours(_ compression: TraceCompression, path: String?) throws -> Round {
    var options = TraceOptions()
    options.compression = compression
    let calls = path == nil ? TraceSystemCalls.dropping : .direct
    let file =
      path
      ?? FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-record-\(getpid()).mcap").path
    defer { unlink(file) }
    let writer = try TraceWriter(path: file, options: options, overwrite: true, calls: calls)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: Topic.frames.rawValue, messageEncoding: Topic.encoding))
    var number: UInt64 = 0
    let (count, seconds) = try timed(
      { frame in
        number += 1
        try writer.write(
          TraceMessageHead(channel, sequence: number, logTimeNs: number), parts: [frame])
      }, end: { try writer.finish() })
    return Round(
      bytesPerSecond: rate(count, seconds),
      stored: Double(writer.byteCount) / Double(count * frames.frameBytes))
  }

  /// Copies frames into memory that is as large as a logger's.
  ///
  /// - Parameter sums: 0: copies alone; 1: copies, then takes the checksum; 2: both in one pass.
  /// - Returns: The round's time and bytes.
  package func copy(sums: Int) -> Round {
    let copies = max(1, min(16, (128 << 20) / frames.frameBytes))
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: copies * frames.frameBytes, alignment: 4096)
    defer { memory.deallocate() }
    memory.initializeMemory(as: UInt8.self, repeating: 1)
    var (number, checksum) = (0, Checksum())
    let (count, seconds) = timed(
      { frame in
        let start = number % copies * frames.frameBytes
        number += 1
        guard let to = memory.baseAddress.map({ $0 + start }), let from = frame.baseAddress else {
          return
        }
        switch sums {
        case 0: to.copyMemory(from: from, byteCount: frame.count)
        case 1:
          // A quarter of a common second-level cache at a time.
          for offset in stride(from: 0, to: frame.count, by: 256 << 10) {
            let byteCount = min(256 << 10, frame.count - offset)
            (to + offset).copyMemory(from: from + offset, byteCount: byteCount)
            checksum.update(UnsafeRawBufferPointer(start: to + offset, count: byteCount))
          }
        default:
          checksum.copy(from, to: to, byteCount: frame.count, pastCaches: true)
        }
      }, end: {})
    return Round(bytesPerSecond: rate(count, seconds), stored: nil)
  }

  /// Runs a body on one processor, with the threads that it starts.
  package static func onOneCore<Value>(_ body: @escaping () throws -> Value) throws -> Value {
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var result: Result<Value, any Error>?
    let thread = try BackgroundThread {
      linux_run_on(0)
      result = Result { try body() }
    }
    thread.join()
    guard let result else { throw Failure(.unavailable, "a round has no result") }
    return try result.get()
  }
}

extension TraceSystemCalls {
  /// System calls that accept every write and drop it, so that only the writer is timed.
  static var dropping: TraceSystemCalls {
    var calls = live
    calls.write = { _, bytes, _ in bytes.count }
    calls.reserve = { _, _, _ in 0 }
    return calls
  }
}
