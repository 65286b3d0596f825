// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Writes lines to standard output, many per system call.
package final class LineOutput {
  private var buffer: [UInt8] = []

  /// False once the reader has closed its end.
  package private(set) var isWanted = true

  private let take: ([UInt8]) -> Bool

  /// - Parameter take: Gets the bytes; returns false once the reader has closed its end.
  package init(_ take: @escaping ([UInt8]) -> Bool = { Standard.output($0) }) { self.take = take }

  /// Adds a line.
  package func write(_ line: String) {
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { flush() }
  }

  /// Hands the buffered lines over.
  package func flush() {
    isWanted = take(buffer) && isWanted
    buffer.removeAll(keepingCapacity: true)
  }
}
