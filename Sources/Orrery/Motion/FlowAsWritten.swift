// SPDX-License-Identifier: Apache-2.0

/// A picture that a timer moves on by a tenth of its width, each time with an animation of one
/// second.
///
/// What it does wrong, and ``FlowMotion`` does not:
///
/// - Tenths are added up. For many widths the tenth sum is a hair above the width, so that a loop
///   has nine steps and jumps by a tenth.
/// - Timer and animation are separate clocks: after a late timer tick the picture has stood still,
///   after an early one two animations overlap and add up.
public enum FlowAsWritten {
  /// What one timer tick does.
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
  /// - Returns: 0 if another tenth would lead beyond the width.
  public static func nextOffset(_ offset: Double, width: Double) -> Double {
    offset + width / 10 > width ? 0 : offset + width / 10
  }

  /// What a timer tick does that finds a next offset: only 0 itself is a restart.
  ///
  /// - Parameters:
  ///   - next: The next offset, in points.
  ///   - width: Points.
  /// - Returns: The change.
  public static func change(to next: Double, width: Double) -> Change {
    next == 0 ? .restart(to: nextOffset(next, width: width)) : .animate(to: next)
  }

  /// Steps of a loop as it is added up: 9 or 10.
  ///
  /// - Parameter width: Points.
  /// - Returns: The number; 0 for a width that never leads back.
  public static func stepsPerLoop(width: Double) -> Int {
    var (offset, steps) = (0.0, 0)
    while steps <= 10 {
      offset = nextOffset(offset, width: width)
      if offset == 0 { return steps }
      steps += 1
    }
    return 0
  }

  /// Where the picture is when the timer fires at given times.
  ///
  /// - Parameters:
  ///   - time: Seconds.
  ///   - ticks: When the timer fires, in seconds, ascending.
  ///   - width: Points.
  /// - Returns: Points: the offset that the last tick set, less what its animation and those before
  ///   it have still to move.
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
