// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import TestSupport
import Testing

/// Goal: moons circle as the checklist says, whatever happens around them.
@Suite struct OrbitMotionTests {
  private func distance(_ point: CGPoint, _ x: Double, _ y: Double) -> Double {
    hypot(Double(point.x) - x, Double(point.y) - y)
  }

  private func isClose(_ found: [Double], _ expected: [Double], _ bound: Double = 1e-9) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < bound }
  }

  /// [S4-14] h = 500, n = 5 -> 125, 50, 65; [S4-15] 95, 127.5, 160, 192.5, 225; [S4-16] 225 + 25 =
  /// 250.
  @Test func sizesFollowTheHeight() {
    let system = OrbitSystemMotion(height: 500, moonCount: 5)
    #expect(isClose([system.planetSize, system.moonSize, system.radiusIncrement], [125, 50, 65]))
    #expect(isClose(system.orbits.map(\.radius), [95, 127.5, 160, 192.5, 225]))
    #expect(abs(system.radius(moon: 5) + system.moonSize / 2 - 250) < 1e-12)
  }

  /// [S4-17] r = 160, phase 0.25, T = 20, t = 7 -> (-123.146630, 102.151395); [S4-26] the same at
  /// 20e9 + 7 within 1e-3.
  @Test func moonsTurnAtConstantSpeed() {
    let orbit = OrbitMotion(radius: 160, period: 20, phase: 0.25)
    #expect(distance(orbit.offset(at: 7), -123.146630, 102.151395) < 1e-6)
    #expect(distance(orbit.offset(at: 20e9 + 7), -123.146630, 102.151395) < 1e-3)
  }

  /// [S4-18] Periods in 10...100, phases in 0..<2 pi; a seed reproduces them.
  @Test func drawsStayInRange() {
    let orbits = OrbitSystemMotion(height: 500, moonCount: 5000, seed: 7).orbits
    #expect(orbits.allSatisfy { (10...100).contains($0.period) })
    #expect(orbits.allSatisfy { (0..<2 * .pi).contains($0.phase) })
    let (periods, phases) = (orbits.map(\.period), orbits.map(\.phase))
    #expect((periods.min() ?? 99) < 11)
    #expect((periods.max() ?? 0) > 99)
    #expect((phases.min() ?? 9) < 0.01)
    #expect((phases.max() ?? 0) > 6.27)
    #expect(OrbitSystemMotion(height: 500, moonCount: 5000, seed: 7).orbits == orbits)
    #expect(OrbitSystemMotion(height: 500, moonCount: 5000, seed: 8).orbits != orbits)
  }

  /// [S4-19] |p(T-) - p(0)| -> 0; r = 160, T = 20 -> 50.2655 pt/s.
  @Test func loopIsInvisible() {
    let orbit = OrbitMotion(radius: 160, period: 20, phase: 0.25)
    let start = orbit.offset(at: 0)
    #expect(distance(orbit.offset(at: 20), start.x, start.y) == 0)
    #expect(distance(orbit.offset(at: 20.0.nextDown), start.x, start.y) < 1e-12)
    #expect(abs(orbit.speed - 50.2655) < 5e-5)
    for time in [0, 3.3, 19.9999] {
      let (now, soon) = (orbit.offset(at: time), orbit.offset(at: time + 1e-4))
      #expect(abs(distance(soon, now.x, now.y) / 1e-4 - orbit.speed) < 1e-4)
    }
  }

  /// [S4-20] The effect only moves what is drawn: the moon's frame is the same before and during
  /// the orbit.
  @Test func effectIsATranslation() {
    let frame = CGRect(x: 10, y: 20, width: 50, height: 50)
    var effect = OrbitEffect(radius: 160, initialAngle: 0.25)
    for step in 0...8 {
      effect.animatableData = 2 * .pi * CGFloat(step) / 8
      let drawn = effect.drawnTransform(size: frame.size)
      let offset = CGPoint.zero.applying(drawn)
      #expect(
        drawn == ProjectionTransform(CGAffineTransform(translationX: offset.x, y: offset.y)))
      #expect(abs(hypot(Double(offset.x), Double(offset.y)) - 160) < 1e-9)
    }
    effect.angle = 2 * .pi * 7 / 20
    let place = CGPoint.zero.applying(effect.effectValue(size: frame.size))
    #expect(distance(place, -123.146630, 102.151395) < 1e-6)
  }

  /// [S4-21] As written, each evaluation draws another phase; improved: evaluating twice leaves the
  /// position.
  @Test func phaseIsDrawnOnce() {
    var random = SeededRandom(seed: 1)
    let written = (0..<2).map { _ in OrbitEffect.asWritten(radius: 160, using: &random) }
    #expect(written[0].initialAngle != written[1].initialAngle)
    #expect((0..<2 * .pi).contains(written[0].initialAngle))
    let places = (0..<2).map { _ in
      OrbitSystemMotion(height: 500, moonCount: 5, seed: 3).orbits.map { $0.offset(at: 4) }
    }
    #expect(places[0] == places[1])
  }

  /// [S4-22] Height 500 -> 400 while orbiting: radii change at once and never oscillate; angles go
  /// on.
  @Test func expansionDoesNotMisplaceOrbits() {
    var system = OrbitSystemMotion(height: 500, moonCount: 5)
    let before = system.orbits
    system.height = 400
    for time in stride(from: 0, to: 200, by: 1.7) {
      for (old, new) in zip(before, system.orbits) {
        let place = new.offset(at: time)
        #expect(abs(hypot(Double(place.x), Double(place.y)) - old.radius * 0.8) < 1e-9)
        #expect(new.angle(at: time) == old.angle(at: time))
        #expect(new.phase == old.phase)
      }
    }
  }

  /// [S4-23] n = 4 toggles -> false; n = 5 -> true; improved: all moons turn for either.
  @Test func togglesCancelOut() {
    #expect(!OrbitSystemMotion.turnsAsWritten(moonCount: 4))
    #expect(OrbitSystemMotion.turnsAsWritten(moonCount: 5))
    #expect(!OrbitSystemMotion.turnsAsWritten(moonCount: 0))
    for count in [4, 5] {
      let orbits = OrbitSystemMotion(height: 500, moonCount: count).orbits
      #expect(orbits.count == count)
      #expect(orbits.allSatisfy { $0.offset(at: 1) != $0.offset(at: 0) })
    }
  }

  /// [S4-24] An explicit animation started from any callback, escaping or not, behaves the same.
  @Test func callbacksAreAllAlike() {
    final class Callbacks {
      var stored: [() -> Void] = []
      func callLater(_ callback: @escaping () -> Void) { stored.append(callback) }
      func callNow(_ callback: () -> Void) { callback() }
    }
    let animation = Animation.linear(duration: 20).repeatForever(autoreverses: false)
    let engine = AnimationEngine()
    let angles = (0..<2).map { _ in engine.property(0.0) }
    let callbacks = Callbacks()
    callbacks.callLater { withAnimation(animation) { angles[0].value = 2 * .pi } }
    callbacks.callNow { withAnimation(animation) { angles[1].value = 2 * .pi } }
    callbacks.stored.forEach { $0() }
    engine.advance(to: 7)
    #expect(angles.map(\.value) == [2 * .pi, 2 * .pi])
    let expected = OrbitMotion(radius: 160, period: 20).angle(at: 7)
    #expect(isClose(angles.map(\.presentation), [expected, expected]))
    #expect(abs(expected - 0.7 * .pi) < 1e-12)
  }

  /// [S4-25] n = 0 -> empty list, radiusIncrement 0, no trap.
  @Test func noMoonsAreNone() {
    for count in [0, -3, Int.min] {
      let system = OrbitSystemMotion(height: 500, moonCount: count)
      #expect(system.orbits.isEmpty)
      #expect(system.radiusIncrement == 0)
    }
  }

  /// [S4-27] n 5 -> 6, h = 500: radii 89.58333, 116.66667, ...; phases of moons 1 to 5 unchanged.
  @Test func anotherMoonKeepsThePhases() throws {
    var system = OrbitSystemMotion(height: 500, moonCount: 5)
    let before = system.orbits
    system.moonCount = 6
    let after = system.orbits
    #expect(isClose(after.prefix(2).map(\.radius), [89.58333, 116.66667], 1e-5))
    #expect(after.prefix(5).map(\.phase) == before.map(\.phase))
    #expect(after.prefix(5).map(\.period) == before.map(\.period))
    try #require(after.count == 6)
    #expect(abs(after[5].radius - 225) < 1e-9)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 0, 1e308])
  func hostileNumbersDoNotTrap(number: Double) {
    let orbit = OrbitMotion(radius: 1, period: number, phase: 0)
    #expect(orbit.angle(at: number).isFinite)
    #expect(orbit.offset(at: 1).x.isFinite)
    _ = OrbitSystemMotion(height: number, moonCount: 3).orbits
  }

  /// [S4-18] The numbers that are drawn, from SplitMix64 by another program: a scene looks the same for ever.
  @Test(
    arguments: [
      (
        1, [76.39293274211053, 88.38224172672362, 27.094048758255788],
        [4.350763924905859, 2.922890370799776, 1.2540309160731722]
      ),
      (
        7, [88.69269363809443, 19.59671800247989, 49.86085156841286],
        [6.01878096125062, 5.268161941635069, 3.2485912135569004]
      ),
    ] as [(UInt64, [Double], [Double])])
  func drawsAreAlwaysTheSame(seed: UInt64, periods: [Double], phases: [Double]) {
    let system = OrbitSystemMotion(height: 500, moonCount: 3, seed: seed)
    #expect(isClose(system.orbits.map(\.period), periods, 1e-12))
    #expect(isClose(system.orbits.map(\.phase), phases, 1e-12))
    // Of another range the same share.
    let fast = OrbitSystemMotion(height: 500, moonCount: 3, seed: seed, periods: 1...10)
    #expect(isClose(fast.orbits.map(\.period), periods.map { $0 / 10 }, 1e-12))
    let steady = OrbitSystemMotion(height: 500, moonCount: 3, seed: seed, periods: 7...7)
    #expect(steady.orbits.map(\.period) == [7, 7, 7])
    #expect(OrbitSystemMotion(height: 500, moonCount: 3).seed == 1)
    #expect(OrbitSystemMotion(height: 500, moonCount: 3).periods == 10...100)
  }

  /// [S4-21] Phases as written are drawn from the whole circle.
  @Test func writtenPhasesFillTheCircle() {
    var random = SeededRandom(seed: 4)
    let angles = (0..<2_000).map { _ in
      Double(OrbitEffect.asWritten(radius: 160, using: &random).initialAngle)
    }
    #expect((angles.min() ?? 9) < 0.02)
    #expect((angles.max() ?? 0) > 6.26)
    let effect = OrbitEffect.asWritten(angle: 1, radius: 2, using: &random)
    #expect((Double(effect.angle), Double(effect.radius)) == (1, 2))
    let plain = OrbitEffect(radius: 3)
    #expect((Double(plain.angle), Double(plain.initialAngle)) == (0, 0))
    #expect(OrbitMotion(radius: 1, period: 2).phase == 0)
    #expect(OrbitMotion(radius: 1, period: 0).speed == 0)
    #expect(OrbitMotion(radius: 1, period: .infinity).speed == 0)
  }
}
