// SPDX-License-Identifier: Apache-2.0

import OrreryDelta
import OrreryFrame
import TestSupport

/// Frames of one layout in memory, as a sim would publish them.
final class TestFrames {
  static let generation: UInt64 = 0x1234_5678_9abc_def0

  let layout: FrameLayout
  private let memory: UnsafeMutableRawBufferPointer

  init(_ columns: [(count: Int, format: ColumnDescription.Format)]) throws {
    var descriptions: [ColumnDescription] = []
    var first = 0
    for (index, column) in columns.enumerated() {
      descriptions.append(
        ColumnDescription(
          batch: UInt32(index), field: UInt32(index % 6 + 1), firstEntity: UInt32(first),
          valueCount: UInt32(column.count), format: column.format))
      first += column.count
    }
    layout = try FrameLayout(columns: descriptions)
    memory = .allocate(byteCount: Int(layout.frameBytes), alignment: 64)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    FrameTemplate(layout, generation: Self.generation).write(to: start)
  }

  deinit { memory.deallocate() }

  private var start: UnsafeMutableRawPointer {
    guard let start = memory.baseAddress else { preconditionFailure("a frame without memory") }
    return start
  }

  /// The frame with another number and other values.
  ///
  /// - Parameters:
  ///   - sequence: Its number.
  ///   - value: The bits of a value by column and index.
  /// - Returns: The frame, until the next call.
  func frame(_ sequence: UInt64, _ value: (_ column: Int, _ index: Int) -> UInt32) -> FrameView {
    FrameStamp(
      tick: sequence + 7, simTimeNs: sequence * 11, publishTimeNs: sequence * 13,
      stateHash: sequence * 17
    ).write(sequence: sequence, to: start)
    for (number, column) in layout.columns.enumerated() {
      for index in 0..<Int(column.description.valueCount) {
        let address = start + Int(column.valuesOffset)
        if column.description.format == .float32 {
          address.storeBytes(of: value(number, index), toByteOffset: 4 * index, as: UInt32.self)
        } else {
          address.storeBytes(
            of: UInt16(truncatingIfNeeded: value(number, index)), toByteOffset: 2 * index,
            as: UInt16.self)
        }
      }
    }
    return FrameView(sequence: sequence, bytes: UnsafeRawBufferPointer(memory))
  }

  /// The same frame in pieces that also split columns.
  func inPieces(_ frame: FrameView, at cuts: [Int]) -> FrameView {
    let ends = [0] + cuts.sorted() + [frame.bytes.count]
    let pieces = zip(ends, ends.dropFirst()).map {
      UnsafeRawBufferPointer(rebasing: frame.bytes[$0..<$1])
    }
    return FrameView(sequence: frame.sequence, pieces: pieces)
  }
}

extension FrameDeltaEncoder.Message {
  /// The bytes of the message.
  var bytes: [UInt8] { parts.flatMap { Array($0) } }
}

extension FrameDeltaDecoder {
  /// Takes a message of either kind.
  func decode(_ message: [UInt8], isKeyframe: Bool) throws(DeltaError) {
    try message.span.bytes.withUnsafeBytes { (bytes) throws(DeltaError) in
      if isKeyframe { try decode(keyframe: bytes) } else { try decode(changes: bytes) }
    }
  }
}

/// How a test's values move; each is a function of column, index and frame.
enum Movement: CaseIterable {
  /// Circles of several sizes and periods.
  case orbits
  /// At constant speed, back to 0 at the end of a span.
  case wraps
  /// All bits at random: also infinities and values that are no numbers.
  case noise
  /// Most stand still, some jump.
  case jumps
  /// Beyond 16 bits of the finest unit, growing.
  case growth

  func value(_ column: Int, _ index: Int, _ frame: UInt64) -> Float {
    let (i, t) = (Float(index + column), Float(frame))
    switch self {
    case .orbits:
      return (40 + i.truncatingRemainder(dividingBy: 200)) * cosine(i + t / (20 + i / 50))
    case .wraps:
      return (i * 37 + t * (0.5 + i / 512)).truncatingRemainder(dividingBy: 1300)
    case .noise:
      var random = SeededRandom(
        seed: UInt64(index) &* 0x9e37 &+ frame &* 0x1_0001 &+ UInt64(column))
      return Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
    case .jumps: return (index + Int(frame)) % 97 == 0 ? 3e4 * (i + t) : 12.5
    case .growth: return (i - 50) * t * t * t
    }
  }

  private func cosine(_ angle: Float) -> Float {
    // Bhaskara's approximation is smooth enough here.
    let turns = angle / (2 * .pi)
    let x = (turns - turns.rounded()) * 2 * .pi
    let y = abs(x) <= .pi / 2 ? x : .pi - abs(x)
    let value = (.pi * .pi - 4 * y * y) / (.pi * .pi + y * y)
    return abs(x) <= .pi / 2 ? value : -value
  }
}
