// SPDX-License-Identifier: Apache-2.0

/// A place for implicit animations: they govern the properties made in it, and in scopes within it.
///
/// It stands for a view with `.animation(…)` modifiers on it. Of scopes in each other the inner one
/// has the last word.
///
///     let card = engine.scope()
///     let opacity = card.property(0.0)
///
///     func update() {                       // like a view's body, when something has changed
///       card.animation(.bouncy, value: isOpen)
///       opacity.value = isOpen ? 1 : 0
///     }
public final class AnimationScope {
  /// What replaces the transaction's animation.
  private enum Implicit {
    case none
    case always(Animation?)
    /// The value of the last call, and the time at which it differed from the call before.
    case onChange(Animation?, value: Any, changeTime: Double?)
  }

  private let engine: AnimationEngine
  private let outer: AnimationScope?
  private var implicit = Implicit.none
  private var isDestroyedItself = false

  /// What is animated in the scope and in those within it.
  private var episodes: [EpisodePlace: AnimationEpisode] = [:]

  init(engine: AnimationEngine, outer: AnimationScope?) {
    self.engine = engine
    self.outer = outer
  }

  /// Animates changes that are made together with a change of a value, whatever the transaction
  /// says.
  ///
  /// Call it at every update, before the properties are set: the first call only notes the value; a
  /// later one with another value holds for changes made while time stands still, up to the next
  /// call. A transaction with ``Transaction/disablesAnimations`` is left as it is.
  ///
  /// - Parameters:
  ///   - animation: How; nil: not at all.
  ///   - value: What is compared with the value of the last call.
  public func animation<V: Equatable>(_ animation: Animation?, value: V) {
    var changeTime: Double?
    if case .onChange(_, let last as V, _) = implicit, last != value { changeTime = engine.time }
    implicit = .onChange(animation, value: value, changeTime: changeTime)
  }

  /// Animates every change from now on, whatever the transaction says and whatever caused it.
  ///
  /// SwiftUI's old form, which is easily too much: a moon whose angle is to be animated is
  /// animated too when the layout moves it. A transaction with
  /// ``Transaction/disablesAnimations`` is left as it is.
  ///
  /// - Parameter animation: How; nil: not at all.
  public func animation(_ animation: Animation?) {
    implicit = .always(animation)
  }

  /// Makes a property in this scope.
  ///
  /// - Parameters:
  ///   - value: What it is at first.
  ///   - name: What events call it; names need not differ.
  /// - Returns: The property, at rest.
  public func property<Value: Animatable>(
    _ value: Value, name: String = ""
  ) -> AnimatedProperty<Value> {
    AnimatedProperty(value, name: name, engine: engine, scope: self)
  }

  /// Makes a scope within this one.
  ///
  /// - Returns: The scope, without an animation of its own.
  public func scope() -> AnimationScope {
    AnimationScope(engine: engine, outer: self)
  }

  /// Destroys all properties of the scope, and of scopes within it, in the order in which their
  /// animations began; see ``AnimatedProperty/destroy()``.
  public func destroy() {
    if isDestroyed { return }
    isDestroyedItself = true
    for episode in episodes.values.sorted(by: { $0.first < $1.first }) {
      engine.end(episode, .cancelled)
    }
    engine.dropDestroyed()
  }

  /// Whether this scope or one around it has been destroyed.
  var isDestroyed: Bool { isDestroyedItself || outer?.isDestroyed == true }

  /// Notes that a property of the scope is animated.
  func insert(_ episode: AnimationEpisode) {
    episodes[episode.place] = episode
    outer?.insert(episode)
  }

  /// Forgets what ``insert(_:)`` has noted.
  func remove(_ episode: AnimationEpisode) {
    episodes[episode.place] = nil
    outer?.remove(episode)
  }

  /// The transaction as it is below this scope.
  func applied(to transaction: Transaction) -> Transaction {
    var transaction = outer?.applied(to: transaction) ?? transaction
    if transaction.disablesAnimations { return transaction }
    switch implicit {
    case .none: break
    case .always(let animation): transaction.animation = animation
    case .onChange(let animation, _, let changeTime):
      if changeTime == engine.time { transaction.animation = animation }
    }
    return transaction
  }
}

@available(*, unavailable)
extension AnimationScope: Sendable {}
