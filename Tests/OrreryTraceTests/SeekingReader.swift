// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryTrace

/// Reads a file as readers do that begin at its end: footer, summary, chunk indexes.
struct SeekingReader {
  private let descriptor: CInt

  /// Messages that the statistics count.
  private(set) var messageCount: UInt64 = 0

  /// Chunks that the summary lists.
  private(set) var chunkCount = 0

  /// Nil if anything is wrong, a checksum of a chunk that is not compressed too.
  init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size > 45,
      bytes(0, 8) == magic, bytes(Int(status.st_size) - 8, 8) == magic
    else { return nil }
    let footer = Int(status.st_size) - 8 - 20 - 9
    guard bytes(footer, 1) == [0x02], number(footer + 1, 8) == 20 else { return nil }
    let start = number(footer + 9, 8)
    guard start > 0, start <= footer,
      checksum(start..<(footer + 9 + 16)) == UInt32(number(footer + 25, 4))
    else { return nil }
    var offset = start
    while offset < footer {
      let (opcode, length) = (bytes(offset, 1), number(offset + 1, 8))
      let content = offset + 9
      if opcode == [0x0B] { messageCount = UInt64(number(content, 8)) }
      if opcode == [0x08] {
        guard isWhole(chunk: number(content + 16, 8), length: number(content + 24, 8)) else {
          return nil
        }
        chunkCount += 1
      }
      offset = content + length
    }
  }

  private func isWhole(chunk offset: Int, length: Int) -> Bool {
    guard bytes(offset, 1) == [0x06], number(offset + 1, 8) == length - 9 else { return false }
    let content = offset + 9
    let nameBytes = number(content + 28, 4)
    let records = content + 32 + nameBytes + 8
    return nameBytes > 0
      || checksum(records..<(offset + length)) == UInt32(number(content + 24, 4))
  }

  private func bytes(_ offset: Int, _ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = pread(descriptor, &bytes, count, offset)
    return Array(bytes.prefix(max(read, 0)))
  }

  private func checksum(_ range: Range<Int>) -> UInt32 {
    bytes(range.lowerBound, range.count).withUnsafeBytes { Checksum($0).value }
  }

  private func number(_ offset: Int, _ count: Int) -> Int {
    bytes(offset, count).enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
  }
}
