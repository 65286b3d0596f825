// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import Testing

/// Goal: a file's state is found when it is opened, and the strict reader finds the same.
///
/// Method: files made by hand: as others write them, as Orrery's logger leaves them when it ends and when it is killed, and
/// cut ones.
@Suite struct TraceStateTests {
  private static let declared = Handmade.channel(1)
  private static let message = Handmade.message(1, sequence: 7, at: 20, [7])
  private static let chunk = Handmade.chunk(declared + message, from: 20, to: 20)
  private static let index = Handmade.messageIndex(1, [(20, UInt64(declared.count))])
  private static let recording = Handmade.metadata("orrery.recording", [("mode", "full")])
  private static let account = Handmade.metadata("orrery.summary", [("missed", "0")])

  /// A file whose summary lists `chunks` of the chunks that it has.
  private static func file(
    _ start: [UInt8], _ metadata: [[UInt8]], chunks: Int = 1, listed: Int = 1,
    dataChecksum: UInt32? = nil
  ) -> [UInt8] {
    var data = start + metadata.joined()
    var summary = [declared]
    var indexes: [[UInt8]] = []
    for number in 0..<chunks {
      if number < listed {
        let at = UInt64(data.count)
        indexes.append(
          Handmade.chunkIndex(
            at: at, byteCount: UInt64(chunk.count), from: 20, to: 20,
            indexes: [(1, at + UInt64(chunk.count))], indexBytes: UInt64(index.count),
            stored: UInt64(declared.count + message.count),
            records: UInt64(declared.count + message.count)))
      }
      data += chunk + index
    }
    summary.append(
      Handmade.statistics(
        messages: UInt64(listed), channels: 1, metadata: UInt32(metadata.count),
        chunks: UInt32(listed), from: 20, to: 20, counts: [(1, UInt64(listed))]))
    summary += indexes
    var at = start.count
    for record in metadata {
      let nameBytes = Int(record[9])
      summary.append(
        Handmade.metadataIndex(
          at: UInt64(at), byteCount: UInt64(record.count),
          String(decoding: record[13..<13 + nameBytes], as: UTF8.self)))
      at += record.count
    }
    return Handmade.whole(data, summary: summary, but: Handmade.Fault(dataChecksum: dataChecksum))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let state: TraceState

    var testDescription: String { name }
  }

  static let cases: [Case] = {
    let (own, other) = (Handmade.ownStart, Handmade.start)
    let part = Handmade.metadata("orrery.part", [("reason", "a hole")])
    let next = Handmade.metadata("orrery.next", [("file", "a.0002.mcap")])
    return [
      Case(name: "of others", bytes: file(other, []), state: .whole),
      Case(name: "of others, no checksum", bytes: file(other, [], dataChecksum: 0), state: .whole),
      Case(name: "of others, a name of ours", bytes: file(other, [recording]), state: .whole),
      Case(name: "ours, no recording", bytes: file(own, []), state: .whole),
      Case(name: "ours, an account", bytes: file(own, [recording, account]), state: .whole),
      Case(name: "ours, of a set", bytes: file(own, [recording, next]), state: .whole),
      Case(
        name: "ours, no account", bytes: file(own, [recording]),
        state: .unfinished(.endOfRecording)),
      Case(
        name: "ours, a checkpoint", bytes: file(own, [recording], dataChecksum: 0),
        state: .unfinished(.endOfRecording)),
      Case(
        name: "ours, more than the checkpoint",
        bytes: file(own, [recording], chunks: 3, listed: 1, dataChecksum: 0),
        state: .unfinished(.endOfRecording)),
      Case(
        name: "a copy of a part", bytes: file(own, [part, account]),
        state: .unfinished(.whatItsSourceLacks("a hole"))),
    ]
  }()

  @Test(arguments: cases)
  func stateIsTheSameForEachReader(one: Case) throws {
    let file = try TraceArchiveFile(bytes: one.bytes)
    #expect(file.state == one.state)
    #expect(file.hasSummary)
    #expect(try TraceReader(bytes: one.bytes).readToEnd() == one.state)
  }

  @Test func whatIsMissingIsSaid() {
    let states: [(TraceState, String)] = [
      (.whole, "whole"), (.unfinished(.endOfRecording), "unfinished: the recorder did not end"),
      (.unfinished(.end(offset: 5)), "unfinished: offset 5: no end after the last record"),
      (
        .unfinished(.restOfRecord(offset: 5, needed: 9, have: 1)),
        "unfinished: offset 5: the last record needs 9 bytes, the file has 1"
      ),
      (.damaged(.badMagic(offset: 3)), "damaged: offset 3: not the magic bytes of MCAP"),
    ]
    for (state, text) in states { #expect(state.text == text) }
  }

  /// Behind the last checkpoint anything may be half written; before it, nothing.
  @Test func damageBehindACheckpointIsNone() throws {
    let bytes = Self.file(
      Handmade.ownStart, [Self.recording], chunks: 2, listed: 1, dataChecksum: 0)
    let first = Handmade.ownStart.count + Self.recording.count
    for (at, isBehind) in [(first + 60, false), (first + Self.chunk.count + 100, true)] {
      var damaged = bytes
      damaged[at] ^= 0x40
      let file = try TraceArchiveFile(bytes: damaged)
      #expect(file.state == .unfinished(.endOfRecording))
      let reader = try TraceReader(bytes: damaged)
      let fault = #expect(throws: TraceError.self) { try reader.readToEnd() }
      let state = try file.state(strictly: #require(fault), at: reader.offset)
      #expect(state.word == (isBehind ? "unfinished" : "damaged"), "byte \(at)")
    }
  }

  /// Every cut is unfinished, whoever wrote the file; only without its first bytes it is no trace.
  @Test(arguments: [Handmade.start, Handmade.ownStart])
  func cutFilesAreUnfinished(start: [UInt8]) throws {
    let bytes = Self.file(start, [Self.recording, Self.account])
    for count in 0..<bytes.count {
      let cut = Array(bytes[..<count])
      guard count >= 8 else {
        #expect(throws: TraceError.self) { try TraceArchiveFile(bytes: cut) }
        continue
      }
      let file = try TraceArchiveFile(bytes: cut)
      #expect(file.state.word == "unfinished", "\(count) bytes: \(file.state)")
      // The strict reader meets the same, at the same offset.
      let reader = try TraceReader(bytes: cut)
      let fault = #expect(throws: TraceError.self) { try reader.readToEnd() }
      #expect(try file.state(strictly: #require(fault), at: reader.offset) == file.state)
    }
  }
}
