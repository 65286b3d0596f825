// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryTrace
import TestSupport
import Testing

/// Goal: after a power cut a trace gives back what `--sync` promises, and nothing that was not written.
///
/// Method: the real writer on a disk of which a cut at any call leaves unsynced writes out, or parts of them, in any order;
/// then `recover`'s own reader.
@Suite struct PowerCutTests {
  private static let messageCount = 60

  private static func message(_ number: Int, seed: UInt64) -> [UInt8] {
    var random = SeededRandom(seed: seed &* 1_000 &+ UInt64(number))
    let count = [10, 300, 4_000, 9_000][number % 4]
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }

  /// What a writer does until the power goes, in some moments.
  private static func cuts(
    _ sync: TraceSync, isDirect: Bool, compression: TraceCompression, seed: UInt64
  ) throws -> [PowerCutDisk.Cut] {
    let base = try TemporaryBase()
    let disk = PowerCutDisk(seed: seed, cutsMax: isDirect ? 4 : 12)
    nonisolated(unsafe) var now: UInt64 = 0
    var options = TraceOptions()
    options.sync = sync
    options.compression = compression
    options.chunkBytes = 12_000
    options.compressorCount = 1
    let writer = try TraceWriter(
      path: base.path + "/trace.mcap", options: options, clock: { now },
      calls: disk.calls(isDirect: isDirect))
    let schema = try writer.addSchema(
      TraceSchema(name: "S", encoding: "protobuf", data: [1, 2, 3]))
    let channel = try writer.addChannel(
      TraceChannel(schema: schema, topic: "/t", messageEncoding: "raw"))
    for number in 0..<messageCount {
      now += 90_000_000
      disk.give(number + 1)
      try writer.write(
        TraceMessageHead(
          channel, sequence: UInt64(number), logTimeNs: UInt64(number), publishTimeNs: 1),
        bytes: message(number, seed: seed))
      try writer.flushIfDue()
      // Sometimes several chunks are under way together.
      if number % 5 == 4 {
        try writer.flush()
        disk.flushed(number + 1)
      }
    }
    return disk.cuts
  }

  /// Messages that are recovered.
  private static func recovered(_ bytes: [UInt8]) throws -> [KeptFrame] {
    let salvage = TraceSalvage(bytes: bytes)
    var kept: [KeptFrame] = []
    try salvage.run { item in
      if case .message(let message) = item {
        kept.append(
          KeptFrame(
            number: Int(message.head.sequence), topic: message.topic, bytes: Array(message.bytes)))
      }
    }
    return kept
  }

  private struct KeptFrame {
    let number: Int
    let topic: String
    let bytes: [UInt8]
  }

  @Test(arguments: TraceSync.allCases, [false, true])
  func whatWasSyncedIsRecovered(sync: TraceSync, isDirect: Bool) throws {
    var (cutCount, promised, lossy) = (0, 0, 0)
    for number in 0..<(isDirect ? 2 : 4) * testEffort {
      let seed = UInt64(number + 1)
      let compression: TraceCompression = number % 2 == 0 ? .none : .lz4
      for cut in try Self.cuts(sync, isDirect: isDirect, compression: compression, seed: seed) {
        cutCount += 1
        let kept = try Self.recovered(cut.bytes)
        let numbers = kept.map(\.number)
        #expect(numbers == Array(Set(numbers)).sorted(), "seed \(seed)")
        #expect(
          kept.allSatisfy {
            $0.topic == "/t" && $0.number < cut.givenCount
              && $0.bytes == Self.message($0.number, seed: seed)
          }, "seed \(seed), cut \(cutCount)")
        let missing = Set(0..<cut.promisedCount).subtracting(numbers)
        #expect(missing.isEmpty, "seed \(seed), cut \(cutCount): \(missing.sorted())")
        promised = max(promised, cut.promisedCount)
        if numbers.count < cut.givenCount { lossy += 1 }
      }
    }
    #expect(cutCount > 5)
    #expect(lossy > 0)
    #expect(sync == .never ? promised == 0 : promised >= 5)
  }
}
