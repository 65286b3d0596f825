// SPDX-License-Identifier: Apache-2.0

/// The view appears and disappears at once, unchanged.
public struct IdentityTransition: Transition, Hashable, Sendable {
  /// Makes the transition.
  public init() {}

  /// The content as it is.
  public func body(content: Content, phase: TransitionPhase) -> some View { content }

  /// Without motion.
  public static var properties: TransitionProperties { TransitionProperties(hasMotion: false) }
}

/// Fades in and out.
public struct OpacityTransition: Transition, Hashable, Sendable {
  /// Makes the transition.
  public init() {}

  /// Opacity 1 at identity, otherwise 0.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    content.opacity(phase.isIdentity ? 1 : 0)
  }

  /// Without motion.
  public static var properties: TransitionProperties { TransitionProperties(hasMotion: false) }
}

/// Fades, unblurs and grows, and back: for content that replaces other content.
public struct BlurReplaceTransition: Transition, Hashable, Sendable {
  /// Whether the removed view shrinks or grows.
  public struct Configuration: Hashable, Sendable {
    /// Factor of the size after a removal.
    fileprivate let removedScale: Double

    /// Grows in and shrinks out.
    public static let downUp = Configuration(removedScale: 0.9)

    /// Grows in and grows out.
    public static let upUp = Configuration(removedScale: 1.1)
  }

  /// Whether the removed view shrinks or grows.
  public var configuration: Configuration

  /// Makes the transition.
  ///
  /// - Parameter configuration: Whether the removed view shrinks or grows.
  public init(configuration: Configuration) {
    self.configuration = configuration
  }

  /// Unchanged at identity; otherwise with opacity 0, a blur of 7 points and 0.9 of the size, or
  /// 1.1 for a removed view that grows.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    let scale =
      switch phase {
      case .willAppear: 0.9
      case .identity: 1.0
      case .didDisappear: configuration.removedScale
      }
    return
      content
      .blur(radius: phase.isIdentity ? 0 : 7)
      .opacity(phase.isIdentity ? 1 : 0)
      .scaleEffect(scale)
  }
}

extension Transition where Self == IdentityTransition {
  /// The view appears and disappears at once, unchanged.
  public static var identity: IdentityTransition { IdentityTransition() }
}

extension Transition where Self == OpacityTransition {
  /// Fades in and out.
  public static var opacity: OpacityTransition { OpacityTransition() }
}

extension Transition where Self == BlurReplaceTransition {
  /// Fades, unblurs and grows, and back.
  public static var blurReplace: BlurReplaceTransition { blurReplace() }

  /// Fades, unblurs and grows, and back.
  ///
  /// - Parameter config: Whether the removed view shrinks or grows.
  /// - Returns: The transition.
  public static func blurReplace(
    _ config: BlurReplaceTransition.Configuration = .downUp
  ) -> BlurReplaceTransition {
    BlurReplaceTransition(configuration: config)
  }
}

extension IdentityTransition: ErasableTransition {
  var erased: AnyTransition { .identity }
}

extension OpacityTransition: ErasableTransition {
  var erased: AnyTransition { .opacity }
}

extension BlurReplaceTransition: ErasableTransition {
  var erased: AnyTransition { AnyTransition(.blurReplace(configuration)) }
}
