// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The chunks to be written into the file, and the threads that compress and write them.
///
///     caller              under the lock                    the queue's threads
///     fills a buffer ───► waiting, oldest first ──────────► packers compress it, any of them
///           ▲                                               the writer writes it, in order
///           └──────────── spare, last used on top ◄────────────┘
///
/// The file belongs to the writer while a step waits or is being done, and to the caller otherwise. The
/// lock hands file and buffers over. The writer compresses what no packer has begun, so it needs none.
///
/// One thread calls. When it releases the queue, waiting chunks are still written, then the threads
/// end.
final class ChunkQueue {
  private let shared: Shared
  private let threads: [BackgroundThread]

  /// Starts the threads.
  ///
  /// - Throws: `SystemCallError` when the system has no thread left.
  init(_ file: consuming TraceFile, options: TraceOptions) throws(SystemCallError) {
    let shared = Shared(file, options: options)
    self.shared = shared
    var threads = [try BackgroundThread { shared.serve() }]
    for _ in 0..<shared.packerCount {
      if let packer = try? BackgroundThread({ shared.pack() }) { threads.append(packer) }
    }
    self.threads = threads
  }

  deinit {
    shared.monitor.change { $0.isStopping = true }
    for thread in threads { thread.join() }
  }

  /// The first empty buffer.
  func firstBuffer(byteCount: Int) -> ChunkBuffer {
    shared.monitor.change { $0.pool.make(byteCount: byteCount) }
  }

  /// The failure that ended the file, if any.
  var failure: TraceFileFailure? { shared.monitor.read { $0.failure } }

  /// Bytes of chunks that wait, before compression, and of the file; without waiting.
  var load: (queuedBytes: UInt64, fileBytes: UInt64) {
    shared.monitor.read { state in
      let bound = state.byteCountBound
      return (bound - min(bound, state.fileBytes), state.fileBytes)
    }
  }

  /// Hands a filled buffer over and waits for an empty one.
  ///
  /// - Throws: The failure that ended the file; this chunk is then lost.
  func exchange(_ full: ChunkBuffer) throws(TraceFileFailure) -> ChunkBuffer {
    let byteCount = full.chunk.capacity
    shared.monitor.change { $0.add(.chunk(full)) }
    let result: Result<ChunkBuffer, TraceFileFailure> = shared.monitor.wait { state in
      if let failure = state.failure { return .failure(failure) }
      return state.pool.take(byteCount: byteCount).map { .success($0) }
    }
    return try result.get()
  }

  /// Bytes of the file that is open for the caller, as far as is known; what waits counts as it is
  /// before compression.
  var byteCountBound: UInt64 { shared.monitor.read(\.byteCountBound) }

  /// Lets a summary be written after the chunks handed over so far, unless one is to be written already.
  func addCheckpoint() { shared.monitor.change { $0.addCheckpoint() } }

  /// Lets the file be finished after the chunks handed over so far, and goes on with another.
  func addFile(_ next: NextFile) { shared.monitor.change { $0.add(.file(next)) } }

  /// Waits until all chunks are written, then uses the file.
  ///
  /// - Throws: The failure that ended the file, or what `body` throws.
  func withFile<Value>(
    _ body: (inout TraceFile) throws(TraceFileFailure) -> Value
  ) throws(TraceFileFailure) -> Value {
    waitUntilIdle()
    if let failure { throw failure }
    return try body(&shared.file)
  }

  /// Waits until all chunks are written, then reads the file, even after a failure.
  func readFile<Value>(_ body: (borrowing TraceFile) -> Value) -> Value {
    waitUntilIdle()
    return body(shared.file)
  }

  /// Waits until all chunks are written.
  ///
  /// - Parameter progress: Called whenever chunks were written, with the count of those left.
  func waitUntilIdle(progress: (Int) -> Void) {
    var left = shared.monitor.read(\.leftCount)
    while left > 0 {
      progress(left)
      let before = left
      // Each chunk wakes this thread; its end is a progress of one.
      left = shared.monitor.wait { $0.leftCount < before ? $0.leftCount : nil }
    }
    waitUntilIdle()
  }

  private func waitUntilIdle() { shared.monitor.wait { $0.isIdle ? () : nil } }
}

