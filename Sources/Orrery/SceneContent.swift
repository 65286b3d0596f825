// SPDX-License-Identifier: Apache-2.0

/// One thing in a scene.
public enum SceneContent: Hashable, Sendable {
  /// Cells side by side that move as one.
  case row(Row)
  /// A planet and its moons.
  case orbitSystem(OrbitSystem)
  /// Many small discs.
  case field(Field)
  /// A text that stands still.
  case text(Text)
  /// A thing with a name, whose properties commands animate.
  case view(AnimatedView)
  /// Rows of which at most one is open.
  case accordion(Accordion)
  /// A text in which a picture flows.
  case flowText(FlowText)
  /// Digits that a schedule drives.
  case clock(TimelineClock)
}
