// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryTrace
import OrreryWire

/// How a flight recorder keeps what happened.
package struct FlightOptions {
  /// Time before a request that is kept, in nanoseconds.
  package var keepNs: UInt64

  /// Time after a request that is kept too, in nanoseconds.
  package var afterNs: UInt64

  /// What requests it by itself; nil: nothing.
  package var trigger: Trigger?

  /// Files, at most.
  package var filesMax: Int

  /// Requests from outside so far (SIGUSR1).
  package var requestCount: () -> Int

  /// Whether the user has ended the recording.
  package var isStopped: () -> Bool

  /// Creates the next file; the path is that of the trace.
  package var open: () throws(Failure) -> (path: String, writer: TraceWriter)

  /// Options of a recorder that keeps ten seconds.
  package init(
    keepNs: UInt64 = 10_000_000_000, afterNs: UInt64 = 0, trigger: Trigger? = nil,
    filesMax: Int = 100, requestCount: @escaping () -> Int = { 0 },
    isStopped: @escaping () -> Bool = { false },
    open: @escaping () throws(Failure) -> (path: String, writer: TraceWriter)
  ) {
    (self.keepNs, self.afterNs, self.trigger, self.filesMax) = (keepNs, afterNs, trigger, filesMax)
    (self.requestCount, self.isStopped, self.open) = (requestCount, isStopped, open)
  }
}

/// Records the last seconds of a run into memory, and writes them as a trace when they are asked for.
///
/// They are asked for by the sim (`orrery control RUN keep`), by a signal, by a trigger, and when the sim dies. A request
/// during another one's time `afterNs` is part of it. A thread writes the file; recording goes on meanwhile.
package final class FlightRecorder: FrameConsumer, RunWitness {
  private let recorder: Recorder
  private let ring: FlightRing
  private let options: FlightOptions
  private let clock: @Sendable () -> UInt64
  private let log = Logger(label: "logger")
  private var watch: TriggerWatch?

  /// Signals that were seen.
  private var seenRequests: Int

  /// The request that waits for its end: why, and when it came.
  private var pending: (cause: String, atNs: UInt64)?

  /// The file that is being written.
  private var writing: Writing?

  private var files: [String] = []
  private var failure: Failure?
  private var fileCount = 0

  /// A file, and the thread that writes it.
  private struct Writing {
    let path: String
    let cause: String

    /// The thread's until there is a result.
    let writer: WriterBox
    let thread: BackgroundThread?
    let result: Monitor<Result<FlightSummary, TraceError>?>
  }

  /// - Parameters:
  ///   - recorder: Records into `ring`; its scene is there already.
  ///   - ring: The memory.
  ///   - options: What is kept, and where it goes.
  ///   - clock: The recorder's log times.
  package init(
    _ recorder: Recorder, ring: FlightRing, options: FlightOptions,
    clock: @escaping @Sendable () -> UInt64 = Clock.wallNs
  ) {
    (self.recorder, self.ring, self.options, self.clock) = (recorder, ring, options, clock)
    watch = options.trigger.map { TriggerWatch($0) }
    seenRequests = options.requestCount()
    ring.endBeginning()
    recorder.setWitness(self)
  }

  package var phases: (use: TimelinePhase, keep: TimelinePhase) { recorder.phases }

  /// Records into memory.
  package func use(_ frame: FrameView, source: any FrameSource) throws(Failure) -> Bool {
    try recorder.use(frame, source: source)
  }

  /// Keeps what was recorded, and looks for requests.
  package func keep(sequence: UInt64) throws(Failure) {
    try recorder.keep(sequence: sequence)
    poll()
  }

  /// Records a gap.
  package func miss(_ gap: ClosedRange<UInt64>) throws(Failure) { try recorder.miss(gap) }

  /// Records what has come beside frames, and looks for requests.
  package func idle() throws(Failure) {
    try recorder.idle()
    poll()
  }

  /// Writes what was asked for last; if the sim died, the state before that.
  ///
  /// - Throws: The first failure of all files.
  package func finish(_ account: Losses, simEnded: Bool) throws(Failure) -> [String] {
    _ = try recorder.finish(account, simEnded: simEnded)
    endWriting(waits: true)
    if !simEnded, !options.isStopped() { request("the sim died") }
    if let pending {
      write(pending)
      endWriting(waits: true)
    }
    if let failure { throw failure }
    return files
  }

  // MARK: - Requests

  /// Tries the trigger on the frames of the last second.
  package func see(_ timings: Orrery_Timings) {
    if watch?.take(timings) == true { requestByTrigger() }
  }

  /// Tries the trigger on the counts of the last second.
  package func see(_ statistics: Orrery_Statistics) {
    if watch?.take(statistics) == true { requestByTrigger() }
  }

  /// The sim passes on a request.
  package func seeKeep() { request("keep") }

  private func requestByTrigger() {
    request("trigger \(options.trigger?.text ?? "")")
  }

  private func request(_ cause: String) {
    if pending == nil { pending = (cause, clock()) }
  }

  /// Looks for signals, and writes what is due.
  private func poll() {
    let requests = options.requestCount()
    if requests != seenRequests {
      seenRequests = requests
      request("signal")
    }
    endWriting(waits: false)
    guard let pending, writing == nil else { return }
    let nowNs = clock()
    // The time of day may go back.
    guard nowNs >= pending.atNs &+ options.afterNs || nowNs < pending.atNs else { return }
    write(pending)
  }

  // MARK: - Files

  private func write(_ request: (cause: String, atNs: UInt64)) {
    pending = nil
    guard fileCount < options.filesMax else {
      log.warning("\(request.cause): nothing is kept: \(options.filesMax) files were written")
      return
    }
    fileCount += 1
    let opened: (path: String, writer: TraceWriter)
    do throws(Failure) {
      opened = try options.open()
    } catch {
      note(error)
      return
    }
    let copy = ring.copy(fromNs: request.atNs - min(options.keepNs, request.atNs))
    let facts = ["kept_for": request.cause, "kept_at_ns": "\(request.atNs)"]
    let result = Monitor<Result<FlightSummary, TraceError>?>(nil)
    let box = WriterBox(opened.writer)
    let work: @Sendable () -> Void = {
      let outcome = Result { () throws(TraceError) in
        try copy.write(to: box.writer, facts: facts)
      }
      result.change { $0 = outcome }
    }
    let thread = try? BackgroundThread(work)
    if thread == nil { work() }
    writing = Writing(
      path: opened.path, cause: request.cause, writer: box, thread: thread, result: result)
  }

  /// Reports on the file that was being written, if it is done.
  private func endWriting(waits: Bool) {
    guard let writing else { return }
    let outcome =
      waits ? writing.result.wait { $0 } : writing.result.read { $0 }
    guard let outcome else { return }
    writing.thread?.join()
    self.writing = nil
    switch outcome {
    case .success(let summary):
      let paths = writing.writer.writer.paths
      files += paths
      let seconds = (summary.seconds * 10).rounded() / 10
      log.notice(
        """
        \(writing.cause): kept \(summary.receivedCount) frames of \(seconds) s in \(paths.joined(separator: ", "))
        """)
    case .failure(let error):
      note(Failure(path: writing.path, error))
    }
  }

  private func note(_ failure: Failure) {
    log.error("\(failure)")
    if self.failure == nil { self.failure = failure }
  }

  /// A writer that only one thread uses from now on.
  private struct WriterBox: @unchecked Sendable {
    let writer: TraceWriter
    init(_ writer: TraceWriter) { self.writer = writer }
  }
}
