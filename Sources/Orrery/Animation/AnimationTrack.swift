// SPDX-License-Identifier: Apache-2.0

/// An animated property: its value, and the animations that run on it.
///
///     displayed value = model - sum of the remaining parts of all motions
///
/// The model is the newest value at once. A change keeps running motions and adds one for the
/// change, or it merges: a spring such as ``Animation/spring(duration:bounce:blendDuration:)``
/// takes over the position and velocity of all running motions. A spring with modifiers takes over
/// only a motion with equal modifiers, and continues its time: a delay that has passed does not
/// come again. Either way the displayed value does not jump.
///
/// Where descriptions of SwiftUI disagree, or say nothing, these are the choices:
///
/// - A change without animation jumps and cancels running motions. One that takes no time does so too.
/// - Changes at the same instant are one change: the last one's animation moves all of it.
/// - A motion that ends by itself ends at its own end, not with the newest one; one that does not ends with
///   a later one: see `AnimationMotion+Stopping.swift`. A spring has its end, and its events, when
///   it stays within a thousandth of its way; its value moves on until what is left cannot be seen, which is
///   less than 0.02 points and less than 1e-5 of the way. Other changes do not stop that.
/// - A spring that takes over ends when it stays closer to the target than a thousandth of the
///   change, or of the remaining distance if that is larger.
/// - A repeating spring takes over in the current leg; later legs go from the very first value to
///   the newest one.
///
/// Values depend on the time alone, except those of custom animations: see ``advance(to:)``. Times
/// are seconds, finite, and never decrease from one change to the next.
package struct AnimationTrack<Value: VectorArithmetic> {
  /// An animation that runs on a property.
  package typealias Motion = AnimationMotion<Value>

  /// The newest value.
  package private(set) var model: Value

  /// Motions that run, and motions that are over but not removed yet, in order of creation.
  package private(set) var motions: [Motion] = []

  /// Points that a distance of 1 is at most; 1 where values are points.
  private let unitPoints: Double

  /// A property at rest.
  ///
  /// - Parameters:
  ///   - value: Its value.
  ///   - unitPoints: Points that a distance of 1 is at most; 1 where values are points.
  package init(_ value: Value, unitPoints: Double = 1) {
    model = value
    self.unitPoints = unitPoints
  }

  /// A property that motions move.
  ///
  /// - Parameters:
  ///   - value: Its newest value.
  ///   - motions: Those that lead there, in order of creation; one or more.
  package init(_ value: Value, movedBy motions: [Motion]) {
    model = value
    self.motions = motions
    unitPoints = motions.first?.unitPoints ?? 1
  }

  /// The effects of a change.
  package struct Change {
    /// The motion that began; nil if the change was not animated, or changed nothing.
    package var began: Motion?

    /// Motions that are now part of the new motion.
    package var merged: [Motion] = []

    /// Motions that began at the same instant; the new motion also covers their intervals.
    package var replaced: [Motion] = []

    /// Motions that were ended at once: by a jump, or by a change that takes no time.
    package var cancelled: [Motion] = []

    /// Motions that run on and have a new end: the new motion ends them, or a replaced motion no longer does.
    package var stopped: [Motion] = []
  }

  /// Changes the value.
  ///
  /// - Parameters:
  ///   - value: The new value. If it is the old one, nothing happens.
  ///   - animation: How to get there; nil jumps.
  ///   - time: When, s.
  ///   - id: Number for the motion that begins.
  ///   - velocity: Per second, such as a finger's; a spring without modifiers adds it to the
  ///     velocity that it takes over.
  ///   - environment: The environment that a custom animation reads.
  /// - Returns: The new motion, and the motions that it ended.
  @discardableResult
  package mutating func set(
    _ value: Value, animation: Animation?, at time: Double, id: UInt64, velocity: Value = .zero,
    environment: EnvironmentValues = EnvironmentValues()
  ) -> Change {
    var change = Change()
    guard value != model else { return change }
    forgetWhatRests(at: time)
    guard let animation else {
      change.cancelled = cancelAll(at: time)
      model = value
      return change
    }
    change.replaced = removeReplaced(at: time)
    let replaced = change.replaced.reduce(.zero) { $0 + $1.interval }
    let (old, step) = (model - replaced, value - model + replaced)
    model = value
    if step == .zero {
      change.stopped = stopMotions(by: nil, at: time, isAgain: !change.replaced.isEmpty)
      return change
    }
    let builder = MotionBuilder(
      id: id, animation: animation, time: time, step: step, velocity: velocity, motions: motions,
      unitPoints: unitPoints, environment: environment)
    let (motion, merged) = builder.motion(from: change.replaced.first?.origin ?? old)
    var began = motion
    // Only a custom animation has to be asked whether it is over at once.
    began.advance(to: time)
    if began.isFinished(at: time) {
      change.began = began
      change.cancelled = cancelAll(at: time)
      return change
    }
    change.began = motion
    if !merged.isEmpty {
      change.merged = removeMotions { merged.contains($0.id) && !$0.isFinished(at: time) }
      for index in change.merged.indices where change.merged[index].isEndless {
        if !change.replaced.isEmpty { _ = change.merged[index].goOn(at: time) }
        if let end = motion.firstEnd { _ = change.merged[index].stop(at: end, byChangeAt: time) }
      }
    }
    change.stopped = stopMotions(by: motion, at: time, isAgain: !change.replaced.isEmpty)
    if let last = motions.indices.last { motions[last].joinOthers() }
    motions.append(motion)
    return change
  }

  /// Removes motions that are over and at rest, if they are many of all: so each of thousands is moved in
  /// memory a few times only.
  private mutating func forgetWhatRests(at time: Double) {
    var restingCount = 0
    for motion in motions where motion.isAtRest(at: time) { restingCount += 1 }
    if restingCount > 0, 4 * restingCount >= motions.count {
      motions.removeAll { $0.isAtRest(at: time) }
    }
  }

  /// Takes out the motions that began at an instant, which a later change of the instant replaces.
  private mutating func removeReplaced(at instant: Double) -> [Motion] {
    // Those that began at an instant are the last.
    guard let last = motions.last, last.start == instant else { return [] }
    return removeMotions { $0.start == instant && $0.isFresh && !$0.isFinished(at: instant) }
  }

  /// Sets the ends of motions that a change ends; see ``AnimationMotion/stop(at:byChangeAt:)``.
  ///
  /// - Parameters:
  ///   - later: The motion of the change; nil if there is none.
  ///   - time: Time of the change, s.
  ///   - isAgain: Whether it replaces other changes of that time, which then end nothing.
  /// - Returns: The motions whose ends have changed.
  private mutating func stopMotions(
    by later: Motion?, at time: Double, isAgain: Bool
  ) -> [Motion] {
    var changed: [Motion] = []
    for index in motions.indices where !motions[index].isFinished(at: time) {
      var isChanged = isAgain && motions[index].goOn(at: time)
      if let later, later.ends(motions[index]), let end = later.firstEnd {
        isChanged = motions[index].stop(at: end, byChangeAt: time) || isChanged
      }
      if isChanged { changed.append(motions[index]) }
    }
    return changed
  }

  /// The displayed value.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: The value at that time.
  package func value(at time: Double) -> Value { displayed(from: model, at: time) }

  private func displayed(from model: Value, at time: Double) -> Value {
    // A single course begins and ends at its values bit for bit.
    if motions.count == 1, let motion = motions.first,
      case .course(let course, let from?) = motion.kind
    {
      if motion.isAtRest(at: time) { return model }
      return from.interpolated(towards: model, amount: motion.progress(of: course, at: time))
    }
    return motions.reduce(model) { $0 - $1.remaining(at: time) }
  }

  /// How fast the displayed value changes.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: Per second; where it jumps, the new velocity.
  package func velocity(at time: Double) -> Value {
    motions.reduce(.zero) { $0 + $1.velocity(at: time) }
  }

  /// Whether custom animations run, which must be stepped.
  package var needsAdvance: Bool {
    motions.contains { motion in
      if case .custom = motion.kind { true } else { false }
    }
  }

  /// Steps custom animations: asks for their values and keeps their state.
  ///
  /// One that reports its end ends at this time, and endless motions that began before it. Other animations
  /// do not change.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: The endless motions that this ended.
  @discardableResult
  package mutating func advance(to time: Double) -> [Motion] {
    var stopped: [Motion] = []
    for index in motions.indices {
      motions[index].advance(to: time)
      guard motions[index].hasEndedOnce(at: time) else { continue }
      for earlier in motions.indices.prefix(index) where motions[earlier].isEndless {
        guard motions[earlier].stop(at: time, byChangeAt: motions[index].start) else { continue }
        stopped.append(motions[earlier])
      }
    }
    return stopped
  }

  /// Sets the environment that running custom animations read.
  mutating func use(_ environment: EnvironmentValues) {
    for index in motions.indices { motions[index].setEnvironment(environment) }
  }

  /// Whether the displayed value is the model: all motions are over and at rest.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: False at exactly the end of a motion.
  package func isAtRest(at time: Double) -> Bool {
    motions.allSatisfy { $0.isAtRest(at: time) }
  }

  /// Removes motions that are over and at rest.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: The removed motions in the order of their ends; with equal ends the oldest first.
  package mutating func removeFinished(at time: Double) -> [Motion] {
    advance(to: time)
    let finished = removeMotions { $0.isAtRest(at: time) }
    if finished.count < 2 { return finished }
    return finished.enumerated()
      .sorted { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }.map { $0.element }
  }

  /// Removes all motions but springs that move on.
  ///
  /// - Parameter time: Seconds; that of the end of the last motion.
  mutating func keepWhatMovesOn(at time: Double) {
    motions.removeAll { !($0.rest > time) }
  }

  /// Ends all motions; the displayed value is then the model.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: The motions that were still running, in order of creation.
  package mutating func cancelAll(at time: Double) -> [Motion] {
    let running = removeMotions { !$0.isFinished(at: time) }
    motions = []
    return running
  }

  private mutating func removeMotions(where isRemoved: (Motion) -> Bool) -> [Motion] {
    let removed = motions.filter(isRemoved)
    if !removed.isEmpty { motions.removeAll(where: isRemoved) }
    return removed
  }
}

extension AnimationTrack: Sendable where Value: Sendable {}
extension AnimationTrack.Change: Sendable where Value: Sendable {}
