// SPDX-License-Identifier: Apache-2.0

/// Builds MCAP records: little-endian fields, texts and maps with their lengths.
struct RecordBytes {
  private(set) var bytes: [UInt8] = []

  var count: Int { bytes.count }

  init() {}

  /// One record.
  init(_ record: some ContainerRecord) { append(record) }

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

  /// A record: its head, and its fields; `dataBytes` more are to follow.
  @inline(__always)
  mutating func append<Record: ContainerRecord>(_ record: Record, dataBytes: Int = 0) {
    append(Record.opcode.rawValue)
    let lengthIndex = bytes.count
    append(UInt64(0))
    record.write(to: &self)
    let length = UInt64(bytes.count - lengthIndex - 8 + dataBytes)
    for byte in 0..<8 {
      bytes[lengthIndex + byte] = UInt8(truncatingIfNeeded: length >> UInt64(8 * byte))
    }
  }

  /// Removes all bytes and keeps the memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Of the bytes from an index on.
  func checksum(from start: Int = 0) -> Checksum {
    withUnsafeBytes { Checksum(UnsafeRawBufferPointer(rebasing: $0[start...])) }
  }

  func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try bytes.span.bytes.withUnsafeBytes(body)
  }
}
