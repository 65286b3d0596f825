// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// What replies, and messages that nobody asked for, have in common.
enum WireReply {
  /// - Throws: `WireError.refused` if that is what it says.
  static func check(_ fields: [String: ControlValue]) throws(WireError) {
    switch (fields["ok"], fields["reason"]) {
    case (.bool(true), _): return
    case (.bool(false), .string(let reason)): throw .refused(reason: String(reason.prefix(200)))
    default: throw .badMessage("a reply without 'ok'")
    }
  }

  /// A number of things or a sequence.
  ///
  /// - Throws: `WireError.badMessage` if there is none, or none that can be.
  static func count(
    _ fields: [String: ControlValue], _ name: String
  ) throws(WireError) -> UInt64 {
    guard case .integer(let number) = fields[name], let count = UInt64(exactly: number),
      count < FrameReader.sequenceMax
    else { throw .badMessage("no '\(name)'") }
    return count
  }

  /// A word in hexadecimal digits.
  ///
  /// - Throws: `WireError.badMessage` if there is none.
  static func word(
    _ fields: [String: ControlValue], _ name: String
  ) throws(WireError) -> UInt64 {
    guard case .string(let digits) = fields[name], digits.utf8.count == 16,
      let word = UInt64(digits, radix: 16)
    else { throw .badMessage("no '\(name)'") }
    return word
  }
}
