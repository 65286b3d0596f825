// SPDX-License-Identifier: Apache-2.0

import Orrery

// What follows is as one would write it on a Mac, but for this import: keyframes, animators and
// timelines.

struct Pose {
  var scale = 1.0
  var angle = Angle.zero
  var offset = CGSize.zero
  var load = Load(kilograms: 0)
}

enum Mood: CaseIterable {
  case calm, loud

  var scale: Double { self == .calm ? 1 : 1.5 }
}

/// A track of one's own, for any animatable property: neither it nor its key path is Sendable.
struct Bounce<Root, Property: Animatable>: Keyframes {
  let path: WritableKeyPath<Root, Property>
  let high: Property
  let low: Property

  var body: some Keyframes<Root> {
    KeyframeTrack(path) {
      CubicKeyframe(high, duration: 0.25)
      SpringKeyframe(low, duration: 0.5, spring: .bouncy)
    }
  }
}

struct UpAndDown: KeyframeTrackContent {
  let height: Double

  var body: some KeyframeTrackContent<Double> {
    LinearKeyframe(height, duration: 0.5)
    LinearKeyframe(0, duration: 0.5)
  }
}

/// Keyframes that a caller gives in braces.
@KeyframesBuilder<Pose> func tracks(_ isTall: Bool) -> some Keyframes<Pose> {
  if isTall {
    KeyframeTrack(\Pose.scale) { steps(to: 2) }
  } else {
    KeyframeTrack(\Pose.angle) { LinearKeyframe(.degrees(90), duration: 1) }
  }
}

@KeyframeTrackContentBuilder<Double> func steps(
  to height: Double
) -> some KeyframeTrackContent<Double> {
  LinearKeyframe(height, duration: 0.5)
  LinearKeyframe(0, duration: 0.5)
}

enum AnimatorVocabulary {
  static func timeline(_ isLong: Bool) -> KeyframeTimeline<Pose> {
    KeyframeTimeline(initialValue: Pose()) {
      KeyframeTrack(\.angle) {
        CubicKeyframe(.degrees(180), duration: 0.5)
        LinearKeyframe(.zero, duration: 0.5, timingCurve: .easeIn)
        SpringKeyframe(.degrees(10), spring: .snappy)
        SpringKeyframe(.degrees(0), duration: 0.1, spring: .bouncy, startVelocity: .degrees(1))
        CubicKeyframe(
          .degrees(20), duration: 0.5, startVelocity: .degrees(10), endVelocity: .zero)
        MoveKeyframe(.degrees(5))
      }
      KeyframeTrack(\.scale) {
        UpAndDown(height: 2)
        if isLong {
          LinearKeyframe(3, duration: 1)
        } else {
          MoveKeyframe(3)
        }
        for step in 0..<3 { LinearKeyframe(Double(step), duration: 0.1) }
      }
      KeyframeTrack(\.offset.width) {
        for step in 1...2 { SpringKeyframe(CGFloat(step), duration: 0.2) }
      }
      Bounce(path: \Pose.load, high: Load(kilograms: 2), low: .zero)
    }
  }

  static func plain() -> [Double] {
    let whole = KeyframeTimeline(initialValue: Angle.zero) {
      LinearKeyframe(.degrees(90), duration: 0.5)
      LinearKeyframe(.degrees(0), duration: 0.5)
    }
    var angle = Angle.zero
    whole.update(value: &angle, time: 0.25)
    whole.update(value: &angle, progress: 0.25)
    let track = KeyframeTimeline(initialValue: 0.0) {
      KeyframeTrack { LinearKeyframe(1.0, duration: 1) }
    }
    return [
      angle.degrees, whole.duration, whole.value(time: 0.5).degrees,
      whole.value(progress: 0.75).degrees, track.value(time: 0.5),
    ]
  }

  static func pulse() -> PhaseAnimator<Mood, some View> {
    PhaseAnimator(Mood.allCases) { mood in
      Leaf().scaleEffect(mood.scale)
    } animation: { mood in
      mood == .calm ? .linear(duration: 0.5) : .linear(duration: 1)
    }
  }

  static func tap(_ count: Int) -> PhaseAnimator<Double, some View> {
    PhaseAnimator([1, 2], trigger: count) { scale in
      Leaf().scaleEffect(scale)
    }
  }

  static func modified(_ count: Int) -> some View {
    Leaf()
      .phaseAnimator([false, true]) { content, isOn in
        content.opacity(isOn ? 1 : 0.5)
      }
      .phaseAnimator([0.0, 1], trigger: count) { content, phase in
        content.offset(x: phase)
      } animation: { _ in
        .bouncy
      }
      .keyframeAnimator(initialValue: Pose(), trigger: count) { content, pose in
        content.rotationEffect(pose.angle).scaleEffect(pose.scale)
      } keyframes: { _ in
        KeyframeTrack(\.angle) { CubicKeyframe(.degrees(90), duration: 1) }
        KeyframeTrack(\.scale) { LinearKeyframe(2, duration: 1) }
      }
      .keyframeAnimator(initialValue: 0.0, repeating: false) { content, y in
        content.offset(y: y)
      } keyframes: { _ in
        LinearKeyframe(40, duration: 1)
      }
  }

  static func swing(_ trigger: Int) -> KeyframeAnimator<Pose, some Keyframes<Pose>, some View> {
    KeyframeAnimator(initialValue: Pose(), trigger: trigger) { pose in
      Leaf().rotationEffect(pose.angle)
    } keyframes: { pose in
      KeyframeTrack(\.angle) {
        LinearKeyframe(pose.angle + .degrees(90), duration: 1)
      }
    }
  }

  static func clock(_ start: Date) -> TimelineView<PeriodicTimelineSchedule, some View> {
    TimelineView(.periodic(from: start, by: 1)) { context in
      let seconds = context.date.timeIntervalSince(start)
      Leaf().rotationEffect(.degrees(6 * seconds)).opacity(context.cadence <= .live ? 1 : 0.5)
    }
  }

  static func cadences() -> [TimelineView<AnimationTimelineSchedule, EmptyView>.Context.Cadence] {
    let shown: TimelineViewDefaultContext.Cadence = .seconds
    return [.minutes, .live, shown].sorted()
  }
}
