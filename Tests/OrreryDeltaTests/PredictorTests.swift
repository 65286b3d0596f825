// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDelta
import OrreryFrame
import OrreryMessages
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: floats are predicted as docs/reference/trace.md says, by every predictor and for as few frames as there are; the
/// encoder finds the one that suits a movement; and messages of the older form are read.
///
/// Method: messages that are written by hand say that every prediction was right: the decoder's frames are then the
/// predictions, and are compared with what this file computes. Movements of each kind are encoded, and bytes counted.
@Suite struct PredictorTests {
  private static let count = 300

  /// What is expected after values of which the last is the first: the formulas of the page, written anew.
  private static func expected(_ predictor: Int, after bits: [UInt32]) -> UInt32 {
    let x = bits.map { Double(Float(bitPattern: $0)) }
    let known = min(bits.count, 5)
    let usable =
      switch predictor {
      case 6: known < 4 ? min(known, 2) : 6
      case 7: known < 5 ? known : 7
      default: min(predictor, known)
      }
    var value = x[0]
    if usable <= 5 {
      // Differences of rising degree, each the first of its row; they are added from the last one on.
      var (row, firsts) = (Array(x.prefix(usable)), [Double]())
      while row.count > 1 {
        row = zip(row, row.dropFirst()).map { $0 - $1 }
        firsts.append(row[0])
      }
      var sum = firsts.last ?? 0
      for first in firsts.dropLast().reversed() { sum = first + sum }
      value = usable == 1 ? x[0] : x[0] + sum
    } else {
      let d = zip(x, x.dropFirst()).map { $0 - $1 }
      func least(_ a: Double, _ b: Double) -> Double { a < b ? a : b }
      func most(_ a: Double, _ b: Double) -> Double { a < b ? b : a }
      if usable == 6 {
        value += most(least(d[0], d[1]), least(most(d[0], d[1]), d[2]))
      } else {
        let (a, b) = (d[0] * d[3] - d[1] * d[2], d[1] * d[1] - d[0] * d[2])
        value += (a * d[0] + b * d[1]) / (d[1] * d[3] - d[2] * d[2])
      }
    }
    let rounded = Float(value)
    return rounded.isFinite ? rounded.bitPattern : bits[0]
  }

  /// A message whose blocks name a predictor, and say that it is right but for a few values.
  private static func message(
    of sequence: UInt64, like message: [UInt8], predictor: UInt8, exceptions: [(Int, UInt32)] = []
  ) throws -> [UInt8] {
    var changes = try Orrery_DeltaFrame(serializedBytes: Data(message))
    (changes.sequence, changes.baseSequence) = (sequence, sequence - 1)
    var column: [UInt8] = []
    for first in stride(from: 0, to: count, by: 128) {
      let inside = exceptions.filter { (first..<first + 128).contains($0.0) }
      column += inside.isEmpty ? [0x40, predictor] : [0xc0, predictor, UInt8(inside.count)]
      for (index, residual) in inside {
        column.append(UInt8(index - first) | 0x80)
        withUnsafeBytes(of: residual.littleEndian) { column += $0 }
      }
    }
    changes.predictedColumns = [Data(column)]
    return try changes.serializedBytes()
  }

  /// Values of all kinds: of each movement, not finite, of both signs and sizes, still.
  private static func value(_ index: Int, _ sequence: UInt64) -> UInt32 {
    let kinds = Movement.allCases
    switch index % 8 {
    case 0..<5: return kinds[index % 8].value(0, index, sequence).bitPattern
    case 5: return (index % 3 == 0 ? Float.infinity : .nan).bitPattern
    case 6: return UInt32(truncatingIfNeeded: 0x8000_0000 &+ UInt64(index) &* sequence)
    default: return Float(-3.5).bitPattern
    }
  }

