// SPDX-License-Identifier: Apache-2.0

/// One action of a `Command`.
public enum CommandAction: Hashable, Sendable {
  /// Gives properties of a view new values.
  case change(String, [ViewChange])
  /// Inserts a view, with its transition.
  case show(String)
  /// Removes a view, with its transition.
  case hide(String)
  /// Inserts or removes a view, or taps a row of an accordion.
  case toggle(String)
  /// Removes a view for ever; all its animations end as cancelled.
  case destroy(String)

  /// Gives properties of a view new values.
  ///
  /// - Parameters:
  ///   - view: Its name.
  ///   - x: Translation to the right in points; as for all properties, nil leaves it as it is.
  ///   - y: Translation downward in points.
  ///   - opacity: 0 is invisible, 1 opaque.
  ///   - scale: Factor about the view's centre.
  ///   - rotation: Radians, clockwise.
  ///   - blur: Radius in points.
  /// - Returns: The action.
  public static func set(
    _ view: String, x: Double? = nil, y: Double? = nil, opacity: Double? = nil,
    scale: Double? = nil, rotation: Double? = nil, blur: Double? = nil
  ) -> CommandAction {
    .change(
      view,
      ViewChange.list(
        x: x, y: y, opacity: opacity, scale: scale, rotation: rotation, blur: blur))
  }
}

/// Collects the actions in a command's braces.
@resultBuilder
public enum CommandBuilder {
  /// One action.
  public static func buildExpression(_ action: CommandAction) -> [CommandAction] { [action] }

  /// Statements in their order.
  public static func buildBlock(_ parts: [CommandAction]...) -> [CommandAction] {
    parts.flatMap { $0 }
  }

  /// `if` without `else`.
  public static func buildOptional(_ part: [CommandAction]?) -> [CommandAction] { part ?? [] }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first: [CommandAction]) -> [CommandAction] { first }

  /// The other branch.
  public static func buildEither(second: [CommandAction]) -> [CommandAction] { second }

  /// `for`.
  public static func buildArray(_ parts: [[CommandAction]]) -> [CommandAction] {
    parts.flatMap { $0 }
  }
}

/// Collects the commands of a scene.
@resultBuilder
public enum SceneCommandBuilder {
  /// One command.
  public static func buildExpression(_ command: Command) -> [Command] { [command] }

  /// An array of commands.
  public static func buildExpression(_ commands: [Command]) -> [Command] { commands }

  /// Statements in their order.
  public static func buildBlock(_ parts: [Command]...) -> [Command] { parts.flatMap { $0 } }

  /// `if` without `else`.
  public static func buildOptional(_ part: [Command]?) -> [Command] { part ?? [] }

  /// The first branch of an `if` or `switch`.
  public static func buildEither(first: [Command]) -> [Command] { first }

  /// The other branch.
  public static func buildEither(second: [Command]) -> [Command] { second }

  /// `for`.
  public static func buildArray(_ parts: [[Command]]) -> [Command] { parts.flatMap { $0 } }
}
