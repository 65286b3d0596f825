// SPDX-License-Identifier: Apache-2.0

/// Collects the content in a scene's braces.
@resultBuilder
public enum SceneBuilder {
  /// A row.
  public static func buildExpression(_ row: Row) -> [SceneContent] { [.row(row)] }

  /// A planet and its moons.
  public static func buildExpression(_ system: OrbitSystem) -> [SceneContent] {
    [.orbitSystem(system)]
  }

  /// Many small discs.
  public static func buildExpression(_ field: Field) -> [SceneContent] { [.field(field)] }

  /// A text.
  public static func buildExpression(_ text: Text) -> [SceneContent] { [.text(text)] }

  /// A named view.
  public static func buildExpression(_ view: AnimatedView) -> [SceneContent] { [.view(view)] }

  /// Rows; at most one is open.
  public static func buildExpression(_ accordion: Accordion) -> [SceneContent] {
    [.accordion(accordion)]
  }

  /// A text with a picture that flows in its glyphs.
  public static func buildExpression(_ text: FlowText) -> [SceneContent] { [.flowText(text)] }

  /// A clock that a schedule updates.
  public static func buildExpression(_ clock: TimelineClock) -> [SceneContent] { [.clock(clock)] }

  /// An array of content.
  public static func buildExpression(_ content: [SceneContent]) -> [SceneContent] { content }

  /// Statements in their order.
  public static func buildBlock(_ parts: [SceneContent]...) -> [SceneContent] {
    parts.flatMap { $0 }
  }

  /// `if` without `else`.
  public static func buildOptional(_ part: [SceneContent]?) -> [SceneContent] { part ?? [] }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first: [SceneContent]) -> [SceneContent] { first }

  /// The other branch.
  public static func buildEither(second: [SceneContent]) -> [SceneContent] { second }

  /// `for`.
  public static func buildArray(_ parts: [[SceneContent]]) -> [SceneContent] {
    parts.flatMap { $0 }
  }
}