/// A file that follows another, and what it begins with.
final class NextFile: @unchecked Sendable {
  /// A file inside of it, or a named list of facts, and how the summary points to it.
  struct IndexedRecord {
    let record: RecordBytes
    private let makeIndex: (RecordLocation) -> RecordBytes

    init(_ record: RecordBytes, index: @escaping (RecordLocation) -> RecordBytes) {
      (self.record, makeIndex) = (record, index)
    }

    /// The index of the record at an offset, for the summary.
    func index(at offset: UInt64) -> RecordBytes {
      makeIndex(RecordLocation(offset: offset, byteCount: UInt64(record.count)))
    }
  }

  private var file: TraceFile?
  private let header: RecordBytes
  private let preamble: TracePreamble

  /// What the file before says of this one.
  private let notice: IndexedRecord

  init(
    _ file: consuming TraceFile, header: RecordBytes, preamble: TracePreamble,
    notice: IndexedRecord
  ) {
    self.file = consume file
    (self.header, self.preamble, self.notice) = (header, preamble, notice)
  }

  /// Removes the file if the recording ended before it was reached.
  deinit {
    if let unused = file.take() { unused.remove() }
  }

  /// Finishes the file before, takes its place, and writes its own beginning.
  func follow(_ before: inout TraceFile) throws(TraceFileFailure) {
    try before.append(metadata: notice)
    try before.finish()
    guard let next = file.take() else { preconditionFailure("a file follows once") }
    before.goOn(in: next)
    try before.append(header: header)
    for attachment in preamble.attachments { try before.append(attachment: attachment) }
    for metadata in preamble.metadata { try before.append(metadata: metadata) }
  }
}

extension ChunkQueue {
  /// State that the threads use.
  fileprivate final class Shared: @unchecked Sendable {
    let monitor: Monitor<State>
    let packerCount: Int

    /// See `ChunkQueue` for which thread owns it when.
    var file: TraceFile

    private let options: TraceOptions

    /// Packers at most: a disk takes no more than a few cores can compress.
    private static let packerCountMax = 3

    init(_ file: consuming TraceFile, options: TraceOptions) {
      let isCompressed = options.compression != .none
      let compressorBytes =
        isCompressed
        ? ChunkCompressor.byteCount(options.compression, zstdLevel: options.zstdLevel) : 0
      packerCount =
        isCompressed ? Self.packerCount(options, compressorBytes: compressorBytes) : 0
      monitor = Monitor(
        State(
          pool: ChunkPool(
            // An eighth is for copies on their way to the disk, and for the program.
            bufferBytesMax: options.memoryBytes - options.memoryBytes / 8,
            copiesPastCaches: file.isDirect && !isCompressed, packs: isCompressed,
            compressorBytes: (packerCount + 1) * compressorBytes)))
      self.file = file
      self.options = options
    }

    /// Threads that compress beside the writer: fewer where the process has a limit on its memory, of which all
    /// compressors may take a third.
    private static func packerCount(_ options: TraceOptions, compressorBytes: Int) -> Int {
      let wanted = options.compressorCount ?? min(Processors.count - 1, packerCountMax)
      guard let left = MemoryLimit.leftBytes else { return wanted }
      return min(wanted, max(Int(left) / 3 / compressorBytes - 1, 0))
    }

    private func makeCompressor() -> ChunkCompressor {
      ChunkCompressor(options.compression, zstdLevel: options.zstdLevel)
    }

    /// Does steps until the queue is empty and stopping.
    func serve() {
      let compressor = makeCompressor()
      while true {
        let step = monitor.wait { $0.nextStep() }
        var failure: TraceFileFailure?
        do throws(TraceFileFailure) {
          switch step {
          case .write(let buffer, let packs):
            if packs { buffer.pack(compressor) }
            try file.write(buffer)
          case .checkpoint: try file.checkpoint()
          case .file(let next): try next.follow(&file)
          case .wait: try file.finishOneWrite()
          case .stop: return
          }
        } catch {
          failure = error
        }
        let done = file.takeDone()
        for buffer in done { buffer.clear() }
        let (isBusy, byteCount) = (file.isBusy, file.byteCount)
        monitor.change { state in
          state.fileBytes = byteCount
          state.didStep(done: done, isBusy: isBusy, failure: failure)
        }
      }
    }

    /// Compresses chunks until the queue is stopping.
    func pack() {
      let compressor = makeCompressor()
      while let (number, buffer) = monitor.wait({ $0.nextToPack() }) ?? nil {
        buffer.pack(compressor)
        monitor.change { $0.didPack(number) }
      }
    }
  }

