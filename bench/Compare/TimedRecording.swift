// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryTrace

/// How fast frames are recorded: the whole writer of traces, whose bytes are dropped instead of written to a disk.
package final class TimedRecording {
  /// Frames between two readings of the clock: two chunks of 4 MiB.
  private static let frames = 21
  private let frames = RecordedFrames(entities: 50_000, count: 8)
  private let writer: TraceWriter
  private let channel: TraceChannelID
  private let path: String
  private var number: UInt64 = 0

  /// Begins a trace.
  ///
  /// - Throws: `TraceError`.
  package init() throws {
    var options = TraceOptions()
    options.compression = .none
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("orrery-turns-\(getpid()).mcap").path
    writer = try TraceWriter(path: path, options: options, overwrite: true, calls: .dropping)
    channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: Topic.frames.rawValue, messageEncoding: Topic.encoding))
    // Chunks have their memory then.
    for _ in 0..<64 { try record() }
  }

  deinit {
    try? writer.finish()
    unlink(path)
  }

  /// A round: MB/s.
  ///
  /// The upper quartile of runs of frames counts, because slower runs were interrupted.
  ///
  /// - Throws: `TraceError`.
  package func measure(ns: UInt64, plant: Double = 0) throws -> Double {
    var runs: [Double] = []
    let start = Clock.monotonicNs()
    repeat {
      let begin = Clock.monotonicNs()
      for _ in 0..<Self.frames { try record() }
      let passed = Planted.wait(since: begin, plant)
      runs.append(Double(Self.frames * frames.frameBytes) * 1e3 / Double(max(passed, 1)))
    } while Clock.monotonicNs() < start + ns
    return SampleSummary.quantile(runs.sorted(), 0.75)
  }

  /// Records the next frame.
  ///
  /// - Throws: `TraceError`.
  package func record() throws {
    number += 1
    try writer.write(
      TraceMessageHead(channel, sequence: number, logTimeNs: number), parts: [frames[Int(number)]])
  }
}
