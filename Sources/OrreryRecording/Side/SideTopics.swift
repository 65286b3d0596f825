// SPDX-License-Identifier: Apache-2.0

import Logging
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRender
import OrreryTrace
import OrreryWire
import SwiftProtobuf

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
/// Points and views are composed while a frame is read in place, and written once it is known to be whole. They
/// take a tenth of the recorder's time at most in live delivery, and nothing while it lags behind the sim: what
/// is left out for that is counted.
final class SideTopics {
  private let sink: any TraceSink
  private let clock: @Sendable () -> UInt64
  private let log: LogRecorder
  private var statistics: StatisticsRecorder
  private let timings: TraceChannelID
  private let source: any FrameSource

  /// Room for a frame in pieces; made when the first one comes.
  private var copy: FrameCopy?
  private let points: PointRecorder?
  private let views: ViewRecorder?
  private let columns: FrameColumns
  private let costClock: @Sendable () -> UInt64
  private let isLive: Bool

  /// Age of a frame from which on nothing is composed; nil: any.
  private let ageNsMax: UInt64?

  private var limit: RateLimit
  private var sceneTime: SceneTime?

  /// Whether points and views of the frame that is in use were composed.
  private var isComposed = false

  /// In live delivery: nothing is composed before this time of `costClock`.
  private var composeFromNs: UInt64 = 0

  /// Frames whose points and views were left out because there was no time.
  private(set) var skippedCount: UInt64 = 0

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
    (self.sink, self.source, self.clock, costClock) = (sink, source, clock, options.costClock)
    if !options.facts.isEmpty { try sink.addMetadata(name: "orrery.recording", options.facts) }
    log = try LogRecorder(sink, program: "logger", tap: options.log)
    statistics = try StatisticsRecorder(sink, generation: source.generation)
    timings = try sink.addChannel(.timings)
    var undrawable: RenderError?
    points =
      options.pointsMax > 0 && layout.entityCount > 0
      ? try Self.drawn(&undrawable) {
        try PointRecorder(sink, layout, pointsMax: options.pointsMax)
      } : nil
    views =
      options.viewsMax > 0
      ? try Self.drawn(&undrawable) {
        try ViewRecorder(sink, layout, viewsMax: options.viewsMax)
      } : nil
    columns = FrameColumns(source.layout, sampling: views == nil ? points?.sampling : nil)
    isLive = source.delivery == .live
    limit = RateLimit(isLive: isLive)
    let tickNs = Double(layout.rateDenominator) * 1e9 / Double(max(layout.rateNumerator, 1))
    ageNsMax = source.overwrittenAfter.map { ticks in
      // A quarter of the time for which a frame stays, and two ticks at least.
      UInt64(min(max(Double(ticks) / 4, 2) * tickNs, 1e18))
    }
    if let undrawable {
      let text = "no points and views: the scene cannot be drawn: \(undrawable)"
      try log.write(.warning, text, nowNs: clock())
    }
    if let views, views.leftOutCount > 0 {
      let text = "\(views.leftOutCount) views are not on /orrery/views: --views sets how many are"
      try log.write(.info, text, nowNs: clock())
    }
  }

  /// What draws a scene; nil, and the reason in `fault`, if the scene cannot be drawn.
  private static func drawn<Drawing>(
    _ fault: inout RenderError?, _ make: () throws -> Drawing?
  ) throws -> Drawing? {
    do {
      return try make()
    } catch let error as RenderError {
      fault = error
      return nil
    }
  }

  private var draws: Bool { points != nil || views != nil }

  /// Composes points and views of a frame that is read in place, if it is their turn.
  func use(_ frame: FrameView, stamp: FrameStamp) {
    isComposed = false
    let nowNs = clock()
    guard draws, limit.take(simTimeNs: stamp.simTimeNs, nowNs: nowNs) else { return }
    let beganNs = costClock()
    if isLive {
      let isOld = ageNsMax.map { nowNs > stamp.publishTimeNs &+ $0 } ?? false
      guard !isOld, beganNs >= composeFromNs else {
        skippedCount += 1
        return
      }
    }
    guard let whole = inOnePiece(frame) else {
      skippedCount += 1
      return
    }
    columns.read(whole)
    points?.compose(columns)
    views?.compose(columns)
    isComposed = true
    let doneNs = costClock()
    composeFromNs = doneNs + 9 * (doneNs - min(beganNs, doneNs))
  }

  /// The frame itself, or a copy of one whose columns lie in pieces: the parts of several shards.
  ///
  /// - Returns: Nil if there is no memory for a copy, or if the frame was overwritten meanwhile.
  private func inOnePiece(_ frame: FrameView) -> FrameView? {
    guard frame.pieces.count > 1 else { return frame }
    if copy == nil { copy = FrameCopy(of: source) }
    return copy?.take(frame)
  }

  /// Forgets what was composed: the frame was overwritten meanwhile.
  func discard() {
    isComposed = false
    points?.discard()
    views?.discard()
  }

  /// Writes what was composed of a frame that was whole, and counts it.
  func keep(sequence: UInt64, stamp: FrameStamp, byteCount: Int) throws(TraceError) {
    statistics.receive(sequence: sequence, stamp: stamp, byteCount: byteCount)
    guard isComposed else { return }
    isComposed = false
    let nowNs = clock()
    let sceneTime: SceneTime
    if let known = self.sceneTime {
      sceneTime = known
    } else {
      sceneTime = SceneTime(publishTimeNs: stamp.publishTimeNs, simTimeNs: stamp.simTimeNs)
      self.sceneTime = sceneTime
      try SceneFrame.write(to: sink, sceneTime: sceneTime, logTimeNs: nowNs)
    }
    let time = sceneTime.timestamp(simTimeNs: stamp.simTimeNs)
    try points?.write(
      sequence: sequence, time: time, logTimeNs: nowNs, publishTimeNs: stamp.publishTimeNs)
    try views?.write(
      sequence: sequence, time: time, logTimeNs: nowNs, publishTimeNs: stamp.publishTimeNs)
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
    if skippedCount > 0 { text += "; points and views left out \(skippedCount) times" }
    try log.write(account.missedCount > 0 ? .warning : .info, text, nowNs: nowNs)
    var summary = [
      "timings_received": "\(timingCount)", "timings_missed": "\(missedTimingCount)",
      "pictures_skipped": "\(skippedCount)",
    ]
    if let sceneTime { summary["scene_time_zero_ns"] = "\(sceneTime.zeroNs)" }
    if let points { summary["points_stride"] = "\(points.stride)" }
    return summary
  }
}
