// SPDX-License-Identifier: Apache-2.0

/// Whether a file has everything that its writer meant it to have: found once, when the file is opened.
///
/// The contents of chunks are not looked at: a damaged one is met when it is read.
package enum TraceState: Equatable, Sendable {
  /// The file has its end, and a recording of Orrery's its account.
  case whole

  /// What is there is right, but something is missing.
  case unfinished(Missing)

  /// Something in it is wrong.
  case damaged(TraceError)

  /// What an unfinished file does not have.
  package enum Missing: Equatable, Sendable {
    /// An end: the file stops between two records, at an offset in bytes.
    case end(offset: UInt64)

    /// The rest of its last record, at an offset: bytes needed, and bytes that are there.
    case restOfRecord(offset: UInt64, needed: UInt64, have: UInt64)

    /// What came after the last checkpoint of a recorder that was ended, or its account.
    case endOfRecording

    /// What the file that it was copied from does not have, in words.
    case whatItsSourceLacks(String)
  }

  /// The state in one word, as every command says it.
  package var word: String {
    switch self {
    case .whole: "whole"
    case .unfinished: "unfinished"
    case .damaged: "damaged"
    }
  }

  /// What is missing or wrong, and where, in words; nil for a whole file.
  package var reason: String? {
    switch self {
    case .whole: nil
    case .unfinished(.end(let offset)): "offset \(offset): no end after the last record"
    case .unfinished(.restOfRecord(let offset, let needed, let have)):
      "offset \(offset): the last record needs \(needed) bytes, the file has \(have)"
    case .unfinished(.endOfRecording): "the recorder did not end"
    case .unfinished(.whatItsSourceLacks(let reason)): reason
    case .damaged(let fault): "\(fault.cause)"
    }
  }

  /// Offset of what is missing or wrong, in bytes from the start of the file; nil where there is none.
  package var offset: UInt64? {
    switch self {
    case .unfinished(.end(let offset)), .unfinished(.restOfRecord(let offset, _, _)): offset
    case .damaged(let fault): fault.offset
    case .whole, .unfinished: nil
    }
  }

  /// The state and its reason in one line.
  package var text: String { word + (reason.map { ": " + $0 } ?? "") }
}

extension TraceState {
  /// Metadata at the end of a file of a set: the name of the next one, `file`.
  static let nextRecord = "orrery.next"

  /// Metadata of a copy whose source is not whole; `reason` says why.
  static let partRecord = "orrery.part"

  /// The key of the reason in `partRecord`.
  static let reasonKey = "reason"

  /// What an error says of a file that is right before it: a record that the file ends in, or before, is missing.
  init(_ error: TraceError) {
    switch error {
    case .fileEnds(let offset, _, 0): self = .unfinished(.end(offset: offset))
    case .fileEnds(let offset, let needed, let have):
      self = .unfinished(.restOfRecord(offset: offset, needed: needed, have: have))
    default: self = .damaged(error)
    }
  }
}
