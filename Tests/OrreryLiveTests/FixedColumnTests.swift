// SPDX-License-Identifier: Apache-2.0

import OrreryLive
import TestSupport
import Testing

/// Values as 16-bit numbers are off by half a unit at most; a value that does not fit makes the unit larger.
@Suite struct FixedColumnTests {
  private func converted(_ values: [Float], by column: inout FixedColumn) -> [Int16] {
    [Int16](unsafeUninitializedCapacity: values.count) { room, count in
      values.withUnsafeBufferPointer { source in
        if let target = room.baseAddress { column.write(source, to: target) }
      }
      count = values.count
    }
  }

  @Test(arguments: [0, 1, 7, 16, 1000], [UInt64(1), 2])
  func valuesAreRoundedToTheNearestMultiple(count: Int, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var column = FixedColumn(expected: 1600)
    let values = (0..<count).map { _ in Float.random(in: -1600...1600, using: &random) }
    let unit = column.unit
    for (value, multiple) in zip(values, converted(values, by: &column)) {
      #expect(abs(Float(multiple) * unit - value) <= unit / 2, "\(value), seed \(seed)")
    }
    #expect(column.unit == unit)
    #expect(
      unit * 32_767 >= 1600 && unit * 32_767 < 3200, "the unit is the smallest that is enough")
  }

  @Test func aLargeValueMakesTheUnitLargerForGood() {
    var column = FixedColumn(expected: 100)
    let unit = column.unit
    let multiples = converted([1, -100_000, 3], by: &column)
    #expect(column.unit > unit)
    #expect(abs(Float(multiples[1]) * column.unit + 100_000) <= column.unit / 2)
    let grown = column.unit
    _ = converted([1, 2, 3], by: &column)
    #expect(column.unit == grown)
  }

  @Test func whatIsNoNumberHasAMarkOfItsOwn() {
    var column = FixedColumn(expected: 100)
    let unit = column.unit
    let multiples = converted([1, .nan, .infinity, -50], by: &column)
    #expect(FixedColumn.absent == -32_768, "as the page knows it")
    #expect(multiples[1] == FixedColumn.absent && multiples[2] == FixedColumn.absent)
    #expect(Float(multiples[0]) * unit == 1 && Float(multiples[3]) * unit == -50)
    #expect(column.unit == unit)
  }

  @Test func theLargestMultiplesAreNoMark() {
    var column = FixedColumn(expected: 100)
    let edge = column.unit * 32_767
    let multiples = converted([edge, -edge], by: &column)
    #expect(multiples == [32_767, -32_767])
  }
}
