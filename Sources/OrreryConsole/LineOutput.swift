// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Lines to standard output in large writes.
package final class LineOutput {
  private var buffer: [UInt8] = []

  /// Whether somebody still reads.
  package private(set) var isWanted = true

  private let take: ([UInt8]) -> Bool

  /// - Parameter take: Gets the bytes; says whether somebody still reads.
  package init(_ take: @escaping ([UInt8]) -> Bool = { Standard.output($0) }) { self.take = take }

  /// Adds a line.
  package func write(_ line: String) {
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count > 1 << 16 { flush() }
  }

  /// Hands over what has been written so far.
  package func flush() {
    isWanted = take(buffer) && isWanted
    buffer.removeAll(keepingCapacity: true)
  }
}
