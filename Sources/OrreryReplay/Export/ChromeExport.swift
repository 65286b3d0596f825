// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryTrace

/// Writes when things happened in a run as the JSON trace events that Perfetto and chrome://tracing load.
///
/// | of the trace            | event                                                          |
/// |-------------------------|----------------------------------------------------------------|
/// | frames, `timings`       | on the sim's row: waiting, computing, publishing of each tick  |
/// | frames without `timings`| an instant for each frame on the sim's row                     |
/// | `events`                | an instant on a row of views                                   |
/// | `loss`                  | an instant on the logger's row                                 |
/// | `statistics`            | counters                                                       |
/// | `log`                   | an instant on the logger's row                                 |
///
/// Times are microseconds since the first message's. Files are whole each: after `eventsMax` events another one
/// begins, NAME.1.json, NAME.2.json and so on.
package struct ChromeExport {
  /// What was written.
  package struct Report: Codable, Equatable, Sendable {
    /// Names of the files.
    package var files: [String] = []
    /// Events in all files.
    package var events: UInt64 = 0
    /// Frames whose timings were there.
    package var timedFrames: UInt64 = 0
  }

  private let frames: FrameArchive
  private let archive: TraceArchive
  private let path: String
  private let output: String
  private let eventsMax: UInt64

  /// Events of a file: with about 120 bytes each, files of 60 MB, which Perfetto loads in seconds.
  package static let eventsMaxDefault: UInt64 = 500_000

  /// Prepares an export.
  ///
  /// - Parameters:
  ///   - archive: The trace.
  ///   - output: Name of the first file.
  ///   - eventsMax: Events of each file.
  package init(_ archive: FrameArchive, output: String, eventsMax: UInt64) {
    frames = archive
    self.archive = archive.archive
    path = archive.path
    self.output = output
    self.eventsMax = eventsMax
  }

  /// Topics that are read.
  private static let topics = Set(
    [
      Topic.frames, .deltas, .digests, .timings, .events, .loss, .statistics, .log,
    ].map(\.rawValue))

  /// Of them, those that are shown of every shard.
  private static let shared = Set([Topic.loss, .log].map(\.rawValue))

  /// Writes the files.
  ///
  /// - Throws: `Failure` if the trace is damaged or a file cannot be written.
  package func run() throws(Failure) -> Report {
    var writer = ChromeWriter(output: output, eventsMax: eventsMax)
    var timings = TimingQueue()
    let startNs = archive.startNs ?? 0
    let messages = archive.messages(topics: Self.topics)
    do {
      while let message = try messages.next() {
        let atNs = message.head.logTimeNs - min(startNs, message.head.logTimeNs)
        // Of several shards, the first one's rows; losses and log lines of all.
        guard Self.shared.contains(message.topic) || frames.isOfFirstShard(message) else {
          continue
        }
        switch Topic(rawValue: message.topic) {
        case .timings:
          let found = try Orrery_Timings(serializedBytes: Array(message.bytes))
          for frame in try timings.add(found) {
            try write(frame, to: &writer, startNs: startNs)
          }
        case .frames, .deltas, .digests:
          for frame in try timings.add(stamps(of: message)) {
            try write(frame, to: &writer, startNs: startNs)
          }
        default: try writer.write(message, atNs: atNs)
        }
      }
      for frame in timings.rest() { try write(frame, to: &writer, startNs: startNs) }
      try writer.finish()
    } catch {
      throw Failure(reading: "a message", of: path, error)
    }
    return Report(
      files: writer.files, events: writer.eventCount, timedFrames: timings.timedCount)
  }

  /// Numbers and times of the frames of a message.
  private func stamps(of message: TraceArchiveMessage) throws -> [TimingQueue.Frame] {
    guard let kind = MessageHead.Kind(topic: message.topic),
      let head = MessageHead(kind, message.bytes)
    else { throw Failure(.badData, "\(path): a message of \(message.topic) is no frame") }
    if kind != .digests {
      return [
        TimingQueue.Frame(
          sequence: head.sequence, tick: head.tick, publishNs: head.stamp.publishTimeNs)
      ]
    }
    let digests = try Orrery_Digests(serializedBytes: Array(message.bytes))
    return digests.publishTimesNs.enumerated().map { index, timeNs in
      TimingQueue.Frame(
        sequence: head.sequence + UInt64(index), tick: head.tick + UInt64(index), publishNs: timeNs)
    }
  }

  private func write(
    _ frame: TimingQueue.Frame, to writer: inout ChromeWriter, startNs: UInt64
  ) throws(Failure) {
    // The time of publishing is read when the values are computed.
    let atNs = Int64(bitPattern: frame.publishNs &- startNs)
    let args = "{\"sequence\":\(frame.sequence),\"tick\":\(frame.tick)}"
    guard let times = frame.times else {
      try writer.instant("frame", atNs: atNs, row: .sim, args: args)
      return
    }
    let (wait, compute, publish) = (
      Int64(clamping: times.wait), Int64(clamping: times.compute), Int64(clamping: times.publish)
    )
    try writer.span("wait", atNs: atNs &- compute &- wait, ns: wait, row: .sim, args: args)
    try writer.span("compute", atNs: atNs &- compute, ns: compute, row: .sim, args: args)
    try writer.span("publish", atNs: atNs, ns: publish, row: .sim, args: args)
  }
}

/// Brings frames and their timings together, which come in different messages.
///
/// A frame waits until timings reach it, or until too many wait.
struct TimingQueue {
  /// A frame and what it took.
  struct Frame {
    let sequence: UInt64
    let tick: UInt64
    let publishNs: UInt64
    var times: (wait: UInt64, compute: UInt64, publish: UInt64)?
  }

  private var frames: [Frame] = []
  private var times: [UInt64: (wait: UInt64, compute: UInt64, publish: UInt64)] = [:]
  private(set) var timedCount: UInt64 = 0

  /// Frames, and timings, that may wait for the others.
  private static let waitingMax = 100_000

  /// Takes frames; returns those that wait no longer.
  mutating func add(_ more: [Frame]) -> [Frame] {
    frames += more
    return take(all: false)
  }

  /// Takes timings.
  mutating func add(_ message: Orrery_Timings) throws -> [Frame] {
    let count = min(message.waitNs.count, message.computeNs.count, message.publishNs.count)
    guard message.firstSequence <= FrameReader.sequenceMax else {
      throw Failure(.badData, "timings of frame \(message.firstSequence)")
    }
    for index in 0..<count where times.count < Self.waitingMax {
      times[message.firstSequence + UInt64(index)] = (
        message.waitNs[index], message.computeNs[index], message.publishNs[index]
      )
    }
    return take(all: false)
  }

  /// The frames that wait still.
  mutating func rest() -> [Frame] { take(all: true) }

  private mutating func take(all: Bool) -> [Frame] {
    var taken: [Frame] = []
    var kept: [Frame] = []
    let excess = frames.count - Self.waitingMax
    for (index, frame) in frames.enumerated() {
      var frame = frame
      frame.times = times.removeValue(forKey: frame.sequence)
      if frame.times != nil { timedCount += 1 }
      if frame.times != nil || all || index < excess {
        taken.append(frame)
      } else {
        kept.append(frame)
      }
    }
    frames = kept
    if times.count >= Self.waitingMax { times.removeAll() }
    return taken
  }
}
