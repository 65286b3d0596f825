// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: a picture flows without a hole and without drift, and its older form errs as it is
/// written.
@Suite struct FlowMotionTests {
  private static let flow = FlowMotion(length: 250)

  private func isClose(_ found: Double, _ expected: Double) -> Bool { abs(found - expected) < 1e-9 }

  /// [S1-01] Mask [0, w]: a copy at x = 80, w = 250 is drawn in [80, 250].
  @Test func nothingShowsOutsideTheMask() {
    #expect(FlowMotion.covered(by: [80], length: 250) == [80...250])
    #expect(FlowMotion.covered(by: [300, -250], length: 250) == [])
  }

  /// [S1-02] w = 250, t = 0.99 -> 0.
  @Test func pictureStandsBeforeItsStart() {
    #expect(Self.flow.offset(at: 0.99) == 0)
    #expect(Self.flow.offset(at: 0) == 0)
    #expect(isClose(Self.flow.offset(at: 1.01), 0.25))
    #expect(FlowAsWritten.offset(at: 0.99, ticks: [1, 2], width: 250) == 0)
  }

  /// [S1-03] w = 250: 0, 25, ..., 225, 250, then 0.
  @Test func tenthsAreAddedUp() {
    var offsets = [0.0]
    for _ in 0..<11 {
      offsets.append(FlowAsWritten.nextOffset(offsets[offsets.count - 1], width: 250))
    }
    #expect(offsets == [0, 25, 50, 75, 100, 125, 150, 175, 200, 225, 250, 0])
  }

  /// [S1-04] Tick 11 -> snap to 0, tween to 25.
  @Test func eleventhTickRestarts() {
    let ticks = (1...12).map { Double($0) }
    #expect(FlowAsWritten.change(to: 0, width: 250) == .restart(to: 25))
    #expect(FlowAsWritten.change(to: 25, width: 250) == .animate(to: 25))
    #expect(isClose(FlowAsWritten.offset(at: 10.5, ticks: ticks, width: 250), 237.5))
    #expect(isClose(FlowAsWritten.offset(at: 11, ticks: ticks, width: 250), 0))
    #expect(isClose(FlowAsWritten.offset(at: 11.4, ticks: ticks, width: 250), 10))
  }

  /// [S1-05] t = 4.2 -> 80; t = 11.2 -> 5; [S1-06] the second copy at t = 4.2 -> -170.
  @Test func copiesFollowTheClosedForm() {
    #expect(isClose(Self.flow.offset(at: 4.2), 80))
    #expect(isClose(Self.flow.offset(at: 11.2), 5))
    let copies = Self.flow.copies(at: 4.2)
    #expect(isClose(copies[0], 80))
    #expect(isClose(copies[1], -170))
    for time in stride(from: 0, to: 40, by: 0.1) {
      let ticks = (1...40).map { Double($0) }
      let written = FlowAsWritten.offset(at: time, ticks: ticks, width: 250)
      let moved = abs(Self.flow.offset(at: time) - written)
      #expect(min(moved, 250 - moved) < 1e-9, "\(time) s")
    }
  }

  /// [S1-07] x = 80 -> [-170, 80] and [80, 330]: the copies cover [0, w] at every x.
  @Test func copiesCoverTheWindow() {
    for flow in [Self.flow, FlowMotion(length: 250, direction: .left)] {
      for time in stride(from: 0, to: 12, by: 0.05) {
        let covered = FlowMotion.covered(by: flow.copies(at: time), length: 250)
          .sorted { $0.lowerBound < $1.lowerBound }
        #expect(covered.first?.lowerBound == 0)
        #expect(covered.last?.upperBound == 250)
        if covered.count == 2 {
          #expect(isClose(covered[0].upperBound, covered[1].lowerBound))
        }
      }
    }
  }

