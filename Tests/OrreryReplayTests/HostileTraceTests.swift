// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryReplay
import OrreryTrace
import TestSupport
import Testing

/// Goal: a file that is cut anywhere, claims sizes of gigabytes or is a bomb gives messages or an error to every reader:
/// `verify`, `info`, `cat`, `recover` and `play`, in less than 512 MiB.
///
/// Method: in a process whose address space may grow by no more than that, small traces are changed at every place and read
/// in every way. An allocation over the limit ends the process, and a trap does.
@Suite(.enabled(if: !isSanitized, "a sanitizer keeps memory of its own")) struct HostileTraceTests {
  private static let memoryBytes: UInt64 = 512 << 20

  /// Lets the address space grow by so much and no more.
  private static func limitMemory() -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
      let pages = text.split(separator: " ").first.flatMap({ UInt64($0) })
    else { return false }
    let bytes = pages * UInt64(sysconf(CInt(_SC_PAGESIZE))) + memoryBytes
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    return setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0
  }

  private static let text = """
    size = [40, 30]
    rate = 60
    content = [{ kind = "field", count = 3, orbit = { radius = [20, 90], duration = [2, 5] } }]
    """

  /// Reads a file as every command does; what it gives does not matter.
  private static func read(_ bytes: [UInt8], _ path: String) throws {
    for mode in [TraceReader.Mode.strict, .scan] {
      _ = try? TraceReader(bytes: bytes, mode: mode).readToEnd()
    }
    if let file = try? TraceArchiveFile(bytes: bytes), let archive = try? TraceArchive([file]) {
      _ = try? file.metadata()
      for attachment in file.attachments { _ = try? file.data(of: attachment) }
      let messages = archive.messages()
      while (try? messages.next()) != nil {}
    }
    try? TraceSalvage(bytes: bytes).run { _ in }
    try Data(bytes).write(to: URL(filePath: path))
    TraceUses.all(path)
  }

  /// Every place of a file with `ORRERY_TEST_EFFORT=16`; places of ours that are not the same each time without it.
  private static func places(_ bytes: [UInt8]) -> StrideTo<Int> {
    let step = max(1, 16 / testEffort)
    return stride(from: Int.random(in: 0..<step), to: bytes.count, by: step)
  }

  /// A trace as a logger writes it, and one of which no checksum covers anything.
  private static func seeds(_ mode: RecordedRun.Mode) throws -> [[UInt8]] {
    let run = try RecordedRun(text, ticks: [1, 2, 3])
    let path = try run.write(mode)
    let whole = Array(try Data(contentsOf: URL(filePath: path)))
    // Beside the descriptors, of which there are many bytes, it is small.
    return [whole, try ReplayFuzzTests.bare(path)]
  }

  @Test func cutsAndHugeNumbersTakeNoMemoryAndEndNoProcess() async {
    await #expect(processExitsWith: .success) {
      let base = try TemporaryBase()
      let path = base.path + "/hostile.mcap"
      let seeds = try [RecordedRun.Mode.full, .quantised, .digest].flatMap { try Self.seeds($0) }
      guard Self.limitMemory() else { exit(2) }
      for seed in seeds {
        // The longer ones are for the most part descriptors: fewer places.
        let step = max(1, seed.count / 2_000)
        for place in Self.places(seed) where place / 16 % step == 0 {
          try Self.read(Array(seed[..<place]), path)
          for (number, size) in [(UInt64(UInt32.max), 4), (1 << 32, 8), (1 << 40, 8)] {
            var changed = seed
            for byte in 0..<min(size, seed.count - place) {
              changed[place + byte] = UInt8(truncatingIfNeeded: number >> UInt64(8 * byte))
            }
            try Self.read(changed, path)
          }
        }
      }
      exit(0)
    }
  }

  /// A chunk of zeros, compressed by a thousand times, that says of itself that it is larger or smaller than it is.
  @Test(arguments: [TraceCompression.lz4, .zstd], [100, 400 << 20, 1 << 31, 1 << 40] as [UInt64])
  func bombsAreRefused(compression: TraceCompression, declared: UInt64) throws {
    let base = try TemporaryBase()
    let path = base.path + "/bomb.mcap"
    let writer = try TraceWriter(path: path, compression: compression)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/orrery/scene", messageEncoding: "protobuf"))
    try writer.write(
      TraceMessageHead(channel, sequence: 0, logTimeNs: 1, publishTimeNs: 1),
      bytes: [UInt8](repeating: 0, count: 20 << 20))
    try writer.finish()
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    #expect(bytes.count < 1 << 20)
    // The first has the channel.
    let chunk = try #require(try TraceArchiveFile(path: path).chunks.last)
    for byte in 0..<8 {
      bytes[Int(chunk.offset) + 9 + 16 + byte] = UInt8(
        truncatingIfNeeded: declared >> UInt64(8 * byte))
    }
    try Data(bytes).write(to: URL(filePath: path))
    let error = #expect(throws: TraceError.self) { try TraceReader(bytes: bytes).readToEnd() }
    switch error {
    case .tooLarge(.chunkBytes, declared, _) where declared > 256 << 20: break
    case .decompression(_, declared, _) where declared < 256 << 20: break
    default: Issue.record("\(String(describing: error))")
    }
    #expect(throws: (any Error).self) { try FrameArchive(paths: [path]) }
    let salvage = TraceSalvage(bytes: bytes)
    var count = 0
    try salvage.run { if case .message = $0 { count += 1 } }
    #expect(count == 0)
    #expect(salvage.losses.map(\.kind) == ["chunk"])
  }
}
