// SPDX-License-Identifier: Apache-2.0

/// Counts of durations, in buckets whose width is at most 1/32 of their values.
///
/// Recording changes one counter and allocates nothing, so a tick may record its own duration.
package struct Histogram: Sendable {
  private var counts = [UInt64](repeating: 0, count: Self.bucketCount)

  /// Number of recorded values.
  package private(set) var count: UInt64 = 0

  /// The exact largest recorded value; 0 if there is none.
  package private(set) var max: UInt64 = 0

  /// The value that was recorded last; 0 if there is none.
  package private(set) var last: UInt64 = 0

  /// Sum of all recorded values.
  package private(set) var sum: UInt64 = 0

  /// Bits of a value that decide its bucket within its power of two.
  private static let subBits = 5

  /// Buckets of a histogram; they hold all numbers of 64 bits.
  package static let bucketCount = (64 - subBits + 1) << subBits

  package init() {}

  /// The values that were counted elsewhere in the same buckets; `max` is then the upper bound of the last bucket that
  /// has one.
  ///
  /// - Parameters:
  ///   - counts: A count for each bucket.
  ///   - sum: Sum of the values.
  package init(counts: [UInt64], sum: UInt64) {
    precondition(counts.count == Self.bucketCount, "\(counts.count) buckets")
    self.counts = counts
    self.sum = sum
    count = counts.reduce(0, &+)
    max = counts.lastIndex { $0 > 0 }.map(Self.upperBound) ?? 0
  }

  /// The values that came after those of an earlier histogram of the same source.
  package func since(_ earlier: Histogram) -> Histogram {
    Histogram(
      counts: zip(counts, earlier.counts).map { $0 &- min($0, $1) }, sum: sum &- earlier.sum)
  }

  /// Mean of all recorded values, rounded down; 0 if there is none.
  package var mean: UInt64 { count == 0 ? 0 : sum / count }

  /// Counts one value, in nanoseconds.
  package mutating func record(_ value: UInt64) {
    counts[Self.bucket(value)] += 1
    count += 1
    sum &+= value
    last = value
    if value > max { max = value }
  }

  /// How many values are up to each of these bounds, within 1/32 of the bound.
  ///
  /// - Parameter bounds: In order.
  /// - Returns: A count for each, none less than the one before.
  package func counts(upTo bounds: [UInt64]) -> [UInt64] {
    var (bucket, seen): (Int, UInt64) = (0, 0)
    return bounds.map { bound in
      while bucket < counts.count, Self.upperBound(bucket) <= bound {
        seen &+= counts[bucket]
        bucket += 1
      }
      return seen
    }
  }

  /// The smallest upper bound of a bucket below which at least this share of the values lies.
  ///
  /// - Parameter share: 0 … 1; 0.99 for the 99th percentile.
  /// - Returns: Within 1/32 of the exact value, never above `max`; 0 if nothing was recorded.
  package func quantile(_ share: Double) -> UInt64 {
    precondition((0...1).contains(share), "quantile \(share)")
    let rank = Swift.max(UInt64((share * Double(count)).rounded(.up)), 1)
    var seen: UInt64 = 0
    for (bucket, bucketCount) in counts.enumerated() {
      // A sum that another process counted may wrap.
      seen &+= bucketCount
      if seen >= rank { return Swift.min(Self.upperBound(bucket), max) }
    }
    return max
  }

  /// The bucket of a value: values below 2^(subBits + 1) have one each.
  package static func bucket(_ value: UInt64) -> Int {
    let magnitude = 63 - (value | 1).leadingZeroBitCount
    guard magnitude > subBits else { return Int(value) }
    let shift = magnitude - subBits
    return (shift + 1) << subBits + Int(value >> UInt64(shift)) - 1 << subBits
  }

  private static func upperBound(_ bucket: Int) -> UInt64 {
    guard bucket >= 2 << subBits else { return UInt64(bucket) }
    let shift = UInt64(bucket >> subBits - 1)
    let mantissa = UInt64(bucket & (1 << subBits - 1)) + 1 << subBits
    // The last bucket ends at 2^64 - 1, so the subtraction wraps there.
    return (mantissa + 1) << shift &- 1
  }
}
