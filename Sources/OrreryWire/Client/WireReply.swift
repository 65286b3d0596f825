// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryFrame

/// Reading of fields that replies and unrequested messages have in common.
enum WireReply {
  /// Characters of a reason that are shown: a sim sends no more.
  static let reasonMax = 1001

  /// Checks whether a request was done.
  ///
  /// - Throws: `WireError.refused` if the reply is a refusal; `badMessage` if it is neither.
  static func check(_ fields: [String: DocumentValue]) throws(WireError) {
    switch (fields["ok"], fields["reason"]) {
    case (.bool(true), _): return
    case (.bool(false), .string(let reason)):
      throw .refused(reason: String(reason.prefix(reasonMax)))
    default: throw .badMessage("a reply without 'ok'")
    }
  }

  /// A count or a sequence.
  ///
  /// - Throws: `WireError.badMessage` if the field is missing or not a valid count.
  static func count(
    _ fields: [String: DocumentValue], _ name: String
  ) throws(WireError) -> UInt64 {
    guard let count = fields[name]?.countValue, count < FrameReader.sequenceMax else {
      throw .badMessage("no '\(name)'")
    }
    return count
  }

  /// A 64-bit word in sixteen hexadecimal digits.
  ///
  /// - Throws: `WireError.badMessage` if the field is missing or not such a word.
  static func word(
    _ fields: [String: DocumentValue], _ name: String
  ) throws(WireError) -> UInt64 {
    guard let word = fields[name]?.wordValue else { throw .badMessage("no '\(name)'") }
    return word
  }
}
