// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryTrace
import OrreryTraceTools

/// Scene time of a trace's messages: which ones belong to a part of it.
///
/// | message                              | belongs to the part if                                             |
/// |--------------------------------------|--------------------------------------------------------------------|
/// | frame, delta, points, views          | its frame's tick is in it; of deltas, from the keyframe on         |
/// | digest                               | it has frames in it; only these are taken                          |
/// | timings, loss                        | a frame that it names is in it                                     |
/// | event                                | its tick is in it                                                  |
/// | others                               | the frame that was recorded nearest to it in time is in it         |
///
/// Of several shards each has its own frames to relate to. In a trace without frames there is no scene time: then times are
/// seconds after its first message.
package final class SceneTimeline: TraceTimeline {
  /// A part of a run in which ticks follow each other.
  fileprivate struct Span {
    /// Frames whose ticks are wanted.
    let sequences: ClosedRange<UInt64>
    /// The first frame that is needed to decode them.
    let keyframe: UInt64
    /// Log times that are nearer to these frames than to others.
    let logTimes: ClosedRange<UInt64>
    /// Log times of all messages that may belong to them.
    let messageTimes: ClosedRange<UInt64>
  }

  fileprivate struct Part {
    let source: RecordedSource
    let spans: [Span]
    /// Of the whole recording, for messages' own ticks.
    let runs: [(sequences: ClosedRange<UInt64>, tick: UInt64)]
  }

  private let archive: TraceArchive
  private let parts: [Part]
  private let ticks: ClosedRange<UInt64>
  private let isAll: Bool
  private let rate: TickRate?

  /// For each file, the part of each of its channels; nil: of none.
  private let owners: [[TraceChannelID: Int]]

  /// Whether the part is to be replayed: then it has keyframes before it, and changes to the run.
  private let isForReplay: Bool

  /// Log times that have all of the part.
  package let logTimes: ClosedRange<UInt64>

  /// Finds a part of a trace.
  ///
  /// - Parameters:
  ///   - archive: The trace.
  ///   - times: What is wanted of it.
  ///   - topics: The topics that are looked at; nil: all.
  ///   - isForReplay: Whether the part is to be a trace of its own.
  /// - Throws: `Failure`: the trace is damaged, or has no frames and ticks are asked for.
  package init(
    _ archive: TraceArchive, _ times: WantedTimes, topics: Set<String>? = nil, isForReplay: Bool
  ) throws(Failure) {
    (self.archive, self.isForReplay, isAll) = (archive, isForReplay, times.isAll)
    let path = archive.files.first?.path ?? ""
    let found = try Failure.ofTrace(path) { try RecordedSource.find(in: archive) }
    let rate = found.first?.head.rate
    var ticks: ClosedRange<UInt64> = 0...UInt64.max
    if let rate { ticks = try times.ticks(rate) }
    var parts: [Part] = []
    for source in found where source.head.rate == rate {
      let catalogue = FrameCatalogue(archive, of: source)
      guard try catalogue.frame(from: 0) != nil else { continue }
      parts.append(
        Part(
          source: source,
          spans: times.isAll
            ? []
            : try Self.spans(
              ticks, catalogue, topics.map { !$0.isDisjoint(with: Self.apart) } ?? true,
              needsKeyframes: isForReplay),
          runs: try catalogue.sequences(showing: 0...UInt64.max)))
    }
    (self.parts, self.ticks) = (parts, ticks)
    self.rate = parts.isEmpty ? nil : rate
    owners = archive.files.enumerated().map { file, opened in
      var owners: [TraceChannelID: Int] = [:]
      for (id, channel) in opened.channels {
        owners[id] =
          parts.firstIndex { $0.source.owns(channel, file: file) }
          ?? parts.firstIndex { $0.source.files.contains(file) } ?? (parts.isEmpty ? nil : 0)
      }
      return owners
    }
    guard !times.isAll else {
      logTimes = 0...UInt64.max
      return
    }
    guard !parts.isEmpty else {
      logTimes = try Self.logTimes(times, archive, path: path)
      return
    }
    let spans = parts.flatMap(\.spans)
    guard let first = spans.map(\.messageTimes.lowerBound).min(),
      let last = spans.map(\.messageTimes.upperBound).max()
    else { throw Failure(.unmet, "\(path): no frame in that time") }
    logTimes = first...last
  }

  /// Without frames: seconds after the first message.
  private static func logTimes(
    _ times: WantedTimes, _ archive: TraceArchive, path: String
  ) throws(Failure) -> ClosedRange<UInt64> {
    let start = archive.startNs ?? 0
    func time(_ bound: WantedTimes.Bound) throws(Failure) -> UInt64 {
      guard case .seconds(let seconds) = bound else {
        throw Failure(.badData, "\(path): it has no frames, and so no ticks")
      }
      let ns = min(max((seconds * 1e9).rounded(), 0), 9e18)
      let (sum, isTooLarge) = start.addingReportingOverflow(UInt64(ns))
      return isTooLarge ? .max : sum
    }
    let from = try times.from.map(time) ?? 0
    let to = try times.to.map(time) ?? .max
    return from...max(from, to)
  }

  private static func spans(
    _ ticks: ClosedRange<UInt64>, _ catalogue: FrameCatalogue, _ wantsApart: Bool,
    needsKeyframes: Bool
  ) throws(Failure) -> [Span] {
    // Points are composed and written after their frame.
    let (earlyNs, lateNs) = wantsApart ? (Self.earlyNs, Self.lateNs) : (0, Self.earlyNs)
    var spans: [Span] = []
    for (sequences, _) in try catalogue.sequences(showing: ticks) {
      // The first and the last of them that are recorded.
      guard let first = try catalogue.frame(from: sequences.lowerBound),
        first.sequence <= sequences.upperBound,
        let last = try catalogue.previous(before: sequences.upperBound + 1)
      else { continue }
      var oldest = first
      while needsKeyframes, case .delta(_, let base) = oldest.origin, base < oldest.sequence,
        let before = try catalogue.frame(from: base), before.sequence == base
      {
        oldest = before
      }
      let before = try catalogue.previous(before: first.sequence)
      let after = try catalogue.frame(from: last.sequence + 1)
      let begin = before.map { middle($0.recordedNs, first.recordedNs) } ?? 0
      let next = after.map { middle(last.recordedNs, $0.recordedNs) }
      let end = next.map { $0 > begin ? $0 - 1 : begin } ?? .max
      let earliest = min(begin, oldest.logTimeNs)
      let latest = max(end, last.logTimeNs)
      spans.append(
        Span(
          sequences: sequences, keyframe: oldest.sequence, logTimes: begin...max(begin, end),
          messageTimes: earliest - min(earliest, earlyNs)...latest
            + min(UInt64.max - latest, lateNs)))
    }
    return spans
  }

  /// Topics of what is not recorded with its frame.
  private static let apart = Set([Topic.events, .timings, .loss].map(\.rawValue))

  /// Events, timings and losses may be recorded by so much before or after the frames that they tell of: timings come
  /// once a second.
  private static let (earlyNs, lateNs): (UInt64, UInt64) = (100_000_000, 1_200_000_000)

  /// The first time that is nearer to the later of two.
  private static func middle(_ one: UInt64, _ two: UInt64) -> UInt64 {
    let (low, high) = (min(one, two), max(one, two))
    return low + (high - low) / 2 + (high - low) % 2
  }
}

