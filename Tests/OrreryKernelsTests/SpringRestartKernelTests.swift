// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryScene
import OrrerySim
import Testing

/// Goal: restarts are found and computed exactly, with periods of every length, on every instruction set.
///
/// Method: random springs at random ticks against one spring at a time in whole numbers.
@Suite struct SpringRestartKernelTests {
  /// Steps of half a period, in units of 2^-64 for a tick: usual ones, whole ticks, more than half a
  /// period, so small that 256 ticks are nothing, and none at all.
  private static func step(_ random: CounterRandom, _ lane: Int) -> UInt64 {
    let any = UInt64(random.unit(lane, draw: 0) * 0x1p53)
    switch random.index(8, lane, draw: 1) {
    case 0, 1: return any << 5
    case 2: return UInt64.max / 2 / UInt64(1 + any % 300) + any % 3
    case 3: return UInt64(1) << 63 - 1 + any % 3
    case 4: return any << 11
    case 5: return any >> (any % 50)
    case 6: return any % 0x3000
    default: return 0
    }
  }

  @Test(arguments: InstructionSet.supported, [1, 15, 16, 63, 64, 65, 100, 2_047, 2_048])
  func restartsMatchWholeNumbers(set: InstructionSet, count: Int) throws {
    for seed in 0..<24 as Range<UInt64> {
      let springs = RestartColumns(count: count, set)
      let random = CounterRandom(seed: seed, use: .field, index: 0)
      let tick = seed < 2 ? 0 &- seed &* 200 : UInt64(random.unit(0, draw: 2) * 0x1p40)
      for lane in 0..<count {
        springs.pulls[lane] = kernel_spring_pull(
          origin: UInt64(random.unit(lane, draw: 3) * 0x1p53) << (seed % 12),
          step: Self.step(random, lane), from: Float(lane), to: -Float(lane) - 1,
          coefficients: UInt32(lane % 3), window: random.index(9, lane, draw: 4) == 0 ? 1 : 256)
        springs.due[lane] = UInt8(random.index(256, lane, draw: 5))
      }
      let ticks = [1, 2, 7, 8, 100, 256][Int(seed % 6)] as UInt32
      let expected = springs.expected(tick, ticks)
      #expect(springs.restart(tick, ticks) == expected, "seed \(seed)")
    }
  }

  /// Lanes past the last spring never restart, whatever their bytes are.
  @Test(arguments: InstructionSet.supported)
  func paddingDoesNotRestart(set: InstructionSet) {
    let springs = RestartColumns(count: 17, set)
    for lane in 0..<64 { springs.due[lane] = 4 }
    let found = springs.restart(0, 8)
    #expect(found.restarts.map(\.lane) == Array(0..<17))
    #expect((17..<64).allSatisfy { springs.due[$0] == 4 })
  }
}

/// Springs with three sets of coefficients, and their scratch memory.
private final class RestartColumns {
  struct Restart: Equatable {
    let lane: Int
    let step: UInt16
    let base: Float
    /// Bits of the ticks since the release.
    let sinceRelease: UInt64
    let turn: Double
    let due: UInt8
  }

  struct Found: Equatable {
    var ticks: UInt32
    var restarts: [Restart]
  }

  let due: UnsafeMutablePointer<UInt8>
  let pulls: UnsafeMutablePointer<kernel_spring_pull>
  private let coefficients: UnsafeMutablePointer<kernel_spring_coefficients>
  private let scratch: UnsafeMutablePointer<kernel_spring_scratch>
  private let count: Int
  private let kernels: kernel_table

