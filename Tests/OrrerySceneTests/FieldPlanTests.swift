// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: every disc of a field is a pure function of seed, field and number.
///
/// Method: ask for discs in different orders, from different threads and in fields of different
/// sizes; check ranges and where discs stand.
@Suite struct FieldPlanTests {
  private func range(_ range: ClosedRange<Double>) -> ValueRange { ValueRange(range) }

  private func marquees(_ count: Int) -> Field {
    .marquees(count: count, speed: 10...120, period: 40...400)
  }

  private func orbits(_ count: Int) -> Field {
    .orbits(count: count, radius: 4...60, duration: 10...100)
  }

  private func plan(_ fields: Field..., seed: UInt64 = 1) throws -> ScenePlan {
    let scene = Scene("s", seed: seed) { fields.map(SceneContent.field) }
    return try ScenePlan(scene, text: FixedWidths())
  }

  @Test func orderDoesNotMatter() throws {
    guard case .marquee(let specs) = try plan(marquees(1_000)).batches[0] else {
      Issue.record("no marquees")
      return
    }
    let forward = (0..<1_000).map { specs[$0] }
    let backward = (0..<1_000).reversed().map { specs[$0] }
    #expect(forward == backward.reversed())
  }

  @Test func threadsDoNotMatter() async throws {
    guard case .orbit(let specs) = try plan(orbits(1_000)).batches[0] else {
      Issue.record("no orbits")
      return
    }
    let expected = (0..<1_000).map { specs[$0] }
    await withTaskGroup(of: [OrbitSpec].self) { group in
      for _ in 0..<8 { group.addTask { (0..<1_000).map { specs[$0] } } }
      for await found in group { #expect(found == expected) }
    }
  }

  @Test func countOfAFieldChangesNoDisc() throws {
    let few = try plan(marquees(10), orbits(10))
    let many = try plan(marquees(1_000), orbits(1_000))
    #expect(Array(many.marquees.prefix(10)) == few.marquees)
    #expect(Array(many.orbits.prefix(10)) == few.orbits)
    #expect(Array(many.layout.batches[0].originX.prefix(10)) == few.layout.batches[0].originX)
    #expect(Array(many.layout.batches[1].sprites.prefix(10)) == few.layout.batches[1].sprites)
  }

  @Test func fieldsAndSeedsDiffer() throws {
    let two = try plan(marquees(100), marquees(100)).marquees
    #expect(zip(two[..<100], two[100...]).allSatisfy { $0.period != $1.period })
    let other = try plan(marquees(100), seed: 2).marquees
    #expect(zip(two[..<100], other).allSatisfy { $0.period != $1.period })
  }

  @Test func drawsStayInTheirRanges() throws {
    let plan = try plan(marquees(5_000), orbits(5_000))
    for spec in plan.marquees {
      #expect((10...120).contains(spec.speed))
      #expect((40...400).contains(spec.period))
      #expect((0..<1).contains(spec.phase))
    }
    for spec in plan.orbits {
      #expect((4...60).contains(spec.radius))
      #expect((10...100).contains(spec.period))
      #expect((0..<1).contains(spec.phase))
    }
    let left = plan.marquees.count { $0.direction == .left }
    // 5,000 even tosses; five standard deviations of 35.
    #expect((2_500 - 177...2_500 + 177).contains(left))
  }

  @Test func waysStayInThePicture() throws {
    let plan = try plan(marquees(2_000), orbits(2_000))
    let (first, second) = (plan.layout.batches[0], plan.layout.batches[1])
    for (index, spec) in plan.marquees.enumerated() {
      let x = Double(first.originX[index])
      let way = spec.direction == .left ? x - spec.period...x : x...x + spec.period
      #expect(way.lowerBound > -0.01)
      #expect(way.upperBound < 1280.01)
      #expect((0...720).contains(first.originY[index]))
    }
    for (index, spec) in plan.orbits.enumerated() {
      let (x, y) = (Double(second.originX[index]), Double(second.originY[index]))
      #expect(x - spec.radius > -0.01)
      #expect(x + spec.radius < 1280.01)
      #expect(y - spec.radius > -0.01)
      #expect(y + spec.radius < 720.01)
    }
  }

  @Test func colorsAreAllUsed() throws {
    let layout = try plan(marquees(1_000)).layout
    #expect(Set(layout.batches[0].sprites) == [0, 1, 2, 3])
    #expect(layout.sprites.map { $0.elements[0].disc.color } == Field.defaultColors.map(\.rgba))
  }

  /// A change of the generator changes every scene with random values, and recorded hashes with
  /// them.
  @Test func generatorIsPinned() {
    let random = CounterRandom(seed: 1, use: .field, index: 0)
    #expect(
      [0, 1, 99].map { random.bits($0, draw: 0) } == [
        182_734_037_421_036_486, 18_031_486_566_363_724_066, 1_238_274_073_822_182_805,
      ])
    #expect(random.unit(5, draw: 3) == 0.011163649017668975)
  }

