// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// The rows of frames on their way: whole programs, run by run.
package final class FrameRows {
  /// The rows so far, in the order of the table; rows without rounds are left out of the result.
  package private(set) var rows: [StudyRow] = [
    StudyRow("frame computed", unit: "µs"), StudyRow("frame published", unit: "µs"),
    StudyRow("frame found", unit: "µs"), StudyRow("frame recorded", unit: "µs"),
    StudyRow(
      "recording", unit: "MB/s", better: .larger,
      bound: StudyRow.Bound(what: "copying as many bytes")),
    StudyRow("drawing", unit: "Hz", better: .larger),
    StudyRow("unpaced", unit: "Hz", better: .larger),
  ]
  private var histograms: [Int: HdrHistogram] = [:]

  /// Frames in a round: half a second at 60 Hz.
  private static let roundFrames = 30

  package init() {}

  /// Adds what a run of paced frames came to.
  package func add(_ outcome: ProgramRun.Outcome) {
    setEntities(outcome.sim)
    let tickNs = outcome.sim.pace.tickNs
    let frameBytes = Double(outcome.sim.frameBytes)
    // The scene's own number, where none was asked for.
    for index in rows.indices { rows[index].entities = Int(outcome.sim.entities) }
    if !outcome.parts.contains(where: { $0.subscriber == .renderer }) {
      addWaits(0, FrameWaits.ofSim(outcome.published, tickNs: tickNs, until: \.computedNs))
      addWaits(
        1, outcome.published.map { $0.publishedNs - min($0.computedNs, $0.publishedNs) },
        planted: "publish")
      addSplit(outcome.published)
    }
    for part in outcome.parts {
      let used = part.times.map { Double($0.doneNs - min($0.foundNs, $0.doneNs)) }
      switch part.subscriber {
      case .reader:
        addWaits(2, FrameWaits.of(part.times, outcome.published, until: \.foundNs))
      case .logger:
        addWaits(3, FrameWaits.of(part.times, outcome.published, until: \.doneNs))
        add(4, used.map { frameBytes * 1e3 / max($0 * (1 + Planted.part(of: "recording")), 1) })
      case .renderer: add(5, used.map { 1e9 / max($0, 1) })
      }
    }
    if rows[0].hash == nil { setHash(outcome.sim) }
  }

  /// Adds the rate of a run without due times: frames per second, from each frame to the next.
  package func addUnpaced(_ outcome: ProgramRun.Outcome) {
    setEntities(outcome.sim)
    let times = outcome.published.map(\.publishedNs)
    let length = max(times.count / 8, 1)
    for first in stride(from: 0, to: times.count - length, by: length) {
      let ns = times[first + length] - times[first]
      if ns > 0 { rows[6].samples.append(Double(length) * 1e9 / Double(ns)) }
    }
  }

  /// Adds a round of the limit of recording, in MB/s.
  package func addBound(_ megabytes: Double) { rows[4].bound?.samples.append(megabytes) }

  private func setEntities(_ sim: SimReport) {
    for index in rows.indices { rows[index].entities = Int(sim.entities) }
  }

  private func setHash(_ sim: SimReport) {
    rows[0].hash = sim.stateHash
    rows[0].hashTick = sim.frames
  }

  private func addWaits(_ index: Int, _ waits: [UInt64], planted: String? = nil) {
    let factor = 1 + (planted.map { Planted.part(of: $0) } ?? 0)
    add(index, waits.map { Double($0) / 1e3 * factor })
    histograms[index, default: HdrHistogram()].add(HdrHistogram(waits))
    rows[index].histogram = histograms[index]?.encoded
  }

  private func addSplit(_ published: [SimFrameTimes]) {
    var split = rows[0].split ?? StudyRow.Split()
    func rounds(_ values: [UInt64]) -> [Double] {
      FrameWaits.rounds(values.map { Double($0) }, of: Self.roundFrames)
    }
    split.waitNs += rounds(
      zip(published, published.dropFirst()).map { $1.begunNs - min($0.publishedNs, $1.begunNs) })
    split.computeNs += rounds(published.map { $0.computedNs - min($0.begunNs, $0.computedNs) })
    split.publishNs += rounds(published.map { $0.publishedNs - min($0.computedNs, $0.publishedNs) })
    rows[0].split = split
  }

  private func add(_ index: Int, _ values: [Double]) {
    rows[index].samples += FrameWaits.rounds(values, of: Self.roundFrames)
  }
}

/// Limits of recording: copying bytes once into a chunk, for which a frame must wait; and copying and writing
/// them to a file, which a logger does chunk by chunk at another time.
package enum RecordingBound {
  private static let chunkBytes = 4 << 20
  private static let chunks = 8

  /// Copies bytes into a chunk: MB/s.
  package static func copying() -> Double { rate(isFilled) ?? 0 }

  /// Whether a chunk has the copied bytes.
  ///
  /// Not inlined: otherwise the compiler would leave out copies that are never read.
  @inline(never) private static func isFilled(_ chunk: UnsafeRawPointer) -> Bool {
    chunk.load(fromByteOffset: chunkBytes - 1, as: UInt8.self) == 1
  }

  /// Copies and writes, once.
  ///
  /// - Parameter folder: The folder of the file, which is removed.
  /// - Returns: MB/s; nil if the file cannot be written.
  package static func writing(in folder: String) -> Double? {
    let path = folder + "/bound-\(getpid())"
    let number = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    defer { unlink(path) }
    return rate { write(file.number, $0, chunkBytes) == chunkBytes }
  }

  /// Copies bytes into a chunk again and again.
  ///
  /// - Parameter use: Takes the chunk each time; false ends it.
  /// - Returns: MB/s; nil if `use` ended it.
  private static func rate(_ use: (_ chunk: UnsafeRawPointer) -> Bool) -> Double? {
    let source = UnsafeMutableRawPointer.allocate(byteCount: chunkBytes * chunks, alignment: 4096)
    let copy = UnsafeMutableRawPointer.allocate(byteCount: chunkBytes, alignment: 4096)
    defer {
      source.deallocate()
      copy.deallocate()
    }
    memset(source, 1, chunkBytes * chunks)
    memset(copy, 1, chunkBytes)
    let begin = Clock.monotonicNs()
    for chunk in 0..<chunks {
      memcpy(copy, source + chunk * chunkBytes, chunkBytes)
      guard use(copy) else { return nil }
    }
    return Double(chunkBytes * chunks) * 1e3 / Double(max(Clock.monotonicNs() - begin, 1))
  }
}
