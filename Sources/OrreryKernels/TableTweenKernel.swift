// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// A curve as a table of cubic segments.
///
///     progress = c0 + v·(c1 + v·(c2 + v·c3))
///
/// The phase, rounded to 23 bits, selects a segment with these coefficients; v in [0, 1) is the progress
/// within the segment. Bound by the sixteen loads of a row.
struct TableCurve: TweenCurve {
  let table: UnsafePointer<Float>
  let bits: UInt32

  @inline(__always)
  func progress(_ phase: Words) -> Lanes {
    let (segment, v) = split(phase, bits: bits)
    return cubic(rows(table, segment), at: v)
  }
}

/// The same with a small table that lies in registers.
struct RegisterCurve<Rows: RegisterRows>: TweenCurve {
  private let rows: Rows

  @inline(__always)
  init(_ table: UnsafePointer<Float>) { rows = Rows(table) }

  @inline(__always)
  func progress(_ phase: Words) -> Lanes {
    let (segment, v) = split(phase, bits: Rows.bits)
    return cubic(rows[segment], at: v)
  }
}

/// Evaluates tweens that each have a table of their own, all in one allocation.
///
/// Per entity: 20 bytes read for a tile, 4 written and one row of the table loaded at each tick.
struct MixedTweenKernel: TileKernel {
  let tween: TweenKernel<LinearCurve>
  let tables: UnsafePointer<Float>
  let entry: UnsafePointer<UInt32>

  struct Motion {
    var tween: TweenMotion
    /// First row, and binary logarithm of the number of rows, of each tween's table.
    let first: Words
    let bits: Words
  }

  @inline(__always)
  func begin(_ group: LaneGroup) -> Motion {
    let entry = groups(entry)[group.index]
    return Motion(tween: tween.begin(group), first: entry &>> 4, bits: entry & 15)
  }

  @inline(__always)
  func values(_ motion: Motion) -> (Lanes, Lanes) {
    let rounded = motion.tween.phase &>> 9
    let segment = rounded &>> (23 &- motion.bits)
    let v = segmentFraction(rounded &<< motion.bits)
    let progress = cubic(rows(tables, motion.first &+ segment), at: v)
    let x = motion.tween.base + progress * motion.tween.span
    return (x, x)
  }

  @inline(__always)
  func step(_ motion: inout Motion) { tween.step(&motion.tween) }
}

/// Evaluates tweens that each have a table of any number of rows, up to 1024, all in one allocation.
///
/// The phase is rounded to 22 bits, so that its product with the number of rows has 32: the upper ten select the
/// row, the others are the progress within it. A phase may be rounded down by half a unit, and is wrong by up to an
/// eighth of one (`Phases`); five eighths of a unit are added, so no row begins late.
///
/// A group keeps its rows in registers until one of its tweens has another: looking them up takes most of the time
/// otherwise. Tracks of one animation have rounds of one length, so rows of neighbours begin together.
///
/// Per entity: 20 bytes read for a tile and 4 written at each tick.
struct GridTweenKernel: TileKernel {
  let tween: TweenKernel<LinearCurve>
  let tables: UnsafePointer<Float>
  let entry: UnsafePointer<UInt32>

  struct Motion {
    var tween: TweenMotion
    /// First row, and number of rows, of each tween's table.
    let first: Words
    let count: Words
    /// Five eighths of a phase's unit.
    let early: Words
    /// The phase times the number of rows, in units of 2^-22.
    var product: Words
    /// Index of each tween's row in its table, and the row.
    var row: Words
    var coefficients: Coefficients
  }

  @inline(__always)
  func begin(_ group: LaneGroup) -> Motion {
    let entry = groups(entry)[group.index]
    // See `kernel_grid_entry`.
    let large = Words(repeating: 0) &- (entry & 1)
    let first = (entry &>> 7) & ~(large & 15)
    let count = ((entry &>> 1) & (63 | large & 960)) &+ 1
    var motion = tween.begin(group)
    // Half of a unit of 22 bits; `TweenKernel` has added half of one of 23.
    motion.phase &+= turnRounding
    let early = (count &* 5 &+ 7) &>> 3
    let product = (motion.phase &>> 10) &* count &+ early
    let row = product &>> 22
    return Motion(
      tween: motion, first: first, count: count, early: early, product: product, row: row,
      coefficients: rows(tables, first &+ row))
  }

