// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryTrace

/// How fast frames are recorded: the whole writer of traces, whose bytes are dropped instead of written to a disk.
package final class TimedRecording {
  private let frames = RecordedFrames(entities: 50_000, count: 8)
  private let writer: TraceWriter
  private let channel: TraceChannelID
  private let path: String
  private var number: UInt32 = 0

  /// Begins a trace.
  ///
  /// - Throws: `TraceError`.
  package init() throws {
    var options = TraceOptions()
    options.compression = .none
    var calls = TraceSystemCalls.live
    calls.write = { _, bytes, _ in bytes.count }
    calls.reserve = { _, _, _ in 0 }
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-turns-\(getpid()).mcap").path
    writer = try TraceWriter(path: path, options: options, overwrite: true, calls: calls)
    channel = try writer.addChannel(
      topic: "/orrery/frames", messageEncoding: "protobuf", schema: nil)
    // Chunks have their memory then.
    for _ in 0..<64 { try record() }
  }

  deinit {
    try? writer.finish()
    unlink(path)
  }

  /// A round: MB/s.
  ///
  /// - Throws: `TraceError`.
  package func measure(ns: UInt64, plant: Double = 0) throws -> Double {
    var count = 0
    let start = Clock.monotonicNs()
    repeat {
      try record()
      count += 1
    } while Clock.monotonicNs() < start + ns
    let passed = Planted.wait(since: start, plant)
    return Double(count * frames.frameBytes) * 1e3 / Double(max(passed, 1))
  }

  /// Records the next frame.
  ///
  /// - Throws: `TraceError`.
  package func record() throws {
    number += 1
    try writer.write(
      channel, sequence: number, logTimeNs: UInt64(number), publishTimeNs: UInt64(number),
      parts: [frames[Int(number)]])
  }
}
