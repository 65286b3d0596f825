// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryFrame
import Testing

/// Goal: the numbers of a frame are read from its head, and lengths of every size are what a protobuf reader expects.
///
/// Method: a head of made-up numbers, and the constant part of the longest frame that there may be, in memory of which
/// only the pages that are written to exist.
@Suite struct FrameEncodingTests {
  @Test func headOfAFrameIsEnoughForItsStamp() async {
    var bytes = [UInt8](repeating: 0, count: 63)
    for (offset, value) in [(10, 7), (19, 8), (28, 9), (37, 10)] as [(Int, UInt8)] {
      bytes[offset] = value
    }
    let stamp = bytes.withUnsafeBytes { FrameStamp(frame: $0) }
    #expect(stamp == FrameStamp(tick: 7, simTimeNs: 8, publishTimeNs: 9, stateHash: 10))
    await #expect(processExitsWith: .failure) {
      _ = [UInt8](repeating: 0, count: 62).withUnsafeBytes { FrameStamp(frame: $0) }
    }
  }

  @Test func lengthsOfTheLongestColumnHaveFiveBytes() throws {
    let layout = try FrameLayout(counts: [(1 << 29) - 33])
    let bytes = Int(layout.frameBytes)
    let base = mmap(
      nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    let mapped: UnsafeMutableRawPointer? = base == MAP_FAILED ? nil : base
    let frame = try #require(mapped)
    defer { munmap(frame, bytes) }
    FrameTemplate(layout, generation: 1).write(to: frame)
    let column = layout.columns[0]
    // The column, and its values: a tag and five bytes each.
    for (offset, tag, length) in [
      (63, 0x42, layout.frameBytes - 69), (Int(column.valuesOffset) - 6, 0x2a, column.valuesBytes),
    ] as [(Int, UInt8, UInt64)] {
      let head = Array(UnsafeRawBufferPointer(start: frame + offset, count: 6))
      #expect(head[0] == tag)
      #expect(head.map { $0 >> 7 } == [0, 1, 1, 1, 1, 0])
      let found = (0..<5).reduce(UInt64(0)) { sum, index in
        sum | UInt64(head[index + 1] & 0x7f) << UInt64(7 * index)
      }
      #expect(found == length, "at \(offset)")
    }
  }
}

// MARK: - Tables of columns

extension FrameEncodingTests {
  @Test func tableOfColumnsGivesTheLayoutBack() throws {
    let formats: [ColumnDescription.Format] = [.float32, .fixed16(unit: 0.125)]
    for count in [0, 1, 2, 7] {
      let layout = try FrameLayout(counts: (0..<UInt32(count)).map { $0 * 5 }, formats: formats)
      let table = layout.columnTable
      #expect(table.count == count * 32)
      let again = try table.withUnsafeBytes { bytes throws(FrameError) in
        try FrameLayout(columnTable: bytes)
      }
      #expect(again == layout)
    }
  }

  @Test(arguments: [1, 31, 33, 63])
  func tableThatEndsWithinAnEntryIsRefused(count: Int) {
    let table = [UInt8](repeating: 0, count: count)
    #expect(throws: FrameError.corruptHeader(field: "columns", value: UInt64(count))) {
      _ = try table.withUnsafeBytes { bytes throws(FrameError) in
        try FrameLayout(columnTable: bytes)
      }
    }
  }
}
