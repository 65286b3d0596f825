// SPDX-License-Identifier: Apache-2.0

/// Builds MCAP records: little-endian fields, texts and maps with their lengths.
struct RecordBytes {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  mutating func append<Number: FixedWidthInteger & UnsignedInteger>(_ number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(raw: [UInt8]) {
    bytes.append(contentsOf: raw)
  }

  mutating func append(raw: RecordBytes) {
    bytes.append(contentsOf: raw.bytes)
  }

  mutating func append(text: String) {
    append(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Sorted by key, so that the same map always gives the same bytes.
  mutating func append(map: [String: String]) {
    var entries = RecordBytes()
    for (key, value) in map.sorted(by: { $0.key < $1.key }) {
      entries.append(text: key)
      entries.append(text: value)
    }
    append(UInt32(entries.count))
    append(raw: entries)
  }

  /// Sorted by channel, so that the same map always gives the same bytes.
  mutating func append(map: [TraceChannelID: UInt64]) {
    append(UInt32(map.count * (2 + 8)))
    for (channel, value) in map.sorted(by: { $0.key.number < $1.key.number }) {
      append(channel.number)
      append(value)
    }
  }

  /// A whole record: opcode, length, and what `fields` appends.
  mutating func append(record opcode: TraceOpcode, _ fields: (inout RecordBytes) -> Void) {
    append(opcode.rawValue)
    let lengthIndex = bytes.count
    append(UInt64(0))
    fields(&self)
    let length = UInt64(bytes.count - lengthIndex - 8)
    for byte in 0..<8 {
      bytes[lengthIndex + byte] = UInt8(truncatingIfNeeded: length >> UInt64(8 * byte))
    }
  }

  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.span.bytes.withUnsafeBytes(body)
  }
}
