// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Changes of a scene's views that are made together, at a time or after a completion.
///
///     Command(at: 2) {
///       CommandAction.set("card", opacity: 1, scale: 1.5)
///       CommandAction.toggle("Mars")
///     }
///     .withAnimation(.linear(duration: 3), completion: "grown")
///
/// Whatever their order in the braces, values are set first, then views are shown, hidden, toggled
/// and destroyed.
public struct Command: Hashable, Sendable {
  /// When it happens.
  public var moment: Moment

  /// Values to set, ordered by the bytes of the views' names.
  public let settings: [ViewSetting]

  /// Names of views to insert, with their transitions.
  public var show: [String]

  /// Names of views to remove, with their transitions.
  public var hide: [String]

  /// Names of views to insert or remove, and of rows of accordions to tap.
  public var toggle: [String]

  /// Names of views to remove for ever; their animations end as cancelled.
  public var destroy: [String]

  /// The animation from the old to the new values; nil: at once.
  public var animation: Animation?

  /// Name of the animation's end, for other commands; 1...100 bytes of UTF-8.
  public var completion: String?

  /// When the animation counts as complete.
  public var criteria = AnimationCompletionCriteria.logicallyComplete

  /// When a command happens.
  public enum Moment: Hashable, Sendable {
    /// Seconds after the start, and the seconds after which it repeats.
    case at(Double, every: Double? = nil)
    /// Each time that a completion happens, after a delay in seconds.
    case after(String, delay: Double = 0)
  }

  /// New values of one view.
  public struct ViewSetting: Hashable, Sendable {
    /// The view's name.
    public let view: String

    /// The changes, in the order of `ViewProperty`, each property once.
    public let changes: [ViewChange]
  }

  /// Makes a command.
  ///
  /// - Parameters:
  ///   - moment: When it happens.
  ///   - actions: Its actions; of two values of one property the later one counts.
  public init(_ moment: Moment, actions: [CommandAction]) {
    self.moment = moment
    var values: [String: [ViewProperty: Double]] = [:]
    (show, hide, toggle, destroy) = ([], [], [], [])
    for action in actions {
      switch action {
      case .change(let view, let changes):
        values[view, default: [:]].merge([:]) { $1 }
        for change in changes { values[view, default: [:]][change.property] = change.value }
      case .show(let view): show.append(view)
      case .hide(let view): hide.append(view)
      case .toggle(let view): toggle.append(view)
      case .destroy(let view): destroy.append(view)
      }
    }
    let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    settings = names.map { name in
      let changes = ViewProperty.allCases.compactMap { property in
        values[name]?[property].map { ViewChange(property, $0) }
      }
      return ViewSetting(view: name, changes: changes)
    }
  }

  /// Makes a command at a time.
  ///
  /// - Parameters:
  ///   - time: Seconds after the start, 0...1000000; need not be the time of a tick.
  ///   - every: Seconds from one time to the next, 0.001...1000000; nil: only once.
  ///   - actions: Its actions.
  public init(
    at time: Double, every: Double? = nil, @CommandBuilder actions: () -> [CommandAction]
  ) {
    self.init(.at(time, every: every), actions: actions())
  }

  /// Makes a command that follows a completion each time that it happens.
  ///
  /// - Parameters:
  ///   - completion: Its name in another command.
  ///   - delay: Seconds after it, 0...1000000.
  ///   - actions: Its actions.
  public init(
    after completion: String, delay: Double = 0, @CommandBuilder actions: () -> [CommandAction]
  ) {
    self.init(.after(completion, delay: delay), actions: actions())
  }

  /// Animates the changes.
  ///
  /// - Parameters:
  ///   - animation: The animation from the old to the new values; nil: at once.
  ///   - completionCriteria: When it counts as complete.
  ///   - completion: Name of its completion for other commands; it happens even if nothing was
  ///     animated.
  /// - Returns: The command with this animation.
  public func withAnimation(
    _ animation: Animation? = .default,
    completionCriteria: AnimationCompletionCriteria = .logicallyComplete,
    completion: String? = nil
  ) -> Command {
    var command = self
    command.animation = animation
    command.criteria = completionCriteria
    command.completion = completion
    return command
  }
}
