// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryDocument
import OrreryPlot
import OrreryScene
import OrrerySceneBuilder

/// One track of keyframes, as a text has it: `[{"linear":8,"duration":0.4},{"move":5}]`, or a whole request.
struct WrittenTrack {
  /// The value at the start.
  let initial: Double
  let keyframes: [KeyframeReader.Keyframe]
  /// The segment of each keyframe; nil of those that jump.
  let segments: [KeyframeSegment?]

  /// Whether a text is one of keyframes, and not a notation.
  static func isTrack(_ text: String) -> Bool {
    text.first { !$0.isWhitespace }.map { "[{".contains($0) } ?? false
  }

  /// Reads a track.
  ///
  /// - Parameter text: JSON.
  /// - Throws: `ExportError.track`.
  init(_ text: String) throws(ExportError) {
    do {
      var table = DocumentTable()
      switch try JSONParser.parse(Array(text.utf8)) {
      case .table(let request): table = request
      case let keyframes: table.append("keyframes", keyframes)
      }
      let reader = try RequestReader(
        .table(table), at: DocumentPath(), known: ["keyframes", "initial"])
      let objects = try reader.objects(
        "keyframes", countMax: EvalLimits.keyframeCountMax, known: KeyframeReader.keys)
      initial = try reader.number("initial", else: 0)
      keyframes = try KeyframeReader.keyframes(objects)
    } catch let error as DocumentError {
      throw .track("keyframes: not JSON at byte \(error.offset + 1): \(error.reason)")
    } catch {
      throw .track("\(error)")
    }
    segments =
      KeyframeSegment.of([KeyframeList(keyframes: keyframes)], from: initial).segments
  }

  /// Its values by time.
  var timeline: KeyframeTimeline<Double> {
    KeyframeTimeline(initialValue: initial) {
      KeyframeTrack { KeyframeList(keyframes: keyframes) }
    }
  }

  /// Where each keyframe ends.
  var ends: [CurveSheet.Keyframe] {
    var seconds = 0.0
    return zip(keyframes, segments).map { keyframe, segment in
      if let segment { seconds = segment.start + segment.duration }
      return CurveSheet.Keyframe(timeSeconds: seconds, value: keyframe.value)
    }
  }

  /// The changes that play it, the first of which sets the value at the start; nil if no animation moves as one of its
  /// keyframes.
  var changes: [CurveSheet.Change]? {
    var changes = [CurveSheet.Change(timeSeconds: 0, value: initial, animation: nil)]
    for (end, segment) in zip(ends, segments) {
      guard let segment else {
        changes.append(
          CurveSheet.Change(timeSeconds: end.timeSeconds, value: end.value, animation: nil))
        continue
      }
      // A spring that is cut short moves on under what comes after it.
      if case .spring(let spring) = segment.kind, segment.duration < spring.settlingBound {
        return nil
      }
      guard let moves = segment.moves else { return nil }
      changes += moves.map {
        CurveSheet.Change(
          timeSeconds: segment.start + $0.offset, value: $0.to, animation: "\($0.animation)")
      }
    }
    return changes
  }

  /// SwiftUI's expression; nil if a keyframe has a curve that SwiftUI does not have.
  var swift: String? {
    let lines = keyframes.map(\.swift)
    guard lines.allSatisfy({ $0 != nil }) else { return nil }
    return (["KeyframeTrack {"] + lines.compactMap { $0.map { "  " + $0 } } + ["}"])
      .joined(separator: "\n")
  }

  /// The list of a scene file's `view.keyframes.track`; nil if a spring begins with a velocity or has its own duration.
  var scene: String? {
    var steps: [KeyframeStep] = []
    for (keyframe, segment) in zip(keyframes, segments) {
      switch keyframe {
      case .move(let value): steps.append(.move(value))
      case .linear(let value, let duration, let curve):
        steps.append(.linear(value, duration: duration, timingCurve: curve))
      case .cubic(let value, let duration, let start, let end):
        steps.append(.cubic(value, duration: duration, startVelocity: start, endVelocity: end))
      case .spring(let value, nil, let spring, _) where segment?.startVelocity ?? 0 == 0:
        steps.append(.spring(value, spring))
      case .spring: return nil
      }
    }
    return StepTable.track(of: steps)
  }
}

extension KeyframeReader.Keyframe {
  /// The value at its end.
  var value: Double {
    switch self {
    case .move(let value), .linear(let value, _, _), .cubic(let value, _, _, _),
      .spring(let value, _, _, _):
      value
    }
  }

  /// SwiftUI's keyframe; nil if it has a curve that SwiftUI does not have.
  fileprivate var swift: String? {
    func list(_ name: String, _ value: Double, _ others: [(String, String?)]) -> String {
      let given = others.compactMap { label, text in text.map { ", \(label): \($0)" } }
      return "\(name)(\(SourceText.number(value))\(given.joined()))"
    }
    switch self {
    case .move(let value): return list("MoveKeyframe", value, [])
    case .linear(let value, let duration, let curve):
      let text = curve == .linear ? nil : Exporter.expression(of: curve)
      guard curve == .linear || text != nil else { return nil }
      return list(
        "LinearKeyframe", value,
        [("duration", SourceText.number(duration)), ("timingCurve", text)])
    case .cubic(let value, let duration, let start, let end):
      return list(
        "CubicKeyframe", value,
        [
          ("duration", SourceText.number(duration)),
          ("startVelocity", start.map(SourceText.number)),
          ("endVelocity", end.map(SourceText.number)),
        ])
    case .spring(let value, let duration, let spring, let start):
      return list(
        "SpringKeyframe", value,
        [
          ("duration", duration.map(SourceText.number)),
          ("spring", Exporter.expression(of: spring)),
          ("startVelocity", start.map(SourceText.number)),
        ])
    }
  }
}

extension MotionPlot {
  /// The plot of a track of keyframes, in its own values.
  ///
  /// - Parameters:
  ///   - spec: Its text.
  ///   - track: The track.
  /// - Throws: `ExportError` for one without an end.
  init(_ spec: String, _ track: WrittenTrack) throws(ExportError) {
    let (timeline, segments) = (track.timeline, track.segments.compactMap(\.self))
    let duration = timeline.duration
    guard duration < .infinity else { throw .endless }
    self.init(
      title: spec,
      subtitle:
        "\(counted(track.keyframes.count, "keyframe")) · \(PlotNumber.text(duration, digits: 4)) s · from "
        + "\(PlotNumber.text(track.initial, digits: 4)) to "
        + PlotNumber.text(timeline.value(time: duration), digits: 4),
      duration: 1.08 * duration, value: { timeline.value(time: $0) },
      velocity: { time in
        guard time < duration, let segment = segments.last(where: { $0.start <= time }) else {
          return 0
        }
        return segment.velocity(at: time - segment.start)
      })
  }
}
