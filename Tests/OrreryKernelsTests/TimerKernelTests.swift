// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySim
import Testing

/// Goal: a timer's offset is what adding and resetting, one timer tick after the other, gives.
///
/// Method: small whole numbers, which `Float` holds exactly, compared for equality.
@Suite struct TimerKernelTests {
  @Test(arguments: InstructionSet.supported, KernelColumns.counts)
  func timersMatchTheOracle(set: InstructionSet, count: Int) {
    for seed in KernelColumns.seeds {
      let columns = KernelColumns(count: count, seed: seed)
      let random = CounterRandom(seed: seed, use: .field, index: 1)
      var expected: [Float] = []
      for entity in 0..<count {
        let start = -Double(random.index(2_000, entity, draw: 0))
        let step = Double(1 + random.index(9, entity, draw: 1))
        let resetAt = start + Double(1 + random.index(500, entity, draw: 2))
        let timerTicks = random.index(2_000, entity, draw: 3)
        columns.start.values[entity] = Float(start)
        columns.size.values[entity] = Float(step)
        columns.loopTicks.values[entity] =
          TimerSpec(start: start, step: step, resetAt: resetAt, interval: 1).loopTicks
        columns.timerTicks.values[entity] = UInt64(timerTicks)
        expected.append(
          Float(
            ScalarOracle.timer(
              start: start, step: step, resetAt: resetAt, timerTicks: timerTicks)))
      }
      KernelKind.timer.evaluate(columns, elapsed: 0, set)
      let wrong = (0..<count).first { columns.x.values[$0] != expected[$0] }
      #expect(wrong == nil, "seed \(seed)")
    }
  }

  /// The numbers of the two rows that a timer moves: 3 points at a time, reset at 330 and 460.
  @Test(arguments: InstructionSet.supported)
  func knownOffsetsAreMet(set: InstructionSet) {
    let columns = KernelColumns(count: 4, seed: 1)
    for entity in 0..<4 {
      let (start, resetAt) = entity % 2 == 0 ? (-1550.0, 330.0) : (-1800.0, 460.0)
      columns.start.values[entity] = Float(start)
      columns.size.values[entity] = 3
      columns.loopTicks.values[entity] =
        TimerSpec(start: start, step: 3, resetAt: resetAt, interval: 0.01).loopTicks
      columns.timerTicks.values[entity] = entity < 2 ? 250 : 700
    }
    KernelKind.timer.evaluate(columns, elapsed: 0, set)
    #expect((0..<4).map { columns.x.values[$0] } == [-800, -1050, -1331, 300])
  }
}
