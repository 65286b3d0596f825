// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import OrreryScene
import OrrerySim
import Testing

/// Tasks of a kind are the same parameters for Orrery and for peers, and distances are points between values.
///
/// Method: parameters beside the plan that they are drawn from; values by hand.
@Suite struct KernelTaskTests {
  @Test(arguments: [
    (KernelKind.orbit, 5, 2), (.marquee, 3, 1), (.flow, 3, 1), (.tween, 5, 1), (.spring, 6, 1),
  ])
  func parametersAreColumnsOfAllEntities(kind: KernelKind, columns: Int, fields: Int) throws {
    let task = try KernelTask(kind, count: 17)
    #expect(task.count == 17)
    #expect(task.kind == kind)
    #expect(task.columns.count == columns)
    #expect(kind.fieldCount == fields)
    #expect(task.parts.isEmpty)
    let own = kind == .tween ? Array(task.columns.dropLast()) : task.columns
    #expect(own.allSatisfy { $0.count == 17 })
    if kind == .tween { #expect(task.columns.last == [0.42, 0, 0.58, 1]) }
  }

  @Test(arguments: KernelKind.keyframes + KernelKind.ownKeyframes)
  func coursesAreColumnsOfTheirOwn(kind: KernelKind) throws {
    let task = try KernelTask(kind, count: 100)
    let segments = try #require(kind.segmentCount)
    let courses = KernelKind.keyframes.contains(kind) ? 64 : 100
    #expect(task.columns.map(\.count) == [100, courses, courses * segments, courses * segments])
    #expect(task.columns[0] == (0..<100).map { Double($0 % courses) })
    for course in 0..<courses {
      let starts = task.columns[2][course * segments..<(course + 1) * segments]
      #expect(starts.first == 0)
      #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 })
      #expect(starts.allSatisfy { $0 < 1 && ($0 * 32).rounded() == $0 * 32 })
      let seconds = task.columns[1][course]
      #expect(seconds == task.columns[1][course / 16 * 16], "neighbours have one length")
      #expect((2...10).contains(seconds))
    }
    #expect(Set(task.columns[3]).count > courses, "values differ")
    guard case .views(let plan) = task.plan.batches[0] else {
      Issue.record("keyframes are planned as something else")
      return
    }
    #expect(plan.tracks.count == 100)
    #expect(Set(plan.tracks.map { ObjectIdentifier($0.course) }).count == courses)
  }

  @Test func mixtureIsAFifthOfEachAndAllTogether() throws {
    let task = try KernelTask(.mixed, count: 12)
    #expect(task.parts.map(\.kind) == KernelKind.simple)
    #expect(task.parts.map(\.count) == [2, 2, 3, 2, 3])
    #expect(task.columns.isEmpty)
    #expect(task.plan.batches.count == 5)
    #expect(KernelKind.mixed.fieldCount == KernelKind.simple.map(\.fieldCount).reduce(0, +))
    #expect(try KernelTask(.mixed, count: 2).parts.map(\.count) == [1, 1, 1, 1, 1])
  }

  @Test func parametersAreThoseOfThePlan() throws {
    let orbit = try KernelTask(.orbit, count: 1500)
    guard case .orbit(let specs) = orbit.plan.batches[0] else {
      Issue.record("an orbit is planned as something else")
      return
    }
    for entity in [0, 1, 1279, 1280, 1499] {
      let columns = orbit.columns.map { $0[entity] }
      let spec = specs[entity]
      #expect(columns[0] == Double(entity % 1280))
      #expect(columns[1] == Double(entity / 1280))
      #expect(columns[2...] == [spec.radius, spec.period, spec.phase])
    }
    let spring = try KernelTask(.spring, count: 3)
    guard case .spring(let springs, _) = spring.plan.batches[0] else {
      Issue.record("a spring is planned as something else")
      return
    }
    let spec = springs[2]
    #expect(
      spring.columns.map { $0[2] } == [
        spec.from, spec.to, spec.spring.response, spec.spring.dampingRatio, spec.period, spec.phase,
      ])
  }

  @Test func flowsStartInTheCourseOfTwoSeconds() throws {
    let starts = try KernelTask(.flow, count: 1000).columns[2]
    #expect(starts.allSatisfy { $0 >= 0 })
    #expect(starts.allSatisfy { $0 < 2 })
    #expect((starts.max() ?? 0) > 1.9)
  }

  /// The distance of one entity's values.
  private func distance(
    _ kind: KernelKind, field: Int = 0, ours: Float, theirs: Float, columns: [Double],
    hasCenter: Bool = false
  ) throws -> Double {
    try KernelTask(kind, count: 1).distance(
      field: field, ours: [ours], theirs: [theirs], columns: columns.map { [$0] },
      hasCenter: hasCenter)
  }

