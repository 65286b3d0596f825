// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import OrreryTrace

/// Records about once a second what the recorder has seen of its run, on the topic `/orrery/statistics`.
struct StatisticsRecorder {
  private let sink: any TraceSink
  private let channel: TraceChannelID

  /// The message that is written next; its rates are of the time since the last one.
  private var statistics = Orrery_Statistics()

  private var framesSince = 0
  private var bytesSince = 0

  /// Bytes that the sink has taken, and when it was asked last; nil before the first frame.
  private var sinceNs: UInt64?

  /// Time between two messages.
  static let everyNs: UInt64 = 1_000_000_000

  /// Adds the channel.
  init(_ sink: any TraceSink, generation: UInt64) throws(TraceError) {
    self.sink = sink
    channel = try sink.addChannel(.statistics)
    statistics.generation = generation
  }

  /// Counts a frame that came whole.
  mutating func receive(sequence: UInt64, stamp: FrameStamp, byteCount: Int) {
    (statistics.sequence, statistics.tick) = (sequence, stamp.tick)
    statistics.received += 1
    framesSince += 1
    bytesSince += byteCount
  }

  /// Counts frames that were missed.
  mutating func miss(_ gap: ClosedRange<UInt64>) { statistics.missed += UInt64(gap.count) }

  /// Counts frames that came and are not in the trace, on purpose.
  mutating func leaveOut() { statistics.leftOut += 1 }

  /// Takes the sim's own count.
  mutating func note(lateTicks: UInt64) { statistics.lateTicks = lateTicks }

  /// Writes a message if it is time, or if it is the last.
  ///
  /// - Returns: The message; nil if there was none.
  mutating func record(
    nowNs: UInt64, isLast: Bool = false
  ) throws(TraceError) -> Orrery_Statistics? {
    guard let sinceNs else {
      self.sinceNs = nowNs
      return nil
    }
    // The time of day may go back.
    let elapsedNs = nowNs > sinceNs ? nowNs - sinceNs : 0
    if nowNs < sinceNs { self.sinceNs = nowNs }
    guard elapsedNs >= Self.everyNs || isLast else { return nil }
    let seconds = Double(elapsedNs) / 1e9
    statistics.framesPerSecond = seconds > 0 ? Double(framesSince) / seconds : 0
    statistics.bytesPerSecond = seconds > 0 ? Double(bytesSince) / seconds : 0
    let load = sink.sinkLoad
    (statistics.queuedBytes, statistics.fileBytes) = (load.queuedBytes, load.fileBytes)
    (framesSince, bytesSince, self.sinceNs) = (0, 0, nowNs)
    try sink.write(TraceMessageHead(channel, logTimeNs: nowNs), bytes: statistics.ownBytes)
    return statistics
  }
}
