// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryPublisher

/// Times publishing a frame without filling it: claim, publish, wake.
package final class TimedPublishing {
  private let writer: FrameWriter
  private var last: UInt64 = 0

  /// Frames between two readings of the clock.
  private static let frames = 256
  private static let frameBytes = 400_000
  private static let slots: UInt64 = 8

  /// Makes a ring.
  ///
  /// - Throws: `Failure` if there is no shared memory for it.
  package init() throws(Failure) {
    do {
      writer = try FrameWriter(
        layout: FrameShape(bytes: Self.frameBytes).layout, slotCount: Self.slots, spareCount: 0,
        staticPart: [], generation: 1, delivery: .live, clockOffsetNs: 0)
    } catch {
      throw Failure(.unavailable, error)
    }
    _ = measure(ns: 1)
  }

  /// A round: nanoseconds for each frame.
  ///
  /// The lower quartile of runs of frames counts, because slower runs were interrupted.
  package func measure(ns: UInt64, plant: Double = 0) -> Double {
    var runs: [Double] = []
    let start = Clock.monotonicNs()
    repeat {
      let begin = Clock.monotonicNs()
      for _ in 0..<Self.frames { publish() }
      runs.append(Double(Planted.wait(since: begin, plant)) / Double(Self.frames))
    } while Clock.monotonicNs() < start + ns
    return SampleSummary.quantile(runs.sorted(), 0.25)
  }

  /// Publishes the next frame.
  package func publish() {
    last += 1
    _ = writer.claim()
    writer.publish(FrameStamp(tick: last, simTimeNs: last, publishTimeNs: last, stateHash: last))
    writer.wakeReaders()
  }

  /// A reader of the ring.
  ///
  /// - Throws: `Failure` if the memory cannot be mapped.
  package func reader() throws(Failure) -> FrameReader {
    let path = "/proc/self/fd/\(writer.descriptor.number)"
    do {
      let file = FileDescriptor(
        owning: try systemCall("open", path) { Glibc.open(path, O_RDONLY | O_CLOEXEC) })
      return try FrameReader(descriptor: file, segmentBytes: UInt64(writer.segmentBytes))
    } catch {
      throw Failure(.unavailable, error)
    }
  }

  /// Whether a reader finds the newest frame, and finds it whole.
  package func isRead(by reader: FrameReader) -> Bool {
    guard case .frame(let view) = reader.acquire(last) else { return false }
    return view.stamp().tick == last && reader.isWhole(view)
  }
}
