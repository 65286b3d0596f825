// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: what a control group leaves is read as the kernel writes it, in both of its versions.
///
/// Method: folders of a test's own, with the files that the kernel shows.
@Suite struct ControlGroupTests {
  @Test(
    arguments: [
      ("0::/\n", ["/r"]),
      ("0::/user.slice/app.scope\n", ["/r/user.slice/app.scope", "/r/user.slice", "/r"]),
      ("5:memory:/docker/abc\n", ["/r/memory/docker/abc", "/r/memory/docker", "/r/memory"]),
      ("5:cpu,memory,pids:/a\n", ["/r/memory/a", "/r/memory"]),
      // A name may have colons in it.
      ("0::/a:b\n", ["/r/a:b", "/r"]),
      // Groups of other controllers bound no memory.
      ("3:cpu,cpuacct:/a\n1:name=systemd:/b\n", []),
      ("4:memory:/a\n0::/b\n", ["/r/memory/a", "/r/memory", "/r/b", "/r"]),
      ("", []), ("nonsense\n", []), ("0:\n", []), ("0::\n", ["/r"]),
    ] as [(String, [String])])
  func groupsAreFoundFromTheInnermostOutward(memberships: String, paths: [String]) {
    #expect(ControlGroup.memoryGroups(memberships, root: "/r").map(\.path) == paths)
  }

  @Test func groupsOfThisSystemAreLookedForWhereLinuxShowsThem() {
    #expect(
      ControlGroup.memoryGroups("0::/x").map(\.path) == ["/sys/fs/cgroup/x", "/sys/fs/cgroup"])
    #expect(
      ControlGroup.memoryGroups("7:memory:/").map(\.path) == ["/sys/fs/cgroup/memory"])
  }

  /// A group in a folder of its own.
  private static func available(
    version: Int, _ files: [String: String]
  ) throws -> UInt64? {
    let base = try TemporaryBase()
    let path = base.path + (version == 1 ? "/memory/g" : "/g")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(toFile: path + "/" + name, atomically: false, encoding: .utf8)
    }
    let memberships = version == 1 ? "1:memory:/g" : "0::/g"
    let group = try #require(ControlGroup.memoryGroups(memberships, root: base.path).first)
    return group.availableBytes
  }

  @Test(
    arguments: [
      ("1000\n", "400\n", nil, 600), ("1000\n", "1000\n", nil, 0), ("1000\n", "1001\n", nil, 0),
      ("1000\n", "999\n", nil, 1),
      // Pages that can be dropped are not in the way, and are never more than what is used.
      ("1000\n", "400\n", "anon 300\ninactive_file 100\nfile 100\n", 700),
      ("1000\n", "400\n", "inactive_file 400\n", 1_000),
      ("1000\n", "400\n", "inactive_file 500\n", 1_000),
      ("1000\n", "400\n", "inactive_file_x 100\nactive_file 7\n", 600),
      ("1000\n", "400\n", "inactive_file many\n", 600),
      ("max\n", "400\n", nil, nil), ("1000\n", nil, nil, nil), (nil, "400\n", nil, nil),
    ] as [(String?, String?, String?, UInt64?)])
  func limitLessWhatCannotBeDroppedIsLeft(
    limit: String?, usage: String?, stat: String?, left: UInt64?
  ) throws {
    var second = ["memory.max": limit, "memory.current": usage, "memory.stat": stat]
    #expect(try Self.available(version: 2, second.compactMapValues { $0 }) == left)
    // The first version has other names, and one more line that is alike.
    second["memory.stat"] = stat.map {
      "inactive_file 1\n"
        + $0.replacingOccurrences(of: "inactive_file ", with: "total_inactive_file ")
    }
    let first = [
      "memory.limit_in_bytes": limit, "memory.usage_in_bytes": usage,
      "memory.stat": second["memory.stat"] ?? nil,
    ]
    #expect(try Self.available(version: 1, first.compactMapValues { $0 }) == left)
  }

  @Test(
    arguments: [
      ("0::/a\n", ["/r/a", "/r"]), ("5:memory:/a\n1:name=systemd:/b\n", []),
      ("3:cpu:/a\n", ["/r/cpu/a", "/r/cpu"]), ("3:cpuset:/a\n2:cpuacct:/b\n", []),
      ("3:cpu,cpuacct:/a\n", ["/r/cpu/a", "/r/cpu", "/r/cpu,cpuacct/a", "/r/cpu,cpuacct"]),
    ] as [(String, [String])])
  func groupsOfProcessorTimeAreFound(memberships: String, paths: [String]) {
    #expect(ControlGroup.processorGroups(memberships, root: "/r").map(\.path) == paths)
  }

  /// Files of control groups in a folder, and the quota that is found there.
  private static func quota(_ memberships: String, _ files: [String: String]) throws -> Int {
    let base = try TemporaryBase()
    for (name, text) in files {
      let path = base.path + "/" + name
      try FileManager.default.createDirectory(
        atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
        withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
    return Processors.quota(memberships, root: base.path)
  }

  @Test(
    arguments: [
      ("200000 100000\n", 2), ("150000 100000\n", 2), ("100001 100000\n", 2),
      ("100000 100000\n", 1),
      ("50000 100000\n", 1), ("1000 1000000\n", 1), ("6400000 50000\n", 128),
      ("max 100000\n", .max),
      ("18446744073709551615 1\n", 1_000_000), ("100000 0\n", .max), ("\n", .max),
      ("many 1\n", .max),
    ] as [(String, Int)])
  func quotaOfTheSecondVersionIsRoundedUp(text: String, count: Int) throws {
    #expect(try Self.quota("0::/a", ["a/cpu.max": text]) == count)
  }

  @Test(
    arguments: [
      ("300000\n", "100000\n", 3), ("250000\n", "100000\n", 3), ("5000\n", "10000\n", 1),
      ("-1\n", "100000\n", .max), ("100000\n", nil, .max), ("100000\n", "0\n", .max),
    ] as [(String, String?, Int)])
  func quotaOfTheFirstVersionIsRoundedUp(quota: String, period: String?, count: Int) throws {
    for folder in ["cpu", "cpu,cpuacct"] {
      var files = ["\(folder)/a/cpu.cfs_quota_us": quota]
      files["\(folder)/a/cpu.cfs_period_us"] = period
      #expect(try Self.quota("4:cpu,cpuacct:/a", files) == count)
    }
  }

  @Test func smallestQuotaOfAllGroupsCounts() throws {
    let files = [
      "cpu.max": "400000 100000", "a/cpu.max": "max 100000", "a/b/cpu.max": "800000 100000",
    ]
    #expect(try Self.quota("0::/a/b", files) == 4)
    #expect(try Self.quota("0::/a/b", files.filter { $0.key != "cpu.max" }) == 8)
    #expect(try Self.quota("0::/c", [:]) == .max)
    // Both versions side by side: each controller is in one of them.
    let both = ["cpu/a/cpu.cfs_quota_us": "300000", "cpu/a/cpu.cfs_period_us": "100000"]
    #expect(try Self.quota("1:cpu:/a\n0::/\n", both) == 3)
  }
}
