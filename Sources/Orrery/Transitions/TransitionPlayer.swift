// SPDX-License-Identifier: Apache-2.0

/// Inserts and removes one view, and computes the values of its transition at any time.
///
///     var panel = TransitionPlayer(.move(edge: .top).combined(with: .opacity))
///     panel.insert(animation: .easeInOut, at: 0)
///     panel.values(at: 0.14, size: size).opacity
///
/// - An insertion goes through `willAppear` and at once to `identity`; a removal goes to
///   `didDisappear`.
/// - A removed view is present until the animations of its removal are over. A spring that inserts it moves
///   on after its end, until what is left cannot be seen.
/// - An insertion during a removal moves the view back to `identity` from its current state, by the
///   rules for changes of a running animation.
/// - Without an animation the view appears or disappears at once.
/// - Animations of ``AnyTransition/animation(_:)`` replace the given animation, even if it is nil.
///
/// Times are seconds and never decrease from one call to the next.
public struct TransitionPlayer: Sendable {
  /// The transition of the view.
  public let transition: AnyTransition

  /// Which side is leading.
  public let layoutDirection: LayoutDirection

  /// Whether the last call inserted the view, and did not remove it.
  public private(set) var isInserted: Bool

  private let parts: [TransitionPart]
  private var groups: [Group]

  /// Index of the group of each part.
  private let groupIndexes: [Int]

  /// The replacements of the given animation, for an insertion and for a removal.
  private struct OwnAnimations: Hashable {
    let insertion: TransitionPart.OwnAnimation?
    let removal: TransitionPart.OwnAnimation?
  }

  /// Number for the next animation.
  private var nextID: UInt64 = 0

  /// Parts that one animation moves.
  private struct Group {
    /// What replaces the given animation.
    let own: OwnAnimations

    /// Start of an insertion, and end of a removal; zero if nothing happens.
    var willAppear: TransitionAway
    var didDisappear: TransitionAway
    let identity = TransitionAway.zero
    var track: AnimationTrack<TransitionAway>
  }

  /// Makes a player.
  ///
  /// - Parameters:
  ///   - transition: The transition of the view.
  ///   - isInserted: Whether the view is present at the start.
  ///   - layoutDirection: Which side is leading.
  ///   - reduceMotion: Whether ``AnyTransition/reducingMotion()`` is played instead.
  public init(
    _ transition: AnyTransition, isInserted: Bool = false,
    layoutDirection: LayoutDirection = .leftToRight, reduceMotion: Bool = false
  ) {
    self.transition = reduceMotion ? transition.reducingMotion() : transition
    self.layoutDirection = layoutDirection
    self.isInserted = isInserted
    parts = self.transition.parts
    var (groups, indexes): ([Group], [OwnAnimations: Int]) = ([], [:])
    groupIndexes = parts.map { part in
      let own = OwnAnimations(insertion: part.animation, removal: part.removalAnimation)
      let index = indexes[own, default: groups.count]
      if index == groups.count {
        indexes[own] = index
        groups.append(
          Group(
            own: own, willAppear: .zero, didDisappear: .zero,
            track: Self.track(.zero)))
      }
      if part.hasInsertion { groups[index].willAppear = TransitionAway(1, 0) }
      if part.hasRemoval { groups[index].didDisappear = TransitionAway(0, 1) }
      return index
    }
    self.groups = groups
  }

  /// A track of how far away the view is.
  ///
  /// The size of the view, and so the way, is not known: a screen's width in points is taken.
  private static func track(_ away: TransitionAway) -> AnimationTrack<TransitionAway> {
    AnimationTrack(away, unitPoints: AnimationTrack<Double>.transitionPoints)
  }

