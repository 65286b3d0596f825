// SPDX-License-Identifier: Apache-2.0

/// Animations of a modifier's own changes; its content keeps its own animations.
extension ViewModifier {
  /// This modifier, whose changes have an animation of their own.
  ///
  /// - Parameter animation: The animation; nil: not animated.
  /// - Returns: The modifier.
  public func animation(_ animation: Animation?) -> some ViewModifier {
    ScopedModifier(
      base: self, implicit: ImplicitAnimation(step: .animation(animation), value: nil))
  }

  /// This modifier, with another transaction for its changes.
  ///
  /// - Parameter transform: Changes the transaction.
  /// - Returns: The modifier.
  public func transaction(
    _ transform: @escaping (inout Transaction) -> Void
  ) -> some ViewModifier {
    ScopedModifier(
      base: self,
      implicit: ImplicitAnimation(step: .transaction(TransactionChange(transform)), value: nil))
  }
}

/// A modifier whose effects are animated in another way than those of the view that it modifies.
private struct ScopedModifier<Base: ViewModifier>: PrimitiveModifier {
  let base: Base
  let implicit: ImplicitAnimation

  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    let content = ViewDescription(leaf: .content(ObjectIdentifier(Self.self)))
    var scoped = base.described(on: content, moment.at(.modifier))
    for index in scoped.effects.indices { scoped.effects[index].implicit.append(implicit) }
    return scoped.replacingContent(of: Self.self, by: view)
  }
}
