// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: a table is as close to its curve as it says, and curves that cannot be kept that close have none.
///
/// Method: curves of every kind, known numbers by hand, and random Bezier curves, each at many phases
/// against the cycle in `Double`.
@Suite struct CurveTableTests {
  private static func bezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> UnitCurve {
    .bezier(startControlPoint: UnitPoint(x: x1, y: y1), endControlPoint: UnitPoint(x: x2, y: y2))
  }

  /// Largest distance of a table from its cycle, at random phases and around the borders of segments.
  private static func worst(
    _ table: CurveTable, _ cycle: TweenCycle, samples: Int = 4_000
  ) -> Double {
    var random = SeededRandom(seed: 1)
    var phases = (0..<samples).map { _ in UInt32.random(in: 0...(.max - 0x100), using: &random) }
    for segment in 0..<UInt32(1) << table.bits {
      let border = segment << (32 - table.bits)
      phases += [border, border &+ 1, border &+ 0x1ff]
      // Rounded up to the next segment, which may begin elsewhere only at the cycle's start.
      if segment > 0 { phases += [border &- 1, border &- 0x200] }
    }
    return phases.reduce(0) { worst, phase in
      let expected = cycle.value(at: Double(phase) * 0x1p-32)
      return max(worst, abs(Double(table.progress(at: phase)) - expected))
    }
  }

  /// [N-10] Curves from tables are within 1e-5 of the library, and within the tables' own 2e-6.
  @Test(arguments: [false, true])
  func tablesKeepTheirBound(autoreverses: Bool) throws {
    let curves: [UnitCurve] = [
      .linear, .easeIn, .easeOut, .easeInOut, Self.bezier(0.25, 0.1, 0.25, 1),
      Self.bezier(0.1, 0.75, 0.85, 0.35), Self.bezier(0.68, -0.6, 0.32, 1.6),
      Self.bezier(0.87, 0, 0.13, 1),
      .linear([0, LinearStop(0.25, at: 0.75), 1]),
    ]
    for curve in curves {
      let cycle = TweenCycle(curve: curve, autoreverses: autoreverses)
      let table = try #require(CurveTable(cycle), "\(curve)")
      let worst = Self.worst(table, cycle)
      #expect(worst <= CurveTable.errorMax, "\(curve): \(worst)")
    }
  }

  @Test func randomCurvesKeepTheBoundOrHaveNoTable() {
    var random = SeededRandom(seed: 2)
    var tabulated = 0
    for _ in 0..<60 {
      let curve = Self.bezier(
        random.number(in: 0...1), random.number(in: -1...2), random.number(in: 0...1),
        random.number(in: -1...2))
      let cycle = TweenCycle(curve: curve)
      guard let table = CurveTable(cycle) else { continue }
      tabulated += 1
      #expect(Self.worst(table, cycle, samples: 500) <= CurveTable.errorMax, "\(curve)")
    }
    #expect(tabulated >= 40)
  }

  @Test func startsOfSegmentsAreExact() throws {
    for curve in [UnitCurve.linear, .easeIn, .easeInOut] {
      let cycle = TweenCycle(curve: curve)
      let table = try #require(CurveTable(cycle))
      for segment in 0..<UInt32(table.rows.count) {
        let turns = Double(segment) / Double(table.rows.count)
        #expect(table.progress(at: segment << (32 - table.bits)) == Float(cycle.value(at: turns)))
      }
      #expect(table.progress(at: 0) == 0)
    }
  }

  /// Jumps at the borders of segments are taken where they are, or the half of 2^-23 turns that a phase is
  /// rounded by before.
  @Test func jumpsAtBordersAreKept() throws {
    for count in [2, 4, 8, 16] {
      let cycle = TweenCycle(curve: .steps(count, .jumpBoth))
      let table = try #require(CurveTable(cycle))
      for step in 1..<UInt32(count) {
        let border = UInt32(UInt64(step) << 32 / UInt64(count))
        for phase in [border &- 0x101, border, border + 1] {
          let expected = Float(cycle.value(at: Double(phase) * 0x1p-32))
          #expect(abs(table.progress(at: phase) - expected) <= 1e-6, "\(count), \(phase)")
        }
      }
    }
  }

  @Test func sizesAreTheSmallest() {
    #expect(CurveTable(.linear)?.bits == 4)
    #expect(CurveTable(TweenCycle(curve: .easeInOut))?.bits == 4)
    #expect(CurveTable(TweenCycle(curve: .easeInOut, autoreverses: true))?.bits == 5)
    #expect(CurveTable(TweenCycle(curve: .easeIn))?.bits == 7)
  }

  @Test func curvesThatNoTableHoldsHaveNone() {
    let curves: [UnitCurve] = [
      .circularEaseIn, .circularEaseOut, .circularEaseInOut, .steps(3), .steps(5, .jumpBoth),
      Self.bezier(1, 0, 0, 1), Self.bezier(0.5, 0, 1, 0.5),
      .linear([0, LinearStop(0.9, at: 0.3), 1]),
      Self.bezier(0.3, .nan, 0.6, 1), Self.bezier(0.3, 1e30, 0.6, 1),
    ]
    for curve in curves { #expect(CurveTable(TweenCycle(curve: curve)) == nil, "\(curve)") }
    #expect(CurveTable(TweenCycle(curve: .linear, hold: 0.3)) == nil)
    #expect(CurveTable(TweenCycle(curve: .linear, hold: 0.25)) != nil)
  }

  /// The numbers of the named curves, through their tables.
  @Test func namedCurvesHaveTheirNumbers() throws {
    let expected: [(UnitCurve, [Double])] = [
      (.easeIn, [0.062282, 0.214861, 0.429120]), (.easeOut, [0.308366, 0.570880, 0.785139]),
      (.easeInOut, [0.081660, 0.331884, 0.668116]),
    ]
    for (curve, values) in expected {
      let table = try #require(CurveTable(TweenCycle(curve: curve)))
      for (turns, value) in zip([0.2, 0.4, 0.6], values) {
        let found = Double(table.progress(at: UInt32(turns * 0x1p32)))
        #expect(abs(found - value) <= 2.5e-6, "\(curve) at \(turns): \(found)")
      }
    }
  }
}