extension RecordedFrame {
  /// When it came: digests are written a second at a time, but have each frame's time of publishing.
  fileprivate var recordedNs: UInt64 {
    if case .digest = origin { stamp.publishTimeNs } else { logTimeNs }
  }
}

// MARK: - Messages

extension SceneTimeline {
  private func owner(_ message: TraceArchiveMessage) -> Part? {
    owners[message.file][message.head.channel].map { parts[$0] }
  }

  /// What of a message belongs to the part.
  package func part(of message: TraceArchiveMessage) -> TraceMessagePart {
    guard !isAll, let owner = owner(message) else { return .whole }
    let isWanted: Bool
    switch Topic(rawValue: message.topic) {
    case .frames, .deltas:
      guard let head = MessageHead(.frame, message.bytes) else { return .whole }
      isWanted = owner.spans.contains { span in
        head.sequence <= span.sequences.upperBound
          && head.sequence >= (isForReplay ? span.keyframe : span.sequences.lowerBound)
      }
    case .digests: return digests(message, owner)
    case .points, .views:
      isWanted = owner.spans.contains { span in
        let offset = message.head.sequence &- UInt32(truncatingIfNeeded: span.sequences.lowerBound)
        return UInt64(offset) < UInt64(span.sequences.count)
      }
    case .timings:
      guard let timings = try? Orrery_Timings(serializedBytes: Array(message.bytes)) else {
        return .whole
      }
      let last = timings.firstSequence.addingReportingOverflow(
        UInt64(max(timings.computeNs.count, 1) - 1))
      isWanted =
        !last.overflow && owner.overlaps(timings.firstSequence, last.partialValue)
    case .loss:
      guard let loss = try? Orrery_Loss(serializedBytes: Array(message.bytes)) else {
        return .whole
      }
      isWanted = owner.overlaps(loss.firstSequence, loss.lastSequence)
    case .events: return events(message, owner)
    default: isWanted = owner.isNear(message.head.logTimeNs)
    }
    return isWanted ? .whole : .none
  }

