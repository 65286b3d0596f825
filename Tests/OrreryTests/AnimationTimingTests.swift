// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: what stands around animations measures as SwiftUI does.
///
/// Method: the numbers of the semantics, ids in brackets.
@Suite struct AnimationTimingTests {
  /// Three samples, the older quotient weighing most.
  @Test func velocityIsTrackedFromThreeSamples() {
    var tracker = VelocityTracker<Double>()
    #expect(tracker.velocity == 0)
    tracker.addSample(0, time: 0)
    #expect(tracker.velocity == 0)
    tracker.addSample(3, time: 0.1)
    #expect(abs(tracker.velocity - 30) < 1e-12)
    tracker.addSample(9, time: 0.2)
    #expect(abs(tracker.velocity - 37.5) < 1e-12)
    tracker.addSample(1000, time: 0.15)
    tracker.addSample(1000, time: .nan)
    #expect(abs(tracker.velocity - 37.5) < 1e-12)
    tracker.addSample(6, time: 0.2)
    #expect(abs(tracker.velocity - 30) < 1e-12)
    tracker.addSample(6, time: 0.3)
    #expect(abs(tracker.velocity - 22.5) < 1e-12)
    tracker.reset()
    #expect(tracker.velocity == 0)
  }

  /// The engine begins at the change.
  @Test func motionBeginsAtTheChange() {
    let start = 12.25
    var track = AnimationTrack(0.0)
    track.set(1, animation: .linear(duration: 1), at: start, id: 0)
    #expect(abs(track.value(at: start + 1 / 60.0) - 0.0166667) < 1e-7)
  }

  /// The option: a late frame at the start does not skip.
  @Test func hitchesCanBeAbsorbed() {
    var hitch = HitchAbsorption()
    #expect(hitch.elapsed(at: 10) == 0)
    #expect(hitch.elapsed(at: 10.5) == 0)
    #expect(abs(hitch.elapsed(at: 11) - 1 / 60.0) < 1e-12)
    #expect(abs(hitch.elapsed(at: 11.5) - (0.5 + 1 / 60.0)) < 1e-12)
    var smooth = HitchAbsorption()
    let elapsed = (0..<4).map { smooth.elapsed(at: Double($0) / 128) }
    #expect(elapsed == [0, 0, 1 / 128.0, 2 / 128.0])
  }

  /// The longest 2ᵏ/240 s that the hint allows.
  @Test func frameIntervalsAreQuantized() {
    #expect(FrameInterval.quantized(1 / 50.0) == 1 / 60.0)
    #expect(FrameInterval.quantized(1 / 30.0) == 1 / 30.0)
    #expect(FrameInterval.quantized(1 / 100.0) == 1 / 120.0)
    for power in 0..<12 {
      let interval = Double(1 << power) / 240
      #expect(FrameInterval.quantized(interval) == interval)
      #expect(FrameInterval.quantized(interval.nextUp) == interval)
      if power > 0 { #expect(FrameInterval.quantized(interval.nextDown) == interval / 2) }
    }
    for hint in [0, -1, Double.nan, 1e-9] { #expect(FrameInterval.quantized(hint) == 1 / 240.0) }
    #expect(FrameInterval.quantized(.infinity) == .infinity)
  }

  /// Samples at one time count once, and two are enough for a velocity.
  @Test func samplesOfOneTimeReplaceEachOther() {
    var tracker = VelocityTracker<Double>()
    tracker.addSample(5, time: 1)
    tracker.addSample(7, time: 1)
    #expect(tracker.velocity == 0)
    tracker.addSample(9, time: 1.0625)
    #expect(tracker.velocity == 32)
    // The third pushes nothing out, the fourth the first.
    tracker.addSample(10, time: 1.125)
    #expect(tracker.velocity == 28)
    tracker.addSample(10, time: 1.1875)
    #expect(tracker.velocity == 12)
    tracker.addSample(99, time: -.infinity)
    tracker.addSample(99, time: .infinity)
    #expect(tracker.velocity == 12)
  }

  /// A value that is held for more than 0.1 s before it is released is at rest, also if the release
  /// itself is a sample; samples a tenth of a second apart count, however their times are rounded.
  @Test(arguments: [0, 1e6, 7e8])
  func heldValuesAreAtRest(start: Double) {
    func tracker(_ samples: [(Double, Double)]) -> VelocityTracker<Double> {
      var tracker = VelocityTracker<Double>()
      for (time, value) in samples { tracker.addSample(value, time: start + time) }
      return tracker
    }
    let moving = [(0, 0), (0.0625, 62.5), (0.125, 125)] as [(Double, Double)]
    let pressed = tracker(moving)
    let released: [(Double, Double)] = [
      (0, 1000), (0.125, 1000), (0.1875, 1000), (0.225, 1000), (0.2251, 0), (2.125, 0),
    ]
    for (time, velocity) in released {
      #expect(abs(pressed.velocity(at: start + time) - velocity) < 1e-3, "\(time)")
    }
    #expect(pressed.velocity(at: .infinity) == 0)
    // The older one of the two quotients has grown too old.
    let slowing = tracker([(0, 0), (0.0625, 62.5), (0.125, 62.5)])
    #expect(abs(slowing.velocity(at: start + 0.125) - 750) < 1e-3)
    #expect(slowing.velocity(at: start + 0.17) == 0)
    // A sample at the release, after a hold, and samples after it.
    for value in [125.0, 126] { #expect(tracker(moving + [(2, value)]).velocity == 0) }
    #expect(abs(tracker(moving + [(2, 125), (2.0625, 156.25)]).velocity - 500) < 1e-3)
    #expect(abs(tracker(moving + [(0.25, 125), (0.3125, 156.25)]).velocity - 500) < 1e-3)
    let tenths = tracker((1...9).map { (Double($0) / 10, Double($0)) })
    #expect(abs(tenths.velocity(at: start + 1) - 10) < 1e-3)
  }

  /// Time that goes backwards is none.
  @Test func absorptionNeverGoesBackwards() {
    var hitch = HitchAbsorption()
    _ = (hitch.elapsed(at: 1), hitch.elapsed(at: 2), hitch.elapsed(at: 2.0625))
    #expect(hitch.elapsed(at: 1) == 0)
    #expect(HitchAbsorption.frameSecondsMax == 1 / 60.0)
    #expect(FrameInterval.secondsMin == 1 / 240.0)
    var still = HitchAbsorption()
    #expect((0..<4).map { _ in still.elapsed(at: 3) } == [0, 0, 0, 0])
  }
}
