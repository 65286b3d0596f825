// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Places tweens that share a curve, by its table.
///
///     x = base + progress · span,  progress = c0 + v·(c1 + v·(c2 + v·c3))
///
/// The coefficients are those of the segment that the phase, rounded to 23 bits, lies in, and v in [0, 1)
/// is how far it is passed. Per entity: 16 bytes read, 4 written. Tables of few rows lie in registers;
/// with others, sixteen loads of a row each bound it.
func placeTableTweens(
  count: UInt32, elapsed: UInt32, table: UnsafePointer<Float>, bits: UInt32,
  phase: UnsafePointer<UInt32>, step: UnsafePointer<UInt32>, base: UnsafePointer<Float>,
  span: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>
) {
  if bits == 4 && KERNEL_REGISTER_ROWS_MAX >= 16 {
    let rows = RegisterRows16(table)
    placeTweens(count, elapsed, phase, step, base, span, x) { turns in
      let (segment, v) = split(turns, bits: 4)
      return cubic(rows[segment], at: v)
    }
  } else if bits == 5 && KERNEL_REGISTER_ROWS_MAX >= 32 {
    let rows = RegisterRows32(table)
    placeTweens(count, elapsed, phase, step, base, span, x) { turns in
      let (segment, v) = split(turns, bits: 5)
      return cubic(rows[segment], at: v)
    }
  } else {
    placeTweens(count, elapsed, phase, step, base, span, x) { turns in
      let (segment, v) = split(turns, bits: bits)
      return cubic(rows(table, segment), at: v)
    }
  }
}

/// Places tweens that each have a table of their own, all in one piece of memory.
///
/// Per entity: 20 bytes read, 4 written, and a row of the table, sixteen loads for sixteen entities.
func placeMixedTweens(
  count: UInt32, elapsed: UInt32, tables: UnsafePointer<Float>, entry: UnsafePointer<UInt32>,
  phase: UnsafePointer<UInt32>, step: UnsafePointer<UInt32>, base: UnsafePointer<Float>,
  span: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>
) {
  let (phases, steps, entries) = (groups(phase), groups(step), groups(entry))
  let (bases, spans, xs) = (groups(base), groups(span), groups(x))
  let wholeGroups = Int(count) / Lanes.scalarCount
  for i in 0..<wholeGroups {
    let progress = mixedProgress(phases[i] &+ steps[i] &* elapsed, entries[i], tables)
    xs[i] = bases[i] + progress * spans[i]
  }
  if Int(count) % Lanes.scalarCount != 0 {
    let i = wholeGroups
    let progress = mixedProgress(phases[i] &+ steps[i] &* elapsed, entries[i], tables)
    storeTail(loadTail(base, count: count) + progress * spans[i], x, count: count)
  }
}

@inline(__always)
private func mixedProgress(
  _ turns: Words, _ entries: Words, _ tables: UnsafePointer<Float>
) -> Lanes {
  let bits = entries & 15
  let rounded = (turns &+ 0x100) &>> 9
  let segment = rounded &>> (23 &- bits)
  let v = unsafeBitCast(((rounded &<< bits) & 0x7f_ffff) | 0x3f80_0000, to: Lanes.self) - 1
  return cubic(rows(tables, (entries &>> 4) &+ segment), at: v)
}

/// Splits phases into segments of a table and how far each is passed, in [0, 1).
///
/// Phases are rounded to 23 bits as in `turnFraction`; no bit is lost after that.
@inline(__always)
private func split(_ turns: Words, bits: UInt32) -> (segment: Words, v: Lanes) {
  let rounded = (turns &+ 0x100) &>> 9
  let passed = ((rounded &<< bits) & 0x7f_ffff) | 0x3f80_0000
  return (rounded &>> (23 &- bits), unsafeBitCast(passed, to: Lanes.self) - 1)
}

/// Coefficients of sixteen lanes.
private typealias Coefficients = (c0: Lanes, c1: Lanes, c2: Lanes, c3: Lanes)

@inline(__always)
private func cubic(_ c: Coefficients, at v: Lanes) -> Lanes {
  let inner = c.c1 + v * (c.c2 + v * c.c3)
  return c.c0 + v * inner
}

/// The rows of sixteen lanes: each is loaded whole, then four and four are transposed.
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

/// A table of sixteen rows, a register for each coefficient.
private struct RegisterRows16 {
  let (c0, c1, c2, c3): (Lanes, Lanes, Lanes, Lanes)

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
private struct RegisterRows32 {
  let (low, high): (RegisterRows16, RegisterRows16)

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
