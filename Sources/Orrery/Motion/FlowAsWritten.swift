// SPDX-License-Identifier: Apache-2.0

/// A picture that a timer moves by a tenth of its width, each time with an animation of one second.
///
/// Its errors, which ``FlowMotion`` does not have:
///
/// - Tenths are added up. For many widths the tenth sum is slightly above the width, so that a loop
///   has nine steps and jumps by a tenth.
/// - Timer and animation are separate clocks: before a late timer tick the picture stands still,
///   after an early one two animations overlap and add up.
public enum FlowAsWritten {
  /// The effect of one timer tick.
  public enum Change: Hashable, Sendable {
    /// Animates to an offset.
    case animate(to: Double)
    /// Jumps to 0, and animates from there to an offset.
    case restart(to: Double)
  }

  /// The offset after a timer tick.
  ///
  /// - Parameters:
  ///   - offset: The offset before, in points.
  ///   - width: Points.
  /// - Returns: The new offset; 0 if another tenth would pass the width.
  public static func nextOffset(_ offset: Double, width: Double) -> Double {
    offset + width / 10 > width ? 0 : offset + width / 10
  }

  /// The effect of a timer tick with a next offset: only an offset of 0 is a restart.
  ///
  /// - Parameters:
  ///   - next: The next offset, in points.
  ///   - width: Points.
  /// - Returns: The change.
  public static func change(to next: Double, width: Double) -> Change {
    next == 0 ? .restart(to: nextOffset(next, width: width)) : .animate(to: next)
  }

  /// Steps of a loop with offsets that are added up: 9 or 10.
  ///
  /// - Parameter width: Points.
  /// - Returns: The number; 0 for a width whose offsets never return to 0.
  public static func stepsPerLoop(width: Double) -> Int {
    var (offset, steps) = (0.0, 0)
    while steps <= 10 {
      offset = nextOffset(offset, width: width)
      if offset == 0 { return steps }
      steps += 1
    }
    return 0
  }

  /// The offset of the picture when the timer fires at given times.
  ///
  /// - Parameters:
  ///   - time: Seconds.
  ///   - ticks: When the timer fires, in seconds, ascending.
  ///   - width: Points.
  /// - Returns: Points: the offset that the last tick set, minus the remaining parts of its
  ///   animation and of those before it.
  public static func offset(at time: Double, ticks: [Double], width: Double) -> Double {
    var offset = 0.0
    var running: [(start: Double, interval: Double)] = []
    for tick in ticks where tick <= time {
      switch change(to: nextOffset(offset, width: width), width: width) {
      case .animate(let next):
        running.append((tick, next - offset))
        offset = next
      case .restart(let next):
        running = [(tick, next)]
        offset = next
      }
    }
    return running.reduce(offset) { sum, animation in
      sum - animation.interval * (1 - min(1, time - animation.start))
    }
  }
}
