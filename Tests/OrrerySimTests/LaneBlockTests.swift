// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: lanes show what the library's animations show, at any tick, whatever was computed before.
///
/// Method: numbers by hand, random contributions against the library's curves and springs in `Double`, and
/// bits of blocks that were stepped, jumped and turned back, with every instruction set.
@Suite struct LaneBlockTests {
  /// Each test's own: a bank is not for several threads.
  private let curves = CurveBank()

  private func block(_ count: Int = 1, base: Double = 0, rate: TickRate = 60) -> LaneBlock {
    LaneBlock(count: count, base: base, rate: rate, curves: curves)
  }

  private func curve(_ curve: UnitCurve) -> LaneCurve { curves.curve(curve) }

  private func at(_ seconds: Double, _ rate: TickRate = 60) -> TickTime {
    TickTime(seconds: seconds, rate: rate)
  }

  // MARK: Curves

  @Test func lanesAtRestShowTheirBase() {
    let block = block(20, base: 3)
    block.setBase(7, -2.5)
    block.setBase(8, -0.0)
    #expect(block.values(0)[6] == 3)
    #expect(block.values(0)[7] == -2.5)
    #expect(block.values(0)[8].sign == .plus)
    #expect(block.base(7) == -2.5)
    #expect(!block.isMoving)
    #expect(block.values(1 << 62) == block.values(0))
  }

  @Test func tweenGoesFromTheOldToTheNewValue() {
    let block = block(base: 10)
    let handle = block.begin(
      0, .curve(curve(.linear), start: at(0), duration: 2), interval: 10)
    #expect(block.isMoving)
    #expect(block.isMoving(0))
    #expect(block.values(0) == [0])
    #expect(abs(block.values(30)[0] - 2.5) <= 1e-5)
    #expect(block.end(handle))
    #expect(!block.isMoving)
    #expect(block.values(31) == [10])
  }

  @Test func reversedTweenGoesBack() {
    let block = block(base: 10)
    block.begin(
      0, .curve(curve(.easeIn), start: at(0), duration: 1, isReversed: true), interval: 10)
    #expect(block.values(0) == [10])
    #expect(abs(Double(block.values(24)[0]) - 10 * (1 - 0.214861)) <= 5e-5)
  }

  /// Two tweens that overlap add up: 0 to 60, and half a second later to 90, each in 2 s.
  @Test func overlappingTweensAddUp() {
    let block = block(base: 60)
    block.begin(0, .curve(curve(.linear), start: at(0), duration: 2), interval: 60)
    #expect(abs(block.values(30)[0] - 15) <= 1e-4)
    block.setBase(0, 90)
    block.begin(0, .curve(curve(.linear), start: at(0.5), duration: 2), interval: 30)
    #expect(abs(block.values(30)[0] - 15) <= 1e-4)
    #expect(abs(block.values(90)[0] - 60) <= 1e-4)
  }

  @Test func holdStandsAndDoesNotMove() {
    let block = block(base: 10)
    let handle = block.begin(0, .hold(progress: 0.25), interval: 8)
    #expect(!block.isMoving)
    #expect(block.values(5) == [4])
    block.end(handle)
    #expect(block.values(5) == [10])
  }

  /// A time that is not a tick, to the phase: half a tick after the start is half a tick's way.
  @Test func startsLieBetweenTicks() {
    let block = block(base: 60)
    block.begin(
      0, .curve(curve(.linear), start: TickTime(tick: 4, fraction: 0.5), duration: 1), interval: 60)
    #expect(block.values(4) == [0])
    #expect(abs(block.values(5)[0] - 0.5) <= 1e-5)
    #expect(abs(block.values(64)[0] - 59.5) <= 1e-5)
    #expect(block.values(65) == [60])
  }

  /// Without its events a tween stands before its start and behind its end, tabulated or not.
  @Test(arguments: [
    UnitCurve.linear, .easeIn, .circularEaseIn, .steps(4, .jumpStart),
    .linear([0.25, LinearStop(1.5, at: 0.5), 0.75]),
  ])
  func tweensNeverLeaveTheirWay(curve: UnitCurve) {
    let block = block(40, base: 100)
    block.begin(
      20, .curve(self.curve(curve), start: at(100), duration: 1.0 / 3), interval: 100)
    let (start, end) = (Float(100 * curve.value(at: 0)), Float(100 * curve.value(at: 1)))
    for tick in [0, 255, 256, 5_000, 5_999] as [UInt64] {
      #expect(abs(block.values(tick)[20] - start) <= 1e-5, "tick \(tick)")
    }
    for tick in [6_020, 6_021, 6_144, 100_000, 1 << 60] as [UInt64] {
      #expect(abs(block.values(tick)[20] - end) <= 1e-5, "tick \(tick)")
    }
    #expect(abs(block.values(5_000)[20] - start) <= 1e-5)
    #expect(block.values(6_010)[19] == 100)
  }

