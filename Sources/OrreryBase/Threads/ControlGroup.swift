// SPDX-License-Identifier: Apache-2.0

/// A control group, of version 1 or 2, that limits memory or processor time.
package struct ControlGroup: Equatable, Sendable {
  /// Path of its directory.
  package let path: String

  /// Version of the group, which decides the names of its files, and of the statistics line with the
  /// bytes of file pages that the kernel can drop.
  private let files: Files

  private enum Files: Sendable {
    case version1
    case version2
  }

  /// The control groups of a process that may limit its memory, innermost first.
  ///
  /// - Parameters:
  ///   - memberships: Content of `/proc/self/cgroup`. Inside a container it may name directories
  ///     that do not exist there; then only the outermost group is usable.
  ///   - root: Directory where the system shows its groups.
  /// - Returns: Candidates; a group may not exist.
  package static func memoryGroups(
    _ memberships: String, root: String = "/sys/fs/cgroup"
  ) -> [ControlGroup] {
    groups(memberships, of: "memory", root: root) { _ in ["memory"] }
  }

  /// The same for groups that may limit its processor time.
  package static func processorGroups(
    _ memberships: String, root: String = "/sys/fs/cgroup"
  ) -> [ControlGroup] {
    // Version 1 often shows this controller together with another one, as `cpu,cpuacct`.
    groups(memberships, of: "cpu", root: root) { Set(["cpu", $0]).sorted() }
  }

  /// The groups of a controller; `folders` names its folders in version 1, by the controllers of its line.
  private static func groups(
    _ memberships: String, of controller: String, root: String,
    folders: (_ controllers: String) -> [String]
  ) -> [ControlGroup] {
    memberships.split(separator: "\n").flatMap { line -> [ControlGroup] in
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3 else { return [] }
      if parts[1].split(separator: ",").contains(Substring(controller)) {
        return folders(String(parts[1])).flatMap { chain(root + "/" + $0, parts[2], .version1) }
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

  /// The processor time that it may take in each second, in seconds; nil without a limit.
  package var processorQuota: Double? {
    let (quota, period): (UInt64?, UInt64?)
    switch files {
    case .version1:
      // -1 where there is no limit.
      quota = SmallFile.readNumber(path + "/cpu.cfs_quota_us")
      period = SmallFile.readNumber(path + "/cpu.cfs_period_us")
    case .version2:
      let words = (SmallFile.read(path + "/cpu.max") ?? "").split(whereSeparator: \.isWhitespace)
      (quota, period) = (words.first.flatMap { UInt64($0) }, words.last.flatMap { UInt64($0) })
    }
    guard let quota, let period, period > 0 else { return nil }
    return Double(quota) / Double(period)
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
