// SPDX-License-Identifier: Apache-2.0

/// How a field of a protobuf message is encoded, by the number in its tag.
///
/// Groups, 3 and 4, are left out: no message of proto3 has them.
@usableFromInline package enum WireType: UInt8, Sendable {
  /// A number in bytes of seven bits, the low ones first; the last byte is below 0x80.
  case varint = 0
  /// Eight bytes.
  case fixed64 = 1
  /// A length as varint, and as many bytes: text, a message, or packed numbers.
  case bytes = 2
  /// Four bytes.
  case fixed32 = 5
}

/// Reads the fields of a protobuf message, one after another, from bytes that nobody vouches for.
///
/// Any bytes are fields or a fault, and nothing is read outside of them. Nothing is copied or allocated. What a field
/// means is for the caller: it comes with its number and wire type.
package struct FieldReader {
  /// What a field has.
  package enum Value: Equatable, Sendable {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    /// Bytes, by their range in the message.
    case bytes(Range<Int>)
  }

  /// Bytes that are no field: they end too early, or begin with no tag.
  package struct Fault: Error, Equatable, Sendable {
    /// Offset in the message.
    package let offset: Int

    package init(offset: Int) { self.offset = offset }
  }

  /// What ranges and offsets refer to.
  package let message: UnsafeRawBufferPointer

  /// Offset of what is read next.
  package private(set) var offset: Int

  private let end: Int

  /// Field numbers are below this.
  private static let numberEnd: UInt64 = 1 << 29

  /// Reads a message, or a message in it.
  package init(_ message: UnsafeRawBufferPointer, in range: Range<Int>? = nil) {
    self.message = message
    (offset, end) = (range?.lowerBound ?? 0, range?.upperBound ?? message.count)
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { offset == end }

  /// What is not read yet.
  package var rest: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: message[offset..<end])
  }

  /// The next field, with its number from 1; nil at the end.
  ///
  /// - Throws: `Fault`.
  package mutating func next() throws(Fault) -> (number: Int, value: Value)? {
    guard !isAtEnd else { return nil }
    let start = offset
    let (number, wire) = try tag()
    return (number, try value(wire, ofFieldAt: start))
  }

  /// The tag of the next field, which `next` still gives; nil at the end and before bytes that are no tag.
  package var nextTag: (number: Int, wire: WireType)? {
    var ahead = self
    return try? ahead.tag()
  }

  /// Number and length of the next field if it is one of bytes, which need not be there; nil otherwise.
  package var nextLength: (number: Int, byteCount: UInt64)? {
    var ahead = self
    guard let tag = try? ahead.tag(), tag.wire == .bytes, let byteCount = try? ahead.varint() else {
      return nil
    }
    return (tag.number, byteCount)
  }

  /// Reads a value without a tag: an element of packed numbers.
  ///
  /// - Throws: `Fault`.
  package mutating func value(_ wire: WireType) throws(Fault) -> Value {
    try value(wire, ofFieldAt: offset)
  }

  /// Reads the numbers at the start of a message: fields from 1 to `last` of eight bytes each, in any order.
  ///
  /// It ends before the first other field, so that the first bytes of a message are enough.
  ///
  /// - Parameter last: 1 … 8.
  /// - Returns: By their field numbers; 0 for one that is missing.
  /// - Throws: `Fault`: the bytes end within a number.
  package mutating func leadingNumbers(to last: Int) throws(Fault) -> InlineArray<9, UInt64> {
    var numbers = InlineArray<9, UInt64>(repeating: 0)
    while let tag = nextTag, tag.wire == .fixed64, (1...last).contains(tag.number) {
      _ = try self.tag()
      numbers[tag.number] = UInt64(littleEndian: try load(as: UInt64.self))
    }
    return numbers
  }

  // MARK: - Parts of a field

  private mutating func tag() throws(Fault) -> (number: Int, wire: WireType) {
    let start = offset
    let word = try varint()
    guard let wire = WireType(rawValue: UInt8(word & 7)), (1..<Self.numberEnd).contains(word >> 3)
    else { throw Fault(offset: start) }
    return (Int(word >> 3), wire)
  }

  private mutating func value(
    _ wire: WireType, ofFieldAt start: Int
  ) throws(Fault) -> Value {
    switch wire {
    case .varint: return .varint(try varint())
    case .fixed64: return .fixed64(UInt64(littleEndian: try load(as: UInt64.self)))
    case .fixed32: return .fixed32(UInt32(littleEndian: try load(as: UInt32.self)))
    case .bytes:
      let count = try varint()
      guard count <= UInt64(end - offset) else { throw Fault(offset: start) }
      return .bytes(take(Int(count)))
    }
  }

  private mutating func varint() throws(Fault) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    for byte in 0..<10 {
      guard offset < end else { break }
      let bits = message[offset]
      offset += 1
      value |= UInt64(bits & 0x7f) << (7 * UInt64(byte))
      if bits < 0x80 { return value }
    }
    throw Fault(offset: start)
  }

  private mutating func load<Number: BitwiseCopyable>(
    as type: Number.Type
  ) throws(Fault) -> Number {
    let count = MemoryLayout<Number>.size
    guard end - offset >= count else { throw Fault(offset: offset) }
    return message.loadUnaligned(fromByteOffset: take(count).lowerBound, as: type)
  }

  private mutating func take(_ count: Int) -> Range<Int> {
    defer { offset += count }
    return offset..<offset + count
  }
}

extension FieldReader.Value {
  /// The number, whatever its width; nil for bytes.
  package var word: UInt64? {
    switch self {
    case .varint(let word), .fixed64(let word): word
    case .fixed32(let word): UInt64(word)
    case .bytes: nil
    }
  }
}
