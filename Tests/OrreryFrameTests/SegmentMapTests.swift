// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import Testing

/// Goal: places lie apart, without waste, and at different places of their pages.
///
/// Method: maps of frames of all sizes around the borders where rounding changes.
@Suite struct SegmentMapTests {
  static let sizes: [UInt64] = [
    63, 128, 639, 640, 641, 4095, 4096, 4097, 4735, 4736, 4737, 1 << 20, 8_000_128, 1 << 31 - 1,
  ]

  @Test(arguments: sizes)
  func placesAreSkewed(frameBytes: UInt64) {
    let map = SegmentMap(
      columnCount: 6, slotCount: 5, spareCount: 3, staticBytes: 5000, frameBytes: frameBytes)
    #expect(map.placeStride % 4096 == 640)
    #expect(map.placeStride >= frameBytes)
    // Never a page more than is needed.
    #expect(map.placeStride <= 640 || map.placeStride - frameBytes < 4096)
    #expect(map.segmentBytes == map.placesOffset + 8 * map.placeStride)
    #expect(map.placesOffset % 4096 == 0)
  }

  /// Counts, and where the parts begin: columns of 32 bytes, slots of 64, whole pages between the parts.
  static let maps: [(counts: [UInt64], offsets: [UInt64], placeStride: UInt64, bytes: UInt64)] = [
    ([0, 2, 0, 0, 0], [4_096, 8_192, 8_192], 640, 9_472),
    ([1, 2, 1, 3, 128], [8_192, 12_288, 16_384], 640, 18_304),
    ([128, 64, 0, 4_096, 640], [8_192, 12_288, 16_384], 640, 57_344),
    ([129, 65, 2, 4_097, 641], [12_288, 20_480, 28_672], 4_736, 345_984),
    (
      [65_536, 65_536, 65_536, 0, 4_736], [2_101_248, 6_295_552, 6_295_552], 4_736, 627_052_544
    ),
  ]

  @Test(arguments: maps.indices)
  func partsBeginAtPages(index: Int) {
    let (counts, offsets, placeStride, bytes) = Self.maps[index]
    let map = SegmentMap(
      columnCount: counts[0], slotCount: counts[1], spareCount: counts[2], staticBytes: counts[3],
      frameBytes: counts[4])
    #expect(map.columnsOffset == 4_096)
    #expect([map.directoryOffset, map.staticOffset, map.placesOffset] == offsets)
    #expect(map.placeCount == counts[1] + counts[2])
    #expect(map.staticBytes == counts[3])
    #expect(map.frameBytes == counts[4])
    #expect(map.placeStride == placeStride)
    #expect(map.segmentBytes == bytes)
  }

  /// Two columns of eight places are sixteen streams; the first-level cache picks the set by bits 6 … 11.
  @Test func noThreeColumnsOfEightPlacesShareACacheSet() throws {
    for count in [8192, 10_000, 65_536, 1_000_000] as [UInt32] {
      let layout = try FrameLayout(counts: [count, count])
      let map = SegmentMap(
        columnCount: 2, slotCount: 8, spareCount: 0, staticBytes: 0, frameBytes: layout.frameBytes)
      let sets = (0..<8).flatMap { place in
        layout.columns.map { (UInt64(place) * map.placeStride + $0.valuesOffset) / 64 % 64 }
      }
      let most = Dictionary(grouping: sets) { $0 }.values.map(\.count).max() ?? 0
      #expect(most <= 2, "\(count) values: \(sets)")
    }
  }
}
