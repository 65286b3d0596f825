// SPDX-License-Identifier: Apache-2.0

import CDelta
import OrreryFrame

/// One column on its way into a trace: how it is published, and how it is recorded.
struct RecordedColumn {
  /// The column in the frames that come.
  let source: FrameLayout.Column

  /// Whether its floats are rounded where 16 bits hold them.
  private let quantises: Bool

  /// The unit of its rounded values, now or when they were rounded last.
  private var unit: Float

  /// How its values are recorded.
  private(set) var format: ColumnDescription.Format

  /// What packs its values, with the frames before.
  private enum Packing {
    case multiples(ColumnPacker, ColumnHistory)
    case floats(FloatPacker)
  }
  private var packing: Packing

  private let isa: delta_isa

  /// A column that is recorded as it is published, or rounded to 16 bits.
  init(_ source: FrameLayout.Column, quantises: Bool, isa: delta_isa) {
    self.source = source
    self.isa = isa
    let published = source.description.format
    self.quantises = quantises && published == .float32
    unit = Self.finestUnit(of: source.description.field)
    format = self.quantises ? .fixed16(unit: unit) : published
    packing = Self.packing(source, format, isa: isa)
  }

  /// Whether values are rounded.
  var isRounded: Bool { source.description.format != format }

  /// The column as it is described in a recorded frame.
  var description: ColumnDescription {
    let published = source.description
    return ColumnDescription(
      batch: published.batch, field: published.field, firstEntity: published.firstEntity,
      valueCount: published.valueCount, format: format)
  }

  /// Chooses another format where the present one does not hold all values.
  ///
  /// The unit doubles until 16 bits hold twice the largest value, and never gets finer. Values that are no numbers, or
  /// too large for any unit, are recorded as floats until a keyframe has none.
  ///
  /// - Parameter values: The column's.
  /// - Returns: Whether the format is another one.
  mutating func fit(_ values: UnsafeRawPointer) -> Bool {
    guard quantises else { return false }
    let greatest = Float(
      bitPattern: delta_greatest(isa, values, Int(source.description.valueCount)))
    // Not a number is never within.
    if !(greatest <= unit * 32_767) {
      while greatest.isFinite, unit < Self.unitMax, unit * 32_767 < 2 * greatest { unit *= 2 }
    }
    let fitting: ColumnDescription.Format =
      greatest <= unit * 32_767 ? .fixed16(unit: unit) : .float32
    guard fitting != format else { return false }
    format = fitting
    packing = Self.packing(source, format, isa: isa)
    return true
  }

  /// The unit of a field's values where 16 bits hold them: nobody sees half of it.
  ///
  /// 1/16 of a point for positions and 1/1024 for other fields, as `orrery sim --format fixed16` has them at the
  /// coarsest.
  static func finestUnit(of field: UInt32) -> Float { field <= 2 ? 0x1p-4 : 0x1p-10 }

  /// The largest unit that a column may have.
  private static let unitMax: Float = 0x1p112

  private static func packing(
    _ source: FrameLayout.Column, _ format: ColumnDescription.Format, isa: delta_isa
  ) -> Packing {
    let published = source.description
    let count = Int(published.valueCount)
    return switch (published.format, format) {
    case (.float32, .fixed16(let unit)):
      .multiples(ColumnPacker(.rounded(units: 1 / unit), isa: isa), ColumnHistory(count: count))
    case (.float32, .float32): .floats(FloatPacker(count: count, isa: isa))
    default: .multiples(ColumnPacker(.multiples, isa: isa), ColumnHistory(count: count))
    }
  }

  /// The most bytes that the column takes in a message of changes.
  var packedBytesMax: Int {
    let count = Int(source.description.valueCount)
    return DeltaBytes.columnHeadBytes
      + (format == .float32
        ? FloatPacker.bytesMax(count: count) : ColumnPacker.bytesMax(count: count))
  }

  /// Packs what changed, as a field of a message.
  ///
  /// - Parameters:
  ///   - values: The column's.
  ///   - field: Which field it becomes.
  ///   - output: Room for `packedBytesMax`.
  /// - Returns: The field's end; nil if the format does not hold a value.
  mutating func pack(
    _ values: UnsafeRawPointer, as field: DeltaBytes.ColumnField,
    to output: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    let packed = output + DeltaBytes.columnHeadBytes
    guard let byteCount = pack(values, to: packed) else { return nil }
    DeltaBytes.writeColumnHead(of: field, byteCount: byteCount, to: output)
    return packed + byteCount
  }

  /// Packs what changed; the bytes written, or nil if the format does not hold a value.
  private mutating func pack(
    _ values: UnsafeRawPointer, to output: UnsafeMutableRawPointer
  ) -> Int? {
    switch packing {
    case .floats(let packer): return packer.pack(values, to: output)
    case .multiples(var packer, let history):
      defer { packing = .multiples(packer, history) }
      return packer.pack(values, history, to: output)
    }
  }

  /// Begins the history with a keyframe's values.
  ///
  /// - Parameters:
  ///   - values: The column's.
  ///   - output: Gets the values as they are recorded; needed where they are rounded.
  func begin(_ values: UnsafeRawPointer, copyTo output: UnsafeMutableRawPointer?) {
    let count = Int(source.description.valueCount)
    var values = values
    if let output {
      if isRounded {
        _ = delta_round(
          isa, values, count, 1 / format.unit, output.assumingMemoryBound(to: UInt16.self))
        values = UnsafeRawPointer(output)
      } else {
        output.copyMemory(from: values, byteCount: Int(source.valuesBytes))
      }
    }
    switch packing {
    case .floats(let packer): packer.begin(values)
    case .multiples(_, let history):
      precondition(output != nil || !isRounded, "rounded values need room")
      history.set(values)
    }
  }
}
