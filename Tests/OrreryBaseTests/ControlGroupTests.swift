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
}
