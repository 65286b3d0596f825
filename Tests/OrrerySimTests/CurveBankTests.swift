// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: a curve's table stays what it is, whatever curves come later.
///
/// Method: bits of lanes, before and after the bank has grown, once full to its last row.
@Suite struct CurveBankTests {
  @Test func growingKeepsAllTables() throws {
    let bank = CurveBank()
    // Four tables of 16 rows, the straight line's among them: all that a new bank has room for.
    let units: [UnitCurve] = [
      .linear, .steps(2, .jumpBoth), .steps(4, .jumpBoth), .steps(8, .jumpBoth),
    ]
    let block = LaneBlock(count: units.count, base: 1, rate: 60, curves: bank)
    for (lane, unit) in units.enumerated() {
      try #require(CurveTable(TweenCycle(curve: unit))?.rows.count == 16)
      block.begin(
        lane, .curve(bank.curve(unit), start: TickTime(tick: 0), duration: 1), interval: 1)
    }
    let before = bits(block)
    #expect(Set(before).count > 30)
    for unit in [UnitCurve.easeIn, .easeOut, .easeInOut] {
      #expect(bank.curve(unit) === bank.curve(unit))
      #expect(bits(block) == before, "\(unit)")
    }
  }

  /// The bits of all lanes at the ticks of a second.
  private func bits(_ block: LaneBlock) -> [[UInt32]] {
    let column = Column<Float>(count: block.count, zero: 99)
    var bits: [[UInt32]] = []
    for tick in UInt64(0)..<60 {
      block.evaluate(tick: tick, kernels: InstructionSet.best.kernels(), into: column.values)
      bits.append((0..<block.count).map { column.values[$0].bitPattern })
    }
    return bits
  }
}
