// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: a slot is an `orrery.Frame` that a protobuf library decodes, with columns to be used in place.
///
/// Method: publish frames of awkward sizes, decode the slot's bytes with SwiftProtobuf, and compare
/// every number with what was written.
@Suite struct FrameLayoutTests {
  static let countLists: [[UInt32]] = [
    [], [0], [1], [7], [16], [17], [0, 0, 0], [1, 2, 3, 4, 5], [15, 16, 17, 0, 33, 1], [1000, 1],
    [31, 32, 33, 63, 64, 65, 127, 128, 129], [8192, 8192, 8192], [10_007, 10_007],
    [UInt32](repeating: 3, count: 200),
  ]

  @Test(arguments: countLists)
  func slotIsAFrameMessage(counts: [UInt32]) throws {
    let writer = try FrameWriter(counts: counts)
    let reader = try writer.makeReader()
    for sequence in 1...6 as ClosedRange<UInt64> {
      writer.publishNext()
      let view = try #require(reader.acquire(sequence).view)
      let frame = try Orrery_Frame(serializedBytes: Array(view.bytes))
      #expect(frame.sequence == sequence)
      #expect(frame.tick == sequence + 100)
      #expect(frame.simTimeNs == sequence * 1_000)
      #expect(frame.publishTimeNs == sequence * 7 + 3)
      #expect(frame.stateHash == FrameStamp.test(sequence: sequence).stateHash)
      #expect(frame.layoutHash == writer.layout.layoutHash)
      #expect(frame.generation == writer.generation)
      #expect(frame.unknownFields.data.isEmpty)
      #expect(frame.columns.count == counts.count)
      for (index, column) in frame.columns.enumerated() {
        let description = writer.layout.columns[index].description
        #expect(column.batch == description.batch)
        #expect(column.firstEntity == description.firstEntity)
        #expect(column.field.rawValue == Int(description.field))
        #expect(column.unknownFields.data.isEmpty)
        let expected = (0..<Int(counts[index])).map {
          testValue(sequence, column: index, place: $0)
        }
        try #require(
          firstDifference(column.values.map(\.bitPattern), expected.map(\.bitPattern)) == nil,
          "frame \(sequence), column \(index)")
      }
    }
  }

  @Test func columnsTellBatchFieldAndFirstEntity() throws {
    let layout = try FrameLayout(columns: [
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 2),
      ColumnDescription(batch: .max, field: 127, firstEntity: .max, valueCount: 1),
      ColumnDescription(batch: 0x0102_0304, field: 5, firstEntity: 0x0506_0708, valueCount: 0),
    ])
    let writer = try FrameWriter(
      layout: layout, slotCount: 2, staticPart: [], generation: 1, delivery: .live)
    writer.publishNext()
    let reader = try writer.makeReader()
    defer { withExtendedLifetime(reader) {} }
    let view = try #require(reader.acquire(1).view)
    let columns = try Orrery_Frame(serializedBytes: Array(view.bytes)).columns
    #expect(columns.map(\.batch) == [0, .max, 0x0102_0304])
    #expect(columns.map(\.firstEntity) == [0, .max, 0x0506_0708])
    #expect(columns.map(\.field.rawValue) == [1, 127, 5])
    #expect(columns.map(\.values.count) == [2, 1, 0])
  }

  @Test(arguments: countLists)
  func columnsStandAtMultiplesOf64AndDoNotOverlap(counts: [UInt32]) throws {
    let layout = try FrameLayout(counts: counts)
    var end: UInt64 = 63
    for (column, count) in zip(layout.columns, counts) {
      #expect(column.valuesOffset % 64 == 0)
      // Tags, lengths and numbers in front of the values take 27 bytes.
      #expect(column.valuesOffset >= end + 27)
      #expect(column.valuesBytes == UInt64(count) * 4)
      end = column.valuesOffset + column.valuesBytes
    }
    #expect(layout.frameBytes == end)
  }

  @Test func longColumnsAreSkewedAndShortOnesAreNot() throws {
    for count in [8192, 8193, 16_384, 100_000, 262_144] as [UInt32] {
      let columns = try FrameLayout(counts: [count, count, count]).columns
      for (first, second) in zip(columns, columns.dropFirst()) {
        let distance = (second.valuesOffset - first.valuesOffset) % 4096
        #expect(distance >= 320, "\(count) values")
        #expect(second.valuesOffset - first.valuesOffset - first.valuesBytes < 512)
      }
    }
    for count in [1, 16, 1024, 8191] as [UInt32] {
      let columns = try FrameLayout(counts: [count, count]).columns
      let gap = columns[1].valuesOffset - columns[0].valuesOffset - columns[0].valuesBytes
      #expect(gap < 27 + 64, "\(count) values")
    }
  }

  @Test func hashChangesWithAnyChange() throws {
    func hash(_ columns: [(UInt32, UInt32, UInt32, UInt32)]) throws -> UInt64 {
      try FrameLayout(
        columns: columns.map {
          ColumnDescription(batch: $0.0, field: $0.1, firstEntity: $0.2, valueCount: $0.3)
        }
      ).layoutHash
    }
    let layouts: [[(UInt32, UInt32, UInt32, UInt32)]] = [
      [], [(0, 1, 0, 8)], [(1, 1, 0, 8)], [(0, 2, 0, 8)], [(0, 1, 1, 8)], [(0, 1, 0, 9)],
      [(0, 1, 0, 0)], [(0, 1, 0, 8), (0, 2, 0, 8)], [(0, 2, 0, 8), (0, 1, 0, 8)],
      [(0, 1, 0, 8), (0, 1, 0, 8)], [(0, 1, 8, 0)], [(8, 1, 0, 0)],
    ]
    let hashes = try layouts.map(hash)
    #expect(Set(hashes).count == layouts.count)
    #expect(try layouts.map(hash) == hashes)
    // Stored in traces: a change needs a new layout version.
    #expect(hashes[7] == 0xde0f_0ea0_bec5_96d5)
  }

  @Test func frameOverTwoGiBIsAnError() throws {
    let whole: UInt32 = (1 << 29) - 1
    let error = #expect(throws: FrameError.self) { try FrameLayout(counts: [whole]) }
    // 128 bytes of head, and the values.
    let bytes = 128 + UInt64(whole) * 4
    #expect(error == .frameTooLarge(bytes: bytes, limit: 2_147_483_647))
    let fitting = try FrameLayout(counts: [whole - 32])
    #expect(fitting.frameBytes == 128 + UInt64(whole - 32) * 4)
    #expect(throws: FrameError.self) { try FrameLayout(counts: [whole - 31]) }
    #expect(throws: FrameError.self) {
      try FrameLayout(counts: [UInt32](repeating: .max, count: 100))
    }
  }

  @Test func fieldOutsideOneTo127Traps() async {
    await #expect(processExitsWith: .failure) {
      _ = ColumnDescription(batch: 0, field: 0, firstEntity: 0, valueCount: 1)
    }
    await #expect(processExitsWith: .failure) {
      _ = ColumnDescription(batch: 0, field: 128, firstEntity: 0, valueCount: 1)
    }
  }
}