  /// What the writer does next.
  fileprivate enum WriterStep {
    case write(ChunkBuffer, packs: Bool)
    case checkpoint
    case file(NextFile)
    case wait
    case stop
  }

  /// What waits.
  fileprivate enum Work {
    case chunk(ChunkBuffer)
    case checkpoint
    case file(NextFile)
  }

  /// How far the compression of a chunk is.
  private enum Packing { case waiting, underWay, done }

  /// State under the lock.
  fileprivate struct State {
    var pool: ChunkPool
    var failure: TraceFileFailure?
    var isStopping = false

    /// Bytes of the writer's file.
    var fileBytes: UInt64 = 0

    private struct Item {
      let number: UInt64
      let work: Work
      var packing: Packing
    }

    private var waiting: [Item] = []
    private var itemCount: UInt64 = 0
    /// Whether a step is being done, or left writes that are on their way to the disk.
    private var isWorking = false

    /// What the writer's present step adds to `fileBytes`, or that it begins a file.
    private var underWay = UnderWay.bytes(0)

    private enum UnderWay {
      case bytes(UInt64)
      case nextFile
    }

    /// Chunks that the file has and has not given back.
    private var inFileCount = 0

    init(pool: ChunkPool) { self.pool = pool }

    var isIdle: Bool { waiting.isEmpty && !isWorking }

    /// Chunks that are not written yet.
    var leftCount: Int {
      inFileCount + waiting.count { if case .chunk = $0.work { true } else { false } }
    }

    var byteCountBound: UInt64 {
      let begun: UInt64
      switch underWay {
      case .bytes(let count): begun = fileBytes + count
      case .nextFile: begun = 0
      }
      return waiting.reduce(begun) { bytes, item in
        switch item.work {
        case .chunk(let buffer): bytes + UInt64(buffer.chunk.storedBytes)
        case .checkpoint: bytes
        case .file: 0
        }
      }
    }

    mutating func add(_ work: Work) {
      guard failure == nil else { return }
      var packing = Packing.done
      if case .chunk(let buffer) = work {
        pool.account(for: buffer)
        if pool.packs { packing = .waiting }
      }
      waiting.append(Item(number: itemCount, work: work, packing: packing))
      itemCount += 1
    }

    mutating func addCheckpoint() {
      // One that waits before the next file is not that file's.
      let last = waiting.last { if case .chunk = $0.work { false } else { true } }
      if case .checkpoint = last?.work { return }
      add(.checkpoint)
    }

    /// The next step of the writer, which waits for writes that are on their way to the disk; nil if there is none yet.
    mutating func nextStep() -> WriterStep? {
      guard let first = waiting.first, first.packing != .underWay else {
        if isWorking { return .wait }
        return waiting.isEmpty && isStopping ? .stop : nil
      }
      waiting.removeFirst()
      isWorking = true
      switch first.work {
      case .chunk(let buffer):
        inFileCount += 1
        underWay = .bytes(UInt64(buffer.chunk.storedBytes))
        return .write(buffer, packs: first.packing == .waiting)
      case .checkpoint: return .checkpoint
      case .file(let next):
        underWay = .nextFile
        return .file(next)
      }
    }

    /// Takes back buffers; after a failure the file has its end, and waiting chunks are dropped.
    mutating func didStep(done: [ChunkBuffer], isBusy: Bool, failure: TraceFileFailure?) {
      isWorking = isBusy
      underWay = .bytes(0)
      inFileCount -= done.count
      for buffer in done { pool.giveBack(buffer) }
      guard let failure else { return }
      if self.failure == nil { self.failure = failure }
      // A packer that has one under way comes back to none.
      waiting.removeAll()
    }

    /// The oldest chunk that nobody compresses yet; nil inside: the queue is stopping.
    mutating func nextToPack() -> (UInt64, ChunkBuffer)?? {
      let index = waiting.firstIndex { $0.packing == .waiting }
      guard let index, case .chunk(let buffer) = waiting[index].work else {
        return isStopping ? .some(nil) : nil
      }
      waiting[index].packing = .underWay
      return .some((waiting[index].number, buffer))
    }

    mutating func didPack(_ number: UInt64) {
      guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
      waiting[index].packing = .done
    }
  }
}
