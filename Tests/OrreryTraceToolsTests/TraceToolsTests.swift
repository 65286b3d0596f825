// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryTrace
import OrreryTraceTools
import TestSupport
import Testing

/// A small trace of ours, with two topics and something of every kind.
enum Sample {
  static let count = 40

  /// Writes it: a message each 10 ms from one second on, in chunks of a few.
  static func write(
    to path: String, compression: TraceCompression = .none, first: Int = 0, topic: String = "/a"
  ) throws {
    let writer = try TraceWriter(
      path: path, compression: compression, chunkBytes: 300, clock: { 0 })
    let schema = try writer.addSchema(
      TraceSchema(name: "S", encoding: "jsonschema", data: Array("{}".utf8)))
    let one = try writer.addChannel(
      TraceChannel(schema: schema, topic: topic, messageEncoding: "json"))
    let two = try writer.addChannel(TraceChannel(schema: nil, topic: "/raw", messageEncoding: "x"))
    for number in first..<first + count {
      let time = UInt64(1_000_000_000 + number * 10_000_000)
      try writer.write(
        TraceMessageHead(
          number % 4 == 3 ? two : one, sequence: UInt64(number), logTimeNs: time,
          publishTimeNs: time - 5), bytes: Array("{\"n\":\(number)}".utf8))
      if number == first + 20 {
        try writer.addAttachment(
          TraceAttachmentHead(name: "x.toml", mediaType: "application/toml", logTimeNs: 1),
          Array("a = 1".utf8))
      }
    }
    try writer.addMetadata(name: "m", ["k": "v"])
    try writer.finish()
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  static func put(_ bytes: [UInt8], _ path: String) throws {
    try Data(bytes).write(to: URL(filePath: path))
  }

  /// The sequence numbers of a file that passes the strict reader.
  static func sequences(_ path: String) throws -> [UInt32] {
    let reader = try TraceReader(path: path)
    var all: [UInt32] = []
    while let message = try reader.nextMessage() { all.append(message.head.sequence) }
    return all
  }
}

/// A part of a `Sample`, by log time: seconds after its first message.
private struct LogTimes: TraceTimeline {
  let logTimes: ClosedRange<UInt64>

  init(from: Double, to: Double) {
    logTimes = 1_000_000_000 + UInt64(from * 1e9)...1_000_000_000 + UInt64(to * 1e9)
  }

  func part(of message: TraceArchiveMessage) -> TraceMessagePart { .whole }
  func preamble(of message: TraceArchiveMessage) -> TraceMessagePart { .none }
  func sceneTime(of message: TraceArchiveMessage) -> (tick: UInt64, seconds: Double)? { nil }
}

/// What the commands on traces do: their outputs pass the strict reader, and hold what was asked for.
///
/// Method: small traces, whole, cut and damaged, through each command's own type.
@Suite struct TraceToolsTests {
  private let base: TemporaryBase
  private var input: String { base.path + "/in.mcap" }
  private var output: String { base.path + "/out.mcap" }

  init() throws { base = try TemporaryBase() }

