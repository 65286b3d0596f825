// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import OrreryTrace
import Testing

/// Goal: a set of files has every message, ends when it is asked to, and is whole wherever it was cut.
///
/// Method: a trace with a preamble that is split often; writes past the page cache that end late and in any order; a
/// disk that is full at every size; files that are there already, and files that are moved while they are written.
@Suite struct TraceSetTests {
  private static let count = 60

  /// A trace in files of some messages each, with a message and an attachment as its preamble.
  private struct Recording {
    let writer: TraceWriter
    private let channel: TraceChannelID

    init(
      _ path: String, _ options: TraceOptions, overwrite: Bool = false,
      clock: @escaping () -> UInt64 = { 0 }, calls: TraceSystemCalls = .live
    ) throws(TraceError) {
      writer = try TraceWriter(
        path: path, options: options, overwrite: overwrite, clock: clock, calls: calls)
      let scene = try writer.addChannel(
        TraceChannel(schema: nil, topic: "/scene", messageEncoding: "raw"))
      channel = try writer.addChannel(
        TraceChannel(schema: nil, topic: "/t", messageEncoding: "raw"))
      try writer.addAttachment(
        TraceAttachmentHead(name: "scene.toml", mediaType: "application/toml", logTimeNs: 1),
        [1, 2], isPreamble: true)
      try writer.write(
        TraceMessageHead(scene, sequence: 0, logTimeNs: 1, publishTimeNs: 1), bytes: [5, 6, 7],
        isPreamble: true)
    }

    func fill(_ range: Range<Int> = 0..<TraceSetTests.count) throws(TraceError) {
      for number in range {
        _ = try writer.splitIfDue(adding: 1_000)
        try writer.write(
          TraceMessageHead(
            channel, sequence: UInt64(number), logTimeNs: UInt64(number), publishTimeNs: 1),
          bytes: noise(1_000, seed: UInt64(number)))
      }
    }
  }

  private static func options(_ compression: TraceCompression = .none) -> TraceOptions {
    var options = TraceOptions()
    (options.compression, options.chunkBytes, options.fileBytesMax) = (compression, 4_000, 12_000)
    return options
  }

