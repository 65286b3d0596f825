// SPDX-License-Identifier: Apache-2.0

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

  /// What is set, by the views' names in the order of their bytes.
  public let settings: [ViewSetting]

  /// Names of views that come, through their transitions.
  public var show: [String]

  /// Names of views that go, through their transitions.
  public var hide: [String]

  /// Names of views that come or go, and of rows of accordions that are tapped.
  public var toggle: [String]

  /// Names of views that are gone for good; their animations end as cancelled.
  public var destroy: [String]

  /// How views get from the old to the new values; nil: at once.
  public var animation: Animation?

  /// What other commands call the end of the animation; 1...100 bytes of UTF-8.
  public var completion: String?

  /// When the animation counts as complete.
  public var criteria = AnimationCompletionCriteria.logicallyComplete

  /// When a command happens.
  public enum Moment: Hashable, Sendable {
    /// So many seconds after the start, and again every so many seconds.
    case at(Double, every: Double? = nil)
    /// So many seconds after a completion, each time.
    case after(String, delay: Double = 0)
  }

  /// What is set of one view.
  public struct ViewSetting: Hashable, Sendable {
    /// The view's name.
    public let view: String

    /// What changes, in the order of `ViewProperty`, each property once.
    public let changes: [ViewChange]
  }

  /// Makes a command.
  ///
  /// - Parameters:
  ///   - moment: When it happens.
  ///   - actions: What happens; of two values of one property the later one counts.
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
  ///   - time: Seconds after the start, 0...1000000; need not be a tick's.
  ///   - every: Seconds from one time to the next, 0.001...1000000; nil: only once.
  ///   - actions: What happens.
  public init(
    at time: Double, every: Double? = nil, @CommandBuilder actions: () -> [CommandAction]
  ) {
    self.init(.at(time, every: every), actions: actions())
  }

  /// Makes a command that follows a completion, each time.
  ///
  /// - Parameters:
  ///   - completion: What another command calls it.
  ///   - delay: Seconds after it, 0...1000000.
  ///   - actions: What happens.
  public init(
    after completion: String, delay: Double = 0, @CommandBuilder actions: () -> [CommandAction]
  ) {
    self.init(.after(completion, delay: delay), actions: actions())
  }

  /// Animates the changes.
  ///
  /// - Parameters:
  ///   - animation: How views get from the old to the new values; nil: at once.
  ///   - completionCriteria: When it counts as complete.
  ///   - completion: What other commands call that; it is there even if nothing was animated.
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
