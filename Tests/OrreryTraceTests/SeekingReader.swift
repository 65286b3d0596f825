// SPDX-License-Identifier: Apache-2.0

import OrreryTrace

/// Reads a file as readers do that begin at its end: footer, summary, chunk indexes.
struct SeekingReader {
  private let bytes: [UInt8]

  /// Messages that the statistics count.
  private(set) var messageCount: UInt64 = 0

  /// Chunks that the summary lists, each with the right checksum; nil if anything is wrong.
  private(set) var chunkCount = 0

  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
    guard bytes.count > 45, Array(bytes.suffix(8)) == magic, Array(bytes.prefix(8)) == magic else {
      return nil
    }
    let footer = bytes.count - 8 - 20 - 9
    guard bytes[footer] == 0x02, number(footer + 1, 8) == 20 else { return nil }
    let start = number(footer + 9, 8)
    guard start > 0, start <= footer else { return nil }
    guard checksum(start..<(footer + 9 + 16)) == UInt32(number(footer + 25, 4)) else { return nil }
    var offset = start
    while offset < footer {
      let (opcode, length) = (bytes[offset], number(offset + 1, 8))
      let content = offset + 9
      if opcode == 0x0B { messageCount = UInt64(number(content, 8)) }
      if opcode == 0x08 {
        guard isWhole(chunk: number(content + 16, 8), length: number(content + 24, 8)) else {
          return nil
        }
        chunkCount += 1
      }
      offset = content + length
    }
  }

  private func isWhole(chunk offset: Int, length: Int) -> Bool {
    guard offset + length <= bytes.count, bytes[offset] == 0x06,
      number(offset + 1, 8) == length - 9
    else { return false }
    let content = offset + 9
    let nameBytes = number(content + 28, 4)
    let records = content + 32 + nameBytes + 8
    // A compressed chunk is compared by others.
    guard nameBytes == 0 else { return true }
    return checksum(records..<(offset + length)) == UInt32(number(content + 24, 4))
  }

  private func checksum(_ range: Range<Int>) -> UInt32 {
    bytes.withUnsafeBytes { Checksum(UnsafeRawBufferPointer(rebasing: $0[range])).value }
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    (0..<count).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
  }
}