  /// The files of a set that are there, by their names.
  private static func files(_ folder: TemporaryFolder) throws -> [String] {
    let path = String(folder.file().dropLast("/trace.mcap".count))
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasPrefix("trace") && !$0.contains(".partial") }
    return names.sorted().map { folder.file($0) }
  }

  /// The numbers of all messages; each file must be whole, begin with the preamble and have more than that.
  private static func sequences(_ files: [String]) throws -> [UInt32] {
    try files.flatMap { (path) throws -> [UInt32] in
      let reader = try TraceReader(path: path)
      let messages = try reader.keptMessages()
      // Only the first file may have less.
      #expect(messages.count > 1 || files.count == 1, "\(path) has nothing but its preamble")
      if messages.isEmpty { return [] }
      #expect(messages[0].topic == "/scene", "\(path)")
      #expect(reader.attachments.map(\.head.name) == ["scene.toml"], "\(path)")
      return messages.dropFirst().map(\.sequence)
    }
  }

  /// Waiting for the disk, as a logger does at its end, is over; buffers of the files before are given back.
  @Test(arguments: TraceCompression.allCases, [1, 2, 3] as [UInt64])
  func setEndsWhereWritesEndLate(compression: TraceCompression, seed: UInt64) throws {
    let folder = TemporaryFolder()
    var options = Self.options(compression)
    // Sixteen MiB are more than sixty chunks: lost buffers would hold up the caller, too.
    options.memoryBytes = 16 << 20
    let recording = try Recording(
      folder.file(), options, calls: FaultyQueue.calls(seed: seed))
    var left: [Int] = []
    for part in 0..<8 {
      try recording.fill(part * Self.count..<(part + 1) * Self.count)
      try recording.writer.flush { left.append($0) }
    }
    try recording.writer.finish()
    #expect(left.allSatisfy { $0 > 0 && $0 <= 64 })
    let files = try Self.files(folder)
    #expect(files.count > 20 && files == recording.writer.paths)
    #expect(try Self.sequences(files) == (0..<8 * Self.count).map { UInt32($0) })
  }

  /// Readers search the files of a set by time.
  @Test func filesOfASetFollowEachOtherInTime() throws {
    let folder = TemporaryFolder()
    let recording = try Recording(folder.file(), Self.options())
    try recording.fill()
    try recording.writer.finish()
    var lastNs: UInt64 = 0
    for path in try Self.files(folder) {
      let times = try TraceReader(path: path).keptMessages().map(\.logTimeNs)
      #expect(times.min() ?? 0 >= lastNs, "\(path)")
      lastNs = times.max() ?? .max
    }
  }

  /// A disk of so many bytes for all files together.
  private final class SharedDisk: Sendable {
    private struct State {
      var ends: [CInt: Int] = [:]
      var total = 0
    }

    private let size: Int

    /// The writer and its thread write at the same time.
    private let state = Monitor(State())

    init(_ size: Int) { self.size = size }

    private func take(_ descriptor: CInt, through end: Int) -> Int {
      state.change { state in
        let more = max(end - state.ends[descriptor, default: 0], 0)
        let taken = min(more, size - state.total)
        if taken == more || taken > 0 {
          state.ends[descriptor, default: 0] += taken
          state.total += taken
        }
        return more - taken
      }
    }

    private func cut(_ descriptor: CInt, at end: Int) {
      state.change { state in
        // Its number is another file's after a truncation to nothing.
        if end > 0 { state.total -= max(state.ends[descriptor, default: 0] - end, 0) }
        state.ends[descriptor] = min(state.ends[descriptor, default: 0], end)
      }
    }

    /// Calls that go through the page cache.
    var calls: TraceSystemCalls {
      var calls = TraceSystemCalls.live
      let live = calls
      calls.reserve = { descriptor, offset, count in
        if self.take(descriptor, through: offset + count) == 0 { return 0 }
        errno = ENOSPC
        return -1
      }
      calls.truncate = { descriptor, count in
        self.cut(descriptor, at: count)
        return live.truncate(descriptor, count)
      }
      calls.write = { descriptor, bytes, offset in
        let lacking = self.take(descriptor, through: offset + bytes.count)
        guard lacking < bytes.count else {
          errno = ENOSPC
          return -1
        }
        return live.write(
          descriptor, UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - lacking)]), offset)
      }
      return calls
    }
  }

  /// Whatever was being written when the disk was full: no file without messages is left, and none that is not whole.
  @Test(arguments: TraceCompression.allCases)
  func fullDiskLeavesAWholeSet(compression: TraceCompression) throws {
    let whole = TemporaryFolder()
    let recording = try Recording(whole.file(), Self.options(compression))
    try recording.fill()
    try recording.writer.finish()
    let size = try Self.files(whole).reduce(0) { $0 + bytes(of: $1).count }
    var counts: Set<Int> = []
    for size in stride(from: 2_000, to: size + 6_000, by: 397) {
      let folder = TemporaryFolder()
      var failure: TraceWriteFailure?
      do {
        let recording = try Recording(
          folder.file(), Self.options(compression), calls: SharedDisk(size).calls)
        try recording.fill()
        try recording.writer.finish()
      } catch {
        failure = error.writeFailure
        #expect(failure != nil, "\(error)")
      }
      let files = try Self.files(folder)
      let kept = try Self.sequences(files)
      #expect(kept == (0..<kept.count).map { UInt32($0) }, "a disk of \(size) bytes")
      if let failure {
        #expect(failure.cause.errno == ENOSPC)
        let scenes = kept.isEmpty ? 0 : files.count
        #expect(Int(failure.messagesKept) == kept.count + scenes, "a disk of \(size) bytes")
        #expect(failure.isFinished)
      } else {
        #expect(kept.count == Self.count)
      }
      counts.insert(files.count)
    }
    #expect(counts.count > 3)
  }

  /// What a recording says of itself is in each file; only the last has no next one.
  @Test func filesNameTheNextOne() throws {
    let folder = TemporaryFolder()
    let recording = try Recording(folder.file(), Self.options())
    try recording.writer.addMetadata(name: "orrery.recording", ["mode": "full"])
    try recording.fill()
    let states = { try Self.files(folder).map { try TraceArchiveFile(path: $0).state } }
    try recording.writer.addMetadata(name: "orrery.summary", ["received": "1"])
    try recording.writer.finish()
    let files = try Self.files(folder)
    #expect(files.count > 3)
    #expect(try states() == files.map { _ in .whole })
    for (index, file) in files.enumerated() {
      let metadata = try TraceArchiveFile(path: file).metadata()
      #expect(metadata.filter { $0.name == "orrery.recording" }.count == 1)
      let next = metadata.first { $0.name == "orrery.next" }?.values["file"]
      #expect(
        next == files.dropFirst(index + 1).first.map { URL(fileURLWithPath: $0).lastPathComponent })
      #expect(metadata.contains { $0.name == "orrery.summary" } == (file == files.last))
    }
  }

  /// The last file of a recording that was ended by a fault has no account.
  @Test func setWithoutItsAccountIsUnfinished() throws {
    let folder = TemporaryFolder()
    let recording = try Recording(folder.file(), Self.options())
    try recording.writer.addMetadata(name: "orrery.recording", ["mode": "full"])
    try recording.fill()
    try recording.writer.finish()
    let states = try Self.files(folder).map { try TraceArchiveFile(path: $0).state }
    #expect(states.last == .unfinished(.endOfRecording))
    #expect(states.dropLast().allSatisfy { $0 == .whole } && states.count > 3)
  }

  /// A file that cannot be made ends the recording with a whole set.
  @Test func setIsWholeWhereTheNextFileCannotBeMade() throws {
    let folder = TemporaryFolder()
    let recording = try Recording(folder.file(), Self.options())
    let next = folder.file("trace.0003.mcap")
    mkdir(next, 0o700)
    let expected = TraceError.system(SystemCallError(call: "open", path: next, errno: EEXIST))
    #expect(throws: expected) { try recording.fill() }
    #expect(throws: expected) { try recording.writer.finish() }
    rmdir(next)
    let files = try Self.files(folder)
    #expect(files.count == 2)
    let kept = try Self.sequences(files)
    #expect(kept.count > 10 && kept == (0..<kept.count).map { UInt32($0) })
  }

  /// Not after an hour of recording.
  @Test(arguments: ["trace.0001.mcap", "trace.0007.mcap", "trace.10000.mcap"])
  func fileOfAnEarlierSetIsSeenAtTheBeginning(name: String) throws {
    let folder = TemporaryFolder()
    for other in [
      "trace.mcap", "trace.1.mcap", "trace.0000.mcap", "trace.x.mcap", "trace.00001.mcap",
    ] {
      fclose(fopen(folder.file(other), "w"))
    }
    _ = try Recording(folder.file(), Self.options()).writer.discard()
    let existing = folder.file(name)
    fclose(fopen(existing, "w"))
    #expect(throws: TraceError.system(SystemCallError(call: "open", path: existing, errno: EEXIST)))
    {
      _ = try Recording(folder.file(), Self.options())
    }
  }

  /// What an earlier, longer set has left would be taken for a part of this one.
  @Test func overwrittenSetHasNoFilesOfTheEarlierOne() throws {
    let folder = TemporaryFolder()
    let first = try Recording(folder.file(), Self.options())
    try first.fill()
    try first.writer.finish()
    let before = try Self.files(folder).count
    let second = try Recording(folder.file(), Self.options(), overwrite: true)
    try second.fill(0..<20)
    #expect(try Self.files(folder).count == before)
    try second.writer.finish()
    let files = try Self.files(folder)
    #expect(files.count < before && files == second.writer.paths)
    #expect(try Self.sequences(files) == (0..<20).map { UInt32($0) })
  }

  // MARK: - Paths

  /// What happens to a file while it is written.
  enum Mishap: CaseIterable {
    case removed, renamed, replaced, folderMoved
  }

  /// Does it; returns where the file is then.
  private static func happen(_ mishap: Mishap, to path: String) throws -> String? {
    let folder = String(path.prefix(upTo: try #require(path.lastIndex(of: "/"))))
    switch mishap {
    case .removed:
      unlink(path)
      return nil
    case .replaced:
      unlink(path)
      fclose(fopen(path, "w"))
      return nil
    case .renamed:
      #expect(rename(path, folder + "/elsewhere") == 0)
      return folder + "/elsewhere"
    case .folderMoved:
      #expect(rename(folder, folder + "-moved") == 0)
      return folder + "-moved" + path.dropFirst(folder.count)
    }
  }

  /// Noticed within a second, and at the end; what has another name is whole there.
  @Test(arguments: Mishap.allCases, [false, true])
  func fileThatLosesItsPathEndsTheTrace(mishap: Mishap, atTheEnd: Bool) throws {
    for splits in [false, true] {
      let base = "/tmp/orrery-moved-\(UUID().uuidString)"
      mkdir(base, 0o700)
      defer {
        for folder in [base, base + "-moved"] {
          try? FileManager.default.removeItem(atPath: folder)
        }
      }
      var options = Self.options()
      if !splits { options.fileBytesMax = nil }
      nonisolated(unsafe) var now: UInt64 = 0
      let recording = try Recording(base + "/trace.mcap", options, clock: { now })
      try recording.fill()
      let path = try #require(recording.writer.paths.last)
      let last = try Self.happen(mishap, to: path)
      now += 999_999_999
      try recording.writer.flushIfDue()
      if !atTheEnd { now += 1 }
      let expected = TraceError.moved(path: path, to: last)
      #expect(throws: expected) {
        if atTheEnd { try recording.writer.finish() } else { try recording.writer.flushIfDue() }
      }
      #expect(throws: expected) { try recording.fill(60..<61) }
      #expect(throws: expected) { try recording.writer.finish() }
      #expect("\(expected)".contains(last ?? "removed or replaced"))
      guard let last else { continue }
      let kept = try TraceReader(path: last).keptMessages()
      #expect(kept.last?.sequence == UInt32(Self.count - 1))
    }
  }

  /// Files of a set that are finished may be taken away.
  @Test func finishedFilesOfASetMayBeTakenAway() throws {
    let folder = TemporaryFolder()
    nonisolated(unsafe) var now: UInt64 = 0
    let recording = try Recording(folder.file(), Self.options(), clock: { now })
    try recording.fill(0..<40)
    for path in recording.writer.paths.dropLast() {
      #expect(unlink(path) == 0)
    }
    now += 2_000_000_000
    try recording.fill(40..<60)
    try recording.writer.finish()
  }

  /// A link in place of the file, as log rotation makes it, leads to it still.
  @Test func linkToTheFileIsItsPath() throws {
    let folder = TemporaryFolder()
    var options = Self.options()
    options.fileBytesMax = nil
    let recording = try Recording(folder.file(), options)
    try recording.fill()
    #expect(rename(folder.file(), folder.file("b.mcap")) == 0)
    #expect(symlink(folder.file("b.mcap"), folder.file()) == 0)
    try recording.writer.finish()
    #expect(try TraceReader(path: folder.file("b.mcap")).keptMessages().count == Self.count + 1)
  }
}