  @Test func generatorIndexIsEven() {
    let random = CounterRandom(seed: 3, use: .orbitSystem, index: 2)
    var counts = [Int](repeating: 0, count: 7)
    for entity in 0..<70_000 { counts[random.index(7, entity, draw: 15)] += 1 }
    // 10,000 expected in each; five standard deviations of 93.
    #expect(counts.allSatisfy { (9_535...10_465).contains($0) })
  }

  /// What is larger than the picture has its middle in the picture's.
  @Test func whatDoesNotFitIsInTheMiddle() throws {
    let file = try SceneFile.decode(
      "size = [1280, 720]\n[[content]]\nkind = \"field\"\ncount = 5\norbit = { radius = 3000, duration = 9 }",
      file: "f")
    let batch = try ScenePlan(file, text: FixedWidths()).layout.batches[0]
    #expect(batch.originX == Array(repeating: 640, count: batch.originX.count))
    #expect(batch.originY == Array(repeating: 360, count: batch.originY.count))
  }

  /// Which random number is for what: another order would give other scenes for every seed.
  @Test func eachNumberOfADiscHasItsDraw() throws {
    let tween = FieldTween(
      .y, from: range(-20...20), end: .to(range(50...90)), duration: range(1...3))
    let spring = FieldSpring(
      .scale, from: range(0...1), end: .distance(range(2...3)), response: range(0.1...0.2),
      dampingRatio: range(0.5...1), every: range(50...60))
    let plan = try plan(
      marquees(50), orbits(50), .tweens(count: 50, tween), .springs(count: 50, spring))
    for disc in 0..<50 {
      let random = (0..<4).map { CounterRandom(seed: 1, use: .field, index: $0) }
      func value(_ field: Int, _ lower: Double, _ upper: Double, _ draw: UInt64) -> Double {
        random[field].value(ValueRange(lower: lower, upper: upper), disc, draw: draw)
      }
      let marquee = MarqueeSpec(
        period: value(0, 40, 400, 1), speed: value(0, 10, 120, 0),
        direction: random[0].index(2, disc, draw: 2) == 0 ? .left : .right,
        phase: random[0].unit(disc, draw: 3))
      try #require(plan.marquees[disc] == marquee, "disc \(disc)")
      let orbit = OrbitSpec(
        radius: value(1, 4, 60, 0), period: value(1, 10, 100, 1),
        phase: random[1].unit(disc, draw: 3))
      try #require(plan.orbits[disc] == orbit, "disc \(disc)")
      let move = plan.tweens[disc]
      try #require(
        [move.from, move.to] == [value(2, -20, 20, 7), value(2, 50, 90, 8)], "disc \(disc)")
      try #require(move.period == 2 * value(2, 1, 3, 1), "disc \(disc)")
      try #require(move.phase == random[2].unit(disc, draw: 3), "disc \(disc)")
      let pull = plan.springs[disc]
      let from = value(3, 0, 1, 7)
      try #require([pull.from, pull.to] == [from, from + value(3, 2, 3, 8)], "disc \(disc)")
      try #require(
        pull.spring == Spring(response: value(3, 0.1, 0.2, 1), dampingRatio: value(3, 0.5, 1, 9)),
        "disc \(disc)")
      try #require(pull.period == value(3, 50, 60, 10), "disc \(disc)")
      try #require(pull.phase == 2 * random[3].unit(disc, draw: 3), "disc \(disc)")
      for (field, batch) in plan.layout.batches.enumerated() {
        let color = UInt32(4 * field + random[field].index(4, disc, draw: 6))
        try #require(batch.sprites[disc] == color, "field \(field), disc \(disc)")
      }
    }
  }

  /// Where discs stand: so that their whole way is in the picture.
  @Test func placesOfDiscsHaveTheirDraws() throws {
    let move = FieldTween(
      .x, from: range(-20...20), end: .to(range(50...90)), duration: range(1...3))
    let shade = FieldTween(.opacity, end: .to(range(0...1)), duration: range(1...3))
    let plan = try plan(
      marquees(50), orbits(50), .tweens(count: 50, move), .tweens(count: 50, shade))
    for disc in 0..<50 {
      func share(_ field: Int, _ draw: UInt64) -> Double {
        CounterRandom(seed: 1, use: .field, index: field).unit(disc, draw: draw)
      }
      let marquee = plan.marquees[disc]
      let left = (1280 - marquee.period) * share(0, 4)
      let radius = plan.orbits[disc].radius
      let (tweens, shades) = (plan.tweens.prefix(50), plan.tweens.suffix(50))
      let (from, to) = (tweens[disc].from, tweens[disc].to)
      try #require(shades.allSatisfy { $0.from == 1 }, "an opacity that is not the default's")
      let expected: [(x: Double, y: Double)] = [
        (marquee.direction == .left ? left + marquee.period : left, 720 * share(0, 5)),
        (
          radius + (1280 - 2 * radius) * share(1, 4), radius + (720 - 2 * radius) * share(1, 5)
        ),
        (-from + (1280 - to + from) * share(2, 4), 720 * share(2, 5)),
        (1280 * share(3, 4), 720 * share(3, 5)),
      ]
      for (batch, place) in zip(plan.layout.batches, expected) {
        let (x, y) = (Double(batch.originX[disc]), Double(batch.originY[disc]))
        try #require(abs(x - place.x) < 1e-3, "disc \(disc) of \(batch.kind)")
        try #require(abs(y - place.y) < 1e-3, "disc \(disc) of \(batch.kind)")
      }
    }
  }

  /// A tween that does not come back takes its duration for a cycle, and its curve is the field's.
  @Test func tweensThatDoNotComeBackTakeHalfTheTime() throws {
    let one = ValueRange(2...2)
    let tween = FieldTween(end: .distance(one), duration: one, curve: .easeIn, autoreverses: false)
    let spec = try plan(.tweens(count: 1, tween)).tweens[0]
    #expect((spec.from, spec.to, spec.period) == (0, 2, 2))
    #expect(spec.cycle == TweenCycle(curve: .easeIn))
  }

  @Test func drawsOfOneChoiceAreThatChoice() {
    let random = CounterRandom(seed: 5, use: .field, index: 3)
    for entity in 0..<1_000 {
      #expect(random.index(1, entity, draw: 0) == 0)
      #expect(random.value(ValueRange(2...2), entity, draw: 1) == 2)
    }
    let other = CounterRandom(seed: 5, use: .orbitSystem, index: 3)
    #expect(other.bits(0, draw: 0) != random.bits(0, draw: 0))
    #expect(random.bits(0, draw: 15) != random.bits(1, draw: 0))
    #expect(CounterRandom.drawsPerEntity == 16)
  }
}