  @Test(arguments: TraceCompression.allCases)
  func wholeFileIsRecoveredWithoutLoss(compression: TraceCompression) throws {
    try Sample.write(to: input, compression: compression)
    let recovery = try TraceRecovery(input: input, output: output, overwrite: false)
    #expect(!recovery.isLossy)
    #expect(recovery.hasEnd)
    #expect(recovery.losses.isEmpty)
    #expect(try Sample.sequences(output) == (0..<40).map { UInt32($0) })
    #expect(recovery.attachments == 1 && recovery.metadata == 1)
    #expect(recovery.text.hasSuffix(", verified; nothing in the file was lost\n"))
    let second = #expect(throws: Failure.self) {
      try TraceRecovery(input: input, output: output, overwrite: false)
    }
    #expect(second?.status == .inputOutput)
    let same = #expect(throws: Failure.self) {
      try TraceRecovery(input: input, output: input, overwrite: true)
    }
    #expect(same?.status == .usage)
  }

  @Test(arguments: [TraceCompression.none, .zstd])
  func everyCutGivesTheLongestWholePrefix(compression: TraceCompression) throws {
    try Sample.write(to: input, compression: compression)
    let whole = try Sample.bytes(input)
    for count in stride(from: 0, through: whole.count, by: testEffort > 1 ? 1 : 7) {
      let cut = Array(whole[..<count])
      try Sample.put(cut, input)
      var expected: [UInt32] = []
      if count >= 8 {
        let reader = try TraceReader(bytes: cut, mode: .scan)
        while let message = try reader.nextMessage() { expected.append(message.head.sequence) }
      }
      if expected.isEmpty {
        #expect(throws: Failure.self) {
          try TraceRecovery(input: input, output: output, overwrite: true)
        }
        continue
      }
      _ = try TraceRecovery(input: input, output: output, overwrite: true)
      #expect(try Sample.sequences(output) == expected, "of \(count) bytes")
    }
  }

  @Test func damagedChunkIsLeftOutAndTheRestKept() throws {
    try Sample.write(to: input)
    let whole = try Sample.bytes(input)
    let chunks = try TraceArchiveFile(path: input).chunks
    for (index, chunk) in chunks.enumerated() {
      // In its length, its checksum, its records.
      for place in [3, 9 + 24, 9 + 60] {
        var damaged = whole
        damaged[Int(chunk.offset) + place] ^= 0x10
        try Sample.put(damaged, input)
        let recovery = try TraceRecovery(input: input, output: output, overwrite: true)
        #expect(recovery.isLossy)
        #expect(recovery.losses.first?.offset == chunk.offset)
        let archive = try TraceArchive([try TraceArchiveFile(bytes: whole)])
        let lost = try archive.locations(file: 0, chunk: index).map {
          try archive.message(at: $0).head.sequence
        }
        let left = (0..<40).map { UInt32($0) }.filter { !lost.contains($0) }
        #expect(try Sample.sequences(output) == left, "chunk \(index), byte \(place)")
      }
    }
  }

  @Test func everySingleBitIsFoundByVerify() throws {
    try Sample.write(to: input, compression: .zstd)
    let whole = try Sample.bytes(input)
    var random = SeededRandom(seed: 17)
    let all = whole.count * 8
    let bits =
      testEffort > 1
      ? Array(0..<all) : (0..<300).map { _ in Int.random(in: 0..<all, using: &random) }
    for bit in bits {
      var damaged = whole
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      try Sample.put(damaged, output)
      let check = try TraceCheck(paths: [output])
      #expect(!check.isWhole, "bit \(bit)")
      #expect(check.files[0].offset != nil && check.files[0].kind != nil)
    }
    #expect(try TraceCheck(paths: [input]).isWhole)
  }

  @Test func nothingWholeIsAnErrorAndLeavesNoFile() throws {
    try Sample.put(Array("no trace at all".utf8), input)
    let error = #expect(throws: Failure.self) {
      try TraceRecovery(input: input, output: output, overwrite: false)
    }
    #expect(error?.status == .badData)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func filterKeepsTopicsTimesAndEveryNth() throws {
    try Sample.write(to: input)
    var filter = TraceFilter()
    filter.topics = ["/a"]
    filter.timeline = LogTimes(from: 0.1, to: 0.2)
    let copy = try TraceCopy([input], to: output, filter, overwrite: false)
    #expect(try Sample.sequences(output) == [10, 12, 13, 14, 16, 17, 18, 20])
    #expect(copy.messagesRead == 40 && copy.messages == 8)
    filter = TraceFilter()
    filter.every = 10
    _ = try TraceCopy([input], to: output, filter, compression: .zstd, overwrite: true)
    // Of each topic.
    #expect(try Sample.sequences(output) == [0, 3, 13, 26])
  }

  @Test func mergeIsByTimeAndJoinsEqualChannels() throws {
    let second = base.path + "/second.mcap"
    try Sample.write(to: input)
    try Sample.write(to: second, first: 20, topic: "/b")
    _ = try TraceCopy([input, second], to: output, TraceFilter(), overwrite: false)
    let sequences = try Sample.sequences(output)
    #expect(sequences.count == 80)
    #expect(sequences == sequences.sorted())
    let archive = try TraceArchive(paths: [output])
    #expect(archive.topics == ["/a", "/b", "/raw"])
    #expect(archive.files[0].channels.count == 3)
    #expect(archive.files[0].schemas.count == 1)
    #expect(archive.files[0].attachments.count == 1)
    #expect(try archive.files[0].metadata().count == 1)
  }

  @Test func damagedInputIsRefusedAndNoOutputLeft() throws {
    try Sample.write(to: input)
    var damaged = try Sample.bytes(input)
    let chunk = try TraceArchiveFile(path: input).chunks[2]
    damaged[Int(chunk.offset) + 80] ^= 1
    try Sample.put(damaged, input)
    let error = #expect(throws: Failure.self) {
      try TraceCopy([input], to: output, TraceFilter(), overwrite: false)
    }
    #expect(error?.status == .badData)
    #expect(error?.description.contains("in.mcap: offset \(chunk.offset)") ?? false)
    #expect(!FileManager.default.fileExists(atPath: output))
  }

  @Test func listingHasALineForEachMessage() throws {
    try Sample.write(to: input)
    var filter = TraceFilter()
    filter.timeline = LogTimes(from: 0, to: 0.03)
    var lines: [String] = []
    let archive = try TraceArchive(paths: [input])
    try TraceListing(archive, filter, format: .ndjson, isWhole: false).write {
      lines.append($0)
      return true
    }
    #expect(lines.count == 4)
    let first =
      "{\"time_s\":0.0,\"log_time_ns\":1000000000,\"publish_time_ns\":999999995,"
      + "\"topic\":\"/a\",\"sequence\":0,\"schema\":\"S\",\"message\":{\"n\":0}}"
    #expect(lines.first == first)
    #expect(lines.last?.hasSuffix("\"schema\":\"\",\"message\":\"eyJuIjozfQ==\"}") ?? false)
    lines = []
    try TraceListing(archive, filter, format: .csv, isWhole: false).write {
      lines.append($0)
      return lines.count < 2
    }
    #expect(lines.last == "0.0,,,1000000000,999999995,/a,0,S,\"{\"\"n\"\":0}\"")
  }

  @Test func infoSaysWhatIsThere() throws {
    try Sample.write(to: input, compression: .zstd)
    let whole = try TraceInfo(try TraceArchive(paths: [input]))
    #expect(whole.isWhole)
    #expect(whole.messages == 40)
    #expect(whole.durationS == 0.39)
    #expect(whole.channels.map(\.messages) == [30, 10])
    #expect(whole.channels.map(\.schemaName) == ["S", ""])
    #expect(whole.metadata == ["m": ["k": "v"]])
    #expect(whole.text.contains("in.mcap: whole, "))
    #expect(whole.text.contains(" /a  30 messages, 76.92 Hz, S\n"))
    #expect(whole.text.contains(" /raw  10 messages, 25.64 Hz, x\n"))
    let bytes = try Sample.bytes(input)
    try Sample.put(Array(bytes[..<(bytes.count / 2)]), input)
    let cut = try TraceInfo(try TraceArchive(paths: [input]))
    #expect(!cut.isWhole)
    #expect(cut.files[0].state == "unfinished")
    #expect(cut.files[0].faultOffset != nil)
  }

  /// A run was sent back or forth if its ticks do not rise as its frames do.
  @Test func infoSaysWhetherTicksAreInOrder() throws {
    try Sample.write(to: input)
    let archive = try TraceArchive(paths: [input])
    func text(lastTick: UInt64) throws -> String {
      var run = TraceRunInfo()
      run.first = .init(sequence: 10, tick: 100, sceneSeconds: 1, stateHash: "a")
      run.last = .init(sequence: 13, tick: lastTick, sceneSeconds: 1.5, stateHash: "b")
      run.sceneSeconds = 0.5
      return try TraceInfo(archive, runs: [run]).text
    }
    let inOrder = try text(lastTick: 103)
    #expect(inOrder.contains(" 100 to 103, frames 10 to 13\n"))
    #expect(inOrder.contains(" 1.000 to 1.500 s, 0.500 s\n"))
    for tick in [102, 104, 97] as [UInt64] {
      let text = try text(lastTick: tick)
      let skipped =
        " 100 to \(tick), frames 10 to 13; some ticks were skipped or repeated, the last frame"
        + " shows tick \(tick)\n"
      #expect(text.contains(skipped))
      #expect(text.contains(" 1.000 s in the first frame, 1.500 s in the last\n"))
    }
  }

  /// Twenty lost parts have lines of their own; how many more there are is said where there are more.
  @Test(arguments: [(19, 0), (20, 0), (21, 1)])
  func recoveryNamesTwentyLostParts(count: Int, more: Int) throws {
    let writer = try TraceWriter(path: input, chunkBytes: 1, clock: { 0 })
    let channel = try writer.addChannel(
      TraceChannel(schema: nil, topic: "/a", messageEncoding: "x"))
    for number in 0...UInt64(count) {
      try writer.write(
        TraceMessageHead(channel, sequence: number, logTimeNs: 1 + number, publishTimeNs: 1),
        bytes: [1, 2, 3])
    }
    try writer.finish()
    var bytes = try Sample.bytes(input)
    for chunk in try TraceArchiveFile(path: input).chunks.suffix(count) {
      bytes[Int(chunk.offset) + 9 + 60] ^= 1
    }
    try Sample.put(bytes, input)
    let recovery = try TraceRecovery(input: input, output: output, overwrite: false)
    #expect(recovery.losses.count == count && recovery.messages == 1)
    #expect(recovery.text.hasSuffix(", verified; with losses\n"))
    let lines = recovery.text.split(separator: "\n").map(String.init)
    #expect(lines.filter { $0.hasPrefix("lost: offset ") }.count == min(count, 20))
    #expect(
      lines.filter { $0.hasSuffix(" parts") } == (more > 0 ? ["lost: \(more) more parts"] : []))
  }

  /// Ten gaps and ten changes have lines of their own; how many more there are is said where there are more.
  @Test(arguments: [(0, 0, 0), (10, 10, 0), (11, 10, 1), (12, 10, 2)])
  func infoNamesTenGapsAndChanges(count: Int, lines: Int, more: Int) throws {
    try Sample.write(to: input)
    var run = TraceRunInfo()
    run.losses.gaps = (0..<UInt64(count)).map { .init(first: $0, last: $0, shard: nil) }
    run.losses.gapCount = UInt64(count)
    run.changes = (0..<UInt64(count)).map { .init(tick: $0, command: "{}") }
    let text = try TraceInfo(TraceArchive(paths: [input]), runs: [run]).text
    for (label, word) in [("gap ", "frames "), ("change ", "tick ")] {
      let found = text.split(separator: "\n").filter { $0.hasPrefix(label) }
        .map { $0.dropFirst(14) }
      let rest = more > 0 ? ["\(more) more"] : []
      #expect(found.count == lines + rest.count)
      #expect(found.prefix(lines).allSatisfy { $0.hasPrefix(word) })
      #expect(found.dropFirst(lines).map(String.init) == rest)
    }
    #expect(text.contains(", \(count) gaps\n") == (count > 0))
  }

  /// Of so many gaps and changes that not all were read, that is said.
  @Test(arguments: [true, false])
  func infoSaysWhetherAllWasCounted(isCounted: Bool) throws {
    try Sample.write(to: input)
    var run = TraceRunInfo()
    #expect(run.isCounted)
    run.isCounted = isCounted
    let text = try TraceInfo(TraceArchive(paths: [input]), runs: [run]).text
    #expect(text.contains("more gaps or changes are there than were read\n") != isCounted)
  }

  /// What is known of the recording has a line each, and what is not known has none.
  @Test func infoNamesTheRecorder() throws {
    try Sample.write(to: input)
    let archive = try TraceArchive(paths: [input])
    func lines(_ run: TraceRunInfo) throws -> [String] {
      let labels = ["run ", "recorder ", "host ", "command ", "lost "]
      return try TraceInfo(archive, runs: [run]).text.split(separator: "\n").map(String.init)
        .filter { line in labels.contains { line.hasPrefix($0) } }
    }
    var run = TraceRunInfo()
    (run.run, run.scene, run.seed) = ("live", "planets", 7)
    let short = ["run           live, scene planets, seed 7"]
    let none = ["lost          0 frames missed by the recorder"]
    #expect(try lines(run) == short + none)
    run.version = "0.1"
    #expect(try lines(run) == short + none + ["recorder      0.1"])
    (run.commit, run.host, run.commandLine) = ("abc", "mars", "orrery run planets")
    (run.sceneHash, run.shard) = ("0f", .init(index: 1, count: 3))
    (run.losses.missedByRecorder, run.losses.gapCount) = (2, 5)
    run.losses.missedByShard = ["1": 4, "0": 3]
    #expect(
      try lines(run) == [
        "run           live, scene planets, text 0f, seed 7, shard 1 of 3",
        "lost          2 frames missed by the recorder, 3 without shard 0, 4 without shard 1,"
          + " 5 gaps",
        "recorder      0.1, commit abc", "host          mars", "command       orrery run planets",
      ])
  }

  /// Chunks are counted by their compression, and those that have none are called so.
  @Test(arguments: TraceCompression.allCases)
  func infoNamesTheCompressionOfChunks(compression: TraceCompression) throws {
    try Sample.write(to: input, compression: compression)
    let info = try TraceInfo(TraceArchive(paths: [input]))
    let storage = try #require(info.storage.first { $0.chunks > 0 })
    let word = compression == .none ? "uncompressed" : compression.rawValue
    let line =
      "chunks        \(storage.chunks) \(word), \(storage.storedBytes) bytes of "
      + "\(storage.recordBytes)\n"
    #expect(info.text.contains(line), "\(info.text)")
  }

  /// A file without a message is whole, and so is its copy.
  @Test func fileWithoutMessagesIsRecovered() throws {
    let writer = try TraceWriter(path: input, compression: .none)
    _ = try writer.addChannel(TraceChannel(schema: nil, topic: "/a", messageEncoding: "json"))
    try writer.finish()
    let recovery = try TraceRecovery(input: input, output: output, overwrite: false)
    #expect(!recovery.isLossy && recovery.state == "whole" && recovery.messages == 0)
    #expect(try TraceCheck(paths: [output]).isWhole)
    // Cut off behind its header, it has nothing to give.
    try Sample.put(Array(try Sample.bytes(input)[..<40]), input)
    let error = #expect(throws: Failure.self) {
      try TraceRecovery(input: input, output: output, overwrite: true)
    }
    #expect(error?.description.contains("unfinished") ?? false)
  }

  /// A copy of a part is no whole trace, and neither is a copy of that.
  @Test func copiesOfAPartAreUnfinished() throws {
    try Sample.write(to: input)
    let (cut, second, third) = (
      base.path + "/cut.mcap", base.path + "/second.mcap", base.path + "/third.mcap"
    )
    let bytes = try Sample.bytes(input)
    try Sample.put(Array(bytes[..<(bytes.count / 2)]), cut)
    let state = try TraceArchiveFile(path: cut).state
    #expect(state.word == "unfinished")
    let recovery = try TraceRecovery(input: cut, output: second, overwrite: false)
    #expect(recovery.state == "unfinished" && recovery.fault == state.reason)
    #expect(recovery.text.hasSuffix(", verified; with losses\n"))
    let merged = try TraceCopy([input, cut], to: output, TraceFilter(), overwrite: false)
    #expect(merged.state == "unfinished" && merged.missing == state.reason)
    #expect(!merged.text.contains("verified"))
    let copied = try TraceCopy([output], to: third, TraceFilter(), overwrite: false)
    #expect(copied.state == "unfinished")
    for path in [second, output, third] {
      let found = try TraceArchiveFile(path: path)
      #expect(found.state == .unfinished(.whatItsSourceLacks(try #require(state.reason))))
      #expect(found.attachments.count == 1)
      let check = try TraceCheck(paths: [path])
      #expect(!check.isDamaged && !check.isWhole)
      #expect(check.text.contains("unfinished: \(state.reason ?? "")"))
    }
    let whole = try TraceCopy([input], to: third, TraceFilter(), overwrite: true)
    #expect(whole.state == "whole" && whole.text.hasSuffix(", verified\n"))
  }

  /// Losses make a copy a part, too.
  @Test func copyOfADamagedFileIsUnfinished() throws {
    try Sample.write(to: input)
    var damaged = try Sample.bytes(input)
    let chunk = try TraceArchiveFile(path: input).chunks[2]
    damaged[Int(chunk.offset) + 80] ^= 1
    try Sample.put(damaged, input)
    let recovery = try TraceRecovery(input: input, output: output, overwrite: false)
    #expect(recovery.state == "damaged" && recovery.isLossy)
    #expect(try TraceArchiveFile(path: output).state.word == "unfinished")
  }

  /// Messages outside of chunks make no chunk.
  @Test func chunksAreCountedWithoutMessagesOutsideOfThem() throws {
    try Sample.write(to: input)
    let chunks = try TraceArchiveFile(path: input).chunks.count
    #expect(try TraceInfo(TraceArchive(paths: [input])).files[0].chunks == chunks)
    let bare = try Repository.data("Tests/Fixtures/foreign/unchunked.mcap")
    try bare.write(to: URL(filePath: input))
    let info = try TraceInfo(TraceArchive(paths: [input]))
    #expect(info.files[0].chunks == 0)
    #expect(info.messages == 20)
  }

  /// Files of the official Python package, as `tools/foreign-traces.py` writes them.
  @Test(arguments: ["unchunked", "no-repeat", "default", "empty"])
  func foreignFilesAreWholeForEveryCommand(name: String) throws {
    let count: UInt64 = name == "empty" ? 0 : 20
    let data = try Repository.data("Tests/Fixtures/foreign/\(name).mcap")
    try data.write(to: URL(filePath: input))
    let check = try TraceCheck(paths: [input])
    #expect(check.isWhole && check.files[0].messages == count, "\(check.text)")
    #expect(check.files[0].notes == ["no checksum of the data section"])
    #expect(check.text.contains("whole") && check.text.contains("no checksum of the data section"))
    let archive = try TraceArchive(paths: [input])
    #expect(archive.files[0].state == .whole)
    #expect(archive.topics == ["/case"])
    var lines: UInt64 = 0
    try TraceListing(archive, TraceFilter(), format: .ndjson, isWhole: false).write { _ in
      lines += 1
      return true
    }
    #expect(lines == count)
    let copy = try TraceCopy([input], to: output, TraceFilter(), overwrite: false)
    #expect(copy.messages == count && copy.state == "whole")
    let recovery = try TraceRecovery(input: input, output: output, overwrite: true)
    #expect(recovery.messages == count && !recovery.isLossy && recovery.losses.isEmpty)
  }
}

/// What commands print with `--json` is what their schemas say.
@Suite struct TraceReportTests {
  @Test func reportsAreAsTheirSchemasSay() throws {
    let base = try TemporaryBase()
    let (input, output) = (base.path + "/in.mcap", base.path + "/out.mcap")
    try Sample.write(to: input)
    let archive = try TraceArchive(paths: [input])
    let recovery = try TraceRecovery(input: input, output: output, overwrite: true)
    let copy = try TraceCopy([input], to: output, TraceFilter(), overwrite: true)
    let reports = [
      ("trace-info", ReportLine.encode(try TraceInfo(archive), schema: TraceInfo.schema)),
      (
        "trace-verify",
        ReportLine.encode(try TraceCheck(paths: [input]), schema: TraceCheck.schema)
      ),
      ("trace-recover", ReportLine.encode(recovery, schema: TraceRecovery.schema)),
      ("trace-copy", ReportLine.encode(copy, schema: TraceCopy.schema)),
    ]
    for (name, report) in reports {
      let schema = try Repository.schema(name)
      #expect(try schema.faults(of: Data(report.utf8)) == [], "\(name)")
    }
  }
}
