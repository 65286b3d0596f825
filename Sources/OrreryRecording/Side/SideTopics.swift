// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryTrace
import OrreryViewers
import OrreryWire

/// What is recorded beside frames, gaps and events.
package struct SideOptions: Sendable {
  /// Points of a cloud, at most; 0: no clouds.
  package var pointsMax = 0

  /// Views, at most; 0: none.
  package var viewsMax = 0

  /// The program's log, to be recorded too.
  package var log: LogTap?

  /// Of the recording: metadata `orrery.recording`.
  package var facts: [String: String] = [:]

  /// Measures what it costs to compose points and views: nanoseconds that never go back.
  package var costClock: @Sendable () -> UInt64 = Clock.monotonicNs

  /// Nothing but timings, statistics and the recorder's own lines.
  package init() {}
}

/// Sees what a recorder learns of its run while it records.
package protocol RunWitness: AnyObject {
  /// Timings of frames came from the sim.
  func see(_ timings: Orrery_Timings)
  /// The recorder made its statistics.
  func see(_ statistics: Orrery_Statistics)
  /// The sim passed on that recorders are to keep what they have.
  func seeKeep()
}

/// Writes the topics of a trace that stand beside frames, gaps and events.
///
/// | topic                | message                   | when                                     |
/// |----------------------|---------------------------|------------------------------------------|
/// | `/orrery/timings`    | `orrery.Timings`          | as they come from the sim                |
/// | `/orrery/statistics` | `orrery.Statistics`       | once a second, and last                  |
/// | `/orrery/log`        | `foxglove.Log`            | lines of the log, gaps, the account      |
/// | `/orrery/points`     | `foxglove.PointCloud`     | up to 30 times a second                  |
/// | `/orrery/views`      | `foxglove.SceneUpdate`    | with the points                          |
/// | `/orrery/transform`  | `foxglove.FrameTransform` | once, if there are points or views       |
///
/// Points and views are `ViewerPictures`: they take a tenth of the recorder's time at most.
final class SideTopics {
  private let sink: any TraceSink
  private let clock: @Sendable () -> UInt64
  private let log: LogRecorder
  private var statistics: StatisticsRecorder
  private let timings: TraceChannelID
  private let pictures: ViewerPictures
  private let pictureChannels: [Topic: TraceChannelID]

  /// The number after that of the last frame whose timing came; nil before the first.
  private var nextTiming: UInt64?
  private var timingCount: UInt64 = 0
  private var missedTimingCount: UInt64 = 0

  /// Sees what is learned of the run.
  weak var witness: (any RunWitness)?

  /// Adds the channels, and the metadata of the recording.
  ///
  /// Points and views of a scene that cannot be drawn are left out, with a line in the log.
  ///
  /// - Throws: `TraceError`.
  init(
    _ options: SideOptions, sink: any TraceSink, source: any FrameSource,
    layout: Orrery_SceneLayout, clock: @escaping @Sendable () -> UInt64
  ) throws {
    (self.sink, self.clock) = (sink, clock)
    if !options.facts.isEmpty { try sink.addMetadata(name: "orrery.recording", options.facts) }
    log = try LogRecorder(sink, program: "logger", tap: options.log)
    statistics = try StatisticsRecorder(sink, generation: source.generation)
    timings = try sink.addChannel(.timings)
    let pictures = ViewerPictures(
      of: source, layout, pointsMax: options.pointsMax, viewsMax: options.viewsMax,
      costClock: options.costClock)
    self.pictures = pictures
    var channels: [Topic: TraceChannelID] = [:]
    for topic in [Topic.points, .views] where pictures.topics.contains(topic) {
      channels[topic] = try sink.addChannel(topic)
    }
    pictureChannels = channels
    if let fault = pictures.fault { try log.write(.warning, fault, nowNs: clock()) }
    if pictures.leftOutCount > 0 {
      let text =
        "\(pictures.leftOutCount) views are not on /orrery/views: --views sets how many are"
      try log.write(.info, text, nowNs: clock())
    }
  }

  /// Composes points and views of a frame that is read in place, if it is their turn.
  func use(_ frame: FrameView, stamp: FrameStamp) {
    pictures.use(frame, stamp: stamp, nowNs: clock())
  }

