// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryTrace
import Testing

/// Goal: each option of a trace does what it says.
@Suite struct TraceOptionsTests {
  private static func fill(
    _ writer: TraceWriter, _ channel: TraceChannelID, _ range: Range<Int>, byteCount: Int = 1_000
  ) throws(TraceError) -> [Int] {
    var begun: [Int] = []
    for number in range {
      if try writer.splitIfDue(adding: byteCount) { begun.append(number) }
      try writer.write(
        TraceMessageHead(
          channel, sequence: UInt64(number), logTimeNs: UInt64(number), publishTimeNs: 1),
        bytes: noise(byteCount, seed: UInt64(number)))
    }
    return begun
  }

  /// A trace with a preamble: a message on `/scene`, and an attachment.
  private static func begin(
    _ path: String, _ options: TraceOptions, clock: @escaping () -> UInt64 = { 0 },
    calls: TraceSystemCalls
  ) throws(TraceError) -> (TraceWriter, TraceChannelID) {
    let writer = try TraceWriter(path: path, options: options, clock: clock, calls: calls)
    let schema = try writer.addSchema(TraceSchema(name: "S", encoding: "protobuf", data: [1]))
    let scene = try writer.addChannel(
      TraceChannel(schema: schema, topic: "/scene", messageEncoding: "raw"))
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
    try writer.addAttachment(
      TraceAttachmentHead(name: "scene.toml", mediaType: "application/toml", logTimeNs: 1), [1, 2],
      isPreamble: true)
    let bytes: [UInt8] = [5, 6, 7]
    _ = try bytes.span.bytes.withUnsafeBytes { (bytes) throws(TraceError) in
      try writer.write(
        TraceMessageHead(scene, sequence: 0, logTimeNs: 1, publishTimeNs: 1), parts: [bytes],
        isPreamble: true)
    }
    return (writer, channel)
  }

  @Test(arguments: [false, true], TraceCompression.allCases)
  func filesOfASetAreWholeAndKeepToTheirSize(
    isDirect: Bool, compression: TraceCompression
  ) throws {
    let folder = TemporaryFolder()
    var options = TraceOptions()
    options.compression = compression
    options.chunkBytes = 4_000
    options.fileBytesMax = 30_000
    let (writer, channel) = try Self.begin(
      folder.file(), options, calls: isDirect ? .direct : .live)
    let begun = try Self.fill(writer, channel, 0..<100)
    try writer.finish()
    #expect(begun.count >= 3)
    #expect(writer.paths.count == begun.count + 1)
    #expect(writer.paths[1].hasSuffix(".0002.mcap"))
    var sequences: [UInt32] = []
    var starts: [Int] = []
    for path in writer.paths {
      _ = folder.file(String(path.split(separator: "/").last ?? ""))
      #expect(bytes(of: path).count <= 32_000)
      let reader = try TraceReader(path: path)
      let messages = try reader.keptMessages()
      #expect(messages.first?.topic == "/scene")
      #expect(messages.first?.bytes == [5, 6, 7])
      #expect(reader.attachments.map(\.head.name) == ["scene.toml"])
      #expect(reader.ending == .whole)
      starts.append(sequences.count)
      sequences += messages.dropFirst().map(\.sequence)
    }
    #expect(sequences == (0..<100).map { UInt32($0) })
    #expect(Array(starts.dropFirst()) == begun)
  }

  @Test func fileOfASetIsBegunAtItsAge() throws {
    let folder = TemporaryFolder()
    var options = TraceOptions()
    options.fileAgeNsMax = 2_000_000_000
    nonisolated(unsafe) var now: UInt64 = 5
    let (writer, channel) = try Self.begin(folder.file(), options, clock: { now }, calls: .live)
    for path in 1...3 { _ = folder.file("trace.000\(path).mcap") }
    #expect(try Self.fill(writer, channel, 0..<3) == [])
    now += 1_999_999_999
    #expect(try Self.fill(writer, channel, 3..<4) == [])
    now += 1
    #expect(try Self.fill(writer, channel, 4..<6) == [4])
    // A file that has nothing but its preamble is not followed by another.
    now += 3_000_000_000
    #expect(try writer.splitIfDue())
    now += 3_000_000_000
    #expect(try !writer.splitIfDue())
    try writer.finish()
    #expect(writer.paths.count == 3)
  }

