// SPDX-License-Identifier: Apache-2.0

/// One item of content of a scene.
public enum SceneContent: Hashable, Sendable {
  /// Cells side by side that move as one.
  case row(Row)
  /// A planet and its moons.
  case orbitSystem(OrbitSystem)
  /// Many small discs.
  case field(Field)
  /// A text that stands still.
  case text(Text)
  /// A named object whose properties commands animate.
  case view(AnimatedView)
  /// Rows; at most one is open.
  case accordion(Accordion)
  /// A text with a picture that flows in its glyphs.
  case flowText(FlowText)
  /// A clock that a schedule updates.
  case clock(TimelineClock)
}

extension SceneContent {
  /// The kinds of content, in the words of scene files.
  package enum Kind: String, CaseIterable, Sendable {
    case row
    case orbitSystem = "orbit-system"
    case field
    case text
    case view
    case accordion
    case flowText = "flow-text"
    case clock
  }
}
