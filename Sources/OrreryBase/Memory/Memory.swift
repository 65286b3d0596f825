// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Memory that is available, and memory that this process uses.
package enum Memory {
  /// What limits the memory of this process.
  package enum Limit: Sendable {
    /// The machine's memory that nobody uses.
    case machine
    /// A control group, as of a container or a service.
    case group
    /// The address space: `ulimit -v`.
    case addressSpace
    /// The program's user: `--memory-limit`.
    case user
  }

  /// Bytes that this process can allocate without swapping or being killed; `UInt64.max` if
  /// unknown.
  ///
  /// It is the smallest of what the kernel, the control groups, the address space limit and the user allow.
  package static func availableBytes() -> UInt64 { available().bytes }

  /// The same, with the limit that it comes from.
  package static func available() -> (bytes: UInt64, limit: Limit) {
    let limits: [(UInt64?, Limit)] = [
      (machineAvailableBytes(), .machine), (groupAvailableBytes(), .group),
      (addressSpaceAvailableBytes(), .addressSpace), (MemoryLimit.leftBytes, .user),
    ]
    return limits.map { ($0.0 ?? .max, $0.1) }.min { $0.0 < $1.0 } ?? (.max, .machine)
  }

  /// Bytes of physical memory that this process uses now; nil if unknown.
  package static func residentBytes() -> UInt64? { statusBytes("VmRSS") }

  /// The largest value of `residentBytes` so far; nil if unknown.
  package static func residentBytesMost() -> UInt64? { statusBytes("VmHWM") }

  private static func machineAvailableBytes() -> UInt64? {
    SmallFile.read("/proc/meminfo").flatMap { bytes(of: "MemAvailable", in: $0) }
  }

  private static func statusBytes(_ key: String) -> UInt64? {
    SmallFile.read("/proc/self/status").flatMap { bytes(of: key, in: $0) }
  }

  /// Parses a line in the kernel's format: `MemAvailable:   12345 kB`.
  package static func bytes(of key: String, in text: String) -> UInt64? {
    for line in text.split(separator: "\n") where line.hasPrefix(key + ":") {
      let words = line.split(whereSeparator: \.isWhitespace)
      return words.count >= 2 ? UInt64(words[1]).map { $0 * 1024 } : nil
    }
    return nil
  }

  /// Free address space under `ulimit -v`, minus `threadAddressBytes`; nil without a limit.
  private static func addressSpaceAvailableBytes() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
      limit.rlim_cur != rlim_t(bitPattern: -1), let used = statusBytes("VmSize")
    else { return nil }
    let bytes = UInt64(limit.rlim_cur)
    return bytes > used + threadAddressBytes ? bytes - used - threadAddressBytes : 0
  }

  /// Address space that seven threads reserve and hardly use: for each, a stack of 8 MiB and a
  /// malloc arena of 64 MiB.
  private static let threadAddressBytes: UInt64 = 504 << 20

  /// The smallest free memory of this process's control group and the groups around it; nil without
  /// limits.
  private static func groupAvailableBytes() -> UInt64? {
    let memberships = SmallFile.read("/proc/self/cgroup") ?? ""
    return ControlGroup.memoryGroups(memberships).compactMap(\.availableBytes).min()
  }
}
