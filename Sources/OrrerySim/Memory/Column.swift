// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryScene
import Synchronization

/// One field of a batch: a value for each entity in one aligned allocation.
///
/// The storage is padded to whole lane groups: kernels compute on the padding, and nothing reads it as
/// entities. A column never grows: it is sized when its batch is built.
package struct Column<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  /// Storage, valid for the lifetime of the column and aligned to `alignment`.
  package let values: UnsafeMutablePointer<Value>

  /// Entities held, without padding.
  package let count: Int

  /// The allocation that holds `values`.
  private let storage: UnsafeMutableRawPointer

  /// Alignment of `values` in bytes: one cache line and one AVX-512 register.
  package static var alignment: Int { 64 }

  /// A column that holds `zero` everywhere, padding included.
  ///
  /// A column of 2 MiB or more is aligned to huge pages: kernels read several columns side by side, and
  /// each needs the address of another page. Columns of a page or more begin at different offsets in
  /// their pages (`ColumnSkew`).
  package init(count: Int, zero: Value) {
    precondition(count >= 0, "a column of \(count)")
    let padded = (count + Blocks.laneCount - 1) / Blocks.laneCount * Blocks.laneCount
    let bytes = padded * MemoryLayout<Value>.stride
    let isLong = bytes >= Memory.hugePageBytes
    let skew = bytes >= ColumnSkew.pageBytes ? ColumnSkew.next() : 0
    storage = UnsafeMutableRawPointer.allocate(
      byteCount: max(bytes, Self.alignment) + skew,
      alignment: isLong ? Memory.hugePageBytes : Self.alignment)
    if isLong { Memory.preferHugePages(storage, bytes: bytes + skew) }
    values = (storage + skew).bindMemory(to: Value.self, capacity: padded)
    values.initialize(repeating: zero, count: padded)
    self.count = count
  }

  /// A column of these values.
  package init(_ values: [Value], zero: Value) {
    self.init(count: values.count, zero: zero)
    for (index, value) in values.enumerated() { self.values[index] = value }
  }

  deinit { storage.deallocate() }
}

extension Column<Float> {
  /// The largest absolute value; 0 of an empty column.
  var magnitudeMax: Double {
    var most: Float = 0
    for index in 0..<count { most = max(most, abs(values[index])) }
    return Double(most)
  }
}

/// The offset in its page at which a column begins.
///
/// A load waits for an earlier store whose address has the same lower twelve bits, and lines at equal
/// offsets in pages share a set of the first-level cache. So columns that are read and written side by
/// side should begin at different offsets.
private enum ColumnSkew {
  static let pageBytes = 4096

  private static let number = Atomic<Int>(0)

  /// Bytes from a page's start: 320 more for each of twelve columns, as between the columns of a frame.
  static func next() -> Int { number.add(1, ordering: .relaxed).oldValue % 12 * 320 }
}
