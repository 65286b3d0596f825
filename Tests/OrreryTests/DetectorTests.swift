// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import Testing

/// Goal: the two known recipes that guess completions behave as they are, faults included, each
/// entity with its own state.
///
/// Method: the checklist's series of writes, beside what the animation itself says.
@Suite struct DetectorTests {
  /// Values of legs there and back between 0 and 1, the start value first.
  private static func legs(_ count: Int, writesPerLeg: Int) -> [Double] {
    (0...count * writesPerLeg).map { write in
      let part = Double(write % writesPerLeg) / Double(writesPerLeg)
      return (write / writesPerLeg).isMultiple(of: 2) ? part : 1 - part
    }
  }

  /// Frames of 1/60 s in an interval, its end included.
  private static func frames(until end: Double) -> [Double] {
    Array(stride(from: 0, to: end, by: 1.0 / 60)) + [end]
  }

  /// [S2-07] 30 writes per leg, 2 legs -> fires at writes 30 and 60.
  @Test func comparisonFiresAtLegEnds() {
    let writes = Self.legs(2, writesPerLeg: 30)
    #expect(FirstWriteComparisonDetector.fires(writes: writes) == [30, 60])
    #expect(FirstWriteComparisonDetector.fires(writes: writes, target: 1) == [30, 60])
    let one = Self.legs(1, writesPerLeg: 30)
    #expect(FirstWriteComparisonDetector.fires(writes: one) == [30])
  }

