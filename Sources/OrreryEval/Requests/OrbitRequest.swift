// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// Positions of a moon, and the sizes of its system.
///
///     {"orbit":{"height":400,"moons":4,"index":1,"phase":0.3,"period":10},"at":[0,1]}
struct OrbitRequest: EvalRequest {
  static let keys = ["orbit", "at"]

  private let layout: OrbitSystemMotion

  /// Index of the moon, from 1 at the innermost; nil without moons.
  private let index: Int?

  /// Radians.
  private let phase: Double
  private let period: Double
  private let at: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    let orbit = try reader.object("orbit", known: ["height", "moons", "index", "phase", "period"])
    let moons = try orbit.count("moons", in: 0...EvalLimits.moonCountMax)
    layout = OrbitSystemMotion(
      height: try orbit.number("height", in: 0...1e9, "points"), moonCount: moons)
    index = moons > 0 ? try orbit.count("index", else: 1, in: 1...moons) : nil
    phase = try orbit.number("phase", else: 0)
    period = try orbit.number("period", else: 10, in: 1e-6...1e12, "s")
    at = reader.has("at") ? try reader.numbers("at") : []
  }

  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let radius = index.map { layout.radius(moon: $0) }
    let fromKernel = radius.flatMap { radius in
      kernels?.orbit(radius: radius, period: period, phase: turns, at: at)
    }
    let motion = radius.map { OrbitMotion(radius: $0, period: period, phase: phase) }
    let points =
      fromKernel
      ?? motion.map { motion in
        at.map { time in
          let point = motion.offset(at: time)
          return (point.x, point.y)
        }
      } ?? []
    return EvalAnswer(
      [
        "points": .array(DocumentArray(points.map { .numbers([$0.x, $0.y]) })),
        "radius": radius.map { .number($0) } ?? .null, "planet_size": .number(layout.planetSize),
        "moon_size": .number(layout.moonSize), "radius_increment": .number(layout.radiusIncrement),
      ], isFromKernel: fromKernel != nil)
  }

  /// The phase in turns, in [0, 1).
  private var turns: Double {
    let turns = phase / (2 * .pi)
    let part = turns - turns.rounded(.down)
    return part < 1 ? part : 0
  }
}
