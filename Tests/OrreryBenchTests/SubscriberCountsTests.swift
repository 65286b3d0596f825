// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Counts of subscribers are sums, each of its own, and outlive whoever counted.
@Suite struct SubscriberCountsTests {
  @Test func everyCountIsItsOwnSum() throws {
    let base = try TemporaryBase()
    let path = base.path + "/counts"
    do {
      let counts = try SubscriberCounts(path: path)
      for (index, count) in SubscriberCounts.Count.allCases.enumerated() {
        counts.add(count, UInt64(10 * (index + 1)), of: 0)
        counts.add(count, 1, of: 3)
        counts.add(count, 2, of: 3)
        counts.add(count, 100, of: SubscriberCounts.subscribersMax - 1)
      }
      #expect(counts.path == path)
    }
    let later = try SubscriberCounts(path: path)
    #expect(SubscriberCounts.Count.allCases.map(later.sum) == [113, 123, 133, 143])
  }

  /// A cache line for each of 256 subscribers, and a file that nobody else may read.
  @Test func fileHasALineForEachSubscriber() throws {
    let base = try TemporaryBase()
    _ = try SubscriberCounts(path: base.path + "/counts")
    let facts = try FileManager.default.attributesOfItem(atPath: base.path + "/counts")
    #expect(FileManager.default.contents(atPath: base.path + "/counts")?.count == 256 * 64)
    #expect(facts[.posixPermissions] as? Int == 0o600 & ~processMask())
    #expect(SubscriberCounts.subscribersMax == 256)
  }

  @Test func countsBeginAtZero() throws {
    let base = try TemporaryBase()
    let counts = try SubscriberCounts(path: base.path + "/counts")
    for count in SubscriberCounts.Count.allCases { #expect(counts.sum(count) == 0) }
  }

  @Test func subscriberBeyondTheLastTraps() async {
    await #expect(processExitsWith: .failure) {
      let base = try TemporaryBase()
      try SubscriberCounts(path: base.path + "/counts")
        .add(.whole, 1, of: SubscriberCounts.subscribersMax)
    }
  }

  @Test func missingFolderIsNamed() {
    #expect(throws: SystemCallError.self) {
      _ = try SubscriberCounts(path: "/nonexistent/counts")
    }
  }
}
