// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Orrery
import OrreryReplay
import OrreryTrace
import TestSupport
import Testing

/// No bytes end the process that plays them: scenes, frames, deltas and digests give frames or an error.
///
/// Method: small traces in every mode, without checksums so that changes get past them, are changed at random, again and
/// again, and every frame is asked for. `tools/fuzz-trace` runs it for long.
@Suite struct ReplayFuzzTests {
  /// Changed traces for an effort of 1.
  private static let inputsPerEffort = 1_000

  private let seeds: [[UInt8]]

  /// A field, and a view that moves.
  private static let text = """
    size = [40, 30]
    rate = 60
    seed = 7
    content = [
      { kind = "field", count = 3, orbit = { radius = [20, 90], duration = [2, 5] } },
      { kind = "view", name = "box", elements = [{ box = [20, 10], color = "red" }] },
    ]
    """

  init() throws {
    let run = try RecordedRun(
      Self.text, ticks: [1, 2, 3, 4, 20, 21],
      changes: [.init(sequence: 3, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#)])
    seeds = try RecordedRun.Mode.allCases.map { try Self.bare(run.write($0)) }
  }

  /// The messages of a trace outside of chunks, with no schemas: no checksum covers them.
  static func bare(_ path: String) throws -> [UInt8] {
    let reader = try TraceReader(path: path)
    var channels: Set<TraceChannelID> = []
    var trace: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]
    func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
    func text(_ text: String) -> [UInt8] { number(UInt32(text.utf8.count)) + Array(text.utf8) }
    func add(_ opcode: UInt8, _ content: [UInt8]) {
      trace += [opcode] + number(UInt64(content.count)) + content
    }
    add(0x01, text("") + text("x"))
    while let message = try reader.nextMessage() {
      if channels.insert(message.head.channel).inserted {
        add(
          0x04,
          number(message.head.channel.number) + number(UInt16(0)) + text(message.topic)
            + text("protobuf") + number(UInt32(0)))
      }
      add(
        0x05,
        number(message.head.channel.number) + number(message.head.sequence)
          + number(message.head.logTimeNs)
          + number(message.head.publishTimeNs) + Array(message.bytes))
    }
    return trace
  }

  @Test func noTraceEndsTheProcessThatPlaysIt() throws {
    let base = try TemporaryBase()
    let path = base.path + "/trace.mcap"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      Issue.record("open: errno \(errno)")
      return
    }
    defer { close(descriptor) }
    for seed in seeds {
      Self.put(seed, descriptor)
      #expect(TraceUses.all(path) == 6)
    }
    var fuzzer = ByteFuzzer("ReplayFuzzTests", seeds: seeds)
    fuzzer.run(inputs: Self.inputsPerEffort * testEffort, readersEach: 1) { bytes in
      Self.put(bytes, descriptor)
      TraceUses.all(path)
    }
  }

  private static func put(_ bytes: [UInt8], _ descriptor: CInt) {
    let isPut =
      ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    if !isPut { Issue.record("a file cannot be written: errno \(errno)") }
  }
}