  @Test func distanceIsThatOfTheValues() throws {
    for kind in [KernelKind.tween, .spring, .orbit] {
      #expect(try distance(kind, ours: 3, theirs: 5, columns: [100]) == 2, "\(kind)")
      #expect(try distance(kind, ours: 5, theirs: 3, columns: [100]) == 2, "\(kind)")
      #expect(try distance(kind, ours: 5, theirs: -5, columns: [100]) == 10, "\(kind)")
    }
  }

  @Test func centresAreAddedWhereThePeerHasThem() throws {
    let columns = [100.0, 200, 5, 1, 0]
    #expect(try distance(.orbit, ours: 3, theirs: 104, columns: columns, hasCenter: true) == 1)
    #expect(
      try distance(.orbit, field: 1, ours: 3, theirs: 204, columns: columns, hasCenter: true) == 1)
  }

  @Test(arguments: [KernelKind.marquee, .flow]) func endOfTheSpanIsItsBeginning(
    kind: KernelKind
  ) throws {
    let columns = [10.0, 100, 0]
    #expect(try distance(kind, ours: 99, theirs: 1, columns: columns) == 2)
    #expect(try distance(kind, ours: 1, theirs: 99, columns: columns) == 2)
    #expect(try distance(kind, ours: -30, theirs: 30, columns: columns) == 0, "to the left")
    #expect(try distance(kind, ours: 30, theirs: 70, columns: columns) == 40)
    #expect(try distance(kind, ours: 10, theirs: 70, columns: columns) == 40)
  }

  @Test func distanceOfNoNumberIsEndless() throws {
    #expect(try distance(.tween, ours: 3, theirs: .nan, columns: [1]) == .infinity)
    #expect(try distance(.tween, ours: 3, theirs: .infinity, columns: [1]) == .infinity)
  }

  @Test func distanceOfAMixtureIsThatOfItsValues() throws {
    #expect(
      try KernelTask(.mixed, count: 5).distance(
        field: 0, ours: [1, 2, 3, 4, 5], theirs: [1, 2, 3, 4, 5.5], columns: [], hasCenter: true)
        == 0.5)
  }

  @Test func parametersOfMarqueesFlowsAndTweensAreThoseOfThePlan() throws {
    let marquee = try KernelTask(.marquee, count: 4)
    let flow = try KernelTask(.flow, count: 4)
    guard case .marquee(let marquees) = marquee.plan.batches[0],
      case .flow(let flows, _) = flow.plan.batches[0]
    else {
      Issue.record("a marquee or a flow is planned as something else")
      return
    }
    for entity in 0..<4 {
      let (still, flowing) = (marquees[entity], flows[entity])
      #expect(
        marquee.columns.map { $0[entity] } == [still.speed, still.period, still.phase])
      #expect(flow.columns.map { $0[entity] } == [flowing.speed, flowing.period, flowing.start])
      // They are the same but for the start.
      #expect([flowing.speed, flowing.period] == [still.speed, still.period])
      #expect(flowing.start == 2 * still.phase)
      #expect((flowing.direction == .left) == (still.direction == .left))
    }
    let tween = try KernelTask(.tween, count: 4)
    guard case .tween(let tweens, _) = tween.plan.batches[0] else {
      Issue.record("a tween is planned as something else")
      return
    }
    let spec = tweens[3]
    #expect(
      tween.columns.dropLast().map { $0[3] } == [spec.from, spec.to, spec.period, spec.phase])
    #expect(KernelTask.tickSeconds == 1 / 60.0)
  }

  @Test func oneWrongEntityIsEnough() throws {
    let task = try KernelTask(.tween, count: 3)
    let off = task.distance(
      field: 0, ours: [1, 2, 3], theirs: [1, 9, 4], columns: [[], [], []], hasCenter: false)
    #expect(off == 7)
  }

  @Test func curveOfBrowsersIsSolved() {
    // ease-in-out of CSS at a half, and values that anybody's solver gives.
    let curve = BezierCurve([0.42, 0, 0.58, 1])
    #expect(abs(curve.height(0.5) - 0.5) < 1e-9)
    #expect(abs(curve.height(0.25) - 0.129_161_93) < 1e-6)
    #expect(abs(curve.height(0.75) - 0.870_838_07) < 1e-6)
    #expect(curve.height(0) == 0)
    #expect(abs(curve.height(1) - 1) < 1e-9)
    let line = BezierCurve([1, 2, 3])
    for progress in [0, 0.25, 0.5, 1] { #expect(abs(line.height(progress) - progress) < 1e-6) }
  }
}

/// Orrery's rows are what their names say, and all compute the same.
@Suite struct OurKernelsTests {
  private func rows(
    _ kind: KernelKind = .orbit, count: Int = 100, isa: InstructionSet = .baseline,
    threads: Int = 1, tiles: [Int] = [1, 8], isBest: Bool = true
  ) throws -> [BenchRow] {
    let task = try KernelTask(kind, count: count)
    return try OurKernels(task, tiles: tiles)
      .rows(isa: isa, threads: threads, tiles: tiles, isBest: isBest)
  }

