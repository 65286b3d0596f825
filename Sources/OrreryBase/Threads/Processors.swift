// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The processors of this machine.
package enum Processors {
  /// Processors that this process can keep busy; at least 1.
  ///
  /// They are those that it may run on, or fewer: a control group's quota of processor time, rounded
  /// up to whole processors. More threads would use up the quota early, and then all wait.
  package static var count: Int { min(Int(linux_processor_count()), quota) }

  /// The quota of the control groups when it was first asked for.
  private static let quota = quota(SmallFile.read("/proc/self/cgroup") ?? "")

  /// The smallest quota of processor time of a process's control group and the groups around it.
  ///
  /// - Parameters:
  ///   - memberships: Content of `/proc/self/cgroup`.
  ///   - root: Directory where the system shows its groups.
  /// - Returns: Whole processors, rounded up, at least 1; `Int.max` without a quota.
  package static func quota(_ memberships: String, root: String = "/sys/fs/cgroup") -> Int {
    let quotas = ControlGroup.processorGroups(memberships, root: root).compactMap(\.processorQuota)
    guard let least = quotas.min() else { return .max }
    return max(Int(min(least, 1e6).rounded(.up)), 1)
  }
}
