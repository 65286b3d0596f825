// SPDX-License-Identifier: Apache-2.0

/// The messages of an archive by rising log time, one after another.
///
/// A chunk is opened when its first log time is due. As a rule one chunk of each file is open; where chunks
/// overlap in time, all of these. Their records are in the archive's cache, and read again when it
/// is too small for them; 16 bytes are kept for each message that is due.
package final class TraceArchiveMessages {
  /// A chunk whose messages are due.
  private struct OpenChunk {
    let file: Int
    let chunk: Int

    /// By rising time, in the order of the file where it is equal.
    let messages: [MessageReference]
    var next = 0

    var key: (UInt64, Int, Int, UInt32) {
      let message = messages[next]
      return (message.logTimeNs, file, chunk, message.offset)
    }
  }

  /// The next chunk of a file that is not open yet.
  private struct FileProgress {
    let mask: UInt64
    let channels: Set<TraceChannelID>
    var next = 0
  }

  /// Messages in open chunks: 128 MiB.
  static let openMessagesMax = 8 << 20

  private let archive: TraceArchive
  private let fromNs: UInt64
  private let toNs: UInt64
  private var progress: [FileProgress] = []

  /// A heap: the chunk with the next message first.
  private var open: [OpenChunk] = []
  private var openMessageCount = 0
  private var failure: TraceError?

  init(_ archive: TraceArchive, topics: Set<String>?, fromNs: UInt64, toNs: UInt64) {
    self.archive = archive
    self.fromNs = fromNs
    self.toNs = toNs
    progress = archive.files.map { file in
      let channels = file.channels.filter { topics?.contains($0.value.topic) ?? true }.map(\.key)
      return FileProgress(
        mask: channels.reduce(0) { $0 | TraceChunkEntry.bit($1) }, channels: Set(channels))
    }
    for file in progress.indices { skip(file) }
  }

  /// The next message, whose bytes are valid until the next call of the archive or this.
  ///
  /// - Returns: Nil at the end.
  /// - Throws: `inFile`, and again on each later call.
  package func next() throws(TraceError) -> TraceArchiveMessage? {
    if let failure { throw failure }
    do throws(TraceError) {
      while let file = dueFile() { try openNextChunk(of: file) }
      guard let first = open.first else { return nil }
      let reference = first.messages[first.next]
      let location = TraceMessageLocation(
        file: first.file, chunk: first.chunk, reference: reference)
      advance()
      return try archive.message(at: location)
    } catch {
      failure = error
      throw error
    }
  }

  /// The file whose next chunk has to be opened before the next message is known.
  private func dueFile() -> Int? {
    var due: (file: Int, startNs: UInt64)?
    for file in progress.indices {
      guard progress[file].next < archive.files[file].chunks.count else { continue }
      let startNs = archive.files[file].earliestNs(ofChunk: progress[file].next)
      if due.map({ startNs < $0.startNs }) ?? true { due = (file, startNs) }
    }
    guard let due else { return nil }
    guard let first = open.first else { return due.file }
    return due.startNs <= first.key.0 ? due.file : nil
  }

  /// Moves to the next chunk of a file that is wanted.
  private func skip(_ file: Int) {
    let chunks = archive.files[file].chunks
    let mask = progress[file].mask
    var next = progress[file].next
    while next < chunks.count,
      !chunks[next].mayHold(mask, fromNs) || archive.files[file].earliestNs(ofChunk: next) > toNs
    {
      next += 1
    }
    progress[file].next = next
  }

  private func openNextChunk(of file: Int) throws(TraceError) {
    let chunk = progress[file].next
    progress[file].next += 1
    skip(file)
    let channels = progress[file].channels
    let loaded: LoadedChunk
    do throws(TraceError) {
      loaded = try archive.load(file: file, chunk: chunk)
    } catch {
      throw error.inFile(archive.files[file].path)
    }
    var messages = loaded.messages.filter {
      channels.contains($0.channel) && $0.logTimeNs >= fromNs && $0.logTimeNs <= toNs
    }
    guard !messages.isEmpty else { return }
    let isSorted = zip(messages, messages.dropFirst()).allSatisfy { $0.logTimeNs <= $1.logTimeNs }
    if !isSorted { messages.sort { ($0.logTimeNs, $0.offset) < ($1.logTimeNs, $1.offset) } }
    openMessageCount += messages.count
    guard open.isEmpty || openMessageCount <= Self.openMessagesMax else {
      throw TraceError.tooLarge(
        .overlappingMessages, value: UInt64(openMessageCount), limit: UInt64(Self.openMessagesMax)
      ).inFile(archive.files[file].path)
    }
    open.append(OpenChunk(file: file, chunk: chunk, messages: messages))
    rise(from: open.count - 1)
  }

  /// Moves behind the next message.
  private func advance() {
    open[0].next += 1
    if open[0].next == open[0].messages.count {
      openMessageCount -= open[0].messages.count
      open.swapAt(0, open.count - 1)
      open.removeLast()
    }
    if open.count > 1 { sink() }
  }

  // MARK: - The heap

  private func rise(from index: Int) {
    var index = index
    while index > 0 {
      let parent = (index - 1) / 2
      guard open[index].key < open[parent].key else { return }
      open.swapAt(index, parent)
      index = parent
    }
  }

  private func sink() {
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < open.count && open[child].key < open[least].key {
        least = child
      }
      if least == index { return }
      open.swapAt(index, least)
      index = least
    }
  }
}