  /// Of what comes before the part: changes to the run, and the transform.
  package func preamble(of message: TraceArchiveMessage) -> TraceMessagePart {
    if message.topic == Topic.transform.rawValue { return .whole }
    guard message.topic == Topic.events.rawValue,
      let events = try? Orrery_Events(serializedBytes: Array(message.bytes))
    else { return .none }
    return changes(of: events)
  }

  /// The tick and the scene time that a message says.
  package func sceneTime(of message: TraceArchiveMessage) -> (tick: UInt64, seconds: Double)? {
    guard let rate, let owner = owner(message), let tick = owner.tick(of: message) else {
      return nil
    }
    return (tick, rate.seconds(tick: tick))
  }

  /// The hashes of wanted frames only.
  private func digests(_ message: TraceArchiveMessage, _ owner: Part) -> TraceMessagePart {
    guard let head = MessageHead(.digests, message.bytes) else { return .whole }
    let all = head.sequence...head.sequence + head.count - 1
    guard let span = owner.spans.first(where: { $0.sequences.overlaps(all) }) else { return .none }
    let kept = all.clamped(to: span.sequences)
    if kept == all { return .whole }
    guard var digests = try? Orrery_Digests(serializedBytes: Array(message.bytes)),
      digests.stateHashes.count == Int(head.count), digests.publishTimesNs.count == Int(head.count)
    else { return .whole }
    let skipped = kept.lowerBound - all.lowerBound
    let range = Int(skipped)..<Int(skipped) + kept.count
    digests.firstSequence += skipped
    digests.firstTick += skipped
    digests.stateHashes = Array(digests.stateHashes[range])
    digests.publishTimesNs = Array(digests.publishTimesNs[range])
    guard let bytes: [UInt8] = try? digests.serializedBytes() else { return .whole }
    return .changed(sequence: digests.firstSequence, bytes: bytes)
  }

  /// Events by their tick; a count without events by its time.
  private func events(_ message: TraceArchiveMessage, _ owner: Part) -> TraceMessagePart {
    guard let events = try? Orrery_Events(serializedBytes: Array(message.bytes)) else {
      return .whole
    }
    if events.events.isEmpty { return owner.isNear(message.head.logTimeNs) ? .whole : .none }
    if ticks.contains(events.tick) { return .whole }
    return isForReplay && events.tick < ticks.upperBound ? changes(of: events) : .none
  }

  /// The changes among some events: in a message of its own, or none.
  private func changes(of events: Orrery_Events) -> TraceMessagePart {
    // A message of a command has nothing else in it.
    guard let first = events.events.firstIndex(where: { $0.kind == .command }) else { return .none }
    var kept = events
    kept.firstNumber &+= UInt64(first)
    kept.events = Array(events.events[first...].prefix { $0.kind == .command })
    if kept.events.count == events.events.count { return .whole }
    guard let bytes: [UInt8] = try? kept.serializedBytes() else { return .whole }
    return .changed(sequence: kept.firstNumber, bytes: bytes)
  }
}

extension SceneTimeline.Part {
  fileprivate func overlaps(_ first: UInt64, _ last: UInt64) -> Bool {
    first <= last && spans.contains { $0.sequences.overlaps(first...last) }
  }

  fileprivate func isNear(_ timeNs: UInt64) -> Bool {
    spans.contains { $0.logTimes.contains(timeNs) }
  }

  /// The tick of a frame by its number.
  fileprivate func tick(of sequence: UInt64) -> UInt64? {
    runs.first { $0.sequences.contains(sequence) }
      .map { $0.tick + (sequence - $0.sequences.lowerBound) }
  }

  fileprivate func tick(of message: TraceArchiveMessage) -> UInt64? {
    switch Topic(rawValue: message.topic) {
    case .frames, .deltas: MessageHead(.frame, message.bytes)?.tick
    case .digests: MessageHead(.digests, message.bytes)?.tick
    case .events:
      (try? Orrery_Events(serializedBytes: Array(message.bytes))).flatMap {
        $0.events.isEmpty ? nil : $0.tick
      }
    case .timings:
      (try? Orrery_Timings(serializedBytes: Array(message.bytes))).flatMap {
        tick(of: $0.firstSequence)
      }
    case .loss:
      (try? Orrery_Loss(serializedBytes: Array(message.bytes))).flatMap {
        tick(of: $0.firstSequence)
      }
    case .points, .views:
      runs.lazy.compactMap { run in
        let offset = message.head.sequence &- UInt32(truncatingIfNeeded: run.sequences.lowerBound)
        return UInt64(offset) < UInt64(run.sequences.count) ? run.tick + UInt64(offset) : nil
      }.first
    default: nil
    }
  }
}
