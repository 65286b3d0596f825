// SPDX-License-Identifier: Apache-2.0

import OrreryScene

#if canImport(CAllocationCounter)
  import CAllocationCounter
  import CKernelTable
  import Orrery
  import OrreryScene
  import OrrerySim
  import Testing

  /// Goal: to place tweens, springs, flows and lanes allocates nothing, whatever their curve.
  ///
  /// Method: a process of its own counts every call of the C library's allocator.
  @Suite struct TrackAllocationTests {
    @Test func batchesAllocateNothing() async {
      await #expect(processExitsWith: .success) {
        let cycles = [
          TweenCycle.linear, TweenCycle(curve: .easeIn), TweenCycle(curve: .circularEaseIn),
          TweenCycle(curve: .steps(5)),
        ]
        let batches: [any Batch] = [
          TweenBatch(
            Specs(count: 5_000) { TweenSpec(from: 0, to: 1, period: 3, cycle: cycles[$0 % 4]) },
            property: .x, rate: 60),
          SpringBatch(
            Specs(count: 5_000) {
              SpringSpec(
                from: 0, to: 1, spring: .bouncy, period: 2, phase: Double($0) / 2_500)
            }, property: .x, rate: 60),
          FlowBatch(
            Specs(count: 5_000) {
              FlowSpec(period: 100, speed: 9, direction: .left, start: Double($0) / 1_000)
            }, property: .x, rate: 60),
        ]
        let tile = KernelTile()
        for batch in batches {
          let count = Self.allocations { tick, kernels, values in
            for block in 0..<2 {
              let range = Blocks.range(block, entities: batch.count)
              tile.pointer.pointee.count = UInt32(range.count)
              kernel_set_column(tile.pointer, 0, 0, values + range.lowerBound)
              _ = batch.evaluate(block: block, tick: tick, kernels: kernels, tile: tile.pointer)
            }
          }
          precondition(count == 0, "\(count) allocations of \(type(of: batch))")
        }
      }
    }

    @Test func lanesAllocateNothing() async {
      await #expect(processExitsWith: .success) {
        let curves = CurveBank()
        let block = LaneBlock(count: Blocks.entityCount, rate: 60, curves: curves)
        let start = TickTime(seconds: 1.01, rate: 60)
        let motions: [LaneMotion] = [
          .curve(curves.curve(UnitCurve.easeIn), start: start, duration: 2),
          .cycle(curves.curve(UnitCurve.circularEaseIn), start: start, period: 2),
          .cycle(curves.curve(UnitCurve.linear), start: start, period: 2),
          .spring(.bouncy, velocity: 1, start: start), .hold(progress: 0.5),
        ]
        for lane in 0..<Blocks.entityCount {
          for motion in motions[..<(lane % 6)] { block.begin(lane, motion, interval: 1) }
        }
        let count = Self.allocations { tick, kernels, values in
          block.evaluate(tick: tick, kernels: kernels, into: values)
        }
        precondition(count == 0, "\(count) allocations")
      }
    }

    /// Beginning and ending allocate nothing either, where room was made.
    @Test func reservedLanesBeginWithoutAllocation() async {
      await #expect(processExitsWith: .success) {
        let curves = CurveBank()
        let block = LaneBlock(count: Blocks.entityCount, rate: 60, curves: curves)
        let curve = curves.curve(UnitCurve.easeIn)
        block.reserve(tweens: 1, springs: 1)
        func round() {
          for lane in 0..<Blocks.entityCount {
            let motion: LaneMotion =
              lane % 2 == 0
              ? .curve(curve, start: TickTime(tick: 5), duration: 1)
              : .spring(.smooth, velocity: 0, start: TickTime(tick: 5))
            block.end(block.begin(lane, motion, interval: 3))
          }
        }
        round()
        let before = allocation_count()
        round()
        precondition(allocation_count() == before, "\(allocation_count() - before) allocations")
      }
    }

    /// Tweens that begin one after the other and alike are described once: only where they differ, the list grows.
    @Test func equalTweensAreDescribedOnce() async {
      await #expect(processExitsWith: .success) {
        let counts = [true, true, false].map(Self.allocationsOfTweens(areAlike:))
        precondition(counts[1] + 5 < counts[2], "\(counts)")
      }
    }

    private static func allocationsOfTweens(areAlike: Bool) -> UInt64 {
      let curves = CurveBank()
      let block = LaneBlock(count: 1_000, rate: 60, curves: curves)
      let curve = curves.curve(UnitCurve.easeIn)
      block.reserve(tweens: 1, springs: 0)
      let before = allocation_count()
      for lane in 0..<1_000 {
        let start = TickTime(tick: areAlike ? 5 : Int64(lane))
        block.begin(lane, .curve(curve, start: start, duration: 1), interval: 3)
      }
      return withExtendedLifetime(block) { allocation_count() - before }
    }

    /// Calls of the allocator while 700 ticks are placed, some of them back and far away.
    private static func allocations(
      _ evaluate: (UInt64, borrowing kernel_table, UnsafeMutablePointer<Float>) -> Void
    ) -> UInt64 {
      let kernels = InstructionSet.best.kernels()
      let values = UnsafeMutableRawPointer.allocate(byteCount: 32_768, alignment: 64)
        .bindMemory(to: Float.self, capacity: 8_192)
      defer { values.deallocate() }
      // The first tick may let the runtime look up what it then keeps.
      evaluate(0, kernels, values)
      let before = allocation_count()
      for tick in UInt64(1)...600 { evaluate(tick, kernels, values) }
      for tick in UInt64(0)...100 { evaluate(tick * 977 % 3_000 << 20, kernels, values) }
      return allocation_count() - before
    }
  }
#endif
