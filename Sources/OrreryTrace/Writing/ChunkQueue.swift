// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The chunks to be written into the file, and the thread that compresses and writes them.
///
///     caller              under the lock                    the queue's thread
///     fills a buffer ───► waiting, oldest first ──────────► seals it, writes it into the file
///           ▲                                                  │
///           └──────────── spare, last used on top ◄────────────┘
///
/// The file belongs to the thread while a chunk waits or is being written, and to the caller
/// otherwise. The lock hands file and buffers over.
///
/// One thread calls. When it releases the queue, waiting chunks are still written, then the thread
/// ends.
final class ChunkQueue {
  private let shared: Shared
  private let thread: BackgroundThread

  /// Starts the thread.
  ///
  /// - Throws: `SystemCallError` when the system has no thread left.
  init(_ file: consuming TraceFile) throws(SystemCallError) {
    let shared = Shared(file)
    self.shared = shared
    thread = try BackgroundThread { shared.serve() }
  }

  deinit {
    shared.monitor.change { $0.isStopping = true }
    thread.join()
  }

  /// The first empty buffer.
  func firstBuffer(byteCount: Int) -> ChunkBuffer {
    shared.monitor.change { $0.pool.make(byteCount: byteCount) }
  }

  /// The failure that ended the thread, if any.
  var failure: TraceFileFailure? { shared.monitor.read { $0.failure } }

  /// Bytes of chunks that wait, before compression, and of the file; without waiting.
  var load: (queuedBytes: UInt64, fileBytes: UInt64) {
    shared.monitor.read { state in
      (state.waiting.reduce(0) { $0 + UInt64($1.chunk.recordBytes) }, state.fileBytes)
    }
  }

  /// Hands a filled buffer over and waits for an empty one.
  ///
  /// - Throws: The failure that ended the thread; this chunk is then lost.
  func exchange(_ full: ChunkBuffer) throws(TraceFileFailure) -> ChunkBuffer {
    let byteCount = full.chunk.capacity
    shared.monitor.change { $0.add(full) }
    let result: Result<ChunkBuffer, TraceFileFailure> = shared.monitor.wait { state in
      if let failure = state.failure { return .failure(failure) }
      return state.pool.take(byteCount: byteCount).map { .success($0) }
    }
    return try result.get()
  }

  /// Waits until all chunks are written, then uses the file.
  ///
  /// - Throws: The failure that ended the thread, or what `body` throws.
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
  }

  private func waitUntilIdle() { shared.monitor.wait { $0.isIdle ? () : nil } }
}

extension ChunkQueue {
  /// State that both threads use.
  fileprivate final class Shared: @unchecked Sendable {
    let monitor = Monitor(State())

    /// See `ChunkQueue` for which thread owns it when.
    var file: TraceFile

    init(_ file: consuming TraceFile) { self.file = file }

    /// Writes chunks until the queue is empty and stopping.
    func serve() {
      while case .write(let buffer) = monitor.wait({ $0.nextStep() }) {
        var failure: TraceFileFailure?
        do throws(TraceFileFailure) {
          try file.write(&buffer.chunk)
        } catch {
          failure = error
        }
        buffer.chunk.clear()
        let byteCount = file.byteCount
        monitor.change { state in
          state.fileBytes = byteCount
          state.didWrite(buffer, failure: failure)
        }
      }
    }
  }

  fileprivate enum Step {
    case write(ChunkBuffer)
    case stop
  }

  /// State under the lock.
  fileprivate struct State {
    var pool = ChunkPool()
    var waiting: [ChunkBuffer] = []
    var failure: TraceFileFailure?
    var isStopping = false

    /// Bytes of the file after the last chunk.
    var fileBytes: UInt64 = 0
    private var isWriting = false

    var isIdle: Bool { leftCount == 0 }

    /// Chunks that are not written yet.
    var leftCount: Int { waiting.count + (isWriting ? 1 : 0) }

    mutating func add(_ buffer: ChunkBuffer) {
      guard failure == nil else { return }
      pool.account(for: buffer)
      waiting.append(buffer)
    }

    /// The next step of the thread; nil if there is none yet.
    mutating func nextStep() -> Step? {
      guard !waiting.isEmpty else { return isStopping ? .stop : nil }
      isWriting = true
      return .write(waiting.removeFirst())
    }

    /// Takes back a buffer; after a failure the file has its end, and waiting chunks are dropped.
    mutating func didWrite(_ buffer: ChunkBuffer, failure: TraceFileFailure?) {
      isWriting = false
      pool.giveBack(buffer)
      guard let failure else { return }
      self.failure = failure
      waiting.removeAll()
    }
  }
}
