// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryTrace

/// Finds frames in an archive.
///
/// Chunks stand in the order of their times, and sequences rise with time. So a frame is found by a search over the
/// chunks, each of which is asked for its first frame, and then over the messages of one chunk. A head takes a few
/// bytes of a chunk. What was asked for once is kept for one chunk and its messages, and for the first frame of
/// each chunk that a search has met.
final class FrameCatalogue {
  private let archive: TraceArchive
  private let generation: UInt64
  private let rate: TickRate?

  /// For each file, what gives frames on this run's channels.
  private let kinds: [[TraceChannelID: MessageHead.Kind]]

  /// For each file, whether no chunk is compressed.
  private let isPlain: [Bool]

  /// All chunks in the order of their times.
  private let chunks: [ChunkKey]

  /// First frames of chunks, as far as searches asked for them; a chunk without a frame has none.
  private var firsts: [Int: MessageHead?] = [:]

  /// The chunk that was searched last, and the heads of its messages that are known.
  private var open: (chunk: Int, locations: [TraceMessageLocation], heads: [MessageHead?])?

  /// The digest that was read last.
  private var digest: (location: TraceMessageLocation, hashes: [UInt64], timesNs: [UInt64])?

  /// Where the last frame was found: most searches ask for the next one.
  private var cursor: (chunk: Int, message: Int)?

  /// Begins of runs of frames whose ticks follow each other, if the run was ever sent to another tick.
  private var jumps: [(sequence: UInt64, tick: UInt64, last: UInt64)]?

  private struct ChunkKey {
    let file: Int32
    let chunk: Int32
  }

  /// Jumps that are kept: a run with more of them is searched from its start.
  private static let jumpsMax = 1 << 16

  init(_ archive: TraceArchive, of source: RecordedSource) {
    self.archive = archive
    (generation, rate) = (source.head.generation, source.head.rate)
    let kinds = archive.files.enumerated().map { file, opened in
      opened.channels.filter { source.owns($0.value, file: file) }
        .compactMapValues { MessageHead.Kind(topic: $0.topic) }
    }
    self.kinds = kinds
    isPlain = archive.files.map { file in
      file.totals.allSatisfy { $0.key == .none || $0.value.chunkCount == 0 }
    }
    var chunks: [(endNs: UInt64, key: ChunkKey)] = []
    for (file, opened) in archive.files.enumerated() where !kinds[file].isEmpty {
      for (index, chunk) in opened.chunks.enumerated() {
        chunks.append((chunk.endNs, ChunkKey(file: Int32(file), chunk: Int32(index))))
      }
    }
    if archive.files.count > 1 {
      // By their ends: the first chunk of a file of a set may begin with a scene of the set's first moment.
      chunks.sort {
        ($0.endNs, $0.key.file, $0.key.chunk) < ($1.endNs, $1.key.file, $1.key.chunk)
      }
    }
    self.chunks = chunks.map(\.key)
  }

  /// The frame of a number, or else the next one; nil behind the last one.
  func frame(from sequence: UInt64) throws(Failure) -> RecordedFrame? {
    if let found = try next(from: sequence) { return found }
    var chunk = try lastChunk { $0.sequence <= sequence } ?? 0
    while chunk < chunks.count {
      if let found = try frame(in: chunk, where: { $0.sequence + $0.count - 1 >= sequence }) {
        return try frame(found.0, found.1, atLeast: sequence)
      }
      chunk += 1
    }
    return nil
  }

  /// The first frame; no more of a chunk is read than its head.
  func first() throws(Failure) -> RecordedFrame? {
    for chunk in chunks.indices {
      guard let location = try locations(chunk).first else { continue }
      let head = try head(at: location, isPrefix: true)
      return try frame(0, head, atLeast: head.sequence)
    }
    return nil
  }

