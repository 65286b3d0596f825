// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// One field of a batch: a value for each entity in one aligned allocation.
///
/// The storage is padded with zeros to whole lane groups: kernels compute on the padding, nobody reads
/// it as entities. A column never grows: it is sized when its batch is built.
package struct Column<Value: BitwiseCopyable>: ~Copyable, @unchecked Sendable {
  /// Storage, valid for the lifetime of the column and aligned to `alignment`.
  package let values: UnsafeMutablePointer<Value>

  /// Entities held, without padding.
  package let count: Int

  /// Alignment of `values` in bytes: one cache line and one AVX-512 register.
  package static var alignment: Int { 64 }

  /// A column of zeros.
  ///
  /// One of 2 MiB or more begins at a huge page: kernels read several columns side by side, each of them
  /// another page's address to look up.
  package init(count: Int, zero: Value) {
    precondition(count >= 0, "a column of \(count)")
    let padded = (count + Blocks.laneCount - 1) / Blocks.laneCount * Blocks.laneCount
    let bytes = padded * MemoryLayout<Value>.stride
    let isLong = bytes >= Memory.hugePageBytes
    let storage = UnsafeMutableRawPointer.allocate(
      byteCount: max(bytes, Self.alignment),
      alignment: isLong ? Memory.hugePageBytes : Self.alignment)
    if isLong { Memory.preferHugePages(storage, bytes: bytes) }
    values = storage.bindMemory(to: Value.self, capacity: padded)
    values.initialize(repeating: zero, count: padded)
    self.count = count
  }

  /// A column of these values.
  package init(_ values: [Value], zero: Value) {
    self.init(count: values.count, zero: zero)
    for (index, value) in values.enumerated() { self.values[index] = value }
  }

  deinit { values.deallocate() }
}

extension Column<Float> {
  /// The largest absolute value; 0 of an empty column.
  var magnitudeMax: Double {
    var most: Float = 0
    for index in 0..<count { most = max(most, abs(values[index])) }
    return Double(most)
  }
}
