// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPlot
import OrreryScene

/// A motion as an editor shows it: its course in numbers, and its text for those who use it.
///
/// The page of `orrery live` asks for one after each change; docs/reference/live-openapi.json has its fields.
package struct CurveSheet: Encodable, Sendable {
  /// The document's kind and version.
  package static let schema = "orrery.curve-sheet.v1"

  /// The motion, written for one use.
  package struct Text: Encodable, Sendable {
    /// `swift`, `scene` or `css`.
    package let target: String
    /// What can be pasted there; nil: it cannot be written.
    package let text: String?
    /// How near it is, what it leaves out, or why there is none.
    package let note: String
  }

  /// A keyframe's end.
  package struct Keyframe: Encodable, Sendable {
    /// Seconds from the start of the track.
    package let timeSeconds: Double
    /// The value at it.
    package let value: Double
  }

  /// A change of a property that plays a part of a track.
  package struct Change: Encodable, Sendable {
    /// Seconds from the start of the track.
    package let timeSeconds: Double
    /// The property's new value.
    package let value: Double
    /// How it moves there, as `set` takes it; nil: at once.
    package let animation: String?
  }

  /// Values and velocities at times that are as far apart as each other, and the marks.
  package let curve: CurveReport
  /// Parameters of the motion in one line.
  package let facts: String
  /// The text as `set`, `toggle` and scene files take an animation; nil of a curve, which has no duration.
  package let animation: String?
  /// The motion for each use.
  package let texts: [Text]
  /// Where each keyframe ends; nil of other motions.
  package let keyframes: [Keyframe]?
  /// The changes that play the track, the first of which sets the value at the start.
  ///
  /// Nil of other motions, and where no animation moves as a keyframe does.
  package let changes: [Change]?

  /// Enough for a plot of the page's width.
  private static let rowCount = 241

  /// The largest error of CSS, as a share of the way: that of `orrery curve --as css`.
  private static let tolerance = 0.001

  /// Evaluates a motion.
  ///
  /// - Parameter spec: A spring, a curve or an animation, as in Swift, or a track of keyframes, as JSON.
  /// - Throws: What is wrong with the text, and where.
  package init(_ spec: String) throws {
    if WrittenTrack.isTrack(spec) {
      try self.init(spec, WrittenTrack(spec))
    } else {
      try self.init(spec, MotionPlot(spec))
    }
  }

  private init(_ spec: String, _ motion: MotionPlot) {
    curve = CurveReport(motion, rowCount: Self.rowCount)
    facts = motion.subtitle
    let words = spec.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    animation = [words, "spring(\(words))"].first { (try? Notation.animation($0)) != nil }
    let line = animation.map { "animation = \"\($0)\"" } ?? "curve = \"\(words)\""
    texts = [
      Self.text(spec, as: .swift),
      Text(target: "scene", text: line, note: "the same motion, in the words of a scene file"),
      Self.text(spec, as: .css),
    ]
    (keyframes, changes) = (nil, nil)
  }

  private init(_ spec: String, _ track: WrittenTrack) throws {
    let motion = try MotionPlot(spec, track)
    curve = CurveReport(motion, rowCount: Self.rowCount)
    facts = motion.subtitle
    animation = nil
    let line = track.scene.map { "track = \($0)" }
    texts = [
      Self.text(spec, as: .swift),
      Text(
        target: "scene", text: line,
        note: line != nil
          ? "under the property of a view's keyframes; it begins at the view's own value"
          : "a scene's springs begin at rest and take the time in which they settle"),
      Self.text(spec, as: .css),
    ]
    (keyframes, changes) = (track.ends, track.changes)
  }

  /// The sheet of a text as one line of JSON; of a wrong text its `error`.
  package static func line(_ spec: String) -> String {
    do {
      return ReportLine.encode(try CurveSheet(spec), schema: schema)
    } catch {
      return ReportLine.encode(["error": "\(error)"], schema: schema)
    }
  }

  private static func text(_ spec: String, as target: ExportTarget) -> Text {
    do {
      let export = try CurveExport(spec, as: target, within: tolerance)
      let notes = [export.errorLine] + export.notes
      return Text(
        target: target.rawValue, text: export.text, note: notes.joined(separator: "; "))
    } catch {
      return Text(target: target.rawValue, text: nil, note: "\(error)")
    }
  }
}
