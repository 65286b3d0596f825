// SPDX-License-Identifier: Apache-2.0

/// State that a ``CustomAnimation`` keeps between calls.
///
/// SwiftUI's `environment` belongs to views and is not here.
public struct AnimationContext<Value: VectorArithmetic> {
  /// Values that the animation remembers.
  public var state: AnimationState<Value>

  /// Whether the animation is logically complete; it may still move.
  public var isLogicallyComplete: Bool

  package init(state: AnimationState<Value> = AnimationState(), isLogicallyComplete: Bool = false) {
    self.state = state
    self.isLogicallyComplete = isLogicallyComplete
  }

  /// The same context for vectors of another type.
  ///
  /// - Parameter state: Its state.
  /// - Returns: A context with that state.
  public func withState<T: VectorArithmetic>(_ state: AnimationState<T>) -> AnimationContext<T> {
    AnimationContext<T>(state: state, isLogicallyComplete: isLogicallyComplete)
  }
}

extension AnimationContext: Sendable where Value: Sendable {}
