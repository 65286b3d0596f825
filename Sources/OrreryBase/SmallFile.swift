// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads files of a few lines, such as those in /proc.
package enum SmallFile {
  /// The beginning of a file as text, or nil if it cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - bytesMax: How much of it is read.
  /// - Returns: The text; what is not UTF-8 is replaced.
  package static func read(_ path: String, bytesMax: Int = 64 << 10) -> String? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    var bytes = [UInt8](repeating: 0, count: bytesMax)
    var count = 0
    while count < bytes.count {
      let got = bytes.withUnsafeMutableBytes { buffer in
        Glibc.read(file.number, buffer.baseAddress?.advanced(by: count), buffer.count - count)
      }
      if got <= 0 { break }
      count += got
    }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Reads a file that holds one number; nil if it does not.
  package static func readNumber(_ path: String) -> UInt64? {
    guard let text = read(path) else { return nil }
    return UInt64(text.prefix { !$0.isWhitespace })
  }
}
