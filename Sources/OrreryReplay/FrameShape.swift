// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// The layout that all frames of a trace share, found in one of them and demanded of the others.
///
/// A frame that Orrery recorded has its columns at the offsets of `FrameLayout`, so that they can be used in place.
/// Other encodings of the same message are refused: then an offset is a number to trust, and every frame costs a
/// comparison of its columns' heads.
package final class FrameShape {
  /// Where columns lie.
  package let layout: FrameLayout

  /// The run that frames are of.
  package let generation: UInt64

  /// A frame of this layout with all values 0.
  private let template: UnsafeMutableRawBufferPointer

  /// The bytes of a frame that are the same in all frames, but for the first seven numbers.
  private let constants: [Range<Int>]

  /// The shape of frames with these columns.
  package init(_ layout: FrameLayout, generation: UInt64) {
    self.layout = layout
    self.generation = generation
    // The values are never touched, so this costs no memory.
    template = .allocate(byteCount: max(Int(layout.frameBytes), 1), alignment: 64)
    var (end, constants) = (FrameField.allBytes, [Range<Int>]())
    for column in layout.columns {
      constants.append(end..<Int(column.valuesOffset))
      end = Int(column.valuesOffset + column.valuesBytes)
    }
    self.constants = constants
    if let base = template.baseAddress {
      for range in constants {
        (base + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
      }
      layout.writeConstantPart(to: base, generation: generation)
    }
  }

  deinit { template.deallocate() }

  /// The shape of a frame; nil if it is not a frame of `FrameLayout`.
  ///
  /// - Parameter frame: The whole message.
  package convenience init?(of frame: UnsafeRawBufferPointer) {
    guard let head = MessageHead(.frame, frame), let columns = Self.columns(of: frame, from: head),
      let layout = try? FrameLayout(columns: columns), layout.layoutHash == head.layoutHash
    else { return nil }
    self.init(layout, generation: head.generation)
    guard fits(frame) else { return nil }
  }

  /// Whether a message is a frame of this shape and run.
  package func fits(_ frame: UnsafeRawBufferPointer) -> Bool {
    guard UInt64(frame.count) == layout.frameBytes, let base = frame.baseAddress,
      let own = template.baseAddress, FrameField.haveSameConstants(base, own)
    else { return false }
    return constants.allSatisfy { range in
      UnsafeRawBufferPointer(rebasing: frame[range])
        .elementsEqual(UnsafeRawBufferPointer(rebasing: template[range]))
    }
  }

  /// Writes what all frames share.
  package func writeConstantPart(to frame: UnsafeMutableRawPointer) {
    layout.writeConstantPart(to: frame, generation: generation)
  }

  /// Reads what columns a frame has.
  private static func columns(
    of frame: UnsafeRawBufferPointer, from head: MessageHead
  ) -> [ColumnDescription]? {
    var reader = FieldReader(UnsafeRawBufferPointer(rebasing: frame[head.byteCount...]))
    var columns: [ColumnDescription] = []
    while let tag = reader.peekTag() {
      guard tag.field == 8, tag.wire == FieldReader.lengthDelimited, columns.count < 65_536 else {
        return nil
      }
      reader.skipTag()
      guard let content = reader.content() else { return nil }
      let range = content.lowerBound + head.byteCount..<content.upperBound + head.byteCount
      guard let column = column(UnsafeRawBufferPointer(rebasing: frame[range])) else { return nil }
      columns.append(column)
    }
    return reader.isAtEnd ? columns : nil
  }

  private static func column(_ bytes: UnsafeRawBufferPointer) -> ColumnDescription? {
    var reader = FieldReader(bytes)
    var (batch, firstEntity, field, unit) = (UInt32(0), UInt32(0), UInt64(0), Float(0))
    var (floatBytes, fixedBytes) = (0, 0)
    while let tag = reader.peekTag() {
      reader.skipTag()
      switch (tag.field, tag.wire) {
      case (1, FieldReader.fixed32): batch = reader.fixed32() ?? 0
      case (2, FieldReader.fixed32): firstEntity = reader.fixed32() ?? 0
      case (3, FieldReader.varintWire): field = reader.varint() ?? 0
      case (5, FieldReader.lengthDelimited): floatBytes = reader.content()?.count ?? -1
      case (6, FieldReader.fixed32): unit = Float(bitPattern: reader.fixed32() ?? 0)
      case (7, FieldReader.lengthDelimited): fixedBytes = reader.content()?.count ?? -1
      default: guard reader.skip(wire: tag.wire) else { return nil }
      }
    }
    let isFixed = unit.bitPattern != 0
    let valueBytes = isFixed ? fixedBytes : floatBytes
    guard reader.isAtEnd, (1...127).contains(field), valueBytes >= 0,
      valueBytes % (isFixed ? 2 : 4) == 0,
      !isFixed
        || (unit > 0 && unit.isNormal && unit.significandBitPattern == 0
          && (unit * 0x1p15).isFinite)
    else { return nil }
    return ColumnDescription(
      batch: batch, field: UInt32(field), firstEntity: firstEntity,
      valueCount: UInt32(valueBytes / (isFixed ? 2 : 4)),
      format: isFixed ? .fixed16(unit: unit) : .float32)
  }
}
