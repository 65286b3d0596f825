// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import Foundation
import Glibc
import OrreryBase
import OrreryFrame

extension FrameLayout {
  /// Columns of one batch, one for each count; the formats are repeated.
  init(
    counts: [UInt32], formats: [ColumnDescription.Format] = [.float32]
  ) throws(FrameError) {
    var columns: [ColumnDescription] = []
    for (index, count) in counts.enumerated() {
      columns.append(
        ColumnDescription(
          batch: 0, field: UInt32(index % 5 + 1), firstEntity: 0, valueCount: count,
          format: formats[index % formats.count]))
    }
    try self.init(columns: columns)
  }
}

extension FrameWriter {
  /// A ring with a generation that no other test uses by chance.
  convenience init(
    counts: [UInt32] = [8], formats: [ColumnDescription.Format] = [.float32], slots: UInt64 = 4,
    spares: UInt64 = 0, staticPart: [UInt8] = [1, 2, 3], delivery: Delivery = .live,
    lookAhead: UInt64 = 0
  ) throws(FrameError) {
    try self.init(
      layout: FrameLayout(counts: counts, formats: formats), slotCount: slots,
      spareCount: spares, staticPart: staticPart, generation: 0x6765_6e65_7261_7465,
      delivery: delivery,
      lookAhead: lookAhead)
  }

  /// A reader of the same ring, through the descriptor that subscribers get.
  func makeReader() throws(FrameError) -> FrameReader {
    try FrameReader(descriptor: descriptor, segmentBytes: segmentBytes)
  }

  /// Fills a place with values that tell frame, column and place.
  func fill(_ frame: UnsafeMutableRawPointer, sequence: UInt64) {
    for (index, column) in layout.columns.enumerated() {
      let values = frame + Int(column.valuesOffset)
      for place in 0..<Int(column.description.valueCount) {
        if column.description.format == .float32 {
          let value = testValue(sequence, column: index, place: place)
          values.storeBytes(of: value, toByteOffset: place * 4, as: Float.self)
        } else {
          let value = testMultiple(sequence, column: index, place: place)
          values.storeBytes(of: value, toByteOffset: place * 2, as: Int16.self)
        }
      }
    }
  }

  /// Claims, fills and publishes one frame; those ahead are filled too.
  @discardableResult
  func publishNext(ahead: Int = 0) -> UInt64 {
    let claim = claim(ahead: ahead)
    for early in 0...ahead {
      fill(place(at: claim.place(ahead: early)), sequence: claim.sequence + UInt64(early))
    }
    return publish(.test(sequence: claim.sequence))
  }
}

extension FrameStamp {
  /// A stamp whose every number tells the frame.
  static func test(sequence: UInt64) -> FrameStamp {
    FrameStamp(
      tick: sequence + 100, simTimeNs: sequence * 1_000, publishTimeNs: sequence * 7 + 3,
      stateHash: StableHash.mix(sequence))
  }
}

/// A value that no other frame, column or place has; never a NaN.
func testValue(_ sequence: UInt64, column: Int, place: Int) -> Float {
  let mixed = StableHash.mix(sequence << 32 ^ UInt64(column) << 24 ^ UInt64(place))
  return Float(bitPattern: UInt32(truncatingIfNeeded: mixed) & 0xbfff_ffff)
}

/// The same for a 16-bit number.
func testMultiple(_ sequence: UInt64, column: Int, place: Int) -> Int16 {
  Int16(truncatingIfNeeded: testValue(sequence, column: column, place: place).bitPattern)
}

extension FrameView {
  /// Whether stamp and values are the ones that `publishNext` wrote for this sequence.
  func holdsTestValues(_ layout: FrameLayout) -> Bool {
    var isRight = stamp() == .test(sequence: sequence)
    for (index, column) in layout.columns.enumerated() {
      guard column.description.format == .float32 else {
        for (place, value) in column.multiples(in: bytes).enumerated() {
          isRight = isRight && value == testMultiple(sequence, column: index, place: place)
        }
        continue
      }
      for (place, value) in values(column).enumerated() {
        let expected = testValue(sequence, column: index, place: place)
        isRight = isRight && value.bitPattern == expected.bitPattern
      }
    }
    return isRight
  }
}

extension FrameAcquisition {
  /// The frame, if there is one.
  var view: FrameView? {
    if case .frame(let view) = self { view } else { nil }
  }

  /// What there is in words, to compare.
  var summary: String {
    switch self {
    case .frame(let view): "frame \(view.sequence)"
    case .notYet: "not yet"
    case .lapped(let oldest): "lapped, oldest \(oldest)"
    }
  }
}
