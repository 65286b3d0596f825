// SPDX-License-Identifier: Apache-2.0

/// A property that is animated: its value, and the animations that run on it.
///
///     displayed value = model - sum of what each motion has not moved yet
///
/// The model holds the newest value at once. A change lets what runs go on and adds a motion for
/// the remaining jump, or merges: a spring such as ``Animation/spring(duration:bounce:blendDuration:)``
/// takes over position and velocity of all that runs. With modifiers it only takes over a motion
/// with equal modifiers, whose time goes on: a delay that has passed does not come again. Either
/// way the displayed value does not jump.
///
/// Where descriptions of SwiftUI disagree, or say nothing, these are the choices:
///
/// - A change without animation jumps and cancels what runs.
/// - Changes at the same instant are one change: the last one's animation moves all of it.
/// - Each motion ends at its own end, not with the newest one.
/// - A spring that takes over ends when it stays closer to the target than a thousandth of the
///   interval: the larger one of the change and of what is left of the way.
/// - A spring that repeats and takes over does so in the leg that is played; later legs go from the
///   very first value to the newest one.
///
/// Values follow from the time alone, whenever they are asked for; custom animations are the
/// exception: see ``advance(to:)``. Times are s, finite, and never fall from one change to the
/// next.
package struct AnimationTrack<Value: VectorArithmetic> {
  /// An animation that runs on a property.
  package typealias Motion = AnimationMotion<Value>

  /// The newest value.
  package private(set) var model: Value

  /// What runs, and what is over and has not been removed yet, in order of creation.
  package private(set) var motions: [Motion] = []

  /// A property at rest.
  ///
  /// - Parameter value: Its value.
  package init(_ value: Value) { model = value }

  /// What a change did.
  package struct Change {
    /// The motion that began; nil if the change was not animated, or was none.
    package var began: Motion?

    /// Motions that are now part of the one that began.
    package var merged: [Motion] = []

    /// Motions that began at the same instant; the one that began moves their intervals too.
    package var replaced: [Motion] = []

    /// Motions that were ended by a jump.
    package var cancelled: [Motion] = []
  }

  /// Changes the value.
  ///
  /// - Parameters:
  ///   - value: The new value. If it is the old one, nothing happens.
  ///   - animation: How to get there; nil jumps.
  ///   - time: When, s.
  ///   - id: Number for the motion that begins.
  ///   - velocity: Per second, added to that of what a spring without modifiers takes over, such as
  ///     a finger's.
  /// - Returns: What began, and what that ended.
  @discardableResult
  package mutating func set(
    _ value: Value, animation: Animation?, at time: Double, id: UInt64, velocity: Value = .zero
  ) -> Change {
    var change = Change()
    guard value != model else { return change }
    guard let animation else {
      change.cancelled = takeOut { !$0.isFinished(at: time) }
      model = value
      return change
    }
    change.replaced = takeOut { $0.start == time && $0.isFresh && !$0.isFinished(at: time) }
    let replaced = change.replaced.reduce(.zero) { $0 + $1.interval }
    let step = value - model + replaced
    let shown = displayed(from: model - replaced, at: time)
    model = value
    if step == .zero { return change }
    let follower = MotionFollower(
      id: id, animation: animation, time: time, step: step, velocity: velocity,
      running: motions.filter { !$0.isFinished(at: time) })
    let (motion, merged) = follower.motion(
      from: change.replaced.first?.origin ?? shown, velocity: self.velocity(at: time))
    change.merged = takeOut { merged.contains($0.id) && !$0.isFinished(at: time) }
    change.began = motion
    for index in motions.indices { motions[index].joinOthers() }
    motions.append(motion)
    return change
  }

  /// What is seen.
  ///
  /// - Parameter time: s.
  /// - Returns: The displayed value.
  package func value(at time: Double) -> Value { displayed(from: model, at: time) }

  private func displayed(from model: Value, at time: Double) -> Value {
    // One course alone begins and ends at its values bit for bit.
    if motions.count == 1, let motion = motions.first,
      case .course(let course, let from?) = motion.form
    {
      if motion.isFinished(at: time) { return model }
      return from.interpolated(towards: model, amount: motion.progress(of: course, at: time))
    }
    return motions.reduce(model) { $0 - $1.rest(at: time) }
  }

  /// How fast what is seen changes.
  ///
  /// - Parameter time: s.
  /// - Returns: Per second; where it jumps, what follows counts.
  package func velocity(at time: Double) -> Value {
    motions.reduce(.zero) { $0 + $1.velocity(at: time) }
  }

  /// Whether custom animations run, which have to be advanced.
  package var needsAdvance: Bool {
    motions.contains { motion in
      if case .custom = motion.form { true } else { false }
    }
  }

  /// Asks custom animations for their values, and lets them keep what they remember.
  ///
  /// One that says that it is over ends at this time. Others need no asking.
  ///
  /// - Parameter time: s.
  package mutating func advance(to time: Double) {
    for index in motions.indices { motions[index].advance(to: time) }
  }

  /// Removes what is over.
  ///
  /// - Parameter time: s.
  /// - Returns: What was removed, by its end, and of those with one end the oldest first.
  package mutating func removeFinished(at time: Double) -> [Motion] {
    advance(to: time)
    let finished = takeOut { $0.isFinished(at: time) }
    if finished.count < 2 { return finished }
    return finished.enumerated()
      .sorted { ($0.element.end, $0.offset) < ($1.element.end, $1.offset) }.map { $0.element }
  }

  /// Ends everything; the value is the newest one.
  ///
  /// - Parameter time: s.
  /// - Returns: What was still running, in order of creation.
  package mutating func cancelAll(at time: Double) -> [Motion] {
    let running = takeOut { !$0.isFinished(at: time) }
    motions = []
    return running
  }

  private mutating func takeOut(where isTaken: (Motion) -> Bool) -> [Motion] {
    let taken = motions.filter(isTaken)
    if !taken.isEmpty { motions.removeAll(where: isTaken) }
    return taken
  }
}

extension AnimationTrack: Sendable where Value: Sendable {}
extension AnimationTrack.Change: Sendable where Value: Sendable {}
