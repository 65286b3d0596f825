// SPDX-License-Identifier: Apache-2.0

/// A control group, of version 1 or 2, that limits memory.
package struct ControlGroup: Equatable, Sendable {
  /// Path of its directory.
  package let path: String

  /// Version of the group, which decides the names of its files for limit and usage, and of the
  /// statistics line with the bytes of file pages that the kernel can drop.
  private let files: Files

  private enum Files: Sendable {
    case version1
    case version2
  }

  /// The control groups of a process, innermost first.
  ///
  /// - Parameters:
  ///   - memberships: Content of `/proc/self/cgroup`. Inside a container it may name directories
  ///     that do not exist there; then only the outermost group is usable.
  ///   - root: Directory where the system shows its groups.
  /// - Returns: Candidates; a group may not exist.
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

  /// The limit minus the used bytes that cannot be dropped; nil without a limit.
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
