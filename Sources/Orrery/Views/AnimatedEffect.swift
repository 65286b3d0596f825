// SPDX-License-Identifier: Apache-2.0

/// A modifier or a view with animatable data: its body is evaluated anew while the data change.
///
/// Other differences between two states of it are interpolated in the body's effects. Animations that
/// modifiers of the body name do not apply: its data move by the animation of the whole.
///
/// Two are equal if their types are `Hashable` and equal, or if one is a copy of the other.
struct AnimatedEffect: Sendable {
  /// Gives a value that is not `Hashable` an identity that its copies share.
  ///
  /// Transitions may be used on another thread than the one that made them, by one at a time; what
  /// their modifiers refer to must not be changed by other code.
  private final class Box: @unchecked Sendable {
    let base: any Animatable

    init(_ base: any Animatable) { self.base = base }
  }

  private let box: Box

  /// What the body reads.
  private let environment: EnvironmentValues

  private init(_ base: any Animatable, _ environment: EnvironmentValues) {
    box = Box(base)
    self.environment = environment
  }

  /// - Returns: Nil if nothing of the view is animatable; a shape is kept for its path.
  init?<V: View>(view: V, _ environment: EnvironmentValues) {
    guard let animatable = view as? any Animatable & View,
      animatable.hasData || animatable is any Shape
    else { return nil }
    self.init(animatable, environment)
  }

  /// - Returns: Nil if nothing of the modifier is animatable.
  init?<M: ViewModifier>(modifier: M, _ environment: EnvironmentValues) {
    guard let animatable = modifier as? any Animatable & ViewModifier, animatable.hasData else {
      return nil
    }
    self.init(animatable, environment)
  }

  /// The effects at the current data, from the innermost.
  var effects: [TransitionEffect] {
    if let view = box.base as? any View {
      return view.body.description(ViewMoment(environment: environment)).effects.map(\.effect)
    }
    if let modifier = box.base as? any ViewModifier { return modifier.bodyEffects(environment) }
    return []
  }

  /// The shape, if it is one.
  var shape: (any Shape)? { box.base as? any Shape }

  func hasType(of other: AnimatedEffect) -> Bool { type(of: box.base) == type(of: other.box.base) }

  /// The animatable data.
  var vector: ErasedVector { Self.vector(box.base) }

  /// This effect with other data.
  func with(_ vector: ErasedVector) -> AnimatedEffect {
    AnimatedEffect(Self.with(box.base, vector), environment)
  }

  private static func vector<A: Animatable>(_ base: A) -> ErasedVector {
    ErasedVector(base.animatableData)
  }

  private static func with<A: Animatable>(_ base: A, _ vector: ErasedVector) -> any Animatable {
    var base = base
    if let data = vector.base(as: A.AnimatableData.self) { base.animatableData = data }
    return base
  }
}

extension ViewModifier {
  /// The effects of the body on its content.
  fileprivate func bodyEffects(_ environment: EnvironmentValues) -> [TransitionEffect] {
    body(content: Content()).description(ViewMoment(environment: environment))
      .effects(onContentOf: Self.self).map(\.effect)
  }
}

extension Animatable {
  /// Whether an animation changes anything.
  fileprivate var hasData: Bool { AnimatableData.self != EmptyAnimatableData.self }
}

extension AnimatedEffect: Hashable {
  static func == (lhs: Self, rhs: Self) -> Bool {
    if lhs.box === rhs.box { return true }
    guard let left = lhs.comparable, let right = rhs.comparable else { return false }
    return left == right
  }

  func hash(into hasher: inout Hasher) {
    if let comparable {
      hasher.combine(comparable)
    } else {
      hasher.combine(ObjectIdentifier(box))
    }
  }

  private var comparable: AnyHashable? {
    (box.base as? any Hashable).map { AnyHashable($0) }
  }
}
