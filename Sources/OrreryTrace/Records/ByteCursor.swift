// SPDX-License-Identifier: Apache-2.0

/// Reads the fields of one record, or the records of one chunk, and never past their end.
struct ByteCursor {
  private let bytes: UnsafeRawBufferPointer

  /// Offset of `bytes`, for errors.
  private let start: UInt64
  private(set) var position = 0

  init(_ bytes: UnsafeRawBufferPointer, start: UInt64) {
    self.bytes = bytes
    self.start = start
  }

  var remaining: Int { bytes.count - position }

  /// Offset of the next byte, from the start of the file or chunk.
  var offset: UInt64 { start + UInt64(position) }

  /// The bytes that are left.
  var rest: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[position...]) }

  /// The bytes that were read so far.
  var consumed: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<position]) }

  mutating func take(_ count: UInt64) throws(TraceError) -> UnsafeRawBufferPointer {
    guard count <= UInt64(remaining) else {
      throw .recordEnds(offset: offset, needed: count, have: UInt64(remaining))
    }
    defer { position += Int(count) }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<position + Int(count)])
  }

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type = Number.self
  ) throws(TraceError) -> Number {
    let field = try take(UInt64(MemoryLayout<Number>.size))
    return Number(littleEndian: field.loadUnaligned(as: Number.self))
  }

  mutating func text() throws(TraceError) -> String {
    let at = offset
    let field = try take(UInt64(try number(UInt32.self)))
    guard let text = String(validating: field, as: UTF8.self) else {
      throw .invalidText(offset: at)
    }
    return text
  }

  mutating func textMap() throws(TraceError) -> [String: String] {
    var entries = try section()
    var map: [String: String] = [:]
    while entries.remaining > 0 {
      let at = entries.offset
      let key = try entries.text()
      guard map.updateValue(try entries.text(), forKey: key) == nil else {
        throw .duplicateKey(offset: at)
      }
    }
    return map
  }

  /// A compression, by its name.
  mutating func compression() throws(TraceError) -> TraceCompression {
    let at = offset
    guard let compression = TraceCompression(mcapName: try text()) else {
      throw .unknownCompression(offset: at)
    }
    return compression
  }

  /// An array or map: its elements, after their length in bytes.
  mutating func section() throws(TraceError) -> ByteCursor {
    try section(UInt64(number(UInt32.self)))
  }

  /// The next `byteCount` bytes.
  mutating func section(_ byteCount: UInt64) throws(TraceError) -> ByteCursor {
    let at = offset
    return ByteCursor(try take(byteCount), start: at)
  }
}
