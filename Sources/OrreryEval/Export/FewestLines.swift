// SPDX-License-Identifier: Apache-2.0

/// Joined straight lines within a tolerance of a function: as few as there can be.
///
/// The points where lines meet need not be on the function, only within the tolerance of it: that takes fewer lines. A
/// step of the search extends each point that some count of lines reaches by one line (`Funnel`), and keeps for each
/// position the range of values that this count reaches. So no shorter list of points has these positions. Then the
/// points are chosen from the end to the start, each with the fewest digits.
///
/// - Complexity: O(n m) for n samples, of which a line passes m.
package struct FewestLines {
  /// A point where lines meet.
  package struct Knot: Equatable, Sendable {
    /// In [0, 1].
    package var position: Double
    /// The lines' value there.
    package var value: Double
  }

  /// Points of all pieces.
  static let pointsMax = 10_000

  /// Shares of the tolerance: what the search leaves to the choice of short numbers, and what that leaves to the times
  /// between samples.
  private static let (searchReserve, choiceReserve) = (0.01, 0.002)

  /// Share of the tolerance by which more values are worth another line from them: less makes no list shorter.
  private static let growthMin = 1e-3

  /// Values that a count of lines reaches at one position.
  private struct Reach {
    let lineCount: Int
    var values: ClosedRange<Double>
  }

  private let samples: [MotionSamples.Sample]
  private let tolerance: Double

  /// For each sample its ranges, in the order of their counts of lines.
  private var reaches: [[Reach]]

  /// The fewest points of a function.
  ///
  /// - Parameters:
  ///   - function: Finite values over [0, 1].
  ///   - steps: Lines may meet at k/steps; nil: at decimal fractions, closer where the function bends.
  ///   - tolerance: Largest distance from it, more than 0.
  ///   - ends: The exact values at 0 and 1; nil: within the tolerance, too.
  /// - Returns: The points in their order; two at a jump.
  /// - Throws: `ExportError` if there are too many.
  package static func knots(
    of function: @escaping (Double) -> Double, steps: Int? = nil, within tolerance: Double,
    ends: (Double?, Double?)
  ) throws(ExportError) -> [Knot] {
    let samples = try MotionSamples(tolerance: tolerance, steps: steps, function)
    var knots: [Knot] = []
    for (index, piece) in samples.pieces.enumerated() {
      let isLast = index == samples.pieces.count - 1
      var lines = FewestLines(piece, tolerance)
      knots += try lines.search(
        from: index == 0 ? ends.0 : nil, to: isLast ? ends.1 : nil,
        countMax: pointsMax - knots.count)
    }
    return knots
  }

  private init(_ samples: [MotionSamples.Sample], _ tolerance: Double) {
    (self.samples, self.tolerance) = (samples, tolerance)
    reaches = samples.map { _ in [] }
  }

  /// The values that a line may have at a sample.
  private func gap(_ index: Int, reserve: Double) -> ClosedRange<Double> {
    let sample = samples[index]
    let width = max(tolerance - sample.sag, tolerance / 2) * (1 - reserve)
    return sample.value - width...sample.value + width
  }

  private mutating func search(
    from start: Double?, to end: Double?, countMax: Int
  ) throws(ExportError) -> [Knot] {
    let last = samples.count - 1
    let gaps = samples.indices.map { gap($0, reserve: Self.searchReserve) }
    reaches[0] = [Reach(lineCount: 0, values: start.map { $0...$0 } ?? gaps[0])]
    let endGap = end.map { $0...$0 } ?? gaps[last]
    var open = [0]
    var funnel = Funnel()
    for lineCount in 1...max(1, countMax) {
      // A line begins at what the count before has reached, not at what this one adds.
      let starts = open.compactMap { index in
        range(index, lineCount - 1).map { (index, $0.values) }
      }
      open.removeAll(keepingCapacity: true)
      for (index, values) in starts {
        funnel.begin(x: samples[index].position, values)
        for next in index + 1..<samples.count {
          let gap = next == last ? endGap : gaps[next]
          guard let reach = funnel.pass(x: samples[next].position, gap) else { break }
          if samples[next].digits != nil, extend(next, lineCount, reach) { open.append(next) }
        }
      }
      if !reaches[last].isEmpty { return choose(lineCount, end: end) }
      if open.isEmpty { break }
    }
    throw .tooManyPoints(FewestLines.pointsMax)
  }

  /// Adds the values that a count of lines reaches.
  ///
  /// - Returns: Whether these are the first ones that this count adds there.
  private mutating func extend(
    _ index: Int, _ lineCount: Int, _ values: ClosedRange<Double>
  ) -> Bool {
    guard let known = reaches[index].last else {
      reaches[index] = [Reach(lineCount: lineCount, values: values)]
      return true
    }
    let slack = tolerance * Self.growthMin
    let isNew =
      values.lowerBound < known.values.lowerBound - slack
      || values.upperBound > known.values.upperBound + slack
    guard isNew else { return false }
    var union = values
    if values.overlaps(known.values) {
      union =
        min(
          values.lowerBound, known.values.lowerBound)...max(
          values.upperBound, known.values.upperBound)
    } else if width(values) < width(known.values) {
      return false
    }
    if known.lineCount == lineCount {
      reaches[index][reaches[index].count - 1].values = union
      return false
    }
    reaches[index].append(Reach(lineCount: lineCount, values: union))
    return true
  }

  private func width(_ range: ClosedRange<Double>) -> Double { range.upperBound - range.lowerBound }

  /// The values at a sample that at most so many lines reach.
  private func range(_ index: Int, _ lineCount: Int) -> Reach? {
    reaches[index].last { $0.lineCount <= lineCount }
  }

  /// The points, from the last one to the first.
  private func choose(_ lineCount: Int, end: Double?) -> [Knot] {
    var (index, count) = (samples.count - 1, lineCount)
    guard let final = range(index, count) else { return [] }
    var value = end ?? ShortDecimal.shortest(in: final.values).value
    var knots = [Knot(position: samples[index].position, value: value)]
    while index > 0, let before = predecessor(of: index, value, count) {
      (index, value, count) = (before.index, before.value, before.lineCount)
      knots.append(Knot(position: samples[index].position, value: value))
    }
    return knots.reversed()
  }

  /// The point with the fewest digits from which a line leads to a point.
  private func predecessor(
    of index: Int, _ value: Double, _ lineCount: Int
  ) -> (index: Int, value: Double, lineCount: Int)? {
    let end = samples[index].position
    var slopes = -Double.infinity...Double.infinity
    var best: (index: Int, value: Double, lineCount: Int, digits: Int)?
    for start in stride(from: index - 1, through: 0, by: -1) {
      let distance = end - samples[start].position
      if let digits = samples[start].digits, let reach = range(start, lineCount - 1) {
        let low = max(value - slopes.upperBound * distance, reach.values.lowerBound)
        let high = min(value - slopes.lowerBound * distance, reach.values.upperBound)
        if low <= high {
          let short = ShortDecimal.shortest(in: low...high)
          if best.map({ digits + short.places < $0.digits }) ?? true {
            best = (start, short.value, reach.lineCount, digits + short.places)
          }
        }
      }
      let gap = gap(start, reserve: Self.choiceReserve)
      let low = max((value - gap.upperBound) / distance, slopes.lowerBound)
      let high = min((value - gap.lowerBound) / distance, slopes.upperBound)
      if low > high { break }
      slopes = low...high
    }
    return best.map { ($0.index, $0.value, $0.lineCount) }
  }
}

/// A function of straight lines between knots.
struct KnotFunction: Sendable {
  /// At least one; positions never decrease.
  let knots: [FewestLines.Knot]

  /// The value at a position: at a jump the later one.
  func value(at position: Double) -> Double {
    var (low, high) = (0, knots.count)
    while low < high {
      let middle = (low + high) / 2
      if knots[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return knots[0].value }
    guard low < knots.count else { return knots[knots.count - 1].value }
    let (a, b) = (knots[low - 1], knots[low])
    return a.value + (b.value - a.value) * ((position - a.position) / (b.position - a.position))
  }
}
