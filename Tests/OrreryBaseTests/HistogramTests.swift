// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import TestSupport
import Testing

/// Goal: a quantile is never below the exact one and less than 1/32 above it.
///
/// Method: the same values sorted in an array, over every power of two.
@Suite struct HistogramTests {
  private static let shares = [0, 0.001, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 1]

  /// The value that at least this share of the sorted values does not exceed.
  private static func exact(_ sorted: [UInt64], _ share: Double) -> UInt64 {
    sorted[max(Int((share * Double(sorted.count)).rounded(.up)), 1) - 1]
  }

  private static func check(_ values: [UInt64], _ comment: Comment) {
    var histogram = Histogram()
    for value in values { histogram.record(value) }
    let sorted = values.sorted()
    for share in shares {
      let exact = exact(sorted, share)
      let found = histogram.quantile(share)
      #expect(found >= exact, "share \(share) of \(comment)")
      #expect(found - exact <= exact / 32, "share \(share) of \(comment): \(found), not \(exact)")
    }
    #expect(histogram.count == UInt64(values.count))
    #expect(histogram.max == sorted.last)
    #expect(histogram.sum == values.reduce(0, &+))
    #expect(histogram.mean == values.reduce(0, &+) / UInt64(values.count))
  }

  @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
  func quantilesAreWithinOneInThirtyTwo(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for bits in stride(from: 1, through: 64, by: 3) {
      let values = (0..<500).map { _ in random.next() >> UInt64(64 - bits) }
      Self.check(values, "seed \(seed), \(bits) bits")
    }
  }

  @Test func smallValuesAreExact() {
    for value in 0..<64 as Range<UInt64> {
      var histogram = Histogram()
      histogram.record(value)
      // A larger one, so that it is not `max` that limits the answer.
      histogram.record(1 << 40)
      #expect(histogram.quantile(0.5) == value)
    }
  }

  @Test func everyPowerOfTwoAndItsNeighboursHaveABucket() {
    for bit in 0..<64 as Range<UInt64> {
      let power: UInt64 = 1 << bit
      for value in [power - 1, power, power + 1] { Self.check([value, .max], "\(value)") }
    }
  }

  @Test func theLargestValueIsReported() {
    var histogram = Histogram()
    histogram.record(.max)
    histogram.record(.max)
    #expect(histogram.quantile(0) == .max)
    #expect(histogram.quantile(1) == .max)
  }

  @Test func quantileOfNothingIsZero() {
    let histogram = Histogram()
    #expect(histogram.quantile(0) == 0)
    #expect(histogram.quantile(0.99) == 0)
    #expect(histogram.max == 0)
    #expect(histogram.count == 0)
  }

  @Test func quantileIsNeverAboveTheLargestValue() {
    var histogram = Histogram()
    histogram.record(1_000_001)
    #expect(histogram.quantile(1) == 1_000_001)
  }

  @Test func shareOutsideZeroToOneTraps() async {
    await #expect(processExitsWith: .failure) { _ = Histogram().quantile(1.01) }
    await #expect(processExitsWith: .failure) { _ = Histogram().quantile(.nan) }
  }

  /// As counters of another process are read: in the same buckets.
  @Test func valuesSinceAnEarlierMomentAreTheDifference() {
    var (counts, sum) = ([UInt64](repeating: 0, count: Histogram.bucketCount), UInt64(0))
    func count(_ values: [UInt64]) -> Histogram {
      for value in values {
        counts[Histogram.bucket(value)] += 1
        sum &+= value
      }
      return Histogram(counts: counts, sum: sum)
    }
    let before = count([5, 1_000_000, .max])
    #expect(before.count == 3 && before.max == .max && before.last == 0)
    let later = count([40, 40, 2_000]).since(before)
    #expect(later.count == 3 && later.sum == 2_080 && later.quantile(0.5) == 40)
    #expect((2_000...2_063).contains(later.max))
    // What was counted elsewhere may be anything.
    #expect(before.since(later).count == 3)
    _ = Histogram(counts: counts.map { _ in .max }, sum: .max).quantile(1)
  }
}