  @Test(arguments: [0.0, -1, .nan, 1e-300])
  func tweensWithoutDurationAreOver(duration: Double) {
    let block = block(base: 5)
    block.begin(0, .curve(curve(.easeIn), start: at(0), duration: duration), interval: 5)
    #expect(block.values(1) == [5])
  }

  @Test(arguments: [Double.infinity, 1e300])
  func endlessTweenStandsAtItsStart(duration: Double) {
    let block = block(base: 5)
    block.begin(0, .curve(curve(.easeIn), start: at(0), duration: duration), interval: 5)
    #expect(block.values(1 << 40) == [0])
  }

  @Test func stepsAreTakenAtTheirTicks() {
    for count in [3, 4, 7, 60] {
      let block = block(base: 1)
      block.begin(0, .cycle(curve(.steps(count)), start: at(2), period: 7), interval: 1)
      for tick in UInt64(0)..<4_000 {
        // 420 ticks a cycle, in whole numbers.
        let step = tick < 120 ? 0 : (tick - 120) % 420 * UInt64(count) / 420
        let expected = Float(Double(step) / Double(count))
        if abs(block.values(tick)[0] - expected) > 1e-6 {
          Issue.record("\(count) steps, tick \(tick)")
          return
        }
      }
    }
  }

  @Test func cyclesRepeatAndReturn() {
    let block = block(2, base: 1)
    let form = TweenCycle(curve: .linear, autoreverses: true)
    block.begin(0, .cycle(curves.curve(form), start: at(1), period: 2), interval: 1)
    block.begin(1, .cycle(curve(.linear), start: at(1), period: 1), interval: 1)
    let expected: [(UInt64, Float, Float)] = [
      (0, 0, 0), (60, 0, 0), (105, 0.75, 0.75), (120, 1, 0), (135, 0.75, 0.25), (180, 0, 0),
      (60 * 1_000_001 + 15, 0.25, 0.25),
    ]
    for (tick, first, second) in expected {
      let values = block.values(tick)
      #expect(abs(values[0] - first) <= 1e-6, "tick \(tick)")
      #expect(abs(values[1] - second) <= 1e-6, "tick \(tick)")
    }
  }

  /// [N-02] What starts at 10^9 s is where it would be had it started at 0, to 1e-4.
  @Test func lateStartsAreAsExactAsEarlyOnes() throws {
    let late: UInt64 = 60_000_000_000
    let (early, shifted) = (block(4, base: 1), block(4, base: 1))
    for (block, start) in [(early, TickTime(tick: 0)), (shifted, at(1e9))] {
      block.begin(0, .curve(curve(.easeInOut), start: start, duration: 2), interval: 1)
      block.begin(
        1, .spring(Spring(response: 0.4, dampingRatio: 0.8), velocity: 0, start: start), interval: 1
      )
      block.begin(2, .cycle(curve(.linear), start: start, period: 0.7), interval: 1)
      block.begin(3, .curve(curve(.circularEaseOut), start: start, duration: 2), interval: 1)
    }
    for tick in UInt64(0)..<120 {
      let (a, b) = (early.values(tick), shifted.values(late + tick))
      let lane = a.indices.first { !(abs(a[$0] - b[$0]) <= 1e-6) }
      try #require(lane == nil, "tick \(tick), lane \(lane ?? 0)")
    }
  }

  /// [S0-24] After 10^6 loops a cycle is where the closed form is.
  @Test func cyclesDoNotDrift() {
    let block = block(base: 438)
    block.begin(0, .cycle(curve(.linear), start: at(0), period: 7.3), interval: 438)
    #expect(abs(block.values(7_300_000 * 60)[0]) <= 1e-6)
  }

