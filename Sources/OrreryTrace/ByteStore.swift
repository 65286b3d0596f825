// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Raw memory that is reserved once, filled, emptied and filled again.
///
/// Reserved memory is not touched before it is filled, so unused capacity costs only address space.
package struct ByteStore: ~Copyable {
  /// Bytes in use.
  package private(set) var count = 0
  private(set) var capacity: Int
  private var base: UnsafeMutableRawPointer

  /// One page, so that the kernel copies whole pages.
  private static let alignment = 4096

  /// Reserves `capacity` bytes, or a page if that is more.
  package init(capacity: Int) {
    self.capacity = max(capacity, Self.alignment)
    Self.endUnlessRoom(for: self.capacity)
    base = .allocate(byteCount: self.capacity, alignment: Self.alignment)
  }

  deinit { base.deallocate() }

  /// The bytes in use; valid until the store is next changed.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// The first `count` bytes in use, to be overwritten; valid until the store is next changed.
  mutating func front(_ count: Int) -> UnsafeMutableRawBufferPointer {
    precondition(count >= 0 && count <= self.count, "front \(count) of \(self.count)")
    return UnsafeMutableRawBufferPointer(start: base, count: count)
  }

  /// Keeps the first `count` bytes; traps if there are fewer.
  package mutating func truncate(to count: Int) {
    precondition(count >= 0 && count <= self.count, "truncate to \(count) of \(self.count)")
    self.count = count
  }

  /// Makes room for `additional` more bytes and returns it to be filled; `commit` then takes them
  /// into use.
  package mutating func room(for additional: Int) -> UnsafeMutableRawBufferPointer {
    precondition(additional >= 0, "additional \(additional)")
    if count + additional > capacity { grow(to: count + additional) }
    return UnsafeMutableRawBufferPointer(start: base + count, count: additional)
  }

  /// Takes bytes into use that were filled after `room(for:)`; traps if there is no room for them.
  package mutating func commit(_ filled: Int) {
    precondition(filled >= 0 && count + filled <= capacity, "commit \(filled)")
    count += filled
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    room(for: bytes.count).copyMemory(from: bytes)
    commit(bytes.count)
  }

  /// Overwrites bytes that are in use; traps where others are not.
  package mutating func replace(at index: Int, with bytes: UnsafeRawBufferPointer) {
    precondition(index >= 0 && index + bytes.count <= count, "replace \(bytes.count) at \(index)")
    UnsafeMutableRawBufferPointer(start: base + index, count: bytes.count).copyMemory(from: bytes)
  }

  /// Ends a command that has a limit on its memory, before memory is taken that is too large for it.
  private static func endUnlessRoom(for capacity: Int) {
    guard capacity >= 1 << 20 else { return }
    MemoryLimit.endUnlessRoom(for: UInt64(capacity), "a record of the trace")
  }

  private mutating func grow(to needed: Int) {
    let larger = max(needed, capacity + capacity / 2)
    Self.endUnlessRoom(for: larger)
    let fresh = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: Self.alignment)
    fresh.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = fresh
    capacity = larger
  }
}
