// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder
import Testing

/// Goal: specs that are made many at a time are those that are made one by one.
///
/// Method: specs of several origins, in runs of lengths that fit and do not fit; fields of every kind.
@Suite struct SpecsTests {
  private func expectRuns<Spec: Equatable>(of specs: Specs<Spec>, _ message: String) {
    for length in [1, 7, 64, 1_000] {
      var runs = specs.runs(of: length)
      var found: [Spec] = []
      while let (first, run) = runs.next() {
        #expect(first == found.count, "\(message), length \(length)")
        #expect(!run.isEmpty, "\(message), length \(length)")
        #expect(first / length == (first + run.count - 1) / length, "\(message), length \(length)")
        found += run
      }
      #expect(found == (0..<specs.count).map { specs[$0] }, "\(message), length \(length)")
      if runs.next() != nil { Issue.record("\(message), length \(length): more than all") }
    }
  }

  @Test func runsHoldEverySpecOnce() {
    let made = Specs(count: 130) { $0 * $0 }
    expectRuns(of: made, "made")
    expectRuns(of: Specs(Array(0..<65)), "listed")
    expectRuns(of: Specs<Int>([]), "none")
    expectRuns(
      of: Specs(joining: [Specs([1, 2, 3]), made, Specs([]), Specs([4]), made]), "joined")
    // What is counted is counted down again.
    expectRuns(of: Specs(count: 90) { String(repeating: "spec", count: $0) }, "strings")
  }

  /// A slice has the specs of its range, counted from 0, and knows where it began.
  @Test func slicesHoldTheirRange() {
    let all = Specs(joining: [Specs([1, 2, 3]), Specs(count: 4) { $0 * 10 }])
    for first in 0...7 {
      for end in first...7 {
        let slice = all.slice(first..<end)
        #expect(slice.count == end - first, "\(first)..<\(end)")
        #expect(slice.first == first, "\(first)..<\(end)")
        let found = (0..<slice.count).map { slice[$0] }
        #expect(found == Array([1, 2, 3, 0, 10, 20, 30][first..<end]), "\(first)..<\(end)")
        expectRuns(of: slice, "\(first)..<\(end)")
      }
    }
  }

  @Test func fieldsInRunsAreThoseOneByOne() throws {
    let tween = FieldTween(
      .y, from: ValueRange(0...9), end: .distance(ValueRange(1...5)), duration: ValueRange(1...3))
    let fields: [Field] = [
      .marquees(count: 300, speed: 10...120, period: 40...400),
      .orbits(count: 300, radius: 4...60, duration: 10...100), .tweens(count: 300, tween),
    ]
    let plan = try ScenePlan(Scene("s") { fields.map(SceneContent.field) }, text: FixedWidths())
    for batch in plan.batches {
      switch batch {
      case .marquee(let specs): expectRuns(of: specs, "marquees")
      case .orbit(let specs): expectRuns(of: specs, "orbits")
      case .tween(let specs, _): expectRuns(of: specs, "tweens")
      default: Issue.record("a batch of \(batch.kind)")
      }
    }
  }

  /// A spring's period is the time from one start to the next, or what it needs to settle.
  @Test func springsOfAFieldSettle() throws {
    let spring = FieldSpring(
      .x, end: .to(ValueRange(1...9)), response: ValueRange(0.05...1),
      dampingRatio: ValueRange(0.05...3), every: ValueRange(0.5...6))
    let plan = try ScenePlan(
      Scene("s", seed: 1) { [SceneContent.field(.springs(count: 2_000, spring))] },
      text: FixedWidths())
    guard case .spring(let specs, _) = plan.batches[0] else {
      Issue.record("no springs")
      return
    }
    let random = CounterRandom(seed: 1, use: .field, index: 0)
    var settledCount = 0
    for disc in 0..<specs.count {
      let (spec, every) = (specs[disc], random.value(spring.every, disc, draw: 10))
      let rest = spec.spring.restBound(length: abs(spec.to - spec.from))
      #expect(spec.period == every || spec.period == max(every, rest), "disc \(disc)")
      #expect(spec.period >= every, "disc \(disc)")
      let left = spec.spring.value(
        fromValue: spec.from, toValue: spec.to, initialVelocity: 0, time: spec.period)
      #expect(abs(left - spec.to) < 0.02, "disc \(disc)")
      settledCount += spec.period == every ? 1 : 0
    }
    #expect((200..<1_800).contains(settledCount), "\(settledCount)")
  }
}