  /// [S1-08] At x = 250 the second copy stands where the first stands at x = 0.
  @Test func snapIsInvisible() {
    #expect(
      FlowMotion.covered(by: [250, 0], length: 250)
        == FlowMotion.covered(by: [0, -250], length: 250))
    let (before, after) = (Self.flow.copies(at: 11 - 1e-9), Self.flow.copies(at: 11))
    #expect(abs(before[1] - after[0]) < 1e-6)
    #expect(abs(before[0] - 250) < 1e-6)
  }

  /// [S1-09] x = 80 with one copy: [0, 80) uncovered.
  @Test func oneCopyLeavesAHole() throws {
    let covered = FlowMotion.covered(by: [Self.flow.copies(at: 4.2)[0]], length: 250)
    try #require(covered.count == 1)
    #expect(isClose(covered[0].lowerBound, 80))
  }

  /// [S1-10] w = 28 -> 9 steps, a jump of 2.8; w = 25 -> 10 steps; 696 of the widths 1...2000 have
  /// 9; improved: every width has 10, computed from an integer index.
  @Test func addedTenthsLoseAStep() throws {
    #expect(FlowAsWritten.stepsPerLoop(width: 28) == 9)
    #expect(FlowAsWritten.stepsPerLoop(width: 25) == 10)
    var offset = 0.0
    for _ in 0..<9 { offset = FlowAsWritten.nextOffset(offset, width: 28) }
    #expect(isClose(28 - offset, 2.8))
    #expect(FlowAsWritten.nextOffset(offset, width: 28) == 0)
    let widths = (1...2000).map { Double($0) }
    #expect(widths.filter { FlowAsWritten.stepsPerLoop(width: $0) == 9 }.count == 696)
    #expect(widths.filter { FlowAsWritten.stepsPerLoop(width: $0) == 10 }.count == 1304)
    for width in widths {
      let flow = FlowMotion(length: width)
      let steps = (0...10).map { flow.offset(step: $0) }
      try #require(Set(steps).count == 10)
      #expect(steps[10] == 0)
      #expect(isClose(steps[9], 0.9 * width))
    }
  }

  /// [S1-11] Ticks at 1, 2.2, 3.2, w = 250: x(2.1) = 25, standing; x(2.7) = 37.5; an early
  /// tick adds up.
  @Test func timerAndTweenAreTwoClocks() {
    let ticks = [1, 2.2, 3.2]
    #expect(isClose(FlowAsWritten.offset(at: 2.1, ticks: ticks, width: 250), 25))
    #expect(isClose(FlowAsWritten.offset(at: 2.7, ticks: ticks, width: 250), 37.5))
    // 0.7 of the first tenth and 0.2 of the second one.
    #expect(isClose(FlowAsWritten.offset(at: 1.7, ticks: [1, 1.5], width: 250), 22.5))
    #expect(isClose(Self.flow.offset(at: 2.1), 27.5))
  }

  /// [S1-12] Making the description anew at t = 5.5 does not change x(6) = 125.
  @Test func stateSurvivesReevaluation() {
    var flow = Self.flow
    #expect(isClose(flow.offset(at: 5.5), 112.5))
    flow = FlowMotion(length: 250)
    #expect(isClose(flow.offset(at: 6), 125))
    // As written a new timer starts at 5.5 and first fires at 6.5.
    #expect(FlowAsWritten.offset(at: 0.5, ticks: [1], width: 250) == 0)
  }

  /// [S1-13] w 250 -> 200 at x = 80 -> 64.
  @Test func widthChangeKeepsThePhase() {
    var flow = Self.flow
    #expect(isClose(flow.offset(at: 4.2), 80))
    flow.length = 200
    #expect(isClose(flow.offset(at: 4.2), 64))
  }

  /// [S1-14] A next offset of 1e-17 is like any other value, not a wrap.
  @Test func tinyOffsetsAreNoWrap() {
    #expect(FlowAsWritten.change(to: 1e-17, width: 250) == .animate(to: 1e-17))
    #expect(isClose(FlowMotion(length: 250, start: 0).offset(at: 1e-17), 0))
    #expect(FlowMotion(length: 250, start: 0).offset(at: 1e-17) > 0)
  }

  /// [S1-15] Direction up, h = 60, t = 2 -> y = -6; a speed of its own.
  @Test func flowsGoAnywhere() {
    let up = FlowMotion(length: 60, direction: .up)
    #expect(isClose(up.offset(at: 2), -6))
    #expect(isClose(up.copies(at: 2)[1], 54))
    #expect(isClose(FlowMotion(length: 60, direction: .down).offset(at: 2), 6))
    #expect(isClose(FlowMotion(length: 250, speed: 50).offset(at: 2), 50))
    #expect(isClose(up.offset(step: 1), -6))
    #expect(isClose(up.offset(step: -1), -54))
  }

  /// [S1-16] w = 0 for 100 ticks -> 0 always.
  @Test func noWidthIsNoMotion() {
    var offset = 0.0
    for tick in 0..<100 {
      offset = FlowAsWritten.nextOffset(offset, width: 0)
      #expect(offset == 0)
      #expect(FlowMotion(length: 0).offset(at: Double(tick)) == 0)
    }
    #expect(FlowAsWritten.stepsPerLoop(width: 0) == 0)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, -1, 1e308])
  func hostileNumbersDoNotTrap(number: Double) {
    for flow in [
      FlowMotion(length: number), FlowMotion(length: 1, speed: number),
      FlowMotion(length: 1, loopSeconds: number, start: number),
    ] {
      #expect(flow.offset(at: number).isFinite)
      #expect(flow.offset(at: 1).isFinite)
    }
    #expect((0...10).contains(FlowAsWritten.stepsPerLoop(width: number)))
    _ = FlowMotion.covered(by: [number, 1], length: number)
  }

  /// What is left out: ten seconds a loop, to the right, after one second; steps are tenths.
  @Test func flowsKeepTheirParts() {
    let plain = FlowMotion(length: 250)
    #expect((plain.length, plain.loopSeconds, plain.start) == (250, 10, 1))
    #expect(plain.direction == .right)
    let flow = FlowMotion(length: 100, speed: 50, direction: .down, start: 3)
    #expect((flow.length, flow.loopSeconds, flow.start) == (100, 2, 3))
    #expect(flow.direction == .down)
    #expect(flow.phase(at: 3) == 0)
    #expect(flow.phase(at: 2) == 0)
    #expect(flow.phase(at: 3.5) == 0.25)
    #expect(flow.phase(at: 5) == 0)
    #expect(flow.copies(at: 3.5) == [25, -75])
    let left = FlowMotion(length: 100, loopSeconds: 4, direction: .left, start: 0)
    #expect(left.copies(at: 1) == [-25, 75])
    #expect(left.offset(step: 3) == -30)
    #expect(FlowMotion.stepCount == 10)
    #expect(plain.offset(step: 13) == 75)
    #expect(plain.offset(step: -13) == 175)
  }

  /// A tick at the asked time has happened, and a tween is over after its second.
  @Test func writtenTicksCountAtTheirTime() {
    #expect(isClose(FlowAsWritten.offset(at: 1, ticks: [1], width: 250), 0))
    #expect(isClose(FlowAsWritten.offset(at: 2, ticks: [1], width: 250), 25))
    #expect(isClose(FlowAsWritten.offset(at: 99, ticks: [1], width: 250), 25))
    #expect(isClose(FlowAsWritten.offset(at: 1.5, ticks: [1, 2], width: 250), 12.5))
  }
}