  /// The last frame; no more of a chunk is read than its head.
  func last() throws(Failure) -> RecordedFrame? {
    var chunk = chunks.count
    while chunk > 0 {
      chunk -= 1
      let locations = try locations(chunk)
      guard !locations.isEmpty else { continue }
      let index = locations.count - 1
      let head = try head(at: locations[index], isPrefix: true)
      return try frame(index, head, atLeast: head.sequence + head.count - 1)
    }
    return nil
  }

  /// The frame that shows a tick, or else the next one that was recorded; nil behind the last one.
  ///
  /// Of a run that was sent back, the first frame that shows the tick.
  func frame(showing tick: UInt64) throws(Failure) -> RecordedFrame? {
    guard let first = try frame(from: 0), let last = try last() else { return nil }
    if Self.areOneRun(first, last) {
      guard tick > first.tick else { return first }
      guard tick <= last.tick else { return nil }
      return try frame(from: first.sequence + (tick - first.tick))
    }
    let parts = try findJumps()
    if let part = parts.first(where: { $0.tick <= tick && tick - $0.tick <= $0.last - $0.sequence })
    {
      return try frame(from: part.sequence + (tick - part.tick))
    }
    let later = parts.filter { $0.tick > tick }.min { $0.tick < $1.tick }
    return try later.flatMap { (part) throws(Failure) in try frame(from: part.sequence) }
  }

  /// The last frame before one; nil if that is the first.
  func previous(before sequence: UInt64) throws(Failure) -> RecordedFrame? {
    var (low, high) = (UInt64(0), sequence)
    var found: RecordedFrame?
    // Frames from `low` on begin before `sequence`, those from `high` on do not.
    while low < high {
      let middle = low + (high - low) / 2
      if let frame = try frame(from: middle), frame.sequence < sequence {
        (found, low) = (frame, frame.sequence + 1)
      } else {
        high = middle
      }
    }
    return found
  }

  /// Frames that show some ticks, recorded or not, each range with its first tick; several ranges of a run that was
  /// sent back.
  func sequences(
    showing ticks: ClosedRange<UInt64>
  ) throws(Failure) -> [(sequences: ClosedRange<UInt64>, tick: UInt64)] {
    guard let first = try frame(from: 0), let last = try last() else { return [] }
    let parts =
      Self.areOneRun(first, last)
      ? [(first.sequence, first.tick, last.sequence)]
      : try findJumps().map { ($0.sequence, $0.tick, $0.last) }
    return parts.compactMap { sequence, tick, last in
      let from = max(ticks.lowerBound, tick)
      let to = min(ticks.upperBound, tick + (last - sequence))
      return from <= to ? (sequence + (from - tick)...sequence + (to - tick), from) : nil
    }
  }

  /// The least and the greatest tick that a frame shows; nil without frames.
  ///
  /// Of a run that was sent to another tick, these need not be those of its first and last frame.
  func ticks() throws(Failure) -> ClosedRange<UInt64>? {
    guard let first = try frame(from: 0), let last = try last() else { return nil }
    if Self.areOneRun(first, last) { return first.tick...last.tick }
    var (least, greatest) = (min(first.tick, last.tick), max(first.tick, last.tick))
    for part in try findJumps() {
      (least, greatest) = (
        min(least, part.tick), max(greatest, part.tick + (part.last - part.sequence))
      )
    }
    return least...greatest
  }

  /// Whether ticks and numbers of two frames differ by the same, so that the run was not sent to another tick between
  /// them.
  private static func areOneRun(_ first: RecordedFrame, _ last: RecordedFrame) -> Bool {
    // In a damaged file the last may be one that goes back.
    first.sequence <= last.sequence
      && last.tick &- last.sequence == first.tick &- first.sequence
  }

