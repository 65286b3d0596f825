// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Memory {
  /// Bytes of a huge page on x86-64, and on arm64 with pages of 4 KiB.
  package static let hugePageBytes = 2 << 20

  /// Asks for huge pages where whole ones fit; the kernel may refuse.
  ///
  /// Call this before the memory is first touched: the kernel replaces existing pages late or
  /// never.
  package static func preferHugePages(_ start: UnsafeMutableRawPointer, bytes: Int) {
    let mask = UInt(hugePageBytes - 1)
    let from = (UInt(bitPattern: start) + mask) & ~mask
    let to = (UInt(bitPattern: start) + UInt(bytes)) & ~mask
    guard from < to, let first = UnsafeMutableRawPointer(bitPattern: from) else { return }
    _ = madvise(first, Int(to - from), MADV_HUGEPAGE)
  }

  /// Bytes of the largest cache of the first processor; nil if unknown.
  package static func lastLevelCacheBytes() -> UInt64? {
    let sizes = (0..<8).compactMap { index in
      SmallFile.read("/sys/devices/system/cpu/cpu0/cache/index\(index)/size").flatMap(cacheBytes)
    }
    if let largest = sizes.max() { return largest }
    let bytes = sysconf(Int32(_SC_LEVEL3_CACHE_SIZE))
    return bytes > 0 ? UInt64(bytes) : nil
  }

  /// Parses a size in the kernel's format: `2048K`.
  package static func cacheBytes(_ text: String) -> UInt64? {
    let digits = text.prefix { $0.isNumber }
    guard let number = UInt64(digits) else { return nil }
    let unit: UInt64? =
      switch text.dropFirst(digits.count).first {
      case "K": 1 << 10
      case "M": 1 << 20
      case "G": 1 << 30
      case nil, "\n": 1
      default: nil
      }
    guard let unit else { return nil }
    let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    return isTooLarge ? nil : bytes
  }
}
