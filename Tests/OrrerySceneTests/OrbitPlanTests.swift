// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: moons circle where and as the article says, with what is random drawn once [S4-14 …
/// S4-27].
///
/// Method: plan systems and compare with numbers worked out by hand; vary one thing and see what
/// stays.
@Suite struct OrbitPlanTests {
  private func plan(_ systems: OrbitSystem..., seed: UInt64 = 1) throws -> ScenePlan {
    let scene = Scene("s", seed: seed) { systems.map(SceneContent.orbitSystem) }
    return try ScenePlan(scene, text: FixedWidths())
  }

  /// [S4-14] Height 500, 5 moons: 125, 50 and 65.
  @Test func sizesFollowFromTheHeight() throws {
    let layout = OrbitLayout(height: 500, moonCount: 5)
    #expect((layout.planetSize, layout.moonSize, layout.radiusIncrement) == (125, 50, 65))
    let message = try plan(OrbitSystem(height: 500, moons: 5)).layout
    #expect(message.sprites.map { $0.elements[0].disc.radius } == [62.5, 25])
    #expect(message.fixtures.map { [$0.x, $0.y, Double($0.sprite)] } == [[640, 360, 0]])
    #expect(message.batches[0].sprites == [1])
    #expect(message.batches[0].originX == [640])
    #expect(message.batches[0].originY == [360])
  }

  /// [S4-15] [S4-16] Radii; the outermost moon just fits.
  @Test func radiiGrowEvenlyAndJustFit() throws {
    let radii = try plan(OrbitSystem(height: 500, moons: 5)).orbits.map(\.radius)
    #expect(radii == [95, 127.5, 160, 192.5, 225])
    #expect(radii[4] + 50 / 2 == 500 / 2)
  }

  /// [S4-17] A phase in radians becomes turns.
  @Test func phaseIsInTurns() throws {
    let moons = [
      Moon(duration: 20, phase: 0.25), Moon(duration: 20, phase: 0),
      Moon(duration: 20, phase: 2 * .pi),
    ]
    let orbits = try plan(OrbitSystem(height: 500, moons: moons)).orbits
    #expect(orbits.map(\.period) == [20, 20, 20])
    #expect(orbits.map(\.phase) == [0.25 / (2 * .pi), 0, 0])
  }

  /// [S4-18] Everything that is drawn is in its range, and the whole range is used.
  @Test func drawsStayInTheirRanges() throws {
    let orbits = try plan(OrbitSystem(height: 500, moons: 10_000, duration: 10...100)).orbits
    #expect(orbits.allSatisfy { (10...100).contains($0.period) && (0..<1).contains($0.phase) })
    let periods = orbits.map(\.period).sorted()
    let phases = orbits.map(\.phase).sorted()
    // 10,000 even draws: a thousandth of the range at each end is empty once in 20,000 tries.
    #expect(periods[0] < 10.09)
    #expect(periods[9_999] > 99.91)
    #expect(phases[0] < 0.001)
    #expect(phases[9_999] > 0.999)
    // Means of 10,000 draws, which miss by 0.26 and 0.0029 on average; five times that.
    let periodMean = periods.reduce(0, +) / 10_000
    let phaseMean = phases.reduce(0, +) / 10_000
    #expect((53.7...56.3).contains(periodMean))
    #expect((0.4855...0.5145).contains(phaseMean))
  }

  /// [S4-18] [S4-21] The same seed gives the same moons, another one others.
  @Test func seedReproducesMoons() throws {
    let system = OrbitSystem(height: 500, moons: 5)
    let orbits = try plan(system, seed: 9).orbits
    #expect(try plan(system, seed: 9).orbits == orbits)
    #expect(try plan(system, seed: 10).orbits != orbits)
  }

  /// [S4-25] No moons: no entity, no trap.
  @Test func noMoonsIsNoBatch() throws {
    #expect(OrbitLayout(height: 500, moonCount: 0).radiusIncrement == 0)
    let plan = try plan(OrbitSystem(height: 500, moons: 0))
    #expect(plan.entityCount == 0)
    #expect(plan.batches.isEmpty)
    #expect(plan.layout.fixtures.count == 1)
  }

  /// [S4-27] A sixth moon changes radii by the formula and nothing else of the others.
  @Test func addedMoonKeepsTheOthers() throws {
    let five = try plan(OrbitSystem(height: 500, moons: 5)).orbits
    let six = try plan(OrbitSystem(height: 500, moons: 6)).orbits
    #expect(zip(five, six).allSatisfy { $0.phase == $1.phase && $0.period == $1.period })
    #expect(abs(six[0].radius - 89.583333) < 1e-6)
    #expect(abs(six[1].radius - 116.666667) < 1e-6)
  }

  /// [S4-27] A moon set by hand changes no other, and a second system does not change the first.
  @Test func moonsAndSystemsAreDrawnApart() throws {
    let all = try plan(OrbitSystem(height: 500, moons: 3)).orbits
    let fixed = [Moon(), Moon(duration: 33, phase: 1), Moon()]
    let listed = try plan(OrbitSystem(height: 500, moons: fixed)).orbits
    #expect(listed[0] == all[0])
    #expect(listed[1].period == 33)
    #expect(listed[2] == all[2])
    let system = OrbitSystem(height: 500, moons: 3)
    let two = try plan(system, system).orbits
    #expect(Array(two[..<3]) == all)
    #expect(zip(two[..<3], two[3...]).allSatisfy { $0.phase != $1.phase })
  }

  @Test func moonsHaveTheirColours() throws {
    let system = OrbitSystem(
      height: 100, moons: [Moon(color: .red), Moon(), Moon(color: .red)], planetColor: .green,
      moonColor: .white)
    let layout = try plan(system).layout
    #expect(layout.batches[0].sprites == [1, 2, 1])
    let colors = layout.sprites.map { $0.elements[0].disc.color }
    #expect(colors == [Color.green, .red, .white].map(\.rgba))
  }
}