  @Test func nextFileThatExistsIsAnError() throws {
    let folder = TemporaryFolder()
    var options = TraceOptions()
    options.fileBytesMax = 5_000
    let (writer, channel) = try Self.begin(folder.file(), options, calls: .live)
    let next = folder.file("trace.0002.mcap")
    _ = folder.file("trace.0001.mcap")
    fclose(fopen(next, "w"))
    #expect(throws: TraceError.system(SystemCallError(call: "open", path: next, errno: EEXIST))) {
      _ = try Self.fill(writer, channel, 0..<20)
    }
  }

  /// Names that only look like those of a set are of no file of it.
  @Test func filesOfASetHaveNumbersOfFourDigitsFromOneOn() throws {
    let folder = TemporaryFolder()
    let path = folder.file()
    var options = TraceOptions()
    options.fileBytesMax = 5_000
    for number in ["1", "02", "00003", "+004", "-005", "0000", "x"] {
      fclose(fopen(folder.file("trace.\(number).mcap"), "w"))
    }
    #expect(options.existing(path) == [])
    let files = ["10000", "0002", "9999"].map { folder.file("trace.\($0).mcap") }
    for file in files { fclose(fopen(file, "w")) }
    #expect(options.existing(path) == [files[1], files[2], files[0]])
    let error = TraceError.system(SystemCallError(call: "open", path: files[1], errno: EEXIST))
    _ = folder.file("trace.0001.mcap")
    #expect(throws: error) { try TraceWriter(path: path, options: options) }
  }

  @Test(arguments: [false, true])
  func recordingEndsWholeBeforeTheFreeSpaceIsUsed(isDirect: Bool) throws {
    let folder = TemporaryFolder()
    var calls = isDirect ? TraceSystemCalls.direct : .live
    let path = folder.file()
    calls.freeSpace = { _ in
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      // A file system of which others use nothing.
      return (UInt64(10_000_000 - Int(status.st_size)), 20_000_000)
    }
    var options = TraceOptions()
    options.chunkBytes = 100_000
    options.freeSpace = .bytes(9_000_000)
    let (writer, channel) = try Self.begin(path, options, calls: calls)
    let error = try #require(throws: TraceError.self) {
      _ = try Self.fill(writer, channel, 0..<2_000, byteCount: 10_000)
      try writer.finish()
    }
    let failure = try #require(error.writeFailure)
    #expect((failure.cause.path, failure.cause.errno) == (path, ENOSPC))
    let text = failure.cause.call
    #expect(
      text.contains(/^keep 8\.5 MiB free \(--min-free-space\) where [89]\.\d MiB are$/), "\(text)")
    #expect(failure.isFinished)
    #expect(failure.messagesKept > 50)
    #expect(bytes(of: path).count <= 1_010_000)
    #expect(try TraceReader(path: path).keptMessages().count == Int(failure.messagesKept))
  }

  @Test(
    arguments: [
      (0, "0 bytes"), (1_023, "1023 bytes"), (1_024, "1.0 KiB"), (1_127, "1.1 KiB"),
      ((1 << 20) - 1, "1023.9 KiB"), (5 << 20, "5.0 MiB"), ((3 << 30) + (1 << 29), "3.5 GiB"),
      (.max, "17179869183.9 GiB"),
    ] as [(UInt64, String)])
  func spaceIsNamedInUnits(bytes: UInt64, text: String) {
    #expect(
      TraceFreeSpace.bytes(1 << 30).text(available: bytes, ofFileSystem: 0)
        == "keep 1.0 GiB free (--min-free-space) where \(text) are")
  }

  @Test func freeSpaceIsAGibibyteOrATwentieth() {
    #expect(TraceFreeSpace.standard.limit(ofFileSystem: 1 << 30) == 1 << 30)
    #expect(TraceFreeSpace.standard.limit(ofFileSystem: 100 << 30) == 5 << 30)
    #expect(TraceFreeSpace.bytes(7).limit(ofFileSystem: 100 << 30) == 7)
  }

  @Test(arguments: TraceSync.allCases)
  func disksAreWaitedForAsOftenAsAsked(sync: TraceSync) throws {
    let folder = TemporaryFolder()
    var calls = TraceSystemCalls.live
    nonisolated(unsafe) var count = 0
    calls.sync = { _ in
      count += 1
      return 0
    }
    var options = TraceOptions()
    options.chunkBytes = 3_000
    options.sync = sync
    nonisolated(unsafe) var now: UInt64 = 0
    let (writer, channel) = try Self.begin(folder.file(), options, clock: { now }, calls: calls)
    for number in 0..<30 {
      now += 100_000_000
      _ = try Self.fill(writer, channel, number..<(number + 1), byteCount: 4_000)
      try writer.flush()
    }
    try writer.finish()
    switch sync {
    case .never: #expect(count == 0)
    // Before and after each summary: at the first chunk and at 1.1 and 2.1 seconds; and the end.
    case .second: #expect(count == 7)
    case .chunk: #expect(count >= 30 + 7)
    }
  }

  /// The first summary comes 10 ms after the beginning, each other one a second after the one before.
  @Test func summariesAreWrittenASecondApart() throws {
    let folder = TemporaryFolder()
    var calls = TraceSystemCalls.live
    nonisolated(unsafe) var count = 0
    calls.sync = { _ in
      count += 1
      return 0
    }
    var options = TraceOptions()
    options.sync = .second
    nonisolated(unsafe) var now: UInt64 = 0
    let (writer, channel) = try Self.begin(folder.file(), options, clock: { now }, calls: calls)
    for (waitNs, syncs) in [
      (9_999_999, 0), (1, 2), (999_999_999, 2), (1, 4), (999_999_999, 4), (1, 6),
    ] as [(UInt64, Int)] {
      _ = try Self.fill(writer, channel, 0..<1)
      try writer.flush()
      now += waitNs
      try writer.flushIfDue()
      try writer.flush()
      #expect(count == syncs, "at \(now)")
    }
  }

  @Test func failedSyncEndsTheTrace() throws {
    let folder = TemporaryFolder()
    var calls = TraceSystemCalls.live
    calls.sync = { _ in
      errno = EIO
      return -1
    }
    var options = TraceOptions()
    options.chunkBytes = 3_000
    options.sync = .chunk
    let (writer, channel) = try Self.begin(folder.file(), options, calls: calls)
    let error = try #require(throws: TraceError.self) {
      _ = try Self.fill(writer, channel, 0..<30, byteCount: 4_000)
      try writer.finish()
    }
    #expect(error.writeFailure?.cause.call == "fdatasync")
  }

  @Test func higherLevelMakesSmallerChunks() throws {
    let folder = TemporaryFolder()
    var sizes: [Int] = []
    for level in [1, 19] as [Int32] {
      var options = TraceOptions()
      options.compression = .zstd
      options.zstdLevel = level
      let path = folder.file("\(level)")
      let (writer, channel) = try Self.begin(path, options, calls: .live)
      let text = (0..<40_000).map { UInt8(truncatingIfNeeded: ($0 * $0 / 7) % 61 + $0 / 900) }
      try writer.write(
        TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: text)
      try writer.finish()
      sizes.append(bytes(of: path).count)
      #expect(try TraceReader(path: path).keptMessages().last?.bytes == text)
    }
    #expect(sizes[1] < sizes[0])
  }
}
