// SPDX-License-Identifier: Apache-2.0

/// Comes and goes at once, unchanged.
public struct IdentityTransition: Transition, Hashable {
  /// Makes the transition.
  public init() {}

  /// The content as it is.
  public func body(content: Content, phase: TransitionPhase) -> Content { content }

  /// Without motion.
  public static var properties: TransitionProperties { TransitionProperties(hasMotion: false) }
}

/// From invisible to opaque, and back.
public struct OpacityTransition: Transition, Hashable {
  /// Makes the transition.
  public init() {}

  /// Opacity 1 at identity, otherwise 0.
  public func body(content: Content, phase: TransitionPhase) -> Content {
    content.opacity(phase.isIdentity ? 1 : 0)
  }

  /// Without motion.
  public static var properties: TransitionProperties { TransitionProperties(hasMotion: false) }
}

/// From blurred, transparent and smaller, and back: for content that replaces other content.
public struct BlurReplaceTransition: Transition, Hashable {
  /// Whether it grows or shrinks.
  public struct Configuration: Hashable, Sendable {
    /// Factor of the size after a removal.
    fileprivate let removedScale: Double

    /// Comes growing and goes shrinking.
    public static let downUp = Configuration(removedScale: 0.9)

    /// Comes growing and goes growing on.
    public static let upUp = Configuration(removedScale: 1.1)
  }

  /// Whether it grows or shrinks.
  public var configuration: Configuration

  /// Makes the transition.
  ///
  /// - Parameter configuration: Whether it grows or shrinks.
  public init(configuration: Configuration) {
    self.configuration = configuration
  }

  /// At identity as it is, otherwise with opacity 0, a blur of 7 points, and 0.9 of the size, or
  /// 1.1 for what goes growing.
  public func body(content: Content, phase: TransitionPhase) -> Content {
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
  /// Comes and goes at once, unchanged.
  public static var identity: IdentityTransition { IdentityTransition() }
}

extension Transition where Self == OpacityTransition {
  /// From invisible to opaque, and back.
  public static var opacity: OpacityTransition { OpacityTransition() }
}

extension Transition where Self == BlurReplaceTransition {
  /// From blurred, transparent and smaller, and back.
  public static var blurReplace: BlurReplaceTransition { blurReplace() }

  /// From blurred, transparent and smaller, and back.
  ///
  /// - Parameter config: Whether it grows or shrinks.
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
