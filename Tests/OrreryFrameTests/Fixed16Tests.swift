// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: columns of 16-bit values are messages that a protobuf library decodes, and stand for the floats
/// that their unit says.
///
/// Method: publish frames whose columns alternate between both formats, decode the slot's bytes with
/// SwiftProtobuf, and compare every number with what was written.
@Suite struct Fixed16Tests {
  /// Units at both ends of what is allowed, and one of each kind that scenes have.
  static let units: [Float] = [0x1p-126, 1.0 / 4096, 1.0 / 16, 1, 0x1p112]

  @Test(arguments: FrameLayoutTests.countLists)
  func slotIsAFrameMessage(counts: [UInt32]) throws {
    let formats: [ColumnDescription.Format] = [
      .fixed16(unit: 1.0 / 16), .float32, .fixed16(unit: 0.5),
    ]
    let writer = try FrameWriter(counts: counts, formats: formats)
    let reader = try writer.makeReader()
    #expect(reader.layout == writer.layout)
    for sequence in 1...5 as ClosedRange<UInt64> {
      writer.publishNext()
      let view = try #require(reader.acquire(sequence).view)
      #expect(view.holdsTestValues(reader.layout))
      let frame = try Orrery_Frame(serializedBytes: Array(view.bytes))
      #expect(frame.stateHash == FrameStamp.test(sequence: sequence).stateHash)
      #expect(frame.columns.count == counts.count)
      #expect(frame.unknownFields.data.isEmpty)
      for (index, column) in frame.columns.enumerated() {
        let format = formats[index % formats.count]
        #expect(column.unit == format.unit)
        #expect(column.unknownFields.data.isEmpty)
        let places = 0..<Int(counts[index])
        if format == .float32 {
          #expect(column.fixed16.isEmpty)
          #expect(column.values.count == places.count)
          continue
        }
        let expected = places.flatMap { place -> [UInt8] in
          let bits = UInt16(
            bitPattern: testMultiple(sequence, column: index, place: place))
          return [UInt8(bits & 0xff), UInt8(bits >> 8)]
        }
        #expect(column.values.isEmpty)
        try #require(
          firstDifference(column.fixed16, expected) == nil, "frame \(sequence), column \(index)")
      }
    }
  }

  @Test(arguments: FrameLayoutTests.countLists)
  func columnsStandAtMultiplesOf64AndTakeHalfTheBytes(counts: [UInt32]) throws {
    let layout = try FrameLayout(counts: counts, formats: [.fixed16(unit: 0.25)])
    var end: UInt64 = 63
    for (column, count) in zip(layout.columns, counts) {
      #expect(column.valuesOffset % 64 == 0)
      // The unit takes five bytes more than the head of a column of floats.
      #expect(column.valuesOffset >= end + 32)
      #expect(column.valuesBytes == UInt64(count) * 2)
      end = column.valuesOffset + column.valuesBytes
    }
    #expect(layout.frameBytes == end)
  }

  @Test(arguments: units)
  func everyMultipleIsItsExactFloat(unit: Float) throws {
    let count = 65_536
    let writer = try FrameWriter(
      counts: [UInt32(count), 3], formats: [.fixed16(unit: unit), .float32])
    let slot = writer.claim().memory + Int(writer.layout.columns[0].valuesOffset)
    for (place, multiple) in (Int16.min...Int16.max).enumerated() {
      slot.storeBytes(of: multiple.littleEndian, toByteOffset: place * 2, as: Int16.self)
    }
    writer.publish(.test(sequence: 1))
    let reader = try writer.makeReader()
    let view = try #require(reader.acquire(1).view)
    let columns = FloatColumns(reader.layout)
    let values = columns.values(0, in: view.bytes)
    #expect(values.count == count)
    let isExact = zip(values, Int16.min...Int16.max).allSatisfy { value, multiple in
      Double(value) == Double(multiple) * Double(unit)
    }
    #expect(isExact)
    // Columns of floats are not copied.
    let inPlace = view.values(reader.layout.columns[1]).baseAddress
    #expect(columns.values(1, in: view.bytes).baseAddress == inPlace)
    withExtendedLifetime(reader) {}
  }

  @Test func hashTellsFormatsApart() throws {
    let formats: [ColumnDescription.Format] = [.float32] + Self.units.map { .fixed16(unit: $0) }
    let hashes = try formats.map { try FrameLayout(counts: [8], formats: [$0]).layoutHash }
    #expect(Set(hashes).count == formats.count)
  }

  @Test func wrongUseTraps() async {
    await #expect(processExitsWith: .failure) {
      _ = try FrameLayout(counts: [8], formats: [.fixed16(unit: 0)])
    }
    await #expect(processExitsWith: .failure) {
      _ = try FrameLayout(counts: [8], formats: [.fixed16(unit: 0.3)])
    }
    await #expect(processExitsWith: .failure) {
      _ = try FrameLayout(counts: [8], formats: [.fixed16(unit: -0.5)])
    }
    await #expect(processExitsWith: .failure) {
      _ = try FrameLayout(counts: [8], formats: [.fixed16(unit: .nan)])
    }
    await #expect(processExitsWith: .failure) {
      _ = try FrameLayout(counts: [8], formats: [.fixed16(unit: 0x1p113)])
    }
    await #expect(processExitsWith: .failure) {
      let layout = try FrameLayout(counts: [8], formats: [.fixed16(unit: 0.5)])
      let frame = [UInt8](repeating: 0, count: Int(layout.frameBytes))
      _ = frame.withUnsafeBytes { layout.columns[0].values(in: $0).count }
    }
    await #expect(processExitsWith: .failure) {
      let layout = try FrameLayout(counts: [8])
      let frame = [UInt8](repeating: 0, count: Int(layout.frameBytes))
      _ = frame.withUnsafeBytes { layout.columns[0].multiples(in: $0).count }
    }
  }
}
