// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the machine's memory still holds.
package enum Memory {
  /// Bytes that can be taken without swapping or being killed, as the kernel and the control group
  /// estimate them; `UInt64.max` where neither says.
  package static func availableBytes() -> UInt64 {
    min(machineAvailableBytes() ?? .max, groupAvailableBytes() ?? .max)
  }

  private static func machineAvailableBytes() -> UInt64? {
    guard let text = SmallFile.read("/proc/meminfo") else { return nil }
    for line in text.split(separator: "\n") where line.hasPrefix("MemAvailable:") {
      let words = line.split(separator: " ")
      return words.count >= 2 ? UInt64(words[1]).map { $0 * 1024 } : nil
    }
    return nil
  }

  /// The limit of the innermost control group, version 2 or 1, less what it uses.
  private static func groupAvailableBytes() -> UInt64? {
    let files = [
      ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
      (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes"
      ),
    ]
    for (limitFile, usageFile) in files {
      guard let limit = SmallFile.readNumber(limitFile), let usage = SmallFile.readNumber(usageFile)
      else { continue }
      return limit > usage ? limit - usage : 0
    }
    return nil
  }
}
