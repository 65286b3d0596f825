// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDelta
import OrreryFrame
import OrreryMessages
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: what was recorded comes back, bit for bit, whatever the values are; and it is small where they move smoothly.
///
/// Method: frames of every movement go through the encoder and the decoder, with keyframes and gaps in between. Rounded
/// values are compared with what this file computes itself.
@Suite struct DeltaRoundTripTests {
  /// Counts around the size of a block, and formats of both kinds.
  private static let shapes: [[(Int, ColumnDescription.Format)]] = [
    [], [(0, .float32)], [(1, .float32), (2, .fixed16(unit: 0.25))],
    [(127, .float32), (128, .float32), (129, .fixed16(unit: 1))],
    [(1000, .float32), (0, .float32), (777, .float32), (300, .fixed16(unit: 0x1p-14))],
  ]

  @Test(arguments: Movement.allCases, shapes.indices)
  func framesComeBackBitForBit(_ movement: Movement, _ shape: Int) throws {
    let frames = try TestFrames(Self.shapes[shape])
    func encoder(threads: Int = 1, wide: Bool = true) throws -> FrameDeltaEncoder {
      try FrameDeltaEncoder(
        layout: frames.layout, generation: TestFrames.generation, quantises: false,
        threadCount: threads, usesWideVectors: wide)
    }
    let encoders = try [encoder(), encoder(wide: false), encoder(threads: 3)]
    let decoders = [FrameDeltaDecoder(), FrameDeltaDecoder(usesWideVectors: false)]
    for sequence in 1...30 as ClosedRange<UInt64> {
      // A jump back in time, as after a seek.
      let time = sequence == 20 ? 3 : sequence
      let frame = frames.frame(sequence) { movement.value($0, $1, time).bitPattern }
      let asKeyframe = sequence % 13 == 0
      if sequence == 17 { for each in encoders { each.reset() } }
      let message = try encoders[0].encode(frame, asKeyframe: asKeyframe)
      #expect(message.isKeyframe == (sequence == 1 || sequence == 17 || asKeyframe))
      let bytes = message.bytes
      for other in encoders.dropFirst() {
        #expect(try other.encode(frame, asKeyframe: asKeyframe).bytes == bytes)
      }
      for decoder in decoders {
        try decoder.decode(bytes, isKeyframe: message.isKeyframe)
        #expect(decoder.sequence == sequence)
        #expect(decoder.frame.elementsEqual(frame.bytes), "\(movement) \(sequence)")
      }
    }
  }

  @Test(arguments: [false, true]) func framesInPiecesGiveTheSameBytes(quantises: Bool) throws {
    let frames = try TestFrames(Self.shapes[4])
    let encoders = try [1, 1, 2].map {
      try FrameDeltaEncoder(
        layout: frames.layout, generation: TestFrames.generation, quantises: quantises,
        threadCount: $0)
    }
    for sequence in 1...5 as ClosedRange<UInt64> {
      let frame = frames.frame(sequence) { Movement.orbits.value($0, $1, sequence).bitPattern }
      let column = Int(frames.layout.columns[0].valuesOffset)
      let pieces = frames.inPieces(
        frame, at: [column, column + 400, column + 4000, frame.bytes.count - 600])
      let bytes = try encoders[0].encode(frame, asKeyframe: false).bytes
      for other in encoders.dropFirst() {
        #expect(try other.encode(pieces, asKeyframe: false).bytes == bytes)
      }
    }
  }

  /// Rounded values are the nearest multiples of their unit, and a unit is as fine as was promised.
  @Test(arguments: Movement.allCases) func roundedValuesAreNearest(_ movement: Movement) throws {
    let frames = try TestFrames([(1000, .float32), (129, .float32), (3, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: true)
    let decoder = FrameDeltaDecoder()
    var units: [Float] = [0x1p-4, 0x1p-4, 0x1p-10]
    for sequence in 1...40 as ClosedRange<UInt64> {
      let frame = frames.frame(sequence) { movement.value($0, $1, sequence).bitPattern }
      let message = try encoder.encode(frame, asKeyframe: sequence % 10 == 0)
      try decoder.decode(message.bytes, isKeyframe: message.isKeyframe)
      let decoded = try Orrery_Frame(serializedBytes: Data(decoder.frame))
      #expect(decoded.sequence == sequence && decoded.tick == sequence + 7)
      #expect(decoded.stateHash == sequence * 17 && decoded.generation == TestFrames.generation)
      #expect(decoded.layoutHash == encoder.layout.layoutHash)
      for (index, column) in decoded.columns.enumerated() {
        let originals = frames.layout.columns[index].values(in: frame)
        if column.unit == 0 {
          // Only where some value is no number, now or since the last keyframe.
          #expect(movement == .noise)
          #expect(
            column.values.map(\.bitPattern) == originals.map(\.bitPattern))
          continue
        }
        #expect(column.unit >= units[index])
        if message.isKeyframe {
          let greatest = originals.map(abs).max() ?? 0
          #expect(column.unit == units[index] || column.unit * 32_767 <= 4 * greatest)
        }
        units[index] = column.unit
        let multiples = column.fixed16.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        #expect(
          multiples.map { Float($0) }
            == originals.map { ($0 / column.unit).rounded(.toNearestOrEven) })
      }
    }
  }

