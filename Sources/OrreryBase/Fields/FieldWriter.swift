// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of a protobuf message, one after another.
///
/// In the order of their numbers they are the bytes that the generated types write. What an event is written with is
/// inlined: 500 events take half the time.
@usableFromInline package struct FieldWriter: Sendable {
  @usableFromInline var storage: [UInt8]

  /// The message so far.
  @inlinable package var bytes: [UInt8] { storage }

  /// Begins a message, or goes on after its first fields.
  ///
  /// - Parameters:
  ///   - bytes: What is there.
  ///   - byteCount: Room for so many bytes.
  package init(_ bytes: [UInt8] = [], reserving byteCount: Int = 0) {
    storage = bytes
    if byteCount > 0 { storage.reserveCapacity(byteCount) }
  }

  /// Begins another message in the same memory.
  package mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

  /// Writes a number of eight bytes, also if it is 0.
  @inlinable package mutating func append(_ number: Int, fixed64 value: UInt64) {
    append(tag: number, .fixed64)
    withUnsafeBytes(of: value.littleEndian) { storage.append(contentsOf: $0) }
  }

  /// Writes a number of four bytes, also if it is 0.
  package mutating func append(_ number: Int, fixed32 value: UInt32) {
    append(tag: number, .fixed32)
    withUnsafeBytes(of: value.littleEndian) { storage.append(contentsOf: $0) }
  }

  /// Writes a number; 0 is omitted, as it is the default.
  @inlinable package mutating func append(_ number: Int, varint value: UInt64) {
    guard value != 0 else { return }
    append(tag: number, .varint)
    append(varint: value)
  }

  /// Writes a text; an empty one is omitted, as it is the default.
  @inlinable package mutating func append(_ number: Int, _ text: String) {
    guard !text.isEmpty else { return }
    var text = text
    text.withUTF8 { utf8 in
      append(number, length: utf8.count)
      storage.append(contentsOf: utf8)
    }
  }

  /// Writes a message or packed numbers, of any length, which `body` appends.
  @inlinable package mutating func append(_ number: Int, _ body: (inout FieldWriter) -> Void) {
    append(tag: number, .bytes)
    let start = storage.count
    storage.append(0)
    body(&self)
    let count = storage.count - start - 1
    if count < 0x80 { storage[start] = UInt8(count) } else { insert(length: count, at: start) }
  }

  /// Writes the tag and the length of bytes that come next.
  @inlinable package mutating func append(_ number: Int, length: Int) {
    append(tag: number, .bytes)
    append(varint: UInt64(length))
  }

  /// The same with a length of a fixed number of bytes, so that what follows has the same offset for every length.
  package mutating func append(_ number: Int, length: Int, in byteCount: Int) {
    let start = storage.count
    storage.append(contentsOf: repeatElement(0, count: 1 + byteCount))
    storage.withUnsafeMutableBytes {
      $0.baseAddress?.advanced(by: start).storeHead(of: number, length: length, in: byteCount)
    }
  }

  /// Writes zeros that are the content of a field.
  package mutating func append(zeros count: Int) {
    storage.append(contentsOf: repeatElement(0, count: count))
  }

  /// Writes a number without a tag: an element of packed numbers.
  @inlinable package mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      storage.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    storage.append(UInt8(rest))
  }

  /// Writes a length of more than one byte where there is room for one: the content moves back, in the cache.
  @usableFromInline mutating func insert(length: Int, at start: Int) {
    let byteCount = (63 - UInt64(length).leadingZeroBitCount) / 7 + 1
    storage.insert(contentsOf: repeatElement(0, count: byteCount - 1), at: start)
    storage.withUnsafeMutableBytes {
      $0.baseAddress?.advanced(by: start).storeVarint(UInt64(length), byteCount: byteCount)
    }
  }

  @inlinable mutating func append(tag number: Int, _ wire: WireType) {
    append(varint: UInt64(number) << 3 | UInt64(wire.rawValue))
  }
}

extension UnsafeMutableRawPointer {
  /// Stores the tag of a field of bytes, and its length in a fixed number of bytes.
  ///
  /// Every protobuf reader accepts a length that has more bytes than it needs.
  ///
  /// - Parameters:
  ///   - number: Of the field, 1 … 15.
  ///   - length: Of its content.
  ///   - byteCount: Bytes of the length; it must fit.
  package func storeHead(of number: Int, length: Int, in byteCount: Int) {
    precondition((1...15).contains(number), "field \(number)")
    storeBytes(of: UInt8(number) << 3 | WireType.bytes.rawValue, as: UInt8.self)
    (self + 1).storeVarint(UInt64(length), byteCount: byteCount)
  }

  /// Stores a varint of a fixed number of bytes.
  fileprivate func storeVarint(_ value: UInt64, byteCount: Int) {
    precondition(value >> (7 * UInt64(byteCount)) == 0, "length \(value) in \(byteCount) bytes")
    for index in 0..<byteCount {
      let more: UInt8 = index < byteCount - 1 ? 0x80 : 0
      storeBytes(
        of: UInt8(truncatingIfNeeded: value >> (7 * UInt64(index))) & 0x7f | more,
        toByteOffset: index, as: UInt8.self)
    }
  }
}
