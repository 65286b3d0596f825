// SPDX-License-Identifier: Apache-2.0

/// A change of a property that is animated, and what is still to be told of it.
struct AnimatedChange {
  /// What is told next.
  enum Step {
    case leg(Int)
    case logicallyComplete
  }

  /// Orders changes of an engine by when they were made.
  let number: UInt64

  /// When each of its legs ends, in seconds; nil if they are not told.
  var legEnd: ((Int) -> Double?)?

  /// When it is logically complete, in seconds; infinite if it never is or cannot tell.
  let logicalEnd: Double

  /// The next leg to be told.
  var leg: Int

  /// Whether that has been told.
  var isLogicallyComplete = false

  /// Who waits for it.
  var groups: [CompletionGroup]

  /// What is told next and when; nil if nothing is but the removal.
  var next: (step: Step, time: Double)? {
    let legTime = leg < Self.legMax ? legEnd?(leg) : nil
    if !isLogicallyComplete, logicalEnd < legTime ?? .infinity {
      return (.logicallyComplete, logicalEnd)
    }
    return legTime.map { (.leg(leg), $0) }
  }

  /// Whether there is nothing left to tell, now or at the removal.
  var isTold: Bool { isLogicallyComplete && groups.isEmpty && next == nil }

  /// Takes out those who wait for one criterion.
  mutating func takeGroups(_ criteria: AnimationCompletionCriteria) -> [CompletionGroup] {
    let taken = groups.filter { $0.criteria == criteria }
    groups.removeAll { $0.criteria == criteria }
    return taken
  }

  /// Leaves out legs before the last ones that end by a time.
  ///
  /// - Parameters:
  ///   - limit: Seconds.
  ///   - count: How many to keep.
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

  /// Legs from here on, which a Double cannot count, are not told.
  private static var legMax: Int { 1 << 53 }

  /// Whether a leg that can be told ends by a time.
  private func isOver(_ leg: Int, _ legEnd: (Int) -> Double?, _ limit: Double) -> Bool {
    leg < Self.legMax && legEnd(leg).map { $0 <= limit } ?? false
  }
}