  /// A value that 16 bits do not hold makes a keyframe at once, not at the next regular one.
  @Test(arguments: [1, 2]) func valueOutOfRangeMakesAKeyframe(threads: Int) throws {
    let frames = try TestFrames([(300, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: true,
      threadCount: threads)
    let finest = encoder.layout
    #expect(finest.columns[0].description.format == .fixed16(unit: 0x1p-4))
    func encode(_ sequence: UInt64, _ value: Float, asKeyframe: Bool = false) throws -> Bool {
      try encoder.encode(
        frames.frame(sequence) { $1 == 200 ? value.bitPattern : 0 }, asKeyframe: asKeyframe
      ).isKeyframe
    }
    #expect(try encode(1, 2047))
    #expect(try !encode(2, -2047.9375))
    #expect(encoder.layout == finest)
    #expect(try encode(3, 2048))
    #expect(encoder.layout.columns[0].description.format == .fixed16(unit: 0x1p-2))
    #expect(try !encode(4, -4000))
    #expect(try encode(5, .nan))
    #expect(encoder.layout.columns[0].description.format == .float32)
    #expect(try !encode(6, 1))
    #expect(try encode(7, 1, asKeyframe: true))
    #expect(encoder.layout.columns[0].description.format == .fixed16(unit: 0x1p-2))
    #expect(try encode(8, .infinity))
    #expect(encoder.layout.columns[0].description.format == .float32)
    // A finite number, but larger than any unit allows.
    #expect(try encode(9, .greatestFiniteMagnitude, asKeyframe: true))
    #expect(encoder.layout.columns[0].description.format == .float32)
    #expect(try encode(10, 0x1p126, asKeyframe: true))
    #expect(encoder.layout.columns[0].description.format == .fixed16(unit: 0x1p112))
  }

  /// A column that becomes floats on the way, and multiples again, comes back after each keyframe.
  @Test func formatsThatChangeOnTheWayAreRead() throws {
    let frames = try TestFrames([(300, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: true)
    let decoder = FrameDeltaDecoder()
    for sequence in 1...8 as ClosedRange<UInt64> {
      let values = (0..<300).map { index in
        sequence == 3 && index == 200 ? Float.infinity : Float(index) + Float(sequence * sequence)
      }
      let message = try encoder.encode(
        frames.frame(sequence) { values[$1].bitPattern }, asKeyframe: sequence == 6)
      #expect(message.isKeyframe == [1, 3, 6].contains(sequence))
      try decoder.decode(message.bytes, isKeyframe: message.isKeyframe)
      let column = try Orrery_Frame(serializedBytes: Data(decoder.frame)).columns[0]
      #expect((column.unit == 0) == (3...5).contains(sequence))
      let multiples = column.fixed16.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
      let found = column.unit == 0 ? column.values : multiples.map { Float($0) * column.unit }
      #expect(found == values, "frame \(sequence)")
    }
  }

  /// The layout that a trace begins with is known before the first frame.
  @Test func recordedLayoutIsKnownBefore() throws {
    let frames = try TestFrames([(5, .float32), (5, .fixed16(unit: 0.5)), (5, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: true)
    #expect(
      encoder.layout.columns.map(\.description.format)
        == [.fixed16(unit: 0x1p-4), .fixed16(unit: 0.5), .fixed16(unit: 0x1p-10)])
    let message = try encoder.encode(frames.frame(1) { _, _ in 0 }, asKeyframe: true)
    let frame = try Orrery_Frame(serializedBytes: Data(message.bytes))
    #expect(frame.layoutHash == encoder.layout.layoutHash)
  }

  @Test(arguments: [(Movement.orbits, 0.6), (.wraps, 0.7)])
  func smoothMovementIsSmall(_ movement: Movement, bytesMax: Double) throws {
    let frames = try TestFrames([(12_800, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: true)
    for sequence in 1...6 as ClosedRange<UInt64> {
      let frame = frames.frame(sequence) { movement.value($0, $1, sequence).bitPattern }
      let message = try encoder.encode(frame, asKeyframe: false)
      if sequence > 2 {
        #expect(!message.isKeyframe)
        #expect(Double(message.bytes.count) / 12_800 < bytesMax)
      }
    }
  }

  /// The bytes are those that docs/reference/trace.md describes, and stay so: old traces must be read.
  @Test func bytesArePinned() throws {
    let frames = try TestFrames([(300, .float32), (130, .fixed16(unit: 1)), (129, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    var hash = StableHash()
    for sequence in 1...8 as ClosedRange<UInt64> {
      let frame = frames.frame(sequence) { column, index in
        // Whole numbers only, the same on every machine; infinities in between.
        index % 50 == 49 && sequence % 3 == 0
          ? Float.infinity.bitPattern
          : Float(index * 7 + Int(sequence * sequence) * (index % 11) - 90).bitPattern
      }
      for byte in try encoder.encode(frame, asKeyframe: false).bytes { hash.combine(UInt64(byte)) }
    }
    #expect(hash.value == 0xe63b_5214_696d_dc4a)
  }

  /// A block with exceptions that would take as many bytes has none.
  @Test func exceptionsThatSaveNothingAreNotUsed() throws {
    let frames = try TestFrames([(128, .fixed16(unit: 1))])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    _ = try encoder.encode(frames.frame(1) { _, _ in 100 }, asKeyframe: false)
    // Residuals of one bit, and five of two: 1 + 32 bytes, or 2 + 16 + 5 · 3.
    let message = try encoder.encode(frames.frame(2) { $1 < 5 ? 101 : 99 }, asKeyframe: false)
    let column = try Orrery_DeltaFrame(serializedBytes: Data(message.bytes)).columns[0]
    #expect((column.first, column.count) == (2, 33))
  }

  /// The largest multiple that 16 bits hold is recorded as one.
  @Test func largestMultipleKeepsTheUnit() throws {
    let frames = try TestFrames([(3, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: true)
    let frame = frames.frame(1) { _, index in Float(index == 1 ? -2047.9375 : 1).bitPattern }
    let message = try encoder.encode(frame, asKeyframe: true)
    #expect(encoder.layout.columns[0].description.format == .fixed16(unit: 0x1p-4))
    let column = try Orrery_Frame(serializedBytes: Data(message.bytes)).columns[0]
    let multiples = column.fixed16.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    #expect(multiples == [16, -32_767, 16])
  }

  /// What is kept of columns is given back once a keyframe has others: a decoder may live for long.
  @Test func memoryOfFormerColumnsIsGivenBack() async {
    // Other tests take memory of their process meanwhile.
    await #expect(processExitsWith: .success) {
      let keyframes = try [1000, 1].map { columnCount in
        let frames = try TestFrames(Array(repeating: (0, .float32), count: columnCount))
        return Array(frames.frame(1) { _, _ in 0 }.bytes)
      }
      let decoder = FrameDeltaDecoder()
      func decode(_ rounds: Int) throws {
        for _ in 0..<rounds {
          for keyframe in keyframes { try decoder.decode(keyframe, isKeyframe: true) }
        }
      }
      try decode(20)
      let before = try #require(Memory.residentBytes())
      try decode(300)
      let after = try #require(Memory.residentBytes())
      // 300,000 columns: 32 bytes of each would be 9.6 MB.
      precondition(isSanitized || after < before + 4_000_000, "\(before) bytes grew to \(after)")
    }
  }

  /// What is kept of a long column lies in huge pages where the kernel has any: each frame passes over all of it.
  @Test func formerFramesOfALongColumnAskForHugePages() async {
    // Other tests take memory of their process meanwhile.
    await #expect(processExitsWith: .success) {
      /// Bytes of the mappings that the kernel may give huge pages.
      func askingBytes() throws -> UInt64 {
        var (bytes, total): (UInt64, UInt64) = (0, 0)
        let maps = try #require(SmallFile.read("/proc/self/smaps", bytesMax: 4 << 20))
        for line in maps.split(separator: "\n") {
          if line.hasPrefix("Size:") { bytes = Memory.bytes(of: "Size", in: String(line)) ?? 0 }
          if line.hasPrefix("VmFlags:"), line.split(separator: " ").contains("hg") {
            total += bytes
          }
        }
        return total
      }
      let frames = try TestFrames([(200_000, .float32)])
      let before = try askingBytes()
      let encoder = try FrameDeltaEncoder(
        layout: frames.layout, generation: TestFrames.generation, quantises: false)
      _ = try encoder.encode(frames.frame(1) { _, _ in 0 }, asKeyframe: true)
      let after = try askingBytes()
      // Five frames of 800,000 bytes; of those, whole huge pages.
      let hasHugePages = SmallFile.read("/sys/kernel/mm/transparent_hugepage/enabled") != nil
      precondition(!hasHugePages || after >= before + 2_000_000, "\(before) bytes, \(after)")
      withExtendedLifetime(encoder) {}
    }
  }

  /// Nothing moves: two bytes for three blocks of two columns would be too many already.
  @Test func stillnessIsOneByteABlock() throws {
    let frames = try TestFrames([(384, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    _ = try encoder.encode(frames.frame(1) { _, i in UInt32(i) }, asKeyframe: false)
    let message = try encoder.encode(frames.frame(2) { _, i in UInt32(i) }, asKeyframe: false)
    #expect(message.bytes.count == 72 + 6 + 3)
  }
}