  /// Within 0.01 point after a day of ticks, for every kind of curve.
  @Test func cyclesAreInPlaceAfterADay() {
    var random = SeededRandom(seed: 4)
    let forms: [TweenCycle] = [
      .linear, TweenCycle(curve: .easeInOut), TweenCycle(curve: .easeIn, autoreverses: true),
      TweenCycle(curve: .circularEaseIn, autoreverses: true), TweenCycle(curve: .linear, hold: 0.3),
    ]
    let block = block(500, base: 1_000)
    var cycles: [(form: TweenCycle, period: Double, start: Double)] = []
    for lane in 0..<500 {
      cycles.append(
        (forms[lane % 5], random.number(in: 1...60), random.number(in: 0...10)))
      block.begin(
        lane,
        .cycle(
          curves.curve(cycles[lane].form), start: at(cycles[lane].start),
          period: cycles[lane].period), interval: 1_000)
    }
    for tick in [86_400 * 60, 86_400 * 60 + 77] as [UInt64] {
      let values = block.values(tick)
      for (lane, cycle) in cycles.enumerated() {
        let elapsed = Double(tick) / 60 - cycle.start
        let turns = elapsed.truncatingRemainder(dividingBy: cycle.period) / cycle.period
        let error = abs(Double(values[lane]) - 1_000 * cycle.form.value(at: turns))
        #expect(min(error, abs(1_000 - error)) <= 0.01, "lane \(lane), tick \(tick): \(error)")
      }
    }
  }

  /// [N-10] Bezier lanes are within 1e-5 of the interval.
  @Test func tweensMatchTheLibrary() {
    var random = SeededRandom(seed: 5)
    let units: [UnitCurve] = [.linear, .easeIn, .easeOut, .easeInOut, .circularEaseInOut]
    let block = block(400)
    var tweens: [(curve: UnitCurve, start: Double, duration: Double, isReversed: Bool)] = []
    for lane in 0..<400 {
      tweens.append(
        (units[lane % 5], random.number(in: 0...1), random.number(in: 0.05...4), lane % 3 == 0))
      let tween = tweens[lane]
      block.begin(
        lane,
        .curve(
          curve(tween.curve), start: at(tween.start), duration: tween.duration,
          isReversed: tween.isReversed), interval: 1)
    }
    var worst = 0.0
    for tick in UInt64(0)..<330 {
      let values = block.values(tick)
      for (lane, tween) in tweens.enumerated() {
        let x = (Double(tick) / 60 - tween.start) / tween.duration
        let progress = tween.curve.value(at: x)
        let expected = (tween.isReversed ? 1 - progress : progress) - 1
        worst = max(worst, abs(Double(values[lane]) - expected))
      }
    }
    #expect(worst <= 1e-5, "\(worst)")
    #expect(worst >= 1e-8)
  }

  // MARK: Springs

  /// [P-04] The numbers of springs of every regime, from 0 to 1.
  @Test func springsHaveTheirNumbers() {
    let expected: [(duration: Double, bounce: Double, seconds: Double, value: Double)] = [
      (0.4, 0, 0.08, 0.357739556), (0.4, 0, 0.3, 0.948683947), (0.4, 0.2, 0.08, 0.399251268),
      (0.4, 0.2, 0.3, 1.01242695), (0.6, -0.2, 0.3, 0.723449712), (0.6, -0.2, 0.9, 0.988022281),
      (0.7, 0.15, 0.9, 1.00196854),
    ]
    let block = block(expected.count, base: 1, rate: 50)
    for (lane, spring) in expected.enumerated() {
      block.begin(
        lane,
        .spring(
          Spring(duration: spring.duration, bounce: spring.bounce), velocity: 0,
          start: TickTime(tick: 0)), interval: 1)
    }
    for (lane, spring) in expected.enumerated() {
      let found = Double(block.values(UInt64(spring.seconds * 50 + 0.5))[lane])
      #expect(abs(found - spring.value) <= 1e-6, "\(spring): \(found)")
    }
  }