  @Test func bestInstructionSetHasAllRows() throws {
    let rows = try rows()
    #expect(
      rows.map(\.name) == [
        "1 tick", "1 tick, hashed", "8 ticks", "8 ticks, 16 bits", "8 ticks, hashed",
      ])
    #expect(rows.map(\.ticksPerCall) == [1, 1, 8, 8, 8])
    #expect(rows.map(\.isFixed) == [false, false, false, true, false])
    #expect(rows.map(\.hashes) == [false, true, false, false, true])
    #expect(rows.allSatisfy { $0.subject == .ours })
    #expect(rows.allSatisfy { $0.isa == "baseline" })
    #expect(rows.allSatisfy { $0.threads == 1 })
    #expect(rows.allSatisfy { $0.count == 100 })
  }

  @Test func othersHaveTheKernelsAloneAndOneThread() throws {
    #expect(try rows(isBest: false).map(\.name) == ["1 tick", "8 ticks"])
    #expect(try rows(threads: 2, isBest: false).isEmpty)
    let two = try rows(threads: 2)
    #expect(two.count == 5)
    #expect(two.allSatisfy { $0.threads == 2 })
    #expect(try rows(tiles: [2, 4]).map(\.name) == ["2 ticks", "4 ticks"])
  }

  @Test func largeColumnsAreStoredPastTheCachesToo() throws {
    // A column of 1 MiB is not large yet.
    #expect(
      try rows(.tween, count: 1 << 18, tiles: [1]).map(\.name) == ["1 tick", "1 tick, hashed"])
    #expect(
      try rows(.tween, count: 1 << 18 + 1).map(\.name) == [
        "1 tick", "1 tick, streamed", "1 tick, hashed", "8 ticks", "8 ticks, streamed",
        "8 ticks, 16 bits", "8 ticks, 16 bits, streamed", "8 ticks, hashed",
      ])
  }

  @Test(
    arguments: [
      (KernelKind.orbit, 32, 10.5, 6.5), (.marquee, 16, 5.5, 3.5), (.flow, 16, 5.5, 3.5),
      (.tween, 20, 6, 4), (.spring, 32, 7.5, 5.5),
    ] as [(KernelKind, Double, Double, Double)])
  func bytesAreThoseOfTheKernels(
    kind: KernelKind, tick: Double, tile: Double, fixed: Double
  ) throws {
    let bytes = try rows(kind).map { $0.traffic?.bytes }
    #expect(bytes == (kind == .orbit ? [24, 24] : [tick, tick]) + [tile, fixed, tile])
  }

  /// Views have no columns of 16 bits.
  @Test func bytesOfKeyframesAreThoseOfTheirTweens() throws {
    let rows = try rows(.keyframes4)
    #expect(rows.map(\.name) == ["1 tick", "1 tick, hashed", "8 ticks", "8 ticks, hashed"])
    #expect(rows.map { $0.traffic?.bytes } == [24, 24, 6.5, 6.5])
  }

  @Test func bytesOfAMixtureAreTheirMean() throws {
    let bytes = try rows(.mixed).map { $0.traffic?.bytes ?? 0 }
    let expected = [21.6, 21.6, 7, 4.6, 7]
    try #require(bytes.count == expected.count)
    for (found, expected) in zip(bytes, expected) {
      #expect(abs(found - expected) < 1e-9, "\(found), not \(expected)")
    }
  }

  /// Worlds of many millions are large and slow to build: one is enough, of one thread that looks ahead.
  @Test func worldsOfMoreThanTwoMillionsAreFew() throws {
    func hashed(_ ours: OurKernels, threads: Int, tile: Int) throws -> [String] {
      try ours.rows(isa: .baseline, threads: threads, tiles: [tile], isBest: true)
        .filter(\.hashes).map(\.name)
    }
    let many = try OurKernels(try KernelTask(.marquee, count: 2_000_000), tiles: [1])
    #expect(try hashed(many, threads: 1, tile: 1) == ["1 tick, hashed"])
    let more = try OurKernels(try KernelTask(.marquee, count: 2_000_001), tiles: [8])
    #expect(try hashed(more, threads: 1, tile: 1) == [])
    #expect(try hashed(more, threads: 1, tile: 8) == ["8 ticks, hashed"])
    #expect(try hashed(more, threads: 2, tile: 8) == [])
  }

  @Test(arguments: KernelKind.allCases) func allRowsOfAWidthHaveOneHash(kind: KernelKind) throws {
    let rows = try rows(kind, count: 300) + rows(kind, count: 300, threads: 2)
    for row in rows { row.measure(ns: 1) }
    for isFixed in kind.segmentCount == nil ? [false, true] : [false] {
      let hashes = Set(rows.filter { $0.isFixed == isFixed }.map(\.hash))
      #expect(hashes.count == 1, "\(hashes)")
      #expect(!hashes.contains(nil))
    }
    #expect(
      Set(rows.map(\.hash)).count == (kind.segmentCount == nil ? 2 : 1),
      "other values have another")
  }
}