  init(count: Int, _ set: InstructionSet) {
    self.count = count
    kernels = set.kernels()
    func zeros<Value>(_ count: Int, of type: Value.Type) -> UnsafeMutablePointer<Value> {
      let bytes = count * MemoryLayout<Value>.stride
      let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
      memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
      return memory.assumingMemoryBound(to: Value.self)
    }
    let padded = (count + 63) / 64 * 64
    due = zeros(padded, of: UInt8.self)
    pulls = zeros(padded, of: kernel_spring_pull.self)
    coefficients = zeros(3, of: kernel_spring_coefficients.self)
    for index in 0..<3 { coefficients[index].turn = Double(index) }
    scratch = zeros(1, of: kernel_spring_scratch.self)
    for lane in 0..<padded {
      pulls[lane].window = 256
      kernel_restarted_springs_step(kernel_restarted(scratch))[lane] = UInt16(KERNEL_NOT_RESTARTED)
    }
  }

  deinit {
    due.deallocate()
    pulls.deallocate()
    coefficients.deallocate()
    scratch.deallocate()
  }

  /// What the kernel finds; it has an entry in the block's columns for each restart, and for no other lane.
  func restart(_ tick: UInt64, _ ticks: UInt32) -> Found {
    let found = kernels.spring_restarts(
      UInt32(count), due, pulls, coefficients, tick, ticks, scratch)
    let (restarted, list) = (kernel_restarted(scratch), kernel_due(scratch))
    let steps = kernel_restarted_springs_step(restarted)
    let lanes = (0..<count).filter { steps[$0] != UInt16(KERNEL_NOT_RESTARTED) }
    #expect(lanes.count == Int(found.count))
    for group in 0..<(count + 15) / 16 {
      let isAny = lanes.contains { $0 / 16 == group }
      #expect((kernel_restarted_springs_group(restarted)[group] != 0) == isAny)
    }
    // The states are those of all springs that are due, in order.
    let ticks = kernel_spring_states_ticks(kernel_states(scratch))
    let turns = kernel_spring_states_turn(kernel_states(scratch))
    let listed = (0..<count).map { kernel_due_springs_lane(list)[$0] }
    return Found(
      ticks: found.ticks,
      restarts: lanes.map { lane in
        let index = listed.firstIndex(of: UInt32(lane)) ?? 0
        return Restart(
          lane: lane, step: steps[lane],
          base: kernel_restarted_springs_base(restarted)[lane],
          sinceRelease: ticks[index].bitPattern, turn: turns[index], due: due[lane])
      })
  }

  /// The same, one spring at a time.
  func expected(_ tick: UInt64, _ ticks: UInt32) -> Found {
    let all = (0..<count).map { lane in (restart: restart(lane, tick), lane: lane) }
      .filter { $0.restart.step <= ticks }
    var stop = Int(ticks)
    for (restart, _) in all { stop = min(stop, Int(restart.step) + restart.next - 1) }
    return Found(
      ticks: UInt32(stop),
      restarts: all.filter { Int($0.restart.step) <= stop }.map { restart, lane in
        Restart(
          lane: lane, step: restart.step, base: restart.base,
          sinceRelease: restart.since.bitPattern, turn: Double(lane % 3),
          due: UInt8(truncatingIfNeeded: tick &+ UInt64(restart.step) &+ UInt64(restart.next)))
      })
  }

  private func restart(
    _ lane: Int, _ tick: UInt64
  ) -> (step: UInt16, base: Float, since: Double, next: Int) {
    let pull = pulls[lane]
    let wait = due[lane] &- UInt8(truncatingIfNeeded: tick)
    let step = wait == 0 ? 256 : UInt16(wait)
    let phase = pull.origin &+ pull.step &* (tick &+ UInt64(step))
    let base = phase >> 63 == 0 ? pull.to : pull.from
    let (passed, period) = (phase << 1, pull.step << 1)
    let window = UInt64(pull.window)
    if period == 0 { return (step, base, 0x1p62, Int(window)) }
    let perTick = 1 / (Double(period >> 1) * 2)
    let exactly = passed > 1 << 25 ? passed - 1 << 25 : 0
    return (
      step, base, Double(exactly >> 11) * 0x1p11 * perTick,
      Int(min(~passed / period, window - 1) + 1)
    )
  }
}
