// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import Testing

/// Goal: phases are a function of the tick alone, and stay where exact arithmetic says.
///
/// Method: the same ticks in different orders, from phases that were asked for nothing else; then
/// random motions against whole numbers of 128 bits.
@Suite struct PhasesTests {
  /// Three whole blocks and a part of one.
  static let entityCount = 3 * Blocks.entityCount + 5

  /// Ticks on both sides of windows, staggered or not, and of powers of two.
  static let edgeTicks: [UInt64] = {
    var ticks: [UInt64] = [0, 1, 2, 61, 62, 63, 64, 65, 158, 159, 160]
    ticks += [254, 255, 256, 257, 258, 511, 512, 513]
    for exponent: UInt64 in [24, 31, 32, 40, 52, 61] {
      let power = UInt64(1) << exponent
      ticks += [power - 1, power, power + 1]
    }
    return ticks + [1 << 62]
  }()

  @Test(arguments: [UInt64(1), 2, 3])
  func steppingEqualsComputingDirectly(seed: UInt64) {
    let stepped = phases(seed: seed)
    for tick in 0..<UInt64(1_100) {
      let direct = tick % 25 == 0 || Self.edgeTicks.contains(tick)
      let now = phasesHash(stepped, tick)
      if direct {
        #expect(now == phasesHash(phases(seed: seed), tick), "seed \(seed), tick \(tick)")
      }
    }
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func orderOfTicksDoesNotMatter(seed: UInt64) {
    let ticks = Self.edgeTicks
    let expected = ticks.map { phasesHash(phases(seed: seed), $0) }
    let backward = phases(seed: seed)
    let jumping = phases(seed: seed)
    for index in ticks.indices.reversed() {
      #expect(phasesHash(backward, ticks[index]) == expected[index], "tick \(ticks[index])")
    }
    let random = CounterRandom(seed: seed, use: .field, index: 1)
    for jump in 0..<500 {
      let index = random.index(ticks.count, jump, draw: 0)
      #expect(
        phasesHash(jumping, ticks[index]) == expected[index],
        "seed \(seed), jump \(jump) to tick \(ticks[index])")
    }
  }

