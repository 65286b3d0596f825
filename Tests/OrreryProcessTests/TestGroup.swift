// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A control group that bounds what the programs of a test take; removed with its owner.
final class TestGroup {
  /// What a group bounds.
  enum Resource: String {
    case memory
    case pids

    /// The file with the limit, of version 1 or 2.
    fileprivate var files: [String] {
      switch self {
      case .memory: ["memory.limit_in_bytes", "memory.max"]
      case .pids: ["pids.max"]
      }
    }

    /// Where groups that bound it can be made; nil: nowhere, or not by this user.
    var root: String? {
      ["/sys/fs/cgroup/\(rawValue)", "/sys/fs/cgroup"].first { root in
        // Version 2 has one folder for all, and names what its groups bound.
        let bounds = try? String(contentsOfFile: root + "/cgroup.subtree_control", encoding: .utf8)
        return access(root + "/cgroup.procs", W_OK) == 0 && access(root, W_OK) == 0
          && geteuid() == 0 && (bounds.map { $0.contains(rawValue) } ?? true)
      }
    }
  }

  private let resource: Resource
  private let path: String

  /// Makes a group, at first without a limit.
  init(_ resource: Resource) throws {
    self.resource = resource
    path = try #require(resource.root) + "/orrery-test-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// Makes a group of programs that take so many bytes together, at most.
  convenience init(memoryBytes: Int) throws {
    try self.init(.memory)
    try limit(to: memoryBytes)
  }

  /// Sets the limit: bytes, or processes and threads.
  func limit(to count: Int) throws {
    let file = resource.files.map { path + "/" + $0 }
      .first { FileManager.default.fileExists(atPath: $0) }
    try "\(count)".write(toFile: #require(file), atomically: false, encoding: .utf8)
  }

  /// The arguments of a shell that becomes a command of the group.
  func arguments(_ command: String) -> [String] {
    ["-c", "echo $$ > \(path)/cgroup.procs && exec \(command)"]
  }

  deinit { rmdir(path) }
}
