// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Finds the largest number that holds, with as few runs as a sure answer needs.
///
///     double (or halve)   until one number holds and a larger one fails
///     bisect              until they are less than 5 % apart
///     confirm             three runs of the number that held; if one fails, go below
///     refute              one run of 1.1 times as many; if it holds, go on from there
///
/// A number whose run is disturbed is tried once more. If that is disturbed, too, the search ends with what held. If
/// nothing held yet, smaller numbers are tried, but few: a machine that others use gives no answer.
package struct CapacitySearch {
  /// What a run says of a number.
  package enum Answer: Equatable, Sendable {
    case holds
    case fails
    /// It failed while others had the processors.
    case undecided
  }

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
    /// Whether larger numbers failed only while others had the processors: more may fit.
    package var isUndecided = false
    /// Whether a signal ended the search.
    package var isInterrupted = false

    /// Nothing held.
    package init() {}
  }

  /// The smallest step, as a part: the goal is that two searches agree within a tenth.
  private static let resolution = 1.05
  private static let confirmations = 3
  /// Numbers whose runs are disturbed before anything holds.
  private static let disturbedMax = 3
  /// More runs than any useful search needs: half an hour of ten-second runs, roughly.
  private static let runsMax = 120
  /// Runs of a search from the default start, of few entities and of many.
  package static let runsExpected = 10...18

  /// Searches.
  ///
  /// - Parameters:
  ///   - first: The first number.
  ///   - max: The largest.
  ///   - answer: Makes a run, and learns how many runs are left with it if none surprises; nil if a signal asked this
  ///     program to end.
  /// - Returns: The outcome.
  /// - Throws: What `answer` throws.
  package static func find<E: Error>(
    from first: Int, max: Int, answer: (_ number: Int, _ runsLeft: Int) throws(E) -> Answer?
  ) throws(E) -> Outcome {
    var outcome = Outcome()
    var (low, high) = (0, max + 1)
    var (runs, disturbed) = (0, 0)
    /// Whether a number holds; nil ends the search.
    func run(_ number: Int, _ runsLeft: Int) throws(E) -> Bool? {
      for _ in 0..<2 {
        runs += 1
        guard runs <= runsMax, let result = try answer(number, runsLeft) else {
          outcome.isInterrupted = true
          return nil
        }
        if result == .fails { outcome.isUndecided = false }
        if result != .undecided { return result == .holds }
      }
      outcome.isUndecided = true
      disturbed += 1
      return nil
    }
    var number = Swift.min(Swift.max(first, 1), max)
    // Double or halve, then bisect.
    while low == 0 || Double(high) / Double(low) > resolution {
      let held = try run(number, runsLeft(low, high, max: max))
      // As long as nothing holds, a disturbed failure is one: there is no number yet to end with.
      let isTriedBelow = outcome.isUndecided && low == 0 && disturbed < disturbedMax
      guard let held = held ?? (isTriedBelow ? false : nil) else { return outcome }
      if held { low = number } else { high = number }
      outcome.number = low
      if low > 0, outcome.isUndecided { return outcome }
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
      for turn in 0..<confirmations {
        guard let held = try run(low, confirmations - turn + 1) else { return outcome }
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
      guard let held = try run(above, 1) else { return outcome }
      outcome.failsAbove = !held
      if !held { return outcome }
      low = above
    }
    if low == 0 { outcome = Outcome() }
    return outcome
  }

  /// Runs that are left with the next one if the border is near: twice the next number does not hold.
  private static func runsLeft(_ low: Int, _ high: Int, max: Int) -> Int {
    let isBracketed = low > 0 && high <= max
    let ratio = isBracketed ? Double(high) / Double(low) : 2
    let bisections = log2(log(ratio) / log(resolution)).rounded(.up)
    return (isBracketed ? 0 : 2) + Swift.max(Int(bisections), 1) + confirmations + 1
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
