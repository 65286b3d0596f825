// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// Values of a track of keyframes, or of several tracks by their names.
///
///     {"keyframes":[{"linear":8,"duration":0.4},{"move":5}],"initial":0,"at":[0,0.2]}
///     {"keyframes":{"x":[{"linear":8,"duration":0.4}]},"initial":{"x":0},"at":[0,0.2]}
struct KeyframesRequest: EvalRequest {
  static let keys = ["keyframes", "initial", "at"]

  private let tracks: [(name: String, keyframes: [KeyframeReader.Keyframe])]

  /// A value for each track.
  private let initial: [Double]

  /// Whether the request gave the tracks names.
  private let isNamed: Bool
  private let at: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    if case .table = try reader.value("keyframes", "an array of objects") {
      isNamed = true
      let lists = try reader.namedObjects(
        "keyframes", countMax: EvalLimits.keyframeCountMax, known: KeyframeReader.keys)
      var tracks: [(name: String, keyframes: [KeyframeReader.Keyframe])] = []
      for (name, objects) in lists {
        tracks.append((name, try KeyframeReader.keyframes(objects)))
      }
      let given = reader.has("initial") ? try reader.namedNumbers("initial") : []
      for (name, _) in given where !tracks.contains(where: { $0.name == name }) {
        throw EvalError(
          path: reader.path.key("initial").key(name), reason: "no track of keyframes has this name")
      }
      let values = Dictionary(given.map { ($0.name, $0.value) }) { first, _ in first }
      self.tracks = tracks
      initial = tracks.map { values[$0.name] ?? 0 }
    } else {
      isNamed = false
      let objects = try reader.objects(
        "keyframes", countMax: EvalLimits.keyframeCountMax, known: KeyframeReader.keys)
      tracks = [("", try KeyframeReader.keyframes(objects))]
      initial = [try reader.number("initial", else: 0)]
    }
    at = reader.has("at") ? try reader.numbers("at") : []
    guard tracks.count * at.count <= EvalLimits.sampleCountMax else {
      throw .outOfRange(
        reader.path.key("at"), Double(tracks.count * at.count),
        "at most \(EvalLimits.sampleCountMax) samples")
    }
  }

  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let timeline = KeyframeTimeline(initialValue: initial) {
      for index in tracks.indices { track(index) }
    }
    let fromKernel = kernels.flatMap { kernelValues($0) }
    let values: [[Double]]
    if let fromKernel {
      values = fromKernel
    } else {
      let shown = at.map { timeline.value(time: $0) }
      values = tracks.indices.map { track in shown.map { $0[track] } }
    }
    var answer = DocumentTable()
    if isNamed {
      var table = DocumentTable()
      for (track, values) in zip(tracks, values) { table.append(track.name, .numbers(values)) }
      answer.append("tracks", .table(table))
    } else {
      answer.append("values", .numbers(values.first ?? []))
    }
    answer.append("duration_s", .number(timeline.duration))
    return EvalAnswer(answer, isFromKernel: fromKernel != nil)
  }

  private func track(_ index: Int) -> KeyframeTrack<[Double], Double, KeyframeList> {
    KeyframeTrack(\[Double].[index]) { KeyframeList(keyframes: tracks[index].keyframes) }
  }

  /// Each value from a view that plays the segment of its time.
  private func kernelValues(_ kernels: any KernelEvaluating) -> [[Double]]? {
    var changes: [KernelChange] = []
    for (track, initial) in zip(tracks, initial) {
      let (all, last) = KeyframeSegment.of(
        [KeyframeList(keyframes: track.keyframes)], from: initial)
      let segments = all.compactMap { $0 }
      for time in at {
        guard let change = Self.change(at: time, segments, last: last, initial: initial) else {
          return nil
        }
        changes.append(change)
      }
    }
    guard let values = kernels.changes(changes) else { return nil }
    return tracks.indices.map { Array(values[$0 * at.count..<($0 + 1) * at.count]) }
  }

  /// The change that shows a track's value at a time; nil if no animation moves as its segment does.
  private static func change(
    at time: Double, _ segments: [KeyframeSegment], last: Double, initial: Double
  ) -> KernelChange? {
    func still(_ value: Double) -> KernelChange {
      KernelChange(from: value, to: value, animation: .linear(duration: 1), elapsed: 0)
    }
    let time = max(0, time)
    guard let final = segments.last, time < final.start + final.duration else { return still(last) }
    // The last segment that begins at or before the time.
    var (low, high) = (0, segments.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if segments[middle].start <= time { low = middle } else { high = middle }
    }
    let segment = segments[low]
    let elapsed = time - segment.start
    guard let moves = segment.moves else { return nil }
    guard let move = moves.last(where: { $0.offset <= elapsed }) ?? moves.first else {
      return still(segment.to)
    }
    return KernelChange(
      from: move.from, to: move.to, animation: move.animation,
      elapsed: max(0, elapsed - move.offset))
  }
}

