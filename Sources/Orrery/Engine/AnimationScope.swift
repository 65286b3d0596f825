// SPDX-License-Identifier: Apache-2.0

/// A scope of implicit animations: they apply to the properties made in it and in scopes within it.
///
/// It corresponds to a view with `.animation(…)` modifiers. In nested scopes the inner one wins.
///
///     let card = engine.scope()
///     let opacity = card.property(0.0)
///
///     func update() {                       // like a view's body, when something has changed
///       card.animation(.bouncy, value: isOpen)
///       opacity.value = isOpen ? 1 : 0
///     }
public final class AnimationScope {
  /// The replacement of the transaction's animation.
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

  /// Episodes of properties in the scope and in scopes within it.
  private var episodes: [EpisodeHandle: AnimationEpisode] = [:]

  init(engine: AnimationEngine, outer: AnimationScope?) {
    self.engine = engine
    self.outer = outer
  }

  /// Animates changes that are made together with a change of a value, whatever animation the
  /// transaction has.
  ///
  /// Call it at every update, before the properties are set. The first call only records the value.
  /// A later call with another value applies to changes made at the same engine time, until the
  /// next call. A transaction with ``Transaction/disablesAnimations`` is not changed.
  ///
  /// - Parameters:
  ///   - animation: The animation; nil: not animated.
  ///   - value: Compared with the value of the last call.
  public func animation<V: Equatable>(_ animation: Animation?, value: V) {
    var changeTime: Double?
    if case .onChange(_, let last as V, _) = implicit, last != value { changeTime = engine.time }
    implicit = .onChange(animation, value: value, changeTime: changeTime)
  }

  /// Animates every change from now on, whatever its cause and whatever animation the transaction
  /// has.
  ///
  /// This is SwiftUI's old modifier, which often animates too much: a moon whose angle is to be
  /// animated is also animated when the layout moves it. A transaction with
  /// ``Transaction/disablesAnimations`` is not changed.
  ///
  /// - Parameter animation: The animation; nil: not animated.
  public func animation(_ animation: Animation?) {
    implicit = .always(animation)
  }

  /// Makes a property in this scope.
  ///
  /// - Parameters:
  ///   - value: Its first value.
  ///   - name: Its name in events; names need not differ.
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

  /// Adds the episode of a property in the scope.
  func insert(_ episode: AnimationEpisode) {
    episodes[episode.handle] = episode
    outer?.insert(episode)
  }

  /// Removes an episode that ``insert(_:)`` has added.
  func remove(_ episode: AnimationEpisode) {
    episodes[episode.handle] = nil
    outer?.remove(episode)
  }

  /// The transaction with the implicit animations of this scope.
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
