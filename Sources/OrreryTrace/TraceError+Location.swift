// SPDX-License-Identifier: Apache-2.0

extension TraceError {
  /// Offset of the fault, in bytes from the start of the file, or of a compressed chunk's records; nil for
  /// what has none.
  package var offset: UInt64? {
    switch self {
    case .inFile(_, let cause): cause.offset
    case .system, .notRegularFile, .beingWritten, .moved, .tooLarge: nil
    case .writeFailed(let failure): failure.offset
    case .badMagic(let offset), .invalidOpcode(let offset), .invalidText(let offset),
      .duplicateKey(let offset), .unknownCompression(let offset), .noSummary(let offset):
      offset
    case .fileEnds(let offset, _, _), .recordEnds(let offset, _, _),
      .unexpectedRecord(_, let offset), .trailingBytes(let offset, _),
      .checksum(_, let offset, _, _), .decompression(let offset, _, _),
      .undeclared(_, _, let offset), .redefined(_, _, let offset), .mismatch(_, let offset, _, _),
      .notGrouped(_, let offset):
      offset
    }
  }

  /// One word for the kind of fault, for programs.
  package var kind: String {
    switch self {
    case .inFile(_, let cause): cause.kind
    case .system, .notRegularFile, .beingWritten, .moved, .writeFailed: "system"
    case .tooLarge: "limit"
    case .badMagic: "magic"
    case .fileEnds: "cut_off"
    case .noSummary: "summary"
    case .checksum: "checksum"
    case .decompression, .unknownCompression: "compression"
    case .mismatch, .notGrouped: "index"
    case .undeclared, .redefined: "declaration"
    case .recordEnds, .invalidOpcode, .unexpectedRecord, .trailingBytes, .invalidText,
      .duplicateKey:
      "record"
    }
  }
}
