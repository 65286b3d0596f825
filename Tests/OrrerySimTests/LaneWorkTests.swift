// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: a block has no more lanes computed, by no slower kernel, and its springs stepped no more
/// often than needed.
///
/// Method: kernels that write who they are in place of values, to a block of twenty groups. Of each
/// group the last lane is looked at, which never moves: what no kernel computes stays at rest.
@Suite struct LaneWorkTests {
  private static let groupCount = 20
  private static let base: Float = 7

  /// Each test's own: a bank is not for several threads.
  private let curves = CurveBank()

  private func block() -> LaneBlock {
    LaneBlock(
      count: Self.groupCount * Blocks.laneCount, base: Double(Self.base), rate: 60, curves: curves)
  }

  @discardableResult
  private func begin(
    _ block: LaneBlock, group: Int, _ curve: UnitCurve = .linear, start: Int64 = 0,
    seconds: Double = 60
  ) -> LaneBlock.Handle {
    let motion = LaneMotion.curve(
      curves.curve(curve), start: TickTime(tick: start), duration: seconds)
    return block.begin(group * Blocks.laneCount, motion, interval: 1)
  }

  @discardableResult
  private func beginSpring(_ block: LaneBlock, group: Int) -> LaneBlock.Handle {
    let spring = Spring(response: 1, dampingRatio: 0.5)
    return block.begin(
      group * Blocks.laneCount, .spring(spring, velocity: 0, start: TickTime(tick: 0)), interval: 1)
  }

  /// What was written to each group.
  private func marks(_ block: LaneBlock, at tick: UInt64) -> [Float] {
    let column = Column<Float>(count: block.count, zero: 99)
    block.evaluate(tick: tick, kernels: markingKernels(), into: column.values)
    return (1...Self.groupCount).map { column.values[$0 * Blocks.laneCount - 1] }
  }

  /// The groups that kernels computed.
  private func groups(_ block: LaneBlock, at tick: UInt64) -> [Int] {
    marks(block, at: tick).enumerated().filter { $0.element != Self.base }.map(\.offset)
  }

  /// Marks of some first groups.
  private func first(_ count: Int, _ mark: Float) -> [Float] {
    (0..<Self.groupCount).map { $0 < count ? mark : Self.base }
  }

  @Test(arguments: [false, true])
  func groupsFromTheFirstToTheLastMotionAreComputed(areSprings: Bool) {
    let block = block()
    let handles = [0, 5, 10, 19].map {
      areSprings ? beginSpring(block, group: $0) : begin(block, group: $0)
    }
    #expect(groups(block, at: 30) == Array(0..<20))
    block.end(handles[3])
    #expect(groups(block, at: 31) == Array(0..<11))
    block.end(handles[0])
    #expect(groups(block, at: 32) == Array(5..<11))
    block.end(handles[2])
    #expect(groups(block, at: 33) == [5])
    block.end(handles[1])
    #expect(groups(block, at: 34) == [])
    #expect(marks(block, at: 34) == first(0, 0))
  }

  /// Groups are looked for when fewer lanes move than half as many as there are groups.
  @Test(arguments: [false, true])
  func groupsAreLookedForWhereFewLanesMove(areSprings: Bool) {
    let block = block()
    let handles = (0..<20).map {
      areSprings ? beginSpring(block, group: $0) : begin(block, group: $0)
    }
    for handle in handles[10...] { block.end(handle) }
    #expect(groups(block, at: 30) == Array(0..<20))
    block.end(handles[9])
    #expect(groups(block, at: 31) == Array(0..<9))
  }

  /// Or when a tween that has ended bounds the time in which no tween is looked at by itself: one
  /// that was over before, or that would have begun later; not in the first or the last tick of its way.
  @Test(
    arguments: [
      (0, 60, 20), (0, 0.5, 19), (200, 60, 19), (100, 60, 20), (0, 101.0 / 60, 20),
    ] as [(Int64, Double, Int)])
  func endedTweensDoNotBoundTheTime(start: Int64, seconds: Double, groupCount: Int) {
    let block = block()
    for group in 0..<19 { begin(block, group: group) }
    let handle = begin(block, group: 19, start: start, seconds: seconds)
    #expect(groups(block, at: 100) == Array(0..<20))
    block.end(handle)
    #expect(groups(block, at: 100) == Array(0..<groupCount))
  }

  /// Lanes of one curve have a faster kernel than lanes of several; also those that are left over.
  @Test func lanesOfOneCurveHaveTheirOwnKernel() {
    let kinds: [(rest: UnitCurve, ended: UnitCurve, mark: Float)] = [
      (.linear, .linear, Mark.linear), (.easeIn, .easeIn, Mark.table),
      (.linear, .easeIn, Mark.linear), (.easeIn, .linear, Mark.table),
    ]
    for (rest, ended, mark) in kinds {
      let block = block()
      for group in [0, 2] { begin(block, group: group, rest) }
      let handle = begin(block, group: 19, ended)
      #expect(marks(block, at: 30) == first(20, rest == ended ? mark : Mark.mixed))
      block.end(handle)
      #expect(marks(block, at: 30) == first(3, mark))
    }
    let mixed = block()
    begin(mixed, group: 0)
    begin(mixed, group: 2, .easeIn)
    mixed.end(begin(mixed, group: 19))
    #expect(marks(mixed, at: 30) == first(3, Mark.mixed))
  }

  /// From the tick before, or from the anchor: in a new window, and on the way back.
  @Test func springsTakeTheFewestSteps() {
    let block = block()
    beginSpring(block, group: 0)
    let ticks: [UInt64] = [30, 30, 31, 29, 256, 300, 300, 255]
    let steps = ticks.map { marks(block, at: $0)[0] - Mark.spring }
    #expect(steps == [30, 0, 1, 29, 0, 44, 0, 255])
  }
}

/// What the kernels write.
private enum Mark {
  static let linear: Float = 1
  static let table: Float = 2
  static let mixed: Float = 3
  /// Plus the number of steps.
  static let spring: Float = 1_000
}

/// Kernels that write their marks to all lanes that they are to compute.
private func markingKernels() -> kernel_table {
  var kernels = InstructionSet.baseline.kernels()
  kernels.tween = { tile, _, _, _, _ in write(Mark.linear, to: tile) }
  kernels.tween_table = { tile, _, _, _, _, _, _ in write(Mark.table, to: tile) }
  kernels.tween_mixed = { tile, _, _, _, _, _, _ in write(Mark.mixed, to: tile) }
  kernels.spring = { tile, _, _, _, _, _, _ in
    write(Mark.spring + Float(tile.pointee.elapsed), to: tile)
  }
  return kernels
}

private func write(_ mark: Float, to tile: UnsafeMutablePointer<kernel_tile>) {
  let values = tile.floats(field: 0, tick: 0)
  for lane in 0..<Int(tile.pointee.count) { values[lane] = mark }
}
