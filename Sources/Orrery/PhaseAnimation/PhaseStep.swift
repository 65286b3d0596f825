// SPDX-License-Identifier: Apache-2.0

/// The completion of the animation to one phase.
struct PhaseStep {
  /// When it is complete, in seconds; infinity if it never is or the time is not known.
  let end: Double

  private let start: Double

  /// An animation without a closed form, and its state.
  private var custom: Animation?
  private var context = AnimationContext<Double>()

  /// - Parameters:
  ///   - animation: Nil is complete at once.
  ///   - start: Seconds.
  init(_ animation: Animation?, start: Double) {
    self.start = start
    guard let animation else {
      end = start
      return
    }
    if let course = animation.course() {
      end = start + course.logicalEnd
    } else {
      custom = animation
      end = .infinity
    }
  }

  /// When it was complete.
  ///
  /// - Parameter time: Seconds; a custom animation is complete at the first poll that finds it so.
  /// - Returns: Nil if it is not complete yet.
  mutating func completion(polledAt time: Double) -> Double? {
    guard let custom else { return end <= time ? end : nil }
    guard time >= start else { return nil }
    let moved = custom.animate(value: 1.0, time: time - start, context: &context)
    return moved == nil || context.isLogicallyComplete ? time : nil
  }
}

extension PhaseStep: Sendable {}
