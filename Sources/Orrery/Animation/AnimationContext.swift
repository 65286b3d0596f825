// SPDX-License-Identifier: Apache-2.0

/// State that a ``CustomAnimation`` keeps between calls.
public struct AnimationContext<Value: VectorArithmetic> {
  /// Values that the animation remembers.
  public var state: AnimationState<Value>

  /// Whether the animation is logically complete; it may still move.
  public var isLogicallyComplete: Bool

  /// The environment of the animation: ``AnimationEngine/environment``.
  public internal(set) var environment: EnvironmentValues

  package init(
    state: AnimationState<Value> = AnimationState(), isLogicallyComplete: Bool = false,
    environment: EnvironmentValues = EnvironmentValues()
  ) {
    self.state = state
    self.isLogicallyComplete = isLogicallyComplete
    self.environment = environment
  }

  /// The same context for vectors of another type.
  ///
  /// - Parameter state: Its state.
  /// - Returns: A context with that state.
  public func withState<T: VectorArithmetic>(_ state: AnimationState<T>) -> AnimationContext<T> {
    AnimationContext<T>(
      state: state, isLogicallyComplete: isLogicallyComplete, environment: environment)
  }
}

extension AnimationContext: Sendable where Value: Sendable {}