  /// [S2-08] 8 writes per leg, 4 legs -> fires at 16 and 32 instead of 8, 16, 24, 32.
  @Test func comparisonMissesShortLegs() {
    let writes = Self.legs(4, writesPerLeg: 8)
    #expect(FirstWriteComparisonDetector.fires(writes: writes) == [16, 32])
    #expect(
      FirstWriteComparisonDetector.fires(writes: writes, ignoring: 0) == [8, 16, 24, 32])
  }

  /// [S2-09] easeIn(1) from 0 to 1 at 60 Hz: write 1 is 0.00051522, so only write 0 equals from;
  /// rounded to hundredths there is a plateau, which is what the ignored writes are for.
  @Test func comparisonNeedsExactNumbers() {
    let writes = Self.frames(until: 1).map { UnitCurve.easeIn.value(at: $0) }
    #expect(abs(writes[1] - 0.00051522) < 2e-6)
    #expect(writes.indices.filter { writes[$0] == writes[0] } == [0])
    let rounded = writes.map { ($0 * 100).rounded() / 100 }
    #expect(rounded.prefix { $0 == 0 }.count > 3)
    #expect(FirstWriteComparisonDetector.fires(writes: rounded, ignoring: 0).contains(1))
    #expect(FirstWriteComparisonDetector.fires(writes: rounded).first ?? 0 > 10)
  }

  /// [S2-10] Two views animated with a shift of 0.05 s: with one state in common the counts are
  /// wrong, with a state for each they are right.
  @Test func comparisonNeedsItsOwnState() {
    let writes = Self.legs(2, writesPerLeg: 30)
    var (shared, own) = (
      FirstWriteComparisonDetector(),
      [FirstWriteComparisonDetector(), FirstWriteComparisonDetector()]
    )
    var (sharedFires, ownFires) = ([0, 0], [0, 0])
    for frame in 0..<writes.count + 3 {
      for (view, shift) in [0, 3].enumerated() where writes.indices.contains(frame - shift) {
        let value = writes[frame - shift] + (view == 0 ? 0 : 10)
        let target = view == 0 ? 1.0 : 11.0
        if shared.write(value, target: target) { sharedFires[view] += 1 }
        if own[view].write(value, target: target) { ownFires[view] += 1 }
      }
    }
    #expect(ownFires == [2, 2])
    #expect(sharedFires != [2, 2])
  }

  /// [S2-11] Total 3, two legs done -> not finished; third leg end -> finished, one run-loop turn
  /// later.
  @Test func comparisonCountsToATotal() {
    var detector = FirstWriteComparisonDetector(total: 3)
    var counts: [Int] = []
    for (index, value) in Self.legs(3, writesPerLeg: 30).enumerated() {
      if detector.write(value, target: 1) {
        #expect(!detector.isFinished, "before the run loop's turn")
        detector.runLoopTurn()
        counts.append(index)
        #expect(detector.count == counts.count)
        #expect(detector.isFinished == (counts.count == 3))
      }
    }
    #expect(counts == [30, 60, 90])
  }

  /// [S2-12] An under-damped spring sampled exactly where it crosses its target: the recipe takes
  /// it for the end, the animation does not.
  @Test func comparisonTakesACrossingForTheEnd() throws {
    let spring = Spring(duration: 0.5, bounce: 0.5)
    // d·cos(w t) + (s·d/w)·sin(w t) = 0 at tan(w t) = -w/s.
    let (decay, frequency) = (
      0.5 * 2 * Double.pi / 0.5, 2 * Double.pi / 0.5 * 0.75.squareRoot()
    )
    let crossing = (Double.pi - atan(frequency / decay)) / frequency
    #expect(abs(spring.value(target: 1, time: crossing) - 1) < 1e-12)
    #expect(spring.velocity(target: 1, time: crossing) > 1)
    var writes = (0..<12).map { spring.value(target: 1, time: crossing * Double($0) / 12) }
    writes.append(1)
    #expect(FirstWriteComparisonDetector.fires(writes: writes, target: 1) == [12])
    let course = try #require(Animation.spring(duration: 0.5, bounce: 0.5).course())
    #expect(course.logicalEnd > crossing)
    #expect(course.end > crossing)
  }

  /// [S2-13] [S2-14] linear(0.8) at 60 Hz is reported at 0.9; the animation itself ends at 0.8.
  @Test func timeoutIsLate() throws {
    let fires = WriteTimeoutDetector.fires(writes: Self.frames(until: 0.8))
    try #require(fires.count == 1)
    #expect(abs(fires[0] - 0.9) < 1e-12)
    let course = try #require(Animation.linear(duration: 0.8).course())
    #expect(course.end == 0.8)
  }

  /// [S2-15] Writes at 0, 0.02, 0.04, 0.19, 0.21 -> completions at 0.14 and 0.31.
  @Test func timeoutTakesAStallForTheEnd() throws {
    let fires = WriteTimeoutDetector.fires(writes: [0, 0.02, 0.04, 0.19, 0.21])
    try #require(fires.count == 2)
    #expect(abs(fires[0] - 0.14) < 1e-12)
    #expect(abs(fires[1] - 0.31) < 1e-12)
    #expect(WriteTimeoutDetector.fires(writes: [], timeout: 1) == [])
    #expect(WriteTimeoutDetector.fires(writes: [0, 1, 2], timeout: 1) == [3])
  }

  /// [S2-16] 50 entities started together give 50 completions; with one state in common they give
  /// 1.
  @Test func timeoutNeedsItsOwnState() {
    var detectors = [WriteTimeoutDetector](repeating: WriteTimeoutDetector(), count: 50)
    var shared = WriteTimeoutDetector()
    for time in Self.frames(until: 0.8) {
      for index in detectors.indices {
        detectors[index].write(at: time)
        shared.write(at: time)
      }
    }
    let completions = detectors.indices.compactMap { detectors[$0].advance(to: 2) }
    #expect(completions.count == 50)
    #expect(shared.advance(to: 2) != nil)
    #expect(shared.advance(to: 2) == nil)
  }

  /// [S2-17] repeatForever for 1000 s -> no completion; what is destroyed at 2 s is "cancelled" at
  /// 2 s, while the recipe reports an end at 2.1.
  @Test func timeoutCannotTellCancelledFromFinished() throws {
    var detector = WriteTimeoutDetector()
    for frame in 0...60_000 {
      #expect(detector.write(at: Double(frame) / 60) == nil)
    }
    #expect(detector.advance(to: 1000) == nil)
    let course = try #require(Animation.linear(duration: 1).repeatForever().course())
    #expect(course.end == .infinity)
    #expect(course.logicalEnd == .infinity)

    var track = AnimationTrack(0.0)
    track.set(1, animation: .linear(duration: 5), at: 0, id: 1)
    #expect(track.removeFinished(at: 2).isEmpty)
    #expect(track.cancelAll(at: 2).map(\.id) == [1])
    #expect(track.motions.isEmpty)
    let fires = WriteTimeoutDetector.fires(writes: Self.frames(until: 2))
    try #require(fires.count == 1)
    #expect(abs(fires[0] - 2.1) < 1e-12)
  }

  @Test func hostileWritesDoNotTrap() {
    let odd = [Double.nan, .infinity, -.infinity, 1, 1, -5]
    _ = FirstWriteComparisonDetector.fires(writes: odd, target: .nan, ignoring: -3)
    _ = FirstWriteComparisonDetector.fires(writes: odd, ignoring: 0)
    #expect(FirstWriteComparisonDetector.fires(writes: []) == [])
    #expect(WriteTimeoutDetector.fires(writes: odd, timeout: .nan).allSatisfy { $0.isNaN })
    #expect(WriteTimeoutDetector.fires(writes: [.nan, .infinity]) == [])
  }

  /// [S2-11] After its total the recipe begins with the next write, and a turn counts only once.
  @Test func comparisonBeginsAgainAfterItsTotal() {
    var detector = FirstWriteComparisonDetector(ignoring: 0, total: 1)
    #expect((detector.ignoring, detector.total, detector.count) == (0, 1, 0))
    let first = [0.0, 0.5, 1].map { detector.write($0, target: 1) }
    #expect(first == [false, false, true])
    #expect(!detector.isFinished)
    detector.runLoopTurn()
    detector.runLoopTurn()
    #expect(detector.count == 1)
    #expect(detector.isFinished)
    let later = [5.0, 0, 5].map { detector.write($0, target: 9) }
    #expect(later == [false, false, false])
    #expect(FirstWriteComparisonDetector().ignoring == 10)
    #expect(FirstWriteComparisonDetector().total == .max)
  }

  /// Where the last write is the first value again, the farthest one is the target.
  @Test func farthestWriteIsTheTarget() {
    #expect(FirstWriteComparisonDetector.fires(writes: [0, 2, -5, 0], ignoring: 0) == [2, 3])
    #expect(FirstWriteComparisonDetector.fires(writes: [0, 5, -2, 0], ignoring: 0) == [1, 3])
    #expect(
      FirstWriteComparisonDetector.fires(writes: [0, 5, 2], target: 5, ignoring: 0) == [1])
    #expect(FirstWriteComparisonDetector.fires(writes: [0, 5, 2], ignoring: 0) == [2])
    #expect(FirstWriteComparisonDetector.fires(writes: [0, 5, 5, 5, 5], ignoring: 1) == [2, 4])
  }

  /// [S2-13] A timeout that is passed is told once, with its own time, by the next write or by the clock.
  @Test func timeoutsHaveTheirTime() {
    var detector = WriteTimeoutDetector(timeout: 0.5)
    #expect(detector.timeout == 0.5)
    #expect(detector.deadline == nil)
    #expect(detector.advance(to: 9) == nil)
    #expect(detector.write(at: 1) == nil)
    #expect(detector.deadline == 1.5)
    #expect(detector.write(at: 1.5) == nil)
    #expect(detector.write(at: 2.25) == 2)
    #expect(detector.deadline == 2.75)
    #expect(detector.advance(to: 2.75.nextDown) == nil)
    #expect(detector.advance(to: 2.75) == 2.75)
    #expect(detector.deadline == nil)
    #expect(WriteTimeoutDetector().timeout == 0.1)
    #expect(WriteTimeoutDetector.fires(writes: [1]) == [1.1])
  }
}
