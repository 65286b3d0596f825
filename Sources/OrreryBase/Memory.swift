// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the machine's memory still holds.
package enum Memory {
  /// Bytes that can be taken without swapping or being killed, as the kernel, the control groups and
  /// the limit of this process's address space say; `UInt64.max` where none does.
  package static func availableBytes() -> UInt64 {
    let told = [machineAvailableBytes(), groupAvailableBytes(), addressSpaceAvailableBytes()]
    return told.compactMap { $0 }.min() ?? .max
  }

  /// Bytes of physical memory that this process holds now; nil where nothing tells.
  package static func residentBytes() -> UInt64? { statusBytes("VmRSS") }

  /// The most that it ever held.
  package static func residentBytesMost() -> UInt64? { statusBytes("VmHWM") }

  private static func machineAvailableBytes() -> UInt64? {
    SmallFile.read("/proc/meminfo").flatMap { bytes(of: "MemAvailable", in: $0) }
  }

  private static func statusBytes(_ key: String) -> UInt64? {
    SmallFile.read("/proc/self/status").flatMap { bytes(of: key, in: $0) }
  }

  /// Reads a line as the kernel writes it: `MemAvailable:   12345 kB`.
  package static func bytes(of key: String, in text: String) -> UInt64? {
    for line in text.split(separator: "\n") where line.hasPrefix(key + ":") {
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.count >= 2 ? UInt64(words[1]).map { $0 * 1024 } : nil
    }
    return nil
  }

  /// What is left of `ulimit -v`; nil without one.
  private static func addressSpaceAvailableBytes() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t(bitPattern: -1), let used = statusBytes("VmSize")
    else { return nil }
    let bytes = UInt64(limit.rlim_cur)
    return bytes > used + threadAddressBytes ? bytes - used - threadAddressBytes : 0
  }

  /// Address space that seven threads take and hardly touch: a stack of 8 MiB and an arena of malloc's
  /// of 64 MiB each.
  private static let threadAddressBytes: UInt64 = 504 << 20

  /// The least that is left in the control group of this process or in one around it; nil without limits.
  private static func groupAvailableBytes() -> UInt64? {
    let memberships = SmallFile.read("/proc/self/cgroup") ?? ""
    return ControlGroup.memoryGroups(memberships).compactMap(\.availableBytes).min()
  }
}