  /// All digests and frames' heads of chunks, compared: where the run was sent to another tick.
  ///
  /// Parts of chunks between two whose ticks and sequences differ by the same number are taken for one part.
  func findJumps() throws(Failure) -> [(sequence: UInt64, tick: UInt64, last: UInt64)] {
    if let jumps { return jumps }
    var parts: [(sequence: UInt64, tick: UInt64, last: UInt64)] = []
    func add(_ head: MessageHead) {
      let end = head.sequence + head.count - 1
      if let last = parts.last {
        // Numbers grow; in a damaged file, those that go back begin no part.
        guard head.sequence > last.sequence else { return }
        if head.tick &- last.tick == head.sequence - last.sequence {
          parts[parts.count - 1].last = end
          return
        }
        guard parts.count < Self.jumpsMax else { return }
        parts[parts.count - 1].last = head.sequence - 1
      }
      parts.append((head.sequence, head.tick, end))
    }
    for chunk in chunks.indices {
      let count = try locations(chunk).count
      guard count > 0 else { continue }
      let (first, last) = (try head(0, in: chunk), try head(count - 1, in: chunk))
      if last.tick &- first.tick == last.sequence &- first.sequence {
        add(first)
        add(last)
      } else {
        for index in 0..<count { add(try head(index, in: chunk)) }
      }
    }
    jumps = parts
    return parts
  }

  // MARK: - Search

  /// The frame behind the one that was found last, if that is wanted.
  private func next(from sequence: UInt64) throws(Failure) -> RecordedFrame? {
    guard let cursor else { return nil }
    let count = try locations(cursor.chunk).count
    for index in cursor.message...cursor.message + 1 where index < count {
      let head = try head(index, in: cursor.chunk)
      guard head.sequence <= sequence else { return nil }
      if sequence - head.sequence < head.count {
        self.cursor = (cursor.chunk, index)
        return try frame(index, head, atLeast: sequence)
      }
    }
    guard cursor.message + 1 >= count, cursor.chunk + 1 < chunks.count,
      try !locations(cursor.chunk + 1).isEmpty
    else { return nil }
    let head = try head(0, in: cursor.chunk + 1)
    guard head.sequence <= sequence, sequence - head.sequence < head.count else { return nil }
    self.cursor = (cursor.chunk + 1, 0)
    return try frame(0, head, atLeast: sequence)
  }

  /// The last chunk whose first frame fulfils a condition that is true up to some chunk.
  private func lastChunk(_ isBefore: (MessageHead) -> Bool) throws(Failure) -> Int? {
    var (low, high) = (0, chunks.count)
    var found: Int?
    while low < high {
      let middle = (low + high) / 2
      // A chunk without frames is as the next one that has some.
      var probe = middle
      var first = try first(of: probe)
      while first == nil, probe + 1 < high {
        probe += 1
        first = try self.first(of: probe)
      }
      guard let first else {
        high = middle
        continue
      }
      if isBefore(first) {
        (found, low) = (probe, probe + 1)
      } else {
        high = middle
      }
    }
    return found
  }

  /// The first message of a chunk that fulfils a condition which is true from some message on.
  private func frame(
    in chunk: Int, where isThere: (MessageHead) -> Bool
  ) throws(Failure) -> (Int, MessageHead)? {
    var (low, high) = (0, try locations(chunk).count)
    var found: (Int, MessageHead)?
    while low < high {
      let middle = (low + high) / 2
      let head = try head(middle, in: chunk)
      if isThere(head) { (found, high) = ((middle, head), middle) } else { low = middle + 1 }
    }
    if let found { cursor = (chunk, found.0) }
    return found
  }

  // MARK: - Heads

  private func locations(_ chunk: Int) throws(Failure) -> [TraceMessageLocation] {
    if let open, open.chunk == chunk { return open.locations }
    let key = chunks[chunk]
    let file = archive.files[Int(key.file)]
    let all = try Failure.ofTrace(file.path) {
      try archive.locations(file: Int(key.file), chunk: Int(key.chunk))
    }
    let kinds = kinds[Int(key.file)]
    let locations = all.filter { kinds[$0.channel] != nil }
    open = (chunk, locations, [MessageHead?](repeating: nil, count: locations.count))
    return locations
  }

  private func first(of chunk: Int) throws(Failure) -> MessageHead? {
    if let known = firsts[chunk] { return known }
    let kept = open
    let first: MessageHead?
    if let location = try locations(chunk).first {
      first = try head(at: location, isPrefix: true)
    } else {
      first = nil
    }
    if let kept { open = kept }
    firsts[chunk] = .some(first)
    return first
  }

