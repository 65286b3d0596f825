// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryTrace
import Testing

/// Goal: every error says in one line what is wrong, where, and which number stands against which.
///
/// Method: all of them, as text.
@Suite struct TraceErrorTests {
  /// Codes of docs/reference/exit-codes.md, for a file by itself and among several.
  @Test(
    arguments: [
      (.system(SystemCallError(call: "open", path: "a", errno: ENOENT)), .unavailable),
      (.system(SystemCallError(call: "open", path: "a", errno: EACCES)), .inputOutput),
      (.system(SystemCallError(call: "read", path: "a", errno: EIO)), .inputOutput),
      (.system(SystemCallError(call: "open", path: "a", errno: EMFILE)), .resource),
      (.notRegularFile(path: "a"), .inputOutput), (.badMagic(offset: 7), .badData),
    ] as [(TraceError, OrreryBase.ExitStatus)])
  func traceThatCannotBeReadHasItsCode(error: TraceError, status: OrreryBase.ExitStatus) {
    #expect(error.exitStatus == status)
    #expect(TraceError.inFile(path: "b", error).exitStatus == status)
  }

  static let texts: [(TraceError, String)] = [
    (
      .system(SystemCallError(call: "open", path: "a.mcap", errno: ENOENT)),
      "a.mcap: open: No such file or directory"
    ),
    (.notRegularFile(path: "a"), "a: not a regular file"),
    (.beingWritten(path: "a"), "a: another process is writing it"),
    (
      .writeFailed(failure(isFinished: true)),
      "a: write: Input/output error (4 bytes at offset 3); 5 messages kept, 6 lost, trace finished"
    ),
    (
      .writeFailed(failure(isFinished: false)),
      "a: write: Input/output error (4 bytes at offset 3); 5 messages kept, 6 lost, "
        + "trace has no summary"
    ),
    (.tooLarge(.recordBytes, value: 3, limit: 2), "record size 3 is over 2"),
    (
      .tooLarge(.chunkBytes, value: 3, limit: 2), "decompressed chunk size 3 is over 2"
    ),
    (.badMagic(offset: 7), "offset 7: not the magic bytes of MCAP"),
    (
      .fileEnds(offset: 7, needed: 9, have: 2), "offset 7: 9 bytes needed, the file has 2"
    ),
    (
      .recordEnds(offset: 7, needed: 9, have: 2), "offset 7: 9 bytes needed, the record has 2"
    ),
    (.invalidOpcode(offset: 7), "offset 7: record of kind 0"),
    (.unexpectedRecord(.footer, offset: 7), "offset 7: unexpected footer record"),
    (.trailingBytes(offset: 7, count: 2), "offset 7: 2 bytes too many"),
    (.invalidText(offset: 7), "offset 7: text is not UTF-8"),
    (.duplicateKey(offset: 7), "offset 7: key appears twice"),
    (
      .checksum(.summary, offset: 7, stored: 1, computed: 2),
      "offset 7: checksum of the summary is 1, computed 2"
    ),
    (.unknownCompression(offset: 7), "offset 7: unknown compression"),
    (
      .decompression(offset: 7, declared: 3, produced: 4),
      "offset 7: chunk of 3 bytes decompressed to 4"
    ),
    (
      .decompression(offset: 7, declared: 3, produced: nil),
      "offset 7: chunk of 3 bytes cannot be decompressed to that size"
    ),
    (
      .undeclared(.channel, id: 5, offset: 7), "offset 7: channel 5 was not declared"
    ),
    (
      .redefined(.schema, id: 5, offset: 7),
      "offset 7: schema 5 differs from its first declaration"
    ),
    (
      .mismatch(.messageCount, offset: 7, stored: 3, actual: 4),
      "offset 7: number of messages says 3, the data says 4"
    ),
    (
      .notGrouped(opcode: 9, offset: 7),
      "offset 7: summary records of kind 9 do not stand together"
    ),
  ]

  private static func failure(isFinished: Bool) -> TraceWriteFailure {
    TraceWriteFailure(
      cause: SystemCallError(call: "write", path: "a", errno: EIO), offset: 3, byteCount: 4,
      messagesKept: 5, messagesLost: 6, isFinished: isFinished)
  }

  @Test(arguments: texts.indices) func everyErrorSaysWhatIsWrong(index: Int) {
    let (error, text) = Self.texts[index]
    #expect("\(error)" == text)
  }
}
