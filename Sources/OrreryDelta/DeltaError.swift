// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Why a message of a trace gives no frame.
package enum DeltaError: Error, Equatable, CustomStringConvertible {
  /// A message ends too early, or has a field that should not be there.
  case malformed(offset: Int)
  /// There is no keyframe, or the message before this one gave no frame.
  case noBase(sequence: UInt64)
  /// The message stands on another frame than the one before it.
  case wrongBase(found: UInt64, expected: UInt64)
  /// The message is of another run or layout than its keyframe.
  case otherLayout(found: UInt64, expected: UInt64)
  /// The message has another number of columns than its keyframe.
  case columnCount(found: Int, expected: Int)
  /// The packed changes of a column are damaged.
  case damagedColumn(Int, offset: Int)
  /// The frame is larger than it may be.
  case tooLarge(bytes: Int, limit: Int)

  /// Bytes that are no fields.
  init(_ fault: FieldReader.Fault) { self = .malformed(offset: fault.offset) }

  /// One line that says what is wrong.
  package var description: String {
    switch self {
    case .malformed(let offset): "no frame: byte \(offset) is not as expected"
    case .noBase(let sequence): "frame \(sequence) stands on a frame that is not there"
    case .wrongBase(let found, let expected):
      "the frame stands on frame \(found), but frame \(expected) is before it"
    case .otherLayout(let found, let expected):
      "the frame has layout or generation \(found), its keyframe \(expected)"
    case .columnCount(let found, let expected):
      "the frame has \(found) columns, its keyframe \(expected)"
    case .damagedColumn(let column, let offset):
      "column \(column) is damaged at its byte \(offset)"
    case .tooLarge(let bytes, let limit): "a frame of \(bytes) bytes; at most \(limit)"
    }
  }
}
