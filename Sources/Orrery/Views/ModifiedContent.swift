// SPDX-License-Identifier: Apache-2.0

/// A view with a modifier, or two modifiers as one.
public struct ModifiedContent<Content, Modifier> {
  /// The view, or the inner modifier.
  public var content: Content

  /// The modifier, or the outer one.
  public var modifier: Modifier

  /// Makes a modified view, or two modifiers as one.
  ///
  /// - Parameters:
  ///   - content: The view, or the inner modifier.
  ///   - modifier: The modifier, or the outer one.
  public init(content: Content, modifier: Modifier) {
    self.content = content
    self.modifier = modifier
  }

  /// It has no body.
  public typealias Body = Never
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {}
extension ModifiedContent: ViewModifier where Content: ViewModifier, Modifier: ViewModifier {}
extension ModifiedContent: Equatable where Content: Equatable, Modifier: Equatable {}
extension ModifiedContent: Sendable where Content: Sendable, Modifier: Sendable {}

extension ModifiedContent: PrimitiveView where Content: View, Modifier: ViewModifier {
  func described(_ moment: ViewMoment) -> ViewDescription {
    modifier.described(
      on: content.description(moment.at(.content)), moment.at(.modifier))
  }
}

extension ModifiedContent: PrimitiveModifier where Content: ViewModifier, Modifier: ViewModifier {
  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    modifier.described(
      on: content.described(on: view, moment.at(.content)), moment.at(.modifier))
  }
}

extension View {
  /// The view with a modifier.
  ///
  /// - Parameter modifier: The modifier.
  /// - Returns: The view, modified.
  public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

/// One effect of the library's own, as a modifier.
struct EffectModifier: PrimitiveModifier {
  let effect: TransitionEffect

  func modified(_ view: ViewDescription, _ moment: ViewMoment) -> ViewDescription {
    view.appending(effect)
  }
}
