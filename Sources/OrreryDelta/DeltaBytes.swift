// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryFrame

/// The fixed parts of an encoded `orrery.DeltaFrame`.
///
///     0        9             63                  72
///     | seven numbers, as in | tag base_sequence | tag len₅ | column | tag len₅ | column | …
///     | a Frame              |                   |
enum DeltaBytes {
  /// Offset of the tag of `base_sequence`: behind the seven numbers.
  static var baseTag: Int { FrameField.allBytes }

  /// Bytes in front of the columns.
  static var headBytes: Int { baseTag + Int(FrameField.encodedBytes) }

  /// Tag and length in front of each column.
  static let columnHeadBytes = 6

  private static let fixed64: UInt8 = 1
  private static let columnTag: UInt8 = 9 << 3 | 2

  /// Writes what is in front of the columns.
  static func writeHead(
    _ stamp: FrameStamp, sequence: UInt64, layoutHash: UInt64, generation: UInt64, base: UInt64,
    to message: UnsafeMutableRawPointer
  ) {
    for field: UInt8 in 1...8 {
      message.storeBytes(
        of: field << 3 | fixed64, toByteOffset: (Int(field) - 1) * Int(FrameField.encodedBytes),
        as: UInt8.self)
    }
    stamp.write(sequence: sequence, to: message)
    write(layoutHash, field: FrameField.layoutHash.rawValue, to: message)
    write(generation, field: FrameField.generation.rawValue, to: message)
    write(base, field: 8, to: message)
  }

  private static func write(
    _ number: UInt64, field: UInt8, to message: UnsafeMutableRawPointer
  ) {
    message.storeBytes(
      of: number.littleEndian, toByteOffset: (Int(field) - 1) * Int(FrameField.encodedBytes) + 1,
      as: UInt64.self)
  }

  /// Writes tag and length of a column.
  static func writeColumnHead(byteCount: Int, to message: UnsafeMutableRawPointer) {
    message.storeBytes(of: columnTag, as: UInt8.self)
    for byte in 0..<5 {
      let more: UInt8 = byte < 4 ? 0x80 : 0
      message.storeBytes(
        of: UInt8(truncatingIfNeeded: byteCount >> (7 * byte)) & 0x7f | more,
        toByteOffset: 1 + byte, as: UInt8.self)
    }
  }
}