  /// A spring to 100 is sent to 40 after 0.1 s, with its velocity.
  @Test func mergedSpringKeepsPlaceAndVelocity() {
    let spring = Spring(duration: 0.4, bounce: 0)
    let block = block(base: 100)
    let first = block.begin(
      0, .spring(spring, velocity: 0, start: at(0)), interval: 100)
    #expect(abs(Double(block.values(6)[0]) - 46.55839) <= 1e-4)
    block.end(first)
    block.setBase(0, 40)
    block.begin(
      0, .spring(spring, velocity: 512.9223, start: at(0.1)), interval: 40 - 46.55839)
    #expect(abs(Double(block.values(6)[0]) - 46.55839) <= 1e-4)
    #expect(abs(Double(block.values(12)[0]) - 54.167518) <= 1e-4)
  }

  @Test func reversedSpringGoesBack() {
    let block = block(base: 1, rate: 50)
    block.begin(
      0,
      .spring(
        Spring(duration: 0.4, bounce: 0.2), velocity: 0, start: TickTime(tick: 0), isReversed: true),
      interval: 1)
    #expect(block.values(0) == [1])
    #expect(abs(block.values(4)[0] - (1 - 0.399251268)) <= 1e-6)
  }

  /// [N-10] Spring lanes are within 2e-4 of the interval of the library, and within 2e-5 in fact, through
  /// anchors and starts between ticks.
  @Test(arguments: [24, 60, 240] as [TickRate])
  func springsMatchTheLibrary(rate: TickRate) {
    var random = SeededRandom(seed: 6)
    let block = block(200, rate: rate)
    var springs: [(spring: Spring, velocity: Double, start: Double)] = []
    for lane in 0..<200 {
      springs.append(
        (
          Spring(
            response: random.number(in: 0.05...10),
            dampingRatio: lane % 4 == 0 ? 1 : random.number(in: 0...3)),
          random.number(in: -3...3), random.number(in: 0...8)
        ))
      block.begin(
        lane,
        .spring(
          springs[lane].spring, velocity: springs[lane].velocity,
          start: at(springs[lane].start, rate)),
        interval: 1)
    }
    var worst = 0.0
    for tick in UInt64(0)..<1_000 {
      let values = block.values(tick)
      for (lane, spring) in springs.enumerated() {
        let seconds = Double(tick) / rate.ticksPerSecond - spring.start
        let expected = spring.spring.value(
          fromValue: -1, toValue: 0, initialVelocity: spring.velocity, time: max(0, seconds))
        worst = max(worst, abs(Double(values[lane]) - expected))
      }
    }
    #expect(worst <= 2e-5, "\(worst)")
  }

