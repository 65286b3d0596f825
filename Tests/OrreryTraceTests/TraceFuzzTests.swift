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

  /// Numbers at which lengths go wrong.
  private static let numbers: [UInt64] = [
    0, 1, 0x7F, 0x80, 0xFF, 0xFFFF, 1 << 31, UInt64(UInt32.max), 1 << 32, 1 << 63, .max - 8, .max,
  ]

  private let seeds: [[UInt8]]

  init() throws {
    var seeds: [[UInt8]] = []
    for compression in TraceCompression.allCases {
      let trace = try SmallTrace.bytes(compression)
      seeds += [trace, Self.withoutChecksums(trace)]
    }
    let bare = Handmade.join(
      Handmade.start, Handmade.channel(1), Handmade.message(1, at: 5, [1]),
      Handmade.chunk(Handmade.message(1, at: 3), from: 3, to: 3), Handmade.metadata("m"))
    self.seeds = seeds + [Handmade.whole(bare), bare]
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

  private func mutated(_ random: inout SeededRandom) -> [UInt8] {
    var bytes = seeds[Int.random(in: seeds.indices, using: &random)]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard bytes.count > 8 else { return bytes }
      let at = Int.random(in: 0..<bytes.count, using: &random)
      let count = min(Int.random(in: 1...40, using: &random), bytes.count - at)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes[at] = UInt8.random(in: 0...255, using: &random)
      case 2, 3:
        let number = Self.numbers[Int.random(in: Self.numbers.indices, using: &random)]
        let size = [2, 4, 8][Int.random(in: 0..<3, using: &random)]
        for byte in 0..<min(size, bytes.count - at) {
          bytes[at + byte] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(byte)))
        }
      case 4: bytes.removeSubrange(at..<at + count)
      case 5: bytes.insert(contentsOf: bytes[at..<at + count], at: at)
      case 6: bytes.removeSubrange(at...)
      default:
        let other = seeds[Int.random(in: seeds.indices, using: &random)]
        let from = Int.random(in: 0..<other.count, using: &random)
        bytes.replaceSubrange(at..<at + count, with: other[from..<min(from + count, other.count)])
      }
    }
    return bytes
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
    let seed = UInt64.random(in: 0...UInt64.max)
    print("TraceFuzzTests: seed \(seed)")
    var random = SeededRandom(seed: seed)
    for _ in 0..<Self.inputsPerEffort * testEffort { read(mutated(&random)) }
  }
}