/// The keyframes of a track.
struct KeyframeList: KeyframeTrackContent {
  let keyframes: [KeyframeReader.Keyframe]

  var body: some KeyframeTrackContent<Double> {
    for keyframe in keyframes {
      switch keyframe {
      case .move(let value): MoveKeyframe(value)
      case .linear(let value, let duration, let curve):
        LinearKeyframe(value, duration: duration, timingCurve: curve)
      case .cubic(let value, let duration, let start, let end):
        CubicKeyframe(value, duration: duration, startVelocity: start, endVelocity: end)
      case .spring(let value, let duration, let spring, let start):
        SpringKeyframe(value, duration: duration, spring: spring, startVelocity: start)
      }
    }
  }
}

/// Reads one keyframe; the key of its value gives its kind.
enum KeyframeReader {
  enum Keyframe: Sendable {
    case move(Double)
    case linear(Double, duration: Double, UnitCurve)
    case cubic(Double, duration: Double, start: Double?, end: Double?)
    case spring(Double, duration: Double?, Spring, start: Double?)
  }

  /// The kinds, each with its other allowed keys.
  private static let kinds: [(key: String, others: [String])] = [
    ("move", []), ("linear", ["duration", "timingCurve"]),
    ("cubic", ["duration", "startVelocity", "endVelocity"]),
    ("springTo", ["duration", "spring", "startVelocity"]),
  ]

  static let keys = [
    "linear", "cubic", "springTo", "move", "duration", "timingCurve", "startVelocity",
    "endVelocity", "spring",
  ]

  static func keyframes(_ readers: [RequestReader]) throws(EvalError) -> [Keyframe] {
    var keyframes: [Keyframe] = []
    for reader in readers { keyframes.append(try keyframe(reader)) }
    return keyframes
  }

  static func keyframe(_ reader: RequestReader) throws(EvalError) -> Keyframe {
    let found = kinds.filter { reader.has($0.key) }
    guard found.count == 1, let kind = found.first else {
      let known = kinds.map(\.key).joined(separator: ", ")
      throw EvalError(path: reader.path, reason: "one is wanted of \(known)")
    }
    for key in reader.keys.sorted() where key != kind.key && !kind.others.contains(key) {
      let allowed = kind.others.isEmpty ? "nothing else" : kind.others.joined(separator: ", ")
      throw EvalError(
        path: reader.path.key(key), reason: "not beside \(kind.key); allowed there: \(allowed)")
    }
    let value = try reader.number(kind.key)
    switch kind.key {
    case "move": return .move(value)
    case "linear":
      let curve =
        reader.has("timingCurve")
        ? try reader.notation("timingCurve", Notation.curve) : .linear
      return .linear(value, duration: try duration(reader), curve)
    case "cubic":
      return .cubic(
        value, duration: try duration(reader), start: try optional("startVelocity", of: reader),
        end: try optional("endVelocity", of: reader))
    default:
      let spring =
        reader.has("spring") ? try SpringReader.spring("spring", of: reader) : Spring()
      return .spring(
        value, duration: reader.has("duration") ? try duration(reader) : nil, spring,
        start: try optional("startVelocity", of: reader))
    }
  }

  private static func duration(_ reader: RequestReader) throws(EvalError) -> Double {
    try reader.number("duration", in: 0...1e9, "s")
  }

  private static func optional(
    _ key: String, of reader: RequestReader
  ) throws(EvalError) -> Double? {
    reader.has(key) ? try reader.number(key) : nil
  }
}
