// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryMessages
import OrreryScene
import OrrerySim
import TestSupport

extension World {
  /// A world of these batches alone.
  convenience init(
    _ batches: BatchPlan..., rate: TickRate = 60, set: InstructionSet = .best, threads: Int = 1,
    output: ColumnFormat.Kind = .float32, hashMode: HashMode = .full
  ) throws {
    let plan = ScenePlan(
      name: "test", seed: 1, rate: rate, batches: batches, layout: Orrery_SceneLayout())
    try self.init(
      plan, instructionSet: set, threadCount: threads, output: output, hashMode: hashMode)
  }

  /// The built-in scene `stress`.
  convenience init(
    stress entities: Int, seed: UInt64 = 1, set: InstructionSet = .best, threads: Int = 1,
    choosesThreads: Bool = false
  ) throws {
    let options = ScenePlanOptions(entities: entities, seed: seed)
    let plan = try ScenePlan(
      SceneSource.load(nameOrPath: "stress"), options: options, text: NoTexts())
    try self.init(
      plan, instructionSet: set, threadCount: threads, choosesThreads: choosesThreads)
  }

  /// Makes changes to views at the time of a tick.
  func apply(_ transaction: TransactionPlan, at tick: UInt64, batch: Int) -> Bool {
    apply(transaction, atSeconds: rate.seconds(tick: tick), batch: batch)
  }

  /// The state hash at a tick, computed directly.
  func hash(_ tick: UInt64) -> UInt64 {
    defer { checkInvariants() }
    return Values(of: self, tick: tick).stateHash
  }

  /// One of each kind, as in the built-in scenes of flags and moons.
  static func small(
    rate: TickRate = 60, set: InstructionSet = .best, threads: Int = 1
  ) throws -> World {
    try World(
      .marquee(
        Specs([
          MarqueeSpec(period: 438, speed: 60, direction: .left, phase: 0),
          MarqueeSpec(period: 438, speed: 45, direction: .right, phase: 0),
        ])),
      .tween(Specs([TweenSpec(from: -730, to: 0, period: 40)]), .x),
      .timer(Specs([TimerSpec(start: -1_550, step: 3, resetAt: 330, interval: 0.01)])),
      .orbit(Specs([OrbitSpec(radius: 160, period: 20, phase: 0.25 / (2 * .pi))])),
      rate: rate, set: set, threads: threads)
  }
}

/// Ticks in any order, and destinations for them: steps, jumps, and places out of turn.
struct TickWalk {
  private var random: SeededRandom
  private let slotCount: Int
  private(set) var tick: UInt64 = 0
  private(set) var slot = 0
  private(set) var ahead = 0

  init(seed: UInt64, slotCount: Int) {
    random = SeededRandom(seed: seed)
    self.slotCount = slotCount
  }

  mutating func step() {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: tick = UInt64.random(in: 0..<2_000, using: &random)
    case 1: slot = Int.random(in: 0..<slotCount, using: &random)
    default: (tick, slot) = (tick + 1, (slot + 1) % slotCount)
    }
    ahead = Int.random(in: 0...7, using: &random)
  }
}

extension InstructionSet {
  /// Those that this machine has.
  static var supported: [InstructionSet] { allCases.filter(\.isSupported) }
}

/// Measures nothing: for scenes without texts.
struct NoTexts: TextMeasuring {
  func size(of text: String, font: String, language: String) -> MeasuredText {
    preconditionFailure("'\(text)' is measured")
  }

  func draws(flag: String) -> Bool { preconditionFailure("\(flag) is asked for") }

  func aspect(ofFlag flag: String) -> Double { preconditionFailure("\(flag) is asked for") }
}
