// SPDX-License-Identifier: Apache-2.0

/// A control group that bounds memory, of version 2 or 1.
package struct ControlGroup: Equatable, Sendable {
  /// Its folder.
  package let path: String

  /// Names of the files that hold its limit and its use, and of the line that says how much of the use is
  /// pages of files that can be dropped.
  private let files: Files

  private enum Files: Sendable {
    case version1
    case version2
  }

  /// The groups that a process is in, the innermost first.
  ///
  /// - Parameters:
  ///   - memberships: What `/proc/self/cgroup` holds. Inside a container it may name folders that are not
  ///     there; then only the outermost one is of use.
  ///   - root: Where the system shows its groups.
  /// - Returns: Groups that there may be.
  package static func memoryGroups(
    _ memberships: String, root: String = "/sys/fs/cgroup"
  ) -> [ControlGroup] {
    memberships.split(separator: "\n").flatMap { line -> [ControlGroup] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      if parts[1].split(separator: ",").contains("memory") {
        return chain(root + "/memory", parts[2], .version1)
      }
      return parts[1].isEmpty ? chain(root, parts[2], .version2) : []
    }
  }

  private static func chain(_ root: String, _ path: Substring, _ files: Files) -> [ControlGroup] {
    var names = path.split(separator: "/")
    var groups: [ControlGroup] = []
    while !names.isEmpty {
      groups.append(
        ControlGroup(path: root + "/" + names.joined(separator: "/"), files: files))
      names.removeLast()
    }
    return groups + [ControlGroup(path: root, files: files)]
  }

  /// The limit less what is used and could not be dropped; nil without a limit.
  package var availableBytes: UInt64? {
    let (limitFile, usageFile, droppable) =
      switch files {
      case .version1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
      case .version2: ("memory.max", "memory.current", "inactive_file")
      }
    guard let limit = SmallFile.readNumber(path + "/" + limitFile),
      let usage = SmallFile.readNumber(path + "/" + usageFile)
    else { return nil }
    let lines = (SmallFile.read(path + "/memory.stat") ?? "").split(separator: "\n")
    let cached = lines.first { $0.hasPrefix(droppable + " ") }
      .flatMap { UInt64($0.dropFirst(droppable.count + 1)) }
    let used = usage - min(cached ?? 0, usage)
    return limit > used ? limit - used : 0
  }
}
