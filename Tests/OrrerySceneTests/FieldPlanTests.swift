// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import Testing

/// Goal: every disc of a field is a pure function of seed, field and number.
///
/// Method: ask for discs in different orders, from different threads and in fields of different
/// sizes; check ranges and where discs stand.
@Suite struct FieldPlanTests {
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
}
