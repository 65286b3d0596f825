// SPDX-License-Identifier: Apache-2.0

/// Reads the fields of a protobuf message from bytes that nobody vouches for.
struct FieldCursor {
  /// One field.
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// Bytes, by their range in the message.
    case bytes(Range<Int>)
  }

  let message: UnsafeRawBufferPointer

  /// Offset of the next field.
  private(set) var offset: Int
  private let end: Int

  init(_ message: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
    self.message = message
    (offset, end) = (range?.lowerBound ?? 0, range?.upperBound ?? message.count)
  }

  /// The next field; nil at the end.
  ///
  /// - Throws: `malformed`.
  mutating func next() throws(DeltaError) -> (number: UInt64, value: Value)? {
    guard offset < end else { return nil }
    let start = offset
    let tag = try varint()
    switch tag & 7 {
    case 0: return (tag >> 3, .varint(try varint()))
    case 1: return (tag >> 3, .fixed64(UInt64(littleEndian: try load(as: UInt64.self))))
    case 5: return (tag >> 3, .fixed32(UInt32(littleEndian: try load(as: UInt32.self))))
    case 2:
      let count = try varint()
      guard count <= UInt64(end - offset) else { throw .malformed(offset: start) }
      let range = offset..<offset + Int(count)
      offset = range.upperBound
      return (tag >> 3, .bytes(range))
    default: throw .malformed(offset: start)
    }
  }

  private mutating func varint() throws(DeltaError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for byte in 0..<10 {
      guard offset < end else { break }
      let bits = message[offset]
      offset += 1
      value |= UInt64(bits & 0x7f) << (7 * UInt64(byte))
      if bits & 0x80 == 0 { return value }
    }
    throw .malformed(offset: start)
  }

  private mutating func load<Number: BitwiseCopyable>(
    as type: Number.Type
  ) throws(DeltaError) -> Number {
    let count = MemoryLayout<Number>.size
    guard end - offset >= count else { throw .malformed(offset: offset) }
    let number = message.loadUnaligned(fromByteOffset: offset, as: type)
    offset += count
    return number
  }
}
