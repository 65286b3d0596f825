// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import TestSupport
import Testing

/// Goal: a template tells frames of its layout and run from all other bytes, and frames that it writes or composes are
/// the same.
///
/// Method: frames of columns of both formats, of which one byte at a time is changed, cut and read back.
@Suite struct FrameTemplateTests {
  private static let layouts: [[UInt32]] = [[], [5], [5, 0, 33, 1]]

  private static func template(_ counts: [UInt32], generation: UInt64 = 5) throws -> FrameTemplate {
    FrameTemplate(
      try FrameLayout(counts: counts, formats: [.float32, .fixed16(unit: 0.5)]),
      generation: generation)
  }

  /// A frame whose values and numbers are random.
  private static func frame(_ template: FrameTemplate) -> [UInt8] {
    var random = SeededRandom(seed: 3)
    var bytes = [UInt8](repeating: 0xee, count: Int(template.layout.frameBytes))
    bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return }
      template.write(to: start)
      stamp.write(sequence: 9, to: start)
      for offset in buffer.indices where isValue(offset, template.layout) {
        buffer[offset] = UInt8(truncatingIfNeeded: random.next())
      }
    }
    return bytes
  }

  private static let stamp = FrameStamp(tick: 1, simTimeNs: 2, publishTimeNs: 3, stateHash: .max)

  private static func isValue(_ offset: Int, _ layout: FrameLayout) -> Bool {
    layout.columns.contains {
      (Int($0.valuesOffset)..<Int($0.valuesOffset + $0.valuesBytes)).contains(offset)
    }
  }

  private static func fits(_ bytes: [UInt8], _ template: FrameTemplate) -> Bool {
    bytes.withUnsafeBytes { template.fits($0) }
  }

  /// The tags of seven numbers of nine bytes each, all of the last two, and the columns' heads.
  @Test(arguments: layouts) func everyByteButNumbersAndValuesCounts(counts: [UInt32]) throws {
    let template = try Self.template(counts)
    let frame = Self.frame(template)
    #expect(Self.fits(frame, template))
    for offset in frame.indices {
      var other = frame
      other[offset] ^= 0x10
      let isChangeable =
        (offset < 45 && offset % 9 != 0) || Self.isValue(offset, template.layout)
      try #require(Self.fits(other, template) == isChangeable, "byte \(offset)")
    }
    #expect(!Self.fits(frame + [0], template))
    #expect(!Self.fits(Array(frame.dropLast()), template))
    #expect(!Self.fits([], template))
    #expect(!Self.fits(frame, try Self.template(counts, generation: 6)))
  }

  @Test(arguments: layouts) func composedFrameIsTheWrittenOne(counts: [UInt32]) throws {
    let template = try Self.template(counts)
    let frame = Self.frame(template)
    frame.withUnsafeBytes { frame in
      let view = template.compose(sequence: 9, Self.stamp, pieceCount: 8) { column, pieces in
        let column = template.layout.columns[column]
        let start = Int(column.valuesOffset)
        // In two pieces.
        let half = start + Int(column.valuesBytes) / 2
        let end = start + Int(column.valuesBytes)
        pieces.append(UnsafeRawBufferPointer(rebasing: frame[start..<half]))
        pieces.append(UnsafeRawBufferPointer(rebasing: frame[half..<end]))
      }
      #expect(view.sequence == 9)
      #expect(view.stamp() == Self.stamp)
      #expect(view.pieces.flatMap { Array($0) } == Array(frame))
    }
  }

  @Test(arguments: layouts) func templateOfAFrameIsItsOwn(counts: [UInt32]) throws {
    let template = try Self.template(counts)
    let frame = Self.frame(template)
    let found = try #require(frame.withUnsafeBytes { FrameTemplate(of: $0) })
    #expect(found.layout == template.layout)
    #expect(found.generation == 5)
    // Cut or changed, it is no frame, or another one.
    for count in frame.indices {
      let cut = frame[..<count].withUnsafeBytes { FrameTemplate(of: $0) }
      #expect(cut == nil, "\(count) bytes")
    }
    for offset in frame.indices {
      var other = frame
      other[offset] ^= 0x10
      let found = other.withUnsafeBytes { FrameTemplate(of: $0) }
      let isChangeable =
        (offset < 45 && offset % 9 != 0) || Self.isValue(offset, template.layout)
      let isGeneration = (55..<63).contains(offset)
      #expect((found != nil) == (isChangeable || isGeneration), "byte \(offset)")
    }
  }
}