  /// Makes a player of the transition that a view's modifiers name; `opacity` if there is none.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - isInserted: Whether the view is present at the start.
  ///   - layoutDirection: Which side is leading.
  ///   - reduceMotion: Whether ``AnyTransition/reducingMotion()`` is played instead.
  public init(
    of view: some View, isInserted: Bool = false,
    layoutDirection: LayoutDirection = .leftToRight, reduceMotion: Bool = false
  ) {
    self.init(
      view.attachedTransition, isInserted: isInserted, layoutDirection: layoutDirection,
      reduceMotion: reduceMotion)
  }

  /// Inserts the view; does nothing if it is inserted.
  ///
  /// - Parameters:
  ///   - animation: The transaction's animation; nil: at once.
  ///   - time: Seconds.
  /// - Returns: The phases that the view goes through.
  @discardableResult
  public mutating func insert(animation: Animation?, at time: Double) -> [TransitionPhase] {
    if isInserted { return [] }
    let isNew = !isPresent(at: time)
    if isNew {
      for index in groups.indices {
        groups[index].track = Self.track(groups[index].willAppear)
      }
    }
    isInserted = true
    lead(to: \.identity, animation: animation, at: time)
    return isNew ? [.willAppear, .identity] : [.identity]
  }

  /// Removes the view; does nothing if it is not inserted.
  ///
  /// - Parameters:
  ///   - animation: The transaction's animation; nil: at once.
  ///   - time: Seconds.
  /// - Returns: The phases that the view goes through.
  @discardableResult
  public mutating func remove(animation: Animation?, at time: Double) -> [TransitionPhase] {
    guard isInserted else { return [] }
    isInserted = false
    lead(to: \.didDisappear, animation: animation, at: time)
    return [.didDisappear]
  }

  private mutating func lead(
    to goal: KeyPath<Group, TransitionAway>, animation: Animation?, at time: Double
  ) {
    for index in groups.indices {
      let own = isInserted ? groups[index].own.insertion : groups[index].own.removal
      groups[index].track.advance(to: time)
      groups[index].track.set(
        groups[index][keyPath: goal],
        animation: own.map { $0.applied(to: animation) } ?? animation, at: time, id: nextID)
      nextID += 1
    }
  }

  /// Steps custom animations; others depend on the time alone.
  ///
  /// - Parameter time: Seconds.
  public mutating func advance(to time: Double) {
    let isGone = !isPresent(at: time)
    for index in groups.indices {
      // Nothing moves on of what is not there.
      if isGone { groups[index].track = Self.track(groups[index].track.model) }
      _ = groups[index].track.removeFinished(at: time)
    }
  }

  /// Whether the view is drawn: inserted, or still being removed.
  ///
  /// - Parameter time: Seconds, not before the last call that changed something.
  /// - Returns: True up to and at the end of the removal.
  public func isPresent(at time: Double) -> Bool {
    isInserted || removing.contains { !$0.isFinished(at: time) }
  }

  /// When the removal ends, in seconds; nil if the view is not being removed, infinity if the
  /// removal never ends or its end is not known.
  public var removalEnd: Double? {
    isInserted ? nil : removing.map(\.end).max()
  }

  /// Motions that a removal waits for.
  private var removing: [AnimationMotion<TransitionAway>] {
    groups.filter { $0.didDisappear != .zero }.flatMap(\.track.motions)
  }

  /// Whether the values change.
  ///
  /// - Parameter time: Seconds.
  /// - Returns: False once all animations are over and at rest.
  public func isMoving(at time: Double) -> Bool {
    isPresent(at: time) && groups.contains { !$0.track.isAtRest(at: time) }
  }

  /// The values of the transition.
  ///
  /// - Parameters:
  ///   - time: Seconds, not before the last call that changed something.
  ///   - size: Size of the view, in points.
  /// - Returns: The values; those of identity for a view that is not present.
  public func values(at time: Double, size: CGSize) -> TransitionValues {
    guard isPresent(at: time) else { return .identity }
    let away = groups.map { $0.track.value(at: time) }
    return AnyTransition.values(
      zip(parts, groupIndexes).map { $0.effect(away[$1]) }, size: size,
      layoutDirection: layoutDirection)
  }
}
