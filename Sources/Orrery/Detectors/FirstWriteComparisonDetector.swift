// SPDX-License-Identifier: Apache-2.0

/// Guesses the ends of an animation's repetitions by comparing written values with the start value
/// and the target.
///
/// The first write counts as the start value. Some writes after it are ignored, because eased
/// curves stand still for some frames. The next write that equals the start or the target counts as
/// one repetition, and writes are ignored again.
///
/// This is a known recipe for a framework without completions, kept unchanged to show its errors:
///
/// - A repetition with no more writes than are ignored is missed, or merged with the next.
/// - It compares exact floating-point numbers, and mistakes a spring that passes its target for the
///   end.
/// - The number of repetitions must be known.
/// - The count is updated only when control returns to the run loop, and the detector resets itself
///   only at the write after that, which is the first write of the next animation and is lost.
///
/// The recipe shares its state between all views of a type; here each detector has its own. Use the
/// events of an animation instead.
public struct FirstWriteComparisonDetector: Hashable, Sendable {
  /// Writes that are ignored after the first one and after each repetition.
  public let ignoring: Int

  /// Repetitions after which the animation counts as finished.
  public let total: Int

  /// Repetitions that have been counted.
  public private(set) var count = 0

  private var from: Double?
  private var ignored = 0

  /// Repetitions that are found but not counted until control returns to the run loop.
  private var pending = 0

  /// Makes a detector that has seen nothing.
  ///
  /// - Parameters:
  ///   - ignoring: Writes that are ignored after the first one and after each repetition.
  ///   - total: Repetitions after which the animation counts as finished.
  public init(ignoring: Int = 10, total: Int = .max) {
    self.ignoring = ignoring
    self.total = total
  }

  /// Whether all repetitions have been counted.
  public var isFinished: Bool { count >= total }

  /// Handles a write of the animated property.
  ///
  /// - Parameters:
  ///   - value: The written value.
  ///   - target: End value of the animation, which the property itself holds meanwhile.
  /// - Returns: Whether this write counts as the end of a repetition.
  @discardableResult
  public mutating func write(_ value: Double, target: Double) -> Bool {
    var isEnd = false
    if let from {
      if ignored >= ignoring {
        isEnd = value == target || value == from
        if isEnd {
          pending += 1
          ignored = 0
        }
      } else {
        ignored += 1
      }
    } else {
      from = value
    }
    if isFinished {
      ignored = 0
      from = nil
    }
    return isEnd
  }

  /// Counts the repetitions found since the last turn.
  public mutating func runLoopTurn() {
    count += pending
    pending = 0
  }

  /// The writes that count as ends of repetitions.
  ///
  /// - Parameters:
  ///   - writes: Values in the order in which they are written, the start value first.
  ///   - target: End value of the animation. Nil: the last write; if that equals the start value,
  ///     as after an even number of autoreversing legs, the write farthest from it.
  ///   - ignoring: Writes that are ignored after the first one and after each repetition.
  /// - Returns: Indexes into `writes`, from 0 for the start value, ascending.
  public static func fires(writes: [Double], target: Double? = nil, ignoring: Int = 10) -> [Int] {
    guard let first = writes.first, let last = writes.last else { return [] }
    var target = target ?? last
    if target == first {
      target = writes.max { abs($0 - first) < abs($1 - first) } ?? last
    }
    var detector = FirstWriteComparisonDetector(ignoring: ignoring)
    return writes.indices.filter { detector.write(writes[$0], target: target) }
  }
}
