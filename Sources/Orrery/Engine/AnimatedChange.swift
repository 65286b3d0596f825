// SPDX-License-Identifier: Apache-2.0

/// The times of an animated change's events that are not recorded yet.
struct AnimatedChange {
  /// The next event.
  enum Step {
    case leg(Int)
    case logicallyComplete
  }

  /// Orders the changes of an engine by when they were made.
  let number: UInt64

  /// When each of its legs ends, in seconds; nil if ends of legs are not recorded.
  var legEnd: ((Int) -> Double?)?

  /// When it is logically complete, in seconds; infinite if it never is or the time is not known,
  /// and nil once it is.
  var logicalEnd: Double?

  /// The next leg whose end is recorded.
  var leg: Int

  /// Time of its entry in the queue, and infinite if it has none: entries of other times are stale.
  var dueTime = Double.infinity

  /// The next event and its time; nil if there is none whose time is known.
  var next: (step: Step, time: Double)? {
    let legTime = leg < Self.legMax ? legEnd?(leg) : nil
    if let logicalEnd, logicalEnd < legTime ?? .infinity {
      return (.logicallyComplete, logicalEnd)
    }
    return legTime.map { (.leg(leg), $0) }
  }

  /// Skips legs that end by a time, except the last ones.
  ///
  /// - Parameters:
  ///   - limit: Seconds.
  ///   - count: Number of legs to keep.
  mutating func skipLegs(through limit: Double, keeping count: Int) {
    guard let legEnd, isOver(leg + count, legEnd, limit) else { return }
    var (low, step) = (leg + count, 1)
    while isOver(low + step, legEnd, limit) {
      low += step
      step *= 2
    }
    var high = low + step
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if isOver(middle, legEnd, limit) { low = middle } else { high = middle }
    }
    leg = high - count
  }

  /// Ends of legs from this index on are not recorded: a Double cannot count them.
  private static var legMax: Int { 1 << 53 }

  /// Whether a leg ends by a time and its end can be recorded.
  private func isOver(_ leg: Int, _ legEnd: (Int) -> Double?, _ limit: Double) -> Bool {
    leg < Self.legMax && legEnd(leg).map { $0 <= limit } ?? false
  }
}