  private func head(_ index: Int, in chunk: Int) throws(Failure) -> MessageHead {
    let location = try locations(chunk)[index]
    if let head = open?.heads[index] { return head }
    // What is not compressed is read where it is; otherwise the chunk is, once for all heads in it.
    let head = try head(at: location, isPrefix: isPlain[location.file])
    open?.heads[index] = head
    return head
  }

  /// Reads a head.
  ///
  /// - Parameters:
  ///   - location: The message.
  ///   - isPrefix: Whether only the head's bytes are read; otherwise the whole chunk, for the heads after it.
  /// - Returns: The head.
  /// - Throws: `Failure` if the file is damaged, or the message is no frame of its run.
  private func head(
    at location: TraceMessageLocation, isPrefix: Bool
  ) throws(Failure) -> MessageHead {
    let path = archive.files[location.file].path
    let message = try Failure.ofTrace(path) {
      isPrefix
        ? try archive.prefix(of: location, byteCount: MessageHead.byteCountMax)
        : try archive.message(at: location)
    }
    guard let kind = MessageHead.Kind(topic: message.topic),
      let head = MessageHead(kind, message.bytes), head.generation == generation
    else {
      throw Failure(
        .badData,
        "\(path): a message of \(message.topic) at time \(location.logTimeNs) is no frame of its run"
      )
    }
    guard head.isPossible(at: rate) else {
      throw Failure(
        .badData,
        "\(path): frame \(head.sequence), tick \(head.tick): no run reaches that tick")
    }
    return head
  }

  // MARK: - Frames

  /// The frame of a message, of a digest the one of a number.
  private func frame(
    _ index: Int, _ head: MessageHead, atLeast sequence: UInt64
  ) throws(Failure) -> RecordedFrame {
    guard let location = open?.locations[index] else { preconditionFailure("no chunk is open") }
    switch head.kind {
    case .frame:
      return RecordedFrame(
        sequence: head.sequence, stamp: head.stamp, logTimeNs: location.logTimeNs,
        origin: .frame(location))
    case .delta:
      return RecordedFrame(
        sequence: head.sequence, stamp: head.stamp, logTimeNs: location.logTimeNs,
        origin: .delta(location, base: head.baseSequence))
    case .digests:
      let lists = try lists(of: location, head)
      let offset = Int(max(sequence, head.sequence) - head.sequence)
      let tick = head.tick + UInt64(offset)
      return RecordedFrame(
        sequence: head.sequence + UInt64(offset),
        stamp: FrameStamp(
          tick: tick, simTimeNs: 0, publishTimeNs: lists.timesNs[offset],
          stateHash: lists.hashes[offset]),
        logTimeNs: location.logTimeNs, origin: .digest(location))
    }
  }

  private func lists(
    of location: TraceMessageLocation, _ head: MessageHead
  ) throws(Failure) -> (hashes: [UInt64], timesNs: [UInt64]) {
    if let digest, digest.location == location { return (digest.hashes, digest.timesNs) }
    let file = archive.files[location.file]
    let bytes = try Failure.ofTrace(file.path) { try archive.message(at: location).bytes }
    var fields = FieldReader(bytes)
    _ = try? fields.leadingNumbers(to: 3)
    var found: [Int: [UInt64]] = [:]
    while fields.nextTag?.wire == .bytes,
      case (let number, .bytes(let content))? = try? fields.next()
    {
      found[number] = stride(from: content.lowerBound, to: content.upperBound - 7, by: 8).map {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))
      }
    }
    guard fields.isAtEnd, let hashes = found[4], let timesNs = found[5],
      hashes.count == Int(head.count), timesNs.count == hashes.count
    else {
      throw Failure(
        .badData,
        "\(file.path): the hashes of frame \(head.sequence) and those after it are not whole")
    }
    digest = (location, hashes, timesNs)
    return (hashes, timesNs)
  }
}