  @Test func elapsedStaysInTheWindow() {
    let phases = phases(seed: 1)
    for tick in Self.edgeTicks {
      for block in 0..<4 { #expect(phases.prepare(block: block, tick: tick) < 256) }
    }
  }

  /// 1024 blocks: each tick places four neighbours anew, none of them twice in a window.
  @Test func blocksTakeTurns() throws {
    let phases = Phases(count: 1024 * Blocks.entityCount)
    var placed: [Int] = []
    for tick in UInt64(1_000)..<1_256 {
      let fresh = (0..<1024).filter { phases.prepare(block: $0, tick: tick) == 0 }
      try #require(fresh.count == 4, "tick \(tick)")
      #expect(fresh[0] % 4 == 0, "tick \(tick)")
      #expect(fresh[3] == fresh[0] + 3, "tick \(tick)")
      placed += fresh
    }
    #expect(placed.sorted() == Array(0..<1024))
  }

  /// At most 2^-25 turns from the rounded step within a window, 2^-31 from cutting to 32 bits, and
  /// 2^-65 for every tick from rounding the turns of one: together 10^-7 turns up to 2^40 ticks.
  @Test(arguments: [UInt64(1), 2, 3, 4])
  func errorStaysBelowItsBound(seed: UInt64) {
    let phases = Phases(count: Blocks.entityCount)
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    var motions: [(turns: Double, turnsPerTick: Double)] = []
    for entity in 0..<Blocks.entityCount {
      // From almost standing still to many turns in a tick.
      let magnitude = Double(
        sign: .plus, exponent: 10 - random.index(50, entity, draw: 0), significand: 1)
      let motion = (random.unit(entity, draw: 1), random.unit(entity, draw: 2) * magnitude)
      motions.append(motion)
      phases.set(entity, turns: motion.0, turnsPerTick: motion.1)
    }
    var errorMax = 0.0
    for round in 0..<62 {
      let tick = random.bits(round, draw: 3) >> UInt64(24 + random.index(40, round, draw: 4))
      let elapsed = phases.prepare(block: 0, tick: tick)
      let bound = 0x1p-25 + 0x1p-31 + Double(tick) * 0x1p-65
      for (entity, motion) in motions.enumerated() {
        let found = phases.phase.values[entity] &+ phases.step.values[entity] &* elapsed
        let error = Self.error(of: found, motion, tick)
        errorMax = max(errorMax, error)
        if error > bound {
          Issue.record("seed \(seed), entity \(entity), \(motion), tick \(tick): \(error)")
          return
        }
      }
    }
    #expect(errorMax <= 1e-7)
  }

  /// A period of 3/64 s at 64 ticks per second is three ticks, exactly.
  ///
  /// So the true phase is known at any tick. A quotient of 53 bits would be off by 2e-5 turns at the
  /// last ones.
  @Test(arguments: [0, 1, 2, 3, 1_000_000, 1 << 40, (1 << 40) + 1, (1 << 40) + 2] as [UInt64])
  func quotientsAreExactForManyYears(tick: UInt64) throws {
    let phases = Phases(count: 1)
    let rate = try #require(TickRate(numerator: 64))
    phases.set(0, turns: 0, speed: 1, period: 3.0 / 64, rate: rate)
    let elapsed = phases.prepare(block: 0, tick: tick)
    let found = phases.phase.values[0] &+ phases.step.values[0] &* elapsed
    let error = Self.error(of: found, (0, 1.0 / 3), tick % 3)
    #expect(error <= 0x1p-25 + 0x1p-31 + Double(tick) * 0x1p-65)
  }

  /// Numbers whose halves overflow, and products that lose digits, are left to the library.
  @Test(arguments: [
    (0x1.8p1020, 0x1.1p-300), (0x1.1p-300, 0x1.8p1020), (-0x1.23456789p1010, 1.5),
    (0x1.23456789p-600, 0x1.3579p-450), (0x1.3579p-450, 0x1.23456789p-600),
  ])
  func hugeAndTinyNumbersHaveExactRests(first: Double, second: Double) {
    let product = first * second
    let residual = (-product).addingProduct(first, second)
    #expect(ExactProduct.residual(of: first, second, product) == residual)
  }

  /// The arithmetic that needs no call is that of the library, to the last bit.
  @Test(arguments: [UInt64(1), 2, 3])
  func exactArithmeticIsThatOfTheLibrary(seed: UInt64) {
    let random = CounterRandom(seed: seed, use: .field, index: 2)
    for round in 0..<20_000 {
      func number(_ draw: UInt64, exponents: Int) -> Double {
        let exponent = random.index(2 * exponents, round, draw: draw) - exponents
        return Double(
          sign: random.index(2, round, draw: draw + 1) == 0 ? .plus : .minus, exponent: exponent,
          significand: 1 + random.unit(round, draw: draw + 2))
      }
      let exponents = round % 2 == 0 ? 40 : 600
      let (a, b) = (number(0, exponents: exponents), number(3, exponents: exponents))
      let (product, quotient) = (a * b, a / b)
      if product.isFinite {
        #expect(
          ExactProduct.residual(of: a, b, product) == (-product).addingProduct(a, b), "\(a) · \(b)")
      }
      if quotient.isFinite {
        let expected = a.addingProduct(-quotient, b)
        #expect(ExactProduct.difference(a, quotient, b) == expected, "\(a) / \(b)")
      }
      let turns = number(6, exponents: 70)
      let residual = abs(turns) < 0x1p52 ? turns.ulp * (random.unit(round, draw: 9) - 0.5) : 0
      #expect(
        Phases.fixedPoint(turns, residual: residual) == Self.fixedPoint(turns, residual),
        "\(turns) + \(residual)")
    }
    for turns in [0, -0.0, 0.5, -0.5, 1, -1e-20, 1e-20, 1 - 0x1p-53, 0x1p-64, 0x1p-65, 3 * 0x1p-65]
    {
      #expect(Phases.fixedPoint(turns) == Self.fixedPoint(turns, 0), "\(turns)")
    }
  }

  /// As `Phases.fixedPoint`, by the library's roundings.
  private static func fixedPoint(_ turns: Double, _ residual: Double) -> UInt64 {
    if abs(turns) >= 0x1p52 { return 0 }
    let scaled = (turns - turns.rounded(.down)) * 0x1p64
    let whole = scaled.rounded(.down)
    let correction = (scaled - whole + residual * 0x1p64).rounded()
    return (whole >= 0x1p64 ? 0 : UInt64(whole)) &+ UInt64(bitPattern: Int64(correction))
  }

  @Test func wholeTurnsVanish() {
    let phases = Phases(count: 4)
    for (entity, turnsPerTick) in [0.0, 1, 3.25, 1e15].enumerated() {
      phases.set(entity, turns: 0.5, turnsPerTick: turnsPerTick)
    }
    let elapsed = phases.prepare(block: 0, tick: 7)
    let found = (0..<4).map { phases.phase.values[$0] &+ phases.step.values[$0] &* elapsed }
    #expect(found == [1 << 31, 1 << 31, 1 << 30, 1 << 31])
  }

  @Test func motionThatIsNoNumberTraps() async {
    await #expect(processExitsWith: .failure) {
      Phases(count: 1).set(0, turns: 0, turnsPerTick: .nan)
    }
    await #expect(processExitsWith: .failure) {
      Phases(count: 1).set(0, turns: .infinity, turnsPerTick: 0)
    }
  }

  private func phases(seed: UInt64) -> Phases {
    let phases = Phases(count: Self.entityCount)
    let random = CounterRandom(seed: seed, use: .field, index: 0)
    for entity in 0..<Self.entityCount {
      phases.set(
        entity, turns: random.unit(entity, draw: 0), turnsPerTick: random.unit(entity, draw: 1) * 2)
    }
    return phases
  }

  /// All phases at a tick in one number that depends on their order.
  private func phasesHash(_ phases: borrowing Phases, _ tick: UInt64) -> UInt64 {
    var hash: UInt64 = 0
    for block in 0..<Blocks.count(entities: Self.entityCount) {
      let elapsed = phases.prepare(block: block, tick: tick)
      for entity in Blocks.range(block, entities: Self.entityCount) {
        let phase = phases.phase.values[entity] &+ phases.step.values[entity] &* elapsed
        hash = hash &* 0x9e37_79b9_7f4a_7c15 &+ UInt64(phase)
      }
    }
    return hash
  }

  /// How far a phase is from turns + turnsPerTick·tick, in turns, computed without rounding.
  private static func error(
    of phase: UInt32, _ motion: (turns: Double, turnsPerTick: Double), _ tick: UInt64
  ) -> Double {
    // Both doubles are whole multiples of 2^-112 here, and turns need only the bits below 2^0.
    let start = fraction(motion.turns)
    let way = fraction(motion.turnsPerTick) &* UInt128(tick)
    let mask = (UInt128(1) << 112) - 1
    let difference = ((UInt128(phase) << 80) &- (start &+ way)) & mask
    let turns = Double(difference) * 0x1p-112
    return min(turns, 1 - turns)
  }

  /// A number modulo 1, in units of 2^-112.
  private static func fraction(_ value: Double) -> UInt128 {
    let rest = value - value.rounded(.down)
    precondition((rest * 0x1p112).rounded() == rest * 0x1p112, "\(value) has bits below 2^-112")
    return UInt128(rest * 0x1p112)
  }
}
