// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDelta
import OrreryFrame
import OrreryReplay

/// The float columns of a built-in scene, as a logger recorded them: what `--delta` makes of them, and what others do.
struct RecordedColumns {
  /// A scene whose columns are compressed.
  struct Workload {
    let scene: String
    /// More options of the sim.
    let words: [String]
    /// Whether times are shown: a pass over a scene of a few entities would time calls.
    let isTimed: Bool
  }

  /// The scenes, of views one copy each: pcodec finds equal copies, and would be compared by that.
  static func workloads(entities: Int) -> [Workload] {
    [Workload(scene: "stress", words: ["--entities", "\(entities)"], isTimed: true)]
      + ["lottie-like", "feed", "planets"].map { Workload(scene: $0, words: [], isTimed: false) }
  }

  /// Seconds that are recorded, at 60 frames each, as the logger has a keyframe each second.
  private static let seconds = 2
  private static let framesOfAKeyframe = 60

  private let layout: FrameLayout
  private let generation: UInt64
  private let frames: [[UInt8]]

  /// Frames that were recorded.
  var frameCount: Int { frames.count }

  /// Values of each column of a frame.
  var counts: [Int] { layout.columns.map { Int($0.description.valueCount) } }

  /// Records a scene.
  ///
  /// - Throws: `Failure` if a program fails, or if a column has no floats.
  init(_ workload: Workload, programs folder: URL) throws {
    let name = "columns-\(workload.scene)"
    let path = folder.appendingPathComponent(name + ".mcap").path
    defer { unlink(path) }
    let sim = try StartedProgram(
      "sim",
      [workload.scene] + workload.words + [
        "--duration", "\(Self.seconds)", "--run", name, "--wait-for", "1", "--unpaced",
        "--lockstep", "--json",
      ], in: folder)
    let logger = try StartedProgram(
      "logger", ["--run", name, "--out", path, "--force", "--json"] + RecordUse.Mode.full.options,
      in: folder)
    guard sim.wait(seconds: 60), logger.wait(seconds: 60), logger.exitCode == 0 else {
      throw Failure(.unavailable, "\(workload.scene) was not recorded")
    }
    let archive = try FrameArchive(paths: [path])
    layout = archive.template.layout
    generation = archive.template.generation
    guard let span = archive.span,
      layout.columns.allSatisfy({ $0.description.format == .float32 })
    else { throw Failure(.unavailable, "\(workload.scene) has columns without floats") }
    var frames: [[UInt8]] = []
    for tick in span.first.tick...span.last.tick {
      guard let frame = try archive.frame(showing: tick) else { continue }
      var bytes = [UInt8](repeating: 0, count: Int(layout.frameBytes))
      try bytes.withUnsafeMutableBytes { memory in
        guard let start = memory.baseAddress else { return }
        archive.template.write(to: start)
        frame.stamp.write(sequence: UInt64(frames.count + 1), to: start)
        _ = try archive.write(frame, to: start)
      }
      frames.append(bytes)
    }
    self.frames = frames
  }

  /// Bits of a value, and bytes of values in a second both ways.
  struct Figures: Decodable {
    let bits: Double
    let inBytesPerSecond: Double
    let outBytesPerSecond: Double
    /// Of peers: the order of values that took fewer bits.
    var order: String?
  }

  private var valueBytes: Double { Double(frames.count * counts.reduce(0, +) * 4) }

  /// What `--delta` makes of the frames, keyframes included.
  ///
  /// Heads of messages are not counted: whole frames have them, too, and peers are not given any.
  ///
  /// - Throws: If a frame does not come back.
  func ours() throws -> Figures {
    let encoder = try FrameDeltaEncoder(layout: layout, generation: generation, quantises: false)
    let decoder = FrameDeltaDecoder()
    var (byteCount, inNs, outNs) = (0, UInt64(0), UInt64(0))
    for (index, bytes) in frames.enumerated() {
      try bytes.withUnsafeBytes { bytes in
        let frame = FrameView(sequence: UInt64(index + 1), bytes: bytes)
        let startNs = Clock.monotonicNs()
        let message = try encoder.encode(
          frame, asKeyframe: index % Self.framesOfAKeyframe == 0)
        let encodedNs = Clock.monotonicNs()
        for part in message.parts {
          if message.isKeyframe {
            try decoder.decode(keyframe: part)
          } else {
            try decoder.decode(changes: part)
          }
        }
        (inNs, outNs) = (inNs + encodedNs - startNs, outNs + Clock.monotonicNs() - encodedNs)
        if message.isKeyframe {
          byteCount += counts.reduce(0, +) * 4
        } else {
          for part in message.parts { byteCount += try Self.columnBytes(of: part) }
        }
        guard decoder.frame.elementsEqual(bytes) else {
          throw Failure(.badData, "frame \(index + 1) did not come back")
        }
      }
    }
    return Figures(
      bits: Double(byteCount) * 32 / valueBytes, inBytesPerSecond: valueBytes / Double(inNs) * 1e9,
      outBytesPerSecond: valueBytes / Double(outNs) * 1e9)
  }

  /// Bytes of the packed columns of a message.
  private static func columnBytes(of message: UnsafeRawBufferPointer) throws -> Int {
    var (fields, byteCount) = (FieldReader(message), 0)
    while let (_, value) = try fields.next() {
      if case .bytes(let range) = value { byteCount += range.count }
    }
    return byteCount
  }

  /// Writes the values for peers: one column after another, frame by frame.
  func write(to path: String) throws {
    var values = Data(capacity: Int(valueBytes))
    for column in layout.columns {
      let (start, count) = (Int(column.valuesOffset), Int(column.valuesBytes))
      for frame in frames { values.append(contentsOf: frame[start..<start + count]) }
    }
    try values.write(to: URL(fileURLWithPath: path))
  }
}
