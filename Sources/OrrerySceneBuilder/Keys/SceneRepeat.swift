// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Copies of one entry of a scene file, and how each differs from the copy before it.
///
/// A scene does not know of them: the reader of a file writes them out.
package struct SceneRepeat: Sendable {
  /// Copies in all; the entry as it is written is the first.
  package var count = 1

  /// Seconds by which each copy begins later than the copy before it.
  package var stagger = 0.0

  /// Points by which each copy is moved from the copy before it.
  package var offset = CGPoint.zero

  /// What a text has in place of the copy's number, which is 1 for the first copy.
  package static let number = "{i}"

  /// `repeat` of an entry.
  package static let table = SceneTable(
    "repeat", base: SceneRepeat(),
    [
      .required(
        "count", \.count, .wholeNumber(SceneLimits.copies), "how many, the first included"),
      .key(
        "stagger", \.stagger, .number(SceneLimits.time),
        "added to the `at` or `delay` of a command, and to the `start` of a `flow-text`"),
      .key(
        "offset", \.offset, .position,
        "added to the `position`, of an `orbit-system` to the `center`; it must be written"),
    ])
}

extension SceneKey {
  /// The copies of an entry; a reader of files has written them out before it reads the entry.
  static var repeated: SceneKey {
    .other(
      "repeat", "table", "copies of it: see `repeat`", default: "once",
      schema: .definition(SceneRepeat.table.name))
  }
}
