// SPDX-License-Identifier: Apache-2.0

/// Finds the largest number that holds, with as few runs as a sure answer needs.
///
///     double (or halve)   until one number holds and a larger one fails
///     bisect              until they are less than 5 % apart
///     confirm             three runs of the number that held; if one fails, go below
///     refute              one run of 1.1 times as many; if it holds, go on from there
package struct CapacitySearch {
  /// What the search came to.
  package struct Outcome: Equatable, Sendable {
    /// The largest number that held; 0 if none did.
    package var number = 0
    /// Runs with this number, and how many of them held.
    package var runs = 0
    /// How many of those runs held.
    package var held = 0
    /// Whether 1.1 times the number failed; nil if it was not tried.
    package var failsAbove: Bool?
    /// Whether even the largest number of all held.
    package var isOpen = false
    /// Whether a signal ended the search.
    package var isInterrupted = false

    /// Nothing held.
    package init() {}
  }

  /// The smallest step, as a part: the goal is that two searches agree within a tenth.
  private static let resolution = 1.05
  private static let confirmations = 3
  /// More runs than any useful search needs: half an hour of ten-second runs, roughly.
  private static let runsMax = 120

  /// Searches.
  ///
  /// - Parameters:
  ///   - first: The first number.
  ///   - max: The largest.
  ///   - holds: Makes a run; nil if a signal asked this program to end.
  /// - Returns: The outcome.
  /// - Throws: What `holds` throws.
  package static func find<E: Error>(
    from first: Int, max: Int, holds: (Int) throws(E) -> Bool?
  ) throws(E) -> Outcome {
    var outcome = Outcome()
    var (low, high) = (0, max + 1)
    var runs = 0
    func run(_ number: Int) throws(E) -> Bool? {
      runs += 1
      return runs > runsMax ? nil : try holds(number)
    }
    var number = Swift.min(Swift.max(first, 1), max)
    // Double or halve, then bisect.
    while low == 0 || Double(high) / Double(low) > resolution {
      guard let held = try run(number) else {
        outcome.isInterrupted = true
        return outcome
      }
      if held { low = number } else { high = number }
      outcome.number = low
      if low == max { break }
      if high == 1 { return outcome }
      let next =
        if low == 0 {
          high / 2
        } else if high > max {
          Swift.min(low * 2, max)
        } else {
          middle(low, high)
        }
      if next <= low || next >= high { break }
      number = next
    }
    // Confirm, and refute above; each failure moves a border, so this ends.
    while runs < runsMax, low > 0 {
      (outcome.number, outcome.runs, outcome.held, outcome.failsAbove) = (low, 0, 0, nil)
      for _ in 0..<confirmations {
        guard let held = try run(low) else {
          outcome.isInterrupted = true
          return outcome
        }
        outcome.runs += 1
        outcome.held += held ? 1 : 0
        if !held { break }
      }
      guard outcome.held == confirmations else {
        high = low
        low = Int(Double(low) / resolution)
        if low == high { low -= 1 }
        continue
      }
      guard low < max else {
        outcome.isOpen = true
        return outcome
      }
      let above = Swift.min(Swift.max(Int(Double(low) * 1.1), low + 1), max)
      guard let held = try run(above) else {
        outcome.isInterrupted = true
        return outcome
      }
      outcome.failsAbove = !held
      if !held { return outcome }
      low = above
    }
    if low == 0 { outcome = Outcome() }
    return outcome
  }

  /// The geometric mean, rounded to two or three significant digits if the result lies between the two.
  private static func middle(_ low: Int, _ high: Int) -> Int {
    let mean = (Double(low) * Double(high)).squareRoot()
    var unit = 1.0
    while mean / unit >= 1000 { unit *= 10 }
    let rounded = Int((mean / unit).rounded() * unit)
    return rounded > low && rounded < high ? rounded : Int(mean)
  }
}
