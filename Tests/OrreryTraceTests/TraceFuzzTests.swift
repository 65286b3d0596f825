// SPDX-License-Identifier: Apache-2.0

import OrreryTrace
import TestSupport
import Testing

/// No bytes end the process: every reader of a trace gives messages or an error.
///
/// Method: small traces of every kind are changed at random, again and again, and read by the strict reader, by the
/// scan, as an archive, and by the salvage. Half of the traces have no checksums, so that changes get
/// past them. `tools/fuzz-trace` runs it for long.
@Suite struct TraceFuzzTests {
  /// Changed traces for an effort of 1; four readers read each.
  private static let inputsPerEffort = 4_000

  private let seeds: [[UInt8]]

  init() throws {
    let bare = Handmade.join(
      Handmade.start, Handmade.channel(1), Handmade.message(1, at: 5, [1]),
      Handmade.chunk(Handmade.message(1, at: 3), from: 3, to: 3), Handmade.metadata("m"))
    let indexed = Handmade.join(
      Handmade.start,
      Handmade.chunk(Handmade.channel(1) + Handmade.message(1, at: 3), from: 3, to: 3),
      Handmade.messageIndex(1, [(3, UInt64(Handmade.channel(1).count))]),
      Handmade.attachment("n", "t", [1], logTimeNs: 1, createTimeNs: 1))
    var seeds = [Handmade.whole(bare), bare, indexed, Handmade.whole(indexed)]
    // Small ones are read faster: more of them.
    seeds += seeds + seeds
    for compression in TraceCompression.allCases {
      let trace = try SmallTrace.bytes(compression)
      seeds += [trace, Self.withoutChecksums(trace)]
    }
    self.seeds = seeds
  }

  /// With 0, which means that there is none, in the place of each checksum.
  private static func withoutChecksums(_ trace: [UInt8]) -> [UInt8] {
    var changed = trace
    for (opcode, range) in Handmade.records(trace) {
      let place: Int? =
        switch opcode {
        case 0x06: range.lowerBound + 9 + 24
        case 0x09, 0x0F, 0x02: range.upperBound - 4
        default: nil
        }
      if let place { for byte in 0..<4 { changed[place + byte] = 0 } }
    }
    return changed
  }

  private func read(_ bytes: [UInt8]) {
    for mode in [TraceReader.Mode.strict, .scan] {
      _ = try? TraceReader(bytes: bytes, mode: mode).readToEnd()
    }
    if let file = try? TraceArchiveFile(bytes: bytes), let archive = try? TraceArchive([file]) {
      _ = try? file.metadata()
      for attachment in file.attachments { _ = try? file.data(of: attachment) }
      let messages = archive.messages()
      while let message = try? messages.next() { _ = message.bytes.count }
      for chunk in file.chunks.indices {
        for location in (try? archive.locations(file: 0, chunk: chunk)) ?? [] {
          _ = try? archive.prefix(of: location, byteCount: 4)
        }
      }
    }
    let salvage = TraceSalvage(bytes: bytes)
    try? salvage.run { _ in }
  }

  @Test func noBytesEndTheProcess() throws {
    var fuzzer = ByteFuzzer("TraceFuzzTests", seeds: seeds)
    fuzzer.run(inputs: Self.inputsPerEffort * testEffort, readersEach: 4, read)
  }
}