  @inline(__always)
  func values(_ motion: Motion) -> (Lanes, Lanes) {
    let v = segmentFraction(motion.product &<< 1)
    let x = motion.tween.base + cubic(motion.coefficients, at: v) * motion.tween.span
    return (x, x)
  }

  @inline(__always)
  func step(_ motion: inout Motion) {
    tween.step(&motion.tween)
    motion.product = (motion.tween.phase &>> 10) &* motion.count &+ motion.early
    let row = motion.product &>> 22
    guard kernel_differ(row, motion.row) else { return }
    motion.row = row
    motion.coefficients = rows(tables, motion.first &+ row)
  }
}

/// Splits phases, rounded down to 23 bits, into the segment of a table and the progress within it.
///
/// No bit is lost after the rounding.
@inline(__always)
private func split(_ turns: Words, bits: UInt32) -> (segment: Words, v: Lanes) {
  let rounded = turns &>> 9
  return (rounded &>> (23 &- bits), segmentFraction(rounded &<< bits))
}

/// The lower 23 bits as a fraction, in [0, 1).
@inline(__always)
private func segmentFraction(_ bits: Words) -> Lanes {
  unsafeBitCast((bits & 0x7f_ffff) | 0x3f80_0000, to: Lanes.self) - 1
}

/// The coefficients of sixteen lanes.
typealias Coefficients = (c0: Lanes, c1: Lanes, c2: Lanes, c3: Lanes)

@inline(__always)
private func cubic(_ c: Coefficients, at v: Lanes) -> Lanes {
  let inner = c.c1 + v * (c.c2 + v * c.c3)
  return c.c0 + v * inner
}

/// The rows of sixteen lanes: each is loaded whole, then they are transposed four by four.
@inline(__always)
private func rows(_ table: UnsafePointer<Float>, _ index: Words) -> Coefficients {
  let (a, b) = (kernel_four_rows(table, index, 0), kernel_four_rows(table, index, 1))
  let (c, d) = (kernel_four_rows(table, index, 2), kernel_four_rows(table, index, 3))
  let (lowAB, lowCD) = (kernel_low_pairs(a, b), kernel_low_pairs(c, d))
  let (highAB, highCD) = (kernel_high_pairs(a, b), kernel_high_pairs(c, d))
  return (
    kernel_first_halves(lowAB, lowCD), kernel_second_halves(lowAB, lowCD),
    kernel_first_halves(highAB, highCD), kernel_second_halves(highAB, highCD)
  )
}

/// A table in registers.
protocol RegisterRows {
  /// Binary logarithm of the number of rows.
  static var bits: UInt32 { get }

  /// Loads a table.
  init(_ table: UnsafePointer<Float>)

  /// The rows of sixteen lanes.
  subscript(index: Words) -> Coefficients { get }
}

/// A table of sixteen rows, a register for each coefficient.
struct RegisterRows16: RegisterRows {
  static var bits: UInt32 { 4 }

  fileprivate let (c0, c1, c2, c3): (Lanes, Lanes, Lanes, Lanes)

  @inline(__always)
  init(_ table: UnsafePointer<Float>) {
    (c0, c1, c2, c3) = rows(table, firstIndexes)
  }

  @inline(__always)
  subscript(index: Words) -> Coefficients {
    (
      kernel_of_16(c0, index), kernel_of_16(c1, index), kernel_of_16(c2, index),
      kernel_of_16(c3, index)
    )
  }
}

/// A table of 32 rows, two registers for each coefficient.
struct RegisterRows32: RegisterRows {
  static var bits: UInt32 { 5 }

  private let (low, high): (RegisterRows16, RegisterRows16)

  @inline(__always)
  init(_ table: UnsafePointer<Float>) {
    low = RegisterRows16(table)
    high = RegisterRows16(table + 64)
  }

  @inline(__always)
  subscript(index: Words) -> Coefficients {
    (
      kernel_of_32(low.c0, high.c0, index), kernel_of_32(low.c1, high.c1, index),
      kernel_of_32(low.c2, high.c2, index), kernel_of_32(low.c3, high.c3, index)
    )
  }
}

private var firstIndexes: Words {
  Words(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
}