  @Test func oddSpringsEndWhereTheLibraryEnds() {
    let springs = [
      Spring(response: 0, dampingRatio: 1), Spring(response: 0.5, dampingRatio: .infinity),
      Spring(response: .infinity, dampingRatio: 1), Spring(response: 1e-9, dampingRatio: 1e9),
    ]
    let block = block(4)
    for (lane, spring) in springs.enumerated() {
      block.begin(lane, .spring(spring, velocity: 1, start: at(0)), interval: 1)
    }
    for tick in [0, 1, 30, 600] as [UInt64] {
      let values = block.values(tick)
      for (lane, spring) in springs.enumerated() {
        let expected = spring.value(
          fromValue: -1, toValue: 0, initialVelocity: 1, time: Double(tick) / 60)
        #expect(
          abs(Double(values[lane]) - expected) <= 1e-4 * max(1, abs(expected)),
          "\(spring), tick \(tick)")
      }
    }
  }

  // MARK: Many lanes

  /// Lanes with one or several contributions of every kind; what begins at which tick.
  private func busy(_ count: Int, stagger: Int = 0, seed: UInt64) -> LaneBlock {
    var random = SeededRandom(seed: seed)
    let block = LaneBlock(
      count: count, base: 2, rate: 60, curves: curves, stagger: stagger)
    for lane in 0..<count {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        begin(block, lane, &random)
      }
    }
    return block
  }

  @discardableResult
  private func begin(
    _ block: LaneBlock, _ lane: Int, _ random: inout SeededRandom
  ) -> LaneBlock.Handle {
    let units: [UnitCurve] = [.linear, .easeIn, .easeInOut, .circularEaseIn, .steps(5)]
    let curve = curve(units[Int.random(in: 0..<5, using: &random)])
    let start = at(random.number(in: 0...12))
    let motion: LaneMotion =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: .curve(curve, start: start, duration: random.number(in: 0.1...9), isReversed: false)
      case 1: .cycle(curve, start: start, period: random.number(in: 0.1...9))
      case 2: .hold(progress: random.number(in: 0...1))
      default:
        .spring(
          Spring(
            response: random.number(in: 0.1...3), dampingRatio: random.number(in: 0...2)),
          velocity: random.number(in: -5...5), start: start, isReversed: lane % 2 == 0)
      }
    return block.begin(lane, motion, interval: random.number(in: -3...3))
  }

  /// [N-03] The way to a tick changes no bit: stepping, jumping, going back; on every instruction set.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func anyWayToATickGivesItsBits(seed: UInt64) {
    let ticks = 0..<UInt64(1_200)
    let stepped = busy(100, seed: seed)
    let expected = ticks.map { stepped.bits($0) }
    #expect(Set(expected).count > 1_000)
    for set in InstructionSet.supported {
      let jumping = busy(100, seed: seed)
      var random = SeededRandom(seed: seed)
      for _ in 0..<400 {
        let tick = UInt64.random(in: ticks, using: &random)
        #expect(jumping.bits(tick, set) == expected[Int(tick)], "\(set), tick \(tick)")
      }
      for tick in stride(from: 1_199, through: 0, by: -7) {
        #expect(jumping.bits(UInt64(tick), set) == expected[tick], "\(set), back to \(tick)")
      }
    }
  }

  /// What ends later ends as if it had been ended at once, whatever else is asked first.
  @Test(arguments: [1, 2, 3] as [UInt64])
  func endingLaterIsEnding(seed: UInt64) {
    let blocks = [block(300, base: 2), block(300, base: 2)]
    var handles: [[LaneBlock.Handle]] = [[], []]
    for (index, block) in blocks.enumerated() {
      var random = SeededRandom(seed: seed)
      for lane in 0..<300 {
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          handles[index].append(begin(block, lane, &random))
        }
      }
    }
    var random = SeededRandom(seed: seed)
    for tick in UInt64(60)..<75 {
      for _ in 0..<30 {
        let index = Int.random(in: handles[0].indices, using: &random)
        blocks[0].end(handles[0].remove(at: index))
        blocks[1].endLater(handles[1].remove(at: index))
        if index % 5 == 0 {
          var copy = random
          handles[0].append(begin(blocks[0], index % 300, &copy))
          handles[1].append(begin(blocks[1], index % 300, &random))
        }
      }
      blocks[1].endPending()
      #expect(blocks[0].bits(tick) == blocks[1].bits(tick), "seed \(seed), tick \(tick)")
    }
  }

  /// Beginning in the middle of a run and beginning before it are the same.
  @Test func whenItWasToldChangesNothing() {
    let (early, late) = (block(50, base: 1), block(50, base: 1))
    func begin(_ block: LaneBlock, _ lane: Int) {
      block.begin(
        lane, .spring(Spring(response: 0.7, dampingRatio: 0.4), velocity: 2, start: at(2.003)),
        interval: 3)
      block.begin(lane, .curve(curve(.easeIn), start: at(2.003), duration: 30), interval: 2)
    }
    for lane in 0..<50 { begin(early, lane) }
    for tick in UInt64(0)..<121 { _ = late.values(tick) }
    for lane in 0..<50 where lane != 20 { begin(late, lane) }
    _ = late.values(150)
    begin(late, 20)
    for tick in UInt64(151)..<700 { #expect(early.bits(tick) == late.bits(tick), "tick \(tick)") }
  }

  /// [N-01] A lane alone has the bits that it has among others.
  @Test func neighboursChangeNothing() {
    let many = LaneBlock(count: Blocks.entityCount, base: 2, rate: 60, curves: curves, stagger: 3)
    let alone = LaneBlock(count: 1, base: 2, rate: 60, curves: curves, stagger: 3)
    var random = SeededRandom(seed: 7)
    for lane in 0..<Blocks.entityCount where lane != 777 { begin(many, lane, &random) }
    for (block, lane) in [(many, 777), (alone, 0)] {
      var random = SeededRandom(seed: 8)
      for _ in 0..<4 { begin(block, lane, &random) }
    }
    for tick in [0, 1, 60, 255, 256, 400, 719, 5_000] as [UInt64] {
      #expect(many.bits(tick)[777] == alone.bits(tick)[0], "tick \(tick)")
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func oddLaneTouchesNoOther(odd: Double) {
    let (plain, touched) = (busy(100, seed: 9), busy(100, seed: 9))
    for lane in [0, 47] {
      touched.setBase(lane, odd)
      touched.begin(lane, .curve(curve(.easeIn), start: at(1), duration: 5), interval: odd)
      touched.begin(
        lane,
        .spring(Spring(response: odd, dampingRatio: odd), velocity: odd, start: at(odd)),
        interval: odd)
    }
    for tick in [0, 1, 100, 300, 5_000] as [UInt64] {
      let (a, b) = (plain.bits(tick), touched.bits(tick))
      #expect((0..<100).allSatisfy { [0, 47].contains($0) || a[$0] == b[$0] }, "tick \(tick)")
    }
  }

  @Test func endedContributionsLeaveNothing() {
    var random = SeededRandom(seed: 10)
    let block = LaneBlock(count: 300, base: 2, rate: 60, curves: curves)
    var handles: [LaneBlock.Handle] = []
    for tick in UInt64(0)..<600 {
      let lane = Int.random(in: 0..<300, using: &random)
      let motion: LaneMotion =
        tick % 2 == 0
        ? .curve(curve(.easeInOut), start: at(Double(tick) / 60), duration: 1)
        : .spring(.bouncy, velocity: 1, start: at(Double(tick) / 60))
      handles.append(block.begin(lane, motion, interval: 4))
      if handles.count > 40 { #expect(block.end(handles.removeFirst())) }
      _ = block.values(tick)
    }
    for handle in handles.shuffled(using: &random) { #expect(block.end(handle)) }
    #expect(!block.isMoving)
    #expect(block.values(700).allSatisfy { $0 == 2 })
    #expect(handles.allSatisfy { !block.end($0) })
  }

  @Test func oldHandlesEndNothingNew() {
    let block = block(base: 1)
    let motions: [LaneMotion] = [
      .curve(curve(.linear), start: at(0), duration: 1), .hold(progress: 0),
      .spring(.smooth, velocity: 0, start: at(0)),
    ]
    for motion in motions {
      let old = block.begin(0, motion, interval: 1)
      block.endAll(0)
      let new = block.begin(0, motion, interval: 1)
      #expect(!block.end(old))
      #expect(block.values(0) == [0])
      #expect(block.end(new))
    }
  }

  @Test func emptyBlockHasNoValues() {
    let block = block(0)
    #expect(!block.isMoving)
    #expect(block.values(5) == [])
  }

  /// Lanes at both ends of a block and of its words, each alone: the others stay where they are.
  @Test(arguments: [0, 15, 16, 63, 64, 1_023, 1_983, 1_984, 2_047])
  func anyLaneMovesAlone(lane: Int) {
    let block = block(Blocks.entityCount, base: 7)
    let motions: [LaneMotion] = [
      .curve(curve(.linear), start: at(0), duration: 1),
      .curve(curve(.circularEaseIn), start: at(0), duration: 1),
    ]
    for motion in motions {
      let handle = block.begin(lane, motion, interval: 10)
      #expect(block.isMoving(lane))
      for tick in [0, 30, 59, 60, 90] as [UInt64] {
        let values = block.values(tick)
        let others = values.indices.first { $0 != lane && values[$0] != 7 }
        #expect(others == nil, "tick \(tick)")
        if tick == 0 { #expect(abs(values[lane] + 3) < 1e-3) }
        if tick >= 60 { #expect(abs(values[lane] - 7) < 1e-3, "tick \(tick)") }
      }
      #expect(block.end(handle))
      #expect(!block.isMoving(lane))
      #expect(block.values(30)[lane] == 7)
    }
  }

  @Test func laneOutOfRangeTraps() async {
    await #expect(processExitsWith: .failure) {
      LaneBlock(count: 16, rate: 60, curves: CurveBank()).setBase(16, 0)
    }
  }
}

extension LaneBlock {
  /// The values at a tick.
  fileprivate func values(_ tick: UInt64, _ set: InstructionSet = .best) -> [Float] {
    let column = Column<Float>(count: count + 1, zero: 99)
    evaluate(tick: tick, kernels: set.kernels(), into: column.values)
    precondition(column.values[count] == 99, "a value behind the end")
    return (0..<count).map { column.values[$0] }
  }

  fileprivate func bits(_ tick: UInt64, _ set: InstructionSet = .best) -> [UInt32] {
    values(tick, set).map(\.bitPattern)
  }
}
