// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryTrace
import Testing

/// What is written can be read, and is written the same way each time.
///
/// Method: write small traces to files, read them strictly, compare all that was put in.
@Suite struct TraceRoundTripTests {
  @Test(arguments: TraceCompression.allCases)
  func everythingComesBack(compression: TraceCompression) throws {
    let folder = TemporaryFolder()
    try SmallTrace.write(to: folder.file(), compression: compression)
    let reader = try TraceReader(path: folder.file())
    #expect(try reader.keptMessages() == SmallTrace.written)
    #expect(reader.ending == .whole)
    #expect(reader.profile == "")
    #expect(reader.library == TraceWriter.library)
    #expect(reader.schemas.values.map(\.name).sorted() == ["Frame", "Loss"])
    #expect(reader.schemas[TraceSchemaID(number: 1)]?.data == [1, 2, 3])
    #expect(reader.channels.values.map(\.topic).sorted() == ["/frames", "/loss", "/silent"])
    #expect(reader.channels[TraceChannelID(number: 1)]?.metadata == ["a": "1", "b": "2"])
    #expect(reader.channels[TraceChannelID(number: 3)]?.schema == nil)
    #expect(
      reader.metadata == [
        TraceMetadata(name: "run", values: ["seed": "7", "scene": "prismatic"])
      ])
    #expect(reader.attachments.map(\.head.name) == ["scene.toml", "empty"])
    let scene = try #require(reader.attachments.first)
    #expect(try reader.data(of: scene) == Array("x = 1\n".utf8))
    #expect(scene.head.logTimeNs == 5)
    #expect(scene.head.createTimeNs == 4)
    let statistics = reader.statistics
    #expect(statistics.messageCount == UInt64(SmallTrace.written.count))
    #expect(statistics.chunkCount > 2)
    #expect(statistics.startNs == SmallTrace.written.map(\.logTimeNs).min())
    #expect(statistics.endNs == SmallTrace.written.map(\.logTimeNs).max())
  }

  @Test(arguments: TraceCompression.allCases)
  func sameInputGivesSameBytes(compression: TraceCompression) throws {
    #expect(try SmallTrace.bytes(compression) == SmallTrace.bytes(compression))
  }

  @Test func mapsAreSortedByKey() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file())
    let keys = (0..<26).map { String(UnicodeScalar(UInt8(97 + $0))) }
    try writer.addMetadata(name: "M", Dictionary(uniqueKeysWithValues: keys.map { ($0, "1") }))
    try writer.finish()
    let all = bytes(of: folder.file())
    let places = keys.compactMap { key in
      // A key, and the length of its value.
      all.indices.first { all[$0...].starts(with: "\(key)\u{1}".utf8) }
    }
    #expect(places.count == 26)
    #expect(places == places.sorted())
  }

  @Test(arguments: [TraceCompression.lz4, .zstd])
  func compressionMakesCompressibleMessagesSmaller(compression: TraceCompression) throws {
    let folder = TemporaryFolder()
    for one in [compression, .none] {
      let writer = try TraceWriter(path: folder.file(one.rawValue), compression: one)
      let channel = try writer.addChannel(
        TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
      try writer.write(
        TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1),
        bytes: [UInt8](repeating: 7, count: 100_000))
      try writer.finish()
    }
    let small = bytes(of: folder.file(compression.rawValue))
    let large = bytes(of: folder.file("none"))
    #expect(small.count < large.count / 10)
    let messages = try TraceReader(bytes: large).keptMessages()
    #expect(try TraceReader(bytes: small).keptMessages() == messages)
  }

  @Test func emptyTraceIsWhole() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file())
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    #expect(try reader.nextMessage() == nil)
    #expect(reader.ending == .whole)
    #expect(reader.statistics == TraceStatistics())
  }

  @Test(arguments: TraceCompression.allCases)
  func messageLargerThanAChunkHasItsOwn(compression: TraceCompression) throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file(), compression: compression, chunkBytes: 1_000)
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    let large = noise(700_001, seed: 2)
    for (sequence, size) in [10, 10, large.count, 10].enumerated() {
      try writer.write(
        TraceMessageHead(channel, sequence: UInt64(sequence), logTimeNs: 1, publishTimeNs: 1),
        bytes: Array(large[..<size]))
    }
    try writer.finish()
    let reader = try TraceReader(path: folder.file())
    #expect(try reader.keptMessages().map(\.bytes.count) == [10, 10, large.count, 10])
    #expect(reader.statistics.chunkCount == 3)
  }

  @Test func partsAreJoined() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file())
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    let (one, other): ([UInt8], [UInt8]) = ([1, 2, 3], [4, 5])
    try one.withUnsafeBytes { first in
      try other.withUnsafeBytes { second in
        _ = try writer.write(
          TraceMessageHead(channel, sequence: 9, logTimeNs: 2, publishTimeNs: 1),
          parts: [first, UnsafeRawBufferPointer(start: nil, count: 0), second])
      }
    }
    try writer.finish()
    #expect(try TraceReader(path: folder.file()).keptMessages().map(\.bytes) == [[1, 2, 3, 4, 5]])
  }

  @Test func messageThatIsNotIntactLeavesNothing() throws {
    let folder = TemporaryFolder()
    for (name, isDropping) in [("with", true), ("without", false)] {
      let writer = try TraceWriter(path: folder.file(name))
      let channel = try writer.addChannel(
        TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
      try writer.write(
        TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
      if isDropping {
        let isKept = try [UInt8](repeating: 3, count: 500).withUnsafeBytes {
          try writer.write(
            TraceMessageHead(channel, sequence: 2, logTimeNs: 9, publishTimeNs: 9), parts: [$0],
            isIntact: { false })
        }
        #expect(!isKept)
      }
      try writer.write(
        TraceMessageHead(channel, sequence: 3, logTimeNs: 3, publishTimeNs: 3), bytes: [2])
      try writer.finish()
    }
    #expect(bytes(of: folder.file("with")) == bytes(of: folder.file("without")))
  }

  @Test func chunkIsWrittenWhenItsFirstMessageIsOneSecondOld() throws {
    let folder = TemporaryFolder()
    nonisolated(unsafe) var nowNs: UInt64 = 5
    let writer = try TraceWriter(path: folder.file(), clock: { nowNs })
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    #expect(writer.flushDeadlineNs == nil)
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
    #expect(writer.flushDeadlineNs == 1_000_000_005)
    nowNs = 1_000_000_004
    try writer.flushIfDue()
    #expect(writer.statistics.messageCount == 0)
    nowNs += 1
    try writer.flushIfDue()
    #expect(writer.statistics.messageCount == 1)
    #expect(writer.flushDeadlineNs == nil)
    let reader = try TraceReader(path: folder.file(), mode: .scan)
    #expect(try reader.keptMessages().count == 1)
    // Its summary is there, too: that of a checkpoint.
    #expect(reader.ending == .unfinished(.endOfRecording))
    try writer.write(
      TraceMessageHead(channel, sequence: 2, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
    nowNs += 1_000_000_000
    try writer.write(
      TraceMessageHead(channel, sequence: 3, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
    #expect(writer.statistics.messageCount == 3)
  }

  @Test func existingFilesAreKept() throws {
    let folder = TemporaryFolder()
    try SmallTrace.write(to: folder.file(), compression: .none)
    let before = bytes(of: folder.file())
    let exists = SystemCallError(call: "open", path: folder.file(), errno: EEXIST)
    #expect(throws: TraceError.system(exists)) {
      _ = try TraceWriter(path: folder.file())
    }
    #expect(bytes(of: folder.file()) == before)
    try SmallTrace.write(to: folder.file(), compression: .lz4, overwrite: true)
    #expect(try TraceReader(path: folder.file()).keptMessages() == SmallTrace.written)
  }

  @Test func onlyRegularFilesAreWritten() throws {
    let folder = TemporaryFolder()
    let (target, link, fifo) = (folder.file("target"), folder.file("link"), folder.file("fifo"))
    try SmallTrace.write(to: target, compression: .none)
    let before = bytes(of: target)
    #expect(symlink(target, link) == 0)
    #expect(mkfifo(fifo, 0o600) == 0)
    #expect(throws: TraceError.system(SystemCallError(call: "open", path: link, errno: ELOOP))) {
      _ = try TraceWriter(path: link, overwrite: true)
    }
    #expect(throws: TraceError.self) { _ = try TraceWriter(path: fifo, overwrite: true) }
    #expect(throws: TraceError.notRegularFile(path: "/dev/null")) {
      _ = try TraceWriter(path: "/dev/null", overwrite: true)
    }
    #expect(throws: TraceError.notRegularFile(path: fifo)) { _ = try TraceReader(path: fifo) }
    #expect(bytes(of: target) == before)
  }

  @Test func fileThatIsBeingWrittenIsLeftAlone() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file())
    #expect(throws: TraceError.beingWritten(path: folder.file())) {
      _ = try TraceWriter(path: folder.file(), overwrite: true)
    }
    try SmallTrace.fill(writer)
    try writer.finish()
    #expect(try TraceReader(path: folder.file()).keptMessages() == SmallTrace.written)
  }

  @Test func tooLargeCatalogueIsRefusedAndTheTraceGoesOn() throws {
    let folder = TemporaryFolder()
    let writer = try TraceWriter(path: folder.file())
    let large = [UInt8](repeating: 1, count: 10 << 20)
    _ = try writer.addSchema(TraceSchema(name: "a", encoding: "protobuf", data: large))
    #expect(throws: TraceError.self) {
      _ = try writer.addSchema(TraceSchema(name: "b", encoding: "protobuf", data: large))
    }
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.write(
      TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
    try writer.finish()
    #expect(try TraceReader(path: folder.file()).keptMessages().count == 1)
  }

  @Test func undeclaredChannelTraps() async {
    await #expect(processExitsWith: .failure) {
      let folder = TemporaryFolder()
      let writer = try TraceWriter(path: folder.file())
      folder.remove()
      try writer.write(
        TraceMessageHead(TraceChannelID(number: 1), sequence: 1, logTimeNs: 1, publishTimeNs: 1),
        bytes: [])
    }
  }
}
