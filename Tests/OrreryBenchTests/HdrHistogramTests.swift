// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Goal: any reader of HdrHistogram reads our histograms, to three digits.
///
/// Method: values of every magnitude, and the Python package `hdrhistogram` as the foreign reader.
@Suite struct HdrHistogramTests {
  static let values: [UInt64] =
    [0, 1, 2, 2047, 2048, 2049, 4095, 4096, 1_000_000, 16_666_667]
    + (0..<300).map { UInt64($0) * 37_911 + 5 } + [HdrHistogram.valueMax]

  @Test func quantilesAreWithinAThousandth() {
    for value in [1, 2047, 2048, 12_345, 16_666_667, 3_599_999_999_999] as [UInt64] {
      let found = Double(HdrHistogram([value, value * 4]).quantile(0.5))
      #expect(abs(found - Double(value)) <= Double(value) / 1000, "\(value): \(found)")
    }
    #expect(HdrHistogram().quantile(0.99) == 0)
    #expect(HdrHistogram([5, 7]).quantile(0) == 5)
    #expect(HdrHistogram([5, 7]).quantile(1) == 7)
    #expect(HdrHistogram([UInt64.max]).max == HdrHistogram.valueMax)
  }

  @Test func histogramsAddUp() {
    var sum = HdrHistogram([1, 5])
    sum.add(HdrHistogram([5, 900]))
    #expect(sum == HdrHistogram([1, 5, 5, 900]))
    #expect(sum.count == 4)
    #expect(sum.max == 900)
  }

  @Test func skippedWorkIsCounted() {
    var histogram = HdrHistogram()
    histogram.record(100, every: 30)
    // Due at 30, 60 and at 90, which began less than an interval before the end and is no wait of its own.
    #expect(histogram == HdrHistogram([100, 70, 40]))
    histogram = HdrHistogram()
    histogram.record(30, every: 30)
    #expect(histogram.count == 1)
  }

  @Test func encodingIsReadBack() throws {
    for values in [[], [0], [HdrHistogram.valueMax], Self.values] as [[UInt64]] {
      let histogram = HdrHistogram(values)
      let read = try #require(HdrHistogram(encoded: histogram.encoded))
      #expect(read.count == histogram.count)
      for share in [0, 0.3, 0.5, 0.99, 1] {
        let (found, wanted) = (read.quantile(share), histogram.quantile(share))
        #expect(abs(Double(found) - Double(wanted)) <= Double(wanted) / 1000, "\(share)")
      }
    }
  }

  @Test func everyDamageIsRefused() throws {
    let encoded = HdrHistogram(Self.values).encoded
    let data = try #require(Data(base64Encoded: encoded))
    for index in data.indices where index < 60 || index % 7 == 0 || index > data.count - 6 {
      var damaged = data
      damaged[index] ^= 0x41
      #expect(HdrHistogram(encoded: damaged.base64EncodedString()) == nil, "byte \(index)")
    }
    for count in [0, 7, 8, 30, data.count - 1] {
      #expect(HdrHistogram(encoded: data.prefix(count).base64EncodedString()) == nil)
    }
    #expect(HdrHistogram(encoded: "no base64 ") == nil)
  }

  /// A count of 0 may also stand alone, and not as a run of such counts.
  @Test func countOfNothingIsRead() throws {
    let histogram = HdrHistogram([1, 3])
    var data = try #require(Data(base64Encoded: histogram.encoded))
    // Behind heads of 15 and 40 bytes: nothing once, one value, nothing once, one value.
    let body = 15..<data.count - 4
    try #require(data[55..<body.upperBound].elementsEqual([1, 2, 1, 2]))
    data[55] = 0
    var (low, high) = (1, 0)
    for byte in data[body] {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    for (index, number) in [high >> 8, high & 255, low >> 8, low & 255].enumerated() {
      data[body.upperBound + index] = UInt8(number)
    }
    #expect(HdrHistogram(encoded: data.base64EncodedString()) == histogram)
  }

  /// The Python of the tests' environment, if it has the package: tools/install --test installs it.
  static let python: String? = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    let path =
      ProcessInfo.processInfo.environment["ORRERY_PYTHON"] ?? root + "/.venv/bin/python"
    return Tool.output(path, ["-c", "import hdrh"]) == nil ? nil : path
  }()

  /// All counts are compared, and not percentiles: readers round a percentile's rank in different ways.
  @Test(.enabled(if: python != nil, "hdrhistogram for Python is not installed"))
  func foreignReaderAgrees() throws {
    let histogram = HdrHistogram(Self.values)
    let program = """
      import sys
      from hdrh.histogram import HdrHistogram
      h = HdrHistogram.decode(sys.argv[1])
      print(h.get_total_count(), h.highest_trackable_value)
      for step in h.get_recorded_iterator():
        value = h.get_highest_equivalent_value(step.value_iterated_to)
        print(value, step.count_added_in_this_iter_step)
      """
    let python = try #require(Self.python)
    let text = try #require(Tool.output(python, ["-c", program, histogram.encoded]))
    let lines = text.split(separator: "\n").map {
      $0.split(separator: " ").compactMap { UInt64($0) }
    }
    let wanted = histogram.recorded.map { [$0.value, $0.count] }
    #expect(lines.first == [histogram.count, HdrHistogram.valueMax])
    #expect(Array(lines.dropFirst()) == wanted)
  }
}