  /// Forgets what was composed: the frame was overwritten meanwhile.
  func discard() { pictures.discard() }

  /// Writes what was composed of a frame that was whole, and counts it.
  func keep(sequence: UInt64, stamp: FrameStamp, byteCount: Int) throws(TraceError) {
    statistics.receive(sequence: sequence, stamp: stamp, byteCount: byteCount)
    guard pictures.isComposed else { return }
    let nowNs = clock()
    if let transform = pictures.begin(stamp) {
      let head = TraceMessageHead(try sink.addChannel(.transform), logTimeNs: nowNs)
      try sink.write(head, bytes: transform, isPreamble: true)
    }
    try pictures.take(stamp) { (topic, parts) throws(TraceError) in
      guard let channel = pictureChannels[topic] else { return }
      let head = TraceMessageHead(
        channel, sequence: sequence, logTimeNs: nowNs, publishTimeNs: stamp.publishTimeNs)
      try sink.write(head, parts: parts)
    }
  }

  /// Counts a frame that came whole and is left out of the trace.
  func leaveOut() { statistics.leaveOut() }

  /// Counts a gap, and writes a line for it.
  func miss(_ gap: ClosedRange<UInt64>) throws(TraceError) {
    statistics.miss(gap)
    let text =
      gap.count == 1
      ? "missed frame \(gap.lowerBound)" : "missed frames \(gap.lowerBound) to \(gap.upperBound)"
    try log.write(.warning, text, nowNs: clock())
  }

  /// Writes timings that came from the sim.
  ///
  /// - Parameter bytes: An `orrery.Timings`; what is none is ignored.
  /// - Throws: `TraceError` when the trace cannot be written.
  func record(timings bytes: UnsafeRawBufferPointer) throws(TraceError) {
    guard let message = try? Orrery_Timings(serializedBytes: Array(bytes)) else { return }
    let count = UInt64(message.computeNs.count)
    let (next, isTooLarge) = message.firstSequence.addingReportingOverflow(count)
    guard count > 0, !isTooLarge, message.firstSequence >= nextTiming ?? 0 else { return }
    missedTimingCount += message.firstSequence - (nextTiming ?? message.firstSequence)
    timingCount += count
    nextTiming = next
    statistics.note(lateTicks: message.lateTicks)
    try sink.write(
      TraceMessageHead(timings, sequence: message.firstSequence, logTimeNs: clock()), parts: [bytes]
    )
    witness?.see(message)
  }

  /// Passes on that recorders are to keep what they have.
  func keepWasAsked() { witness?.seeKeep() }

  /// Writes what is due: lines of the log, and statistics.
  func recordDue() throws(TraceError) {
    let nowNs = clock()
    try log.record(nowNs: nowNs)
    if let message = try statistics.record(nowNs: nowNs) { witness?.see(message) }
  }

  /// Writes the last statistics, and the account as a line of the log.
  ///
  /// - Returns: Entries for the trace's summary.
  func finish(
    _ account: Losses, last: FrameStamp?, simEnded: Bool
  ) throws(TraceError) -> [String: String] {
    let nowNs = clock()
    try log.record(nowNs: nowNs)
    _ = try statistics.record(nowNs: nowNs, isLast: true)
    let end = simEnded ? "the run ended" : "the recording ended before the run"
    let all = account.last - account.joinedAfter
    var text = "received \(account.receivedCount) of \(all) frames; \(end)"
    if let last {
      text += "; last tick \(last.tick), state hash \(hexadecimal(last.stateHash))"
    }
    if pictures.skippedCount > 0 {
      text += "; points and views left out \(pictures.skippedCount) times"
    }
    try log.write(account.missedCount > 0 ? .warning : .info, text, nowNs: nowNs)
    var summary = [
      "timings_received": "\(timingCount)", "timings_missed": "\(missedTimingCount)",
      "pictures_skipped": "\(pictures.skippedCount)",
    ]
    if let zeroNs = pictures.zeroNs { summary["scene_time_zero_ns"] = "\(zeroNs)" }
    if let stride = pictures.stride { summary["points_stride"] = "\(stride)" }
    return summary
  }
}