  @Test(arguments: 1...7) func framesAreExpectedAsThePageSays(_ predictor: Int) throws {
    let frames = try TestFrames([(Self.count, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    for known in 1...6 {
      // A chain up to `known` frames, and then one whose values are all as expected.
      for decoder in [FrameDeltaDecoder(), FrameDeltaDecoder(usesWideVectors: false)] {
        encoder.reset()
        var last: [UInt8] = []
        for sequence in 1...UInt64(known) {
          let frame = frames.frame(sequence) { Self.value($1, sequence) }
          let message = try encoder.encode(frame, asKeyframe: false)
          last = message.bytes
          try decoder.decode(last, isKeyframe: message.isKeyframe)
        }
        let like =
          known > 1
          ? last
          : try encoder.encode(frames.frame(2) { Self.value($1, 2) }, asKeyframe: false).bytes
        let next = UInt64(known) + 1
        try decoder.decode(
          Self.message(of: next, like: like, predictor: UInt8(predictor), exceptions: [(7, 2)]),
          isKeyframe: false)
        let decoded = try Orrery_Frame(serializedBytes: Data(decoder.frame)).columns[0].values
        for index in 0..<Self.count {
          let before = (1...UInt64(known)).reversed().map { Self.value(index, $0) }
          let expected = Self.expected(predictor, after: before)
          let found = decoded[index].bitPattern
          if index == 7 {
            // A residual of 2 is one float up.
            #expect(found == Float(bitPattern: expected).nextUp.bitPattern)
          } else {
            #expect(found == expected, "\(predictor) after \(known), value \(index)")
          }
        }
      }
    }
  }

  /// Smooth movements of one kind each, and the bits of a value that a frame of them needs at most.
  enum Motion: CaseIterable {
    case circles, jumpingSteps, springs, stillness

    var bitsMax: Double {
      switch self {
      case .circles: 5
      case .jumpingSteps: 6
      case .springs: 12
      case .stillness: 0.12
      }
    }

    func value(_ index: Int, _ frame: UInt64) -> Float {
      let (i, t) = (Double(index), Double(frame))
      switch self {
      case .circles: return Float(300 + (20 + i / 50) * sin(i + t * (0.002 + i * 2e-6)))
      case .jumpingSteps:
        return Float((i * 37 + t * (0.5 + i / 512)).truncatingRemainder(dividingBy: 200) + 4)
      case .springs:
        return Float(400 + 60 * exp(-t * (0.01 + i * 1e-6)) * cos(t * (0.3 + i * 1e-5) + i))
      case .stillness: return Float(i)
      }
    }
  }

  /// After a second of frames each block has the predictor that suits it.
  @Test(arguments: Motion.allCases) func movementIsSmall(_ motion: Motion) throws {
    let count = 12_800
    let frames = try TestFrames([(count, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    var bytes = 0
    for sequence in 1...60 as ClosedRange<UInt64> {
      let frame = frames.frame(sequence) { motion.value($1, sequence).bitPattern }
      let message = try encoder.encode(frame, asKeyframe: sequence == 30)
      if sequence > 40 { bytes += message.bytes.count }
    }
    let bits = Double(bytes * 8) / Double(20 * count)
    #expect(bits < motion.bitsMax, "\(motion): \(bits) bits a value")
  }

  /// A block of eight bits tries others at the 16th frame only, and one of nine at every second.
  @Test(arguments: [(7, 16), (14, 12)])
  func wideBlocksTryPredictorsMoreOften(_ amplitude: Int, _ turn: Int) throws {
    let frames = try TestFrames([(128, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    func encode(_ sequence: UInt64, _ value: Int) throws -> Int {
      // Whole numbers next to each other.
      let frame = frames.frame(sequence) { _, _ in Float(12_000_000 + value).bitPattern }
      return try encoder.encode(frame, asKeyframe: false).bytes.count
    }
    _ = try encode(1, 0)
    // To and fro: the polynomial through four frames is wrong by 16 times the amplitude, which
    // rises too slowly to be a jump.
    let amplitudes = [0, 0, 0, 0, 0, 1, 1, 1, 7, 7] + Array(repeating: amplitude, count: 8)
    let sizes = try amplitudes.enumerated().map { index, amplitude in
      try encode(UInt64(index) + 2, index % 2 == 0 ? -amplitude : amplitude)
    }
    #expect(sizes[turn - 1] == 78 + 1 + 16 * (amplitude == 7 ? 8 : 9))
    #expect(sizes.indices.dropFirst().first { sizes[$0] < sizes[$0 - 1] } == turn, "\(sizes)")
  }

  /// A trace of before has floats in `columns`, predicted on a line.
  @Test(arguments: Movement.allCases, [1, 127, 128, 300])
  func messagesOfTheOlderFormAreRead(_ movement: Movement, count: Int) throws {
    let frames = try TestFrames([(count, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    let decoders = [FrameDeltaDecoder(), FrameDeltaDecoder(usesWideVectors: false)]
    var known: [[UInt32]] = []
    for sequence in 1...20 as ClosedRange<UInt64> {
      let frame = frames.frame(sequence) { movement.value($0, $1, sequence).bitPattern }
      let message = try encoder.encode(frame, asKeyframe: sequence == 11)
      var bytes = message.bytes
      let values = (0..<count).map { movement.value(0, $0, sequence).bitPattern }
      if message.isKeyframe {
        known = [values, values]
      } else {
        var older = try Orrery_DeltaFrame(serializedBytes: Data(bytes))
        older.predictedColumns = []
        older.columns = [Data(OlderColumn.packed(values, last: known[0], before: known[1]))]
        bytes = try older.serializedBytes()
        known = [values, known[0]]
      }
      for decoder in decoders {
        try decoder.decode(bytes, isKeyframe: message.isKeyframe)
        #expect(decoder.frame.elementsEqual(frame.bytes), "\(movement) \(sequence)")
      }
    }
  }

  /// Columns of 16 bits are as they were: only floats need readers that know predictors.
  @Test func messagesWithoutFloatsHaveTheOlderForm() throws {
    for quantises in [false, true] {
      let frames = try TestFrames([(300, quantises ? .float32 : .fixed16(unit: 1))])
      let encoder = try FrameDeltaEncoder(
        layout: frames.layout, generation: TestFrames.generation, quantises: quantises)
      _ = try encoder.encode(frames.frame(1) { _, i in UInt32(i) }, asKeyframe: false)
      let message = try encoder.encode(frames.frame(2) { _, i in UInt32(i) }, asKeyframe: false)
      let changes = try Orrery_DeltaFrame(serializedBytes: Data(message.bytes))
      #expect(changes.columns.count == 1 && changes.predictedColumns.isEmpty)
    }
    let frames = try TestFrames([(3, .fixed16(unit: 1)), (3, .float32)])
    let encoder = try FrameDeltaEncoder(
      layout: frames.layout, generation: TestFrames.generation, quantises: false)
    _ = try encoder.encode(frames.frame(1) { _, i in UInt32(i) }, asKeyframe: false)
    let message = try encoder.encode(frames.frame(2) { _, i in UInt32(i) }, asKeyframe: false)
    let changes = try Orrery_DeltaFrame(serializedBytes: Data(message.bytes))
    #expect(changes.columns.isEmpty && changes.predictedColumns.count == 2)
  }
}

/// A column of floats as traces before predictors have it, written plainly: all bits of each value, no exceptions but
/// one where there is room.
enum OlderColumn {
  static func packed(_ values: [UInt32], last: [UInt32], before: [UInt32]) -> [UInt8] {
    let residuals = values.indices.map { index in
      let (a, b) = (Float(bitPattern: before[index]), Float(bitPattern: last[index]))
      let next = b + (b - a)
      let expected = next.isFinite ? next.bitPattern : last[index]
      let change = Int32(bitPattern: ordered(values[index]) &- ordered(expected))
      return UInt32(bitPattern: change << 1 ^ change >> 31)
    }
    var bytes: [UInt8] = []
    for first in stride(from: 0, to: residuals.count, by: 128) {
      let block = residuals[first..<min(first + 128, residuals.count)]
      guard block.count == 128 else {
        // Four bytes of each.
        bytes.append(0x44)
        for residual in block { append(residual, to: &bytes) }
        continue
      }
      // Width 0, and every residual an exception; or width 32.
      if block.filter({ $0 != 0 }).count < 100 {
        let exceptions = block.enumerated().filter { $0.element != 0 }
        bytes += [0x80, UInt8(exceptions.count)]
        for (index, residual) in exceptions {
          bytes.append(UInt8(index))
          append(residual, to: &bytes)
        }
      } else {
        bytes.append(32)
        for residual in block { append(residual, to: &bytes) }
      }
    }
    return bytes
  }

  private static func ordered(_ bits: UInt32) -> UInt32 {
    bits >> 31 == 0 ? bits : bits ^ 0x7fff_ffff
  }

  private static func append(_ residual: UInt32, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: residual.littleEndian) { bytes += $0 }
  }
}
