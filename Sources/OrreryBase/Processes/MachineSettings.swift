// SPDX-License-Identifier: Apache-2.0

/// Settings of this machine and its kernel that decide how steady ticks are.
package struct MachineSettings: Sendable {
  /// The folder in which the kernel shows them, before /proc and /sys; empty for the machine itself.
  package let root: String

  /// The settings that a machine shows.
  ///
  /// - Parameter root: A folder with another machine's files, for tests.
  package init(root: String = "") { self.root = root }

  /// The kernel's release.
  package var kernel: String? { line("/proc/sys/kernel/osrelease") }

  /// The kernel's use of transparent huge pages: all choices, that which holds in brackets.
  package var hugePages: String? { line("/sys/kernel/mm/transparent_hugepage/enabled") }

  /// The frequency governor of the first processor; nil where a host decides.
  package var governor: String? {
    line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
  }

  /// The kernel's clock source.
  package var clockSource: String? {
    line("/sys/devices/system/clocksource/clocksource0/current_clocksource")
  }

  /// Whether two of the processors are threads of one core; nil if unknown.
  package var coresAreShared: Bool? { siblings(of: 0).map { $0.count > 1 } }

  /// The processors that this process may run on; nil if unknown.
  package var processors: [Int]? {
    let lines = (SmallFile.read(root + "/proc/self/status") ?? "").split(separator: "\n")
    let list = lines.first { $0.hasPrefix("Cpus_allowed_list:") }
    return list?.split(whereSeparator: \.isWhitespace).last.map(Self.numbers)
  }

  /// The first processor of each core that this process may run on; nil if unknown.
  package var cores: [Int]? {
    guard let processors else { return nil }
    var cores: [Int] = []
    for processor in processors {
      guard let siblings = siblings(of: processor) else { return nil }
      if !cores.contains(where: siblings.contains) { cores.append(processor) }
    }
    return cores
  }

  /// The processor time that the control groups allow in each second, in seconds; nil without a limit.
  package var processorQuota: Double? {
    let memberships = SmallFile.read(root + "/proc/self/cgroup") ?? ""
    return ControlGroup.processorGroups(memberships, root: root + "/sys/fs/cgroup")
      .compactMap(\.processorQuota).min()
  }

  /// The processors of a processor's core; nil if unknown.
  private func siblings(of processor: Int) -> [Int]? {
    line("/sys/devices/system/cpu/cpu\(processor)/topology/thread_siblings_list")
      .map { Self.numbers($0[...]) }
  }

  /// Reads a list in the kernel's format: `0-2,8`.
  private static func numbers(_ list: Substring) -> [Int] {
    list.split(separator: ",").flatMap { part -> [Int] in
      let ends = part.split(separator: "-").compactMap { Int($0) }
      guard let first = ends.first, let last = ends.last, first <= last else { return [] }
      return Array(first...last)
    }
  }

  /// The first line of a small file; nil if it is missing or empty.
  private func line(_ path: String) -> String? {
    SmallFile.read(root + path)?.split(separator: "\n").first.map(String.init)
  }
}
