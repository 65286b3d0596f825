// SPDX-License-Identifier: Apache-2.0

import CDelta
import Glibc
import OrreryBase
import OrreryFrame

/// Gives frames back from the messages of a trace: the opposite of `FrameDeltaEncoder`.
///
/// Messages may come from anywhere: each is checked before it is used. A frame is as large as its keyframe, and takes
/// three times its values in memory, six times where they are floats. One thread at a time uses it.
package final class FrameDeltaDecoder {
  /// The last frame as an encoded `orrery.Frame`.
  ///
  /// Valid until the next call, empty before the first.
  package var frame: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

  /// Number of the last frame; nil if a keyframe must come first.
  package private(set) var sequence: UInt64?

  private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var map: FrameMap?
  private var histories: [History] = []
  private let isa: delta_isa
  private let frameBytesMax: Int

  /// The frames before of a column.
  private enum History {
    case multiples(ColumnHistory)
    case floats(FloatHistory)

    init(count: Int, valueBytes: Int) {
      self =
        valueBytes == ColumnHistory.valueBytes
        ? .multiples(ColumnHistory(count: count)) : .floats(FloatHistory(count: count))
    }

    func fits(count: Int, valueBytes: Int) -> Bool {
      switch self {
      case .multiples(let history):
        valueBytes == ColumnHistory.valueBytes && history.count == count
      case .floats(let history): valueBytes != ColumnHistory.valueBytes && history.count == count
      }
    }

    func set(_ values: UnsafeRawPointer) {
      switch self {
      case .multiples(let history): history.set(values)
      case .floats(let history): history.set(values)
      }
    }
  }

  /// Makes a decoder.
  ///
  /// - Parameters:
  ///   - frameBytesMax: The largest frame that is accepted.
  ///   - usesWideVectors: Whether to use the machine's widest instruction set; results are the same.
  package init(
    frameBytesMax: Int = Int(FrameLayout.frameBytesMax), usesWideVectors: Bool = true
  ) {
    self.frameBytesMax = frameBytesMax
    isa = usesWideVectors ? delta_best_isa() : DELTA_BASELINE
  }

  deinit { free(bytes.baseAddress) }

  /// Takes a message of `/orrery/frames`.
  ///
  /// - Throws: `malformed`, `tooLarge`; then a keyframe must come next.
  package func decode(keyframe: UnsafeRawBufferPointer) throws(DeltaError) {
    sequence = nil
    guard keyframe.count <= frameBytesMax else {
      throw .tooLarge(bytes: keyframe.count, limit: frameBytesMax)
    }
    let map: FrameMap
    do throws(FieldReader.Fault) { map = try FrameMap(keyframe) } catch { throw DeltaError(error) }
    if bytes.count != keyframe.count {
      free(bytes.baseAddress)
      bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
      guard let memory = malloc(max(keyframe.count, 1)) else {
        preconditionFailure("no memory for a frame of \(keyframe.count) bytes")
      }
      bytes = UnsafeMutableRawBufferPointer(start: memory, count: keyframe.count)
    }
    bytes.copyMemory(from: keyframe)
    let isSameShape =
      histories.count == map.columns.count
      && zip(histories, map.columns).allSatisfy {
        $0.fits(count: $1.count, valueBytes: $1.valueBytes)
      }
    if !isSameShape {
      histories = map.columns.map { History(count: $0.count, valueBytes: $0.valueBytes) }
    }
    if let start = bytes.baseAddress {
      for (history, column) in zip(histories, map.columns) { history.set(start + column.offset) }
    }
    self.map = map
    sequence = map.number(.sequence, in: frame)
  }

  /// Takes a message of `/orrery/deltas`: `frame` is then its frame.
  ///
  /// - Throws: Every case of `DeltaError` but `tooLarge`; then a keyframe must come next.
  package func decode(changes: UnsafeRawBufferPointer) throws(DeltaError) {
    let base = sequence
    sequence = nil
    let message = try DeltaMessage(changes)
    guard let base, let map, let start = bytes.baseAddress else {
      throw .noBase(sequence: message.number(.sequence))
    }
    guard message.base == base else { throw .wrongBase(found: message.base, expected: base) }
    for field in [FrameField.layoutHash, .generation] {
      let (found, expected) = (message.number(field), map.number(field, in: frame))
      guard found == expected else { throw .otherLayout(found: found, expected: expected) }
    }
    guard message.columns.count == map.columns.count else {
      throw .columnCount(found: message.columns.count, expected: map.columns.count)
    }
    for (index, column) in map.columns.enumerated() {
      let packed = UnsafeRawBufferPointer(rebasing: changes[message.columns[index]])
      if let offset = unpack(
        packed, histories[index], isPredicted: message.field == .predictedColumns,
        to: start + column.offset)
      {
        throw .damagedColumn(index, offset: offset)
      }
    }
    for field in FrameField.allCases {
      start.storeBytes(
        of: message.number(field).littleEndian,
        toByteOffset: map.numbers[Int(field.rawValue) - 1], as: UInt64.self)
    }
    sequence = message.number(.sequence)
  }

  /// Unpacks a column.
  ///
  /// - Returns: The offset of the byte that is damaged, or missing; nil if all is well.
  private func unpack(
    _ packed: UnsafeRawBufferPointer, _ history: History, isPredicted: Bool,
    to column: UnsafeMutableRawPointer
  ) -> Int? {
    switch history {
    case .multiples(let history):
      let damage = ColumnUnpacker(isa: isa).unpack(packed, history)
      memcpy(column, history.last, history.count * ColumnHistory.valueBytes)
      return damage
    case .floats(let history):
      return isPredicted
        ? FloatUnpacker(isa: isa).unpack(packed, history, to: column)
        : ColumnUnpacker(isa: isa).unpackOlder(packed, history, to: column)
    }
  }
}

/// The parts of an encoded `orrery.DeltaFrame`.
struct DeltaMessage {
  /// The seven numbers, by `FrameField`.
  private let numbers: [UInt64]

  /// `base_sequence`.
  let base: UInt64

  /// Where each column's packed changes lie.
  let columns: [Range<Int>]

  /// The field that all of them are in.
  let field: DeltaBytes.ColumnField

  /// Reads a message.
  ///
  /// - Throws: `malformed`: it is no such message, or lacks a number.
  init(_ message: UnsafeRawBufferPointer) throws(DeltaError) {
    var numbers = [UInt64?](repeating: nil, count: FrameField.allCases.count + 1)
    var columns: [Range<Int>] = []
    var field: DeltaBytes.ColumnField?
    do throws(FieldReader.Fault) {
      var fields = FieldReader(message)
      var start = 0
      while let (number, value) = try fields.next() {
        switch value {
        case .fixed64(let word) where number <= numbers.count: numbers[number - 1] = word
        case .bytes(let range):
          guard let found = DeltaBytes.ColumnField(rawValue: number), found == field ?? found
          else { throw FieldReader.Fault(offset: start) }
          field = found
          columns.append(range)
        default: throw FieldReader.Fault(offset: start)
        }
        start = fields.offset
      }
    } catch {
      throw DeltaError(error)
    }
    let found = numbers.compactMap { $0 }
    guard found.count == numbers.count, let base = found.last else {
      throw .malformed(offset: message.count)
    }
    (self.numbers, self.base, self.columns) = (found, base, columns)
    self.field = field ?? .columns
  }

  /// One of the seven numbers.
  func number(_ field: FrameField) -> UInt64 { numbers[Int(field.rawValue) - 1] }
}
