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

  /// Values and velocities at times that are as far apart as each other, and the marks.
  package let curve: CurveReport
  /// Parameters of the motion in one line.
  package let facts: String
  /// The text as `set`, `toggle` and scene files take an animation; nil of a curve, which has no duration.
  package let animation: String?
  /// The motion for each use.
  package let texts: [Text]

  /// Enough for a plot of the page's width.
  private static let rowCount = 241

  /// The largest error of CSS, as a share of the way: that of `orrery curve --as css`.
  private static let tolerance = 0.001

  /// Evaluates a motion.
  ///
  /// - Parameter spec: A spring, a curve or an animation, as in Swift.
  /// - Throws: What is wrong with the text, and where.
  package init(_ spec: String) throws {
    let motion = try MotionPlot(spec)
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
