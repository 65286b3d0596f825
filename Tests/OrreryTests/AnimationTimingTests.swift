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
    tracker.addSample(6, time: 1.2)
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
    tracker.addSample(9, time: 2)
    #expect(tracker.velocity == 2)
    // The third pushes nothing out, the fourth the first.
    tracker.addSample(10, time: 3)
    #expect(tracker.velocity == 1 + (2 - 1) * 0.75)
    tracker.addSample(10, time: 4)
    #expect(tracker.velocity == 0.75)
    tracker.addSample(99, time: -.infinity)
    tracker.addSample(99, time: .infinity)
    #expect(tracker.velocity == 0.75)
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
