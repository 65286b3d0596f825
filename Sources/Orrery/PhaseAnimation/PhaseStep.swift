// SPDX-License-Identifier: Apache-2.0

/// The animation to one phase, as far as its completion matters.
struct PhaseStep {
  /// When it is complete, in seconds; infinity if never or if it is not known.
  let end: Double

  private let start: Double

  /// What has no closed form, and what it keeps.
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
  /// - Parameter time: Seconds; what has no closed form is complete when this is found out.
  /// - Returns: Nil if it is not complete yet.
  mutating func completion(noticedAt time: Double) -> Double? {
    guard let custom else { return end <= time ? end : nil }
    guard time >= start else { return nil }
    let moved = custom.animate(value: 1.0, time: time - start, context: &context)
    return moved == nil || context.isLogicallyComplete ? time : nil
  }
}

extension PhaseStep: Sendable {}
