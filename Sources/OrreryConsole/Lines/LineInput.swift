// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Reads standard input line by line; lines may hold any bytes.
package struct LineInput {
  /// A line without its line feed.
  package enum Line: Equatable {
    case whole([UInt8])
    /// Longer than allowed; its bytes are discarded.
    case tooLong
  }

  /// Longest allowed line, in bytes.
  private let bytesMax: Int

  private let descriptor: CInt
  private var buffer: [UInt8] = []

  /// Index in `buffer` of the first byte that has not been returned.
  private var start = 0

  /// Index in `buffer` of the first byte that has not been searched for a line feed.
  private var searched = 0
  private var isAtEnd = false

  /// Whether the bytes up to the next line feed belong to a line that was too long.
  private var isSkipping = false

  /// Reads from `descriptor`.
  package init(bytesMax: Int, descriptor: CInt = STDIN_FILENO) {
    self.bytesMax = bytesMax
    self.descriptor = descriptor
  }

  /// The next line.
  ///
  /// - Parameter beforeWaiting: Called before each read, which may block without limit.
  /// - Returns: Nil at the end of input.
  /// - Throws: The error of `read`.
  package mutating func next(beforeWaiting: () -> Void) throws(SystemCallError) -> Line? {
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(buffer[start..<end])
        start = end + 1
        searched = start
        if isSkipping {
          isSkipping = false
          continue
        }
        return line.count <= bytesMax ? .whole(line) : .tooLong
      }
      searched = buffer.count
      if isAtEnd {
        let line = Array(buffer[start...])
        start = buffer.count
        return isSkipping || line.isEmpty ? nil : .whole(line)
      }
      let isTooLong = !isSkipping && buffer.count - start > bytesMax
      if isSkipping || isTooLong { start = buffer.count }
      if isTooLong {
        isSkipping = true
        return .tooLong
      }
      beforeWaiting()
      try fill()
    }
  }

  private mutating func fill() throws(SystemCallError) {
    buffer.removeFirst(start)
    searched -= start
    start = 0
    let count = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: 1 << 16))
    let got = try systemCall("read", "standard input") { [descriptor] in
      buffer.withUnsafeMutableBytes { bytes in
        read(descriptor, bytes.baseAddress?.advanced(by: count), bytes.count - count)
      }
    }
    buffer.removeLast(buffer.count - count - got)
    isAtEnd = got == 0
  }
}
