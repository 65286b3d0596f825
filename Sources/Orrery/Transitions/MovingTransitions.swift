// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Moves in and out at one side, by the view's whole width or height.
public struct MoveTransition: Transition, Hashable, Sendable {
  /// The side.
  public var edge: Edge

  /// Makes the transition.
  ///
  /// - Parameter edge: The side.
  public init(edge: Edge) {
    self.edge = edge
  }

  /// In its position at identity, otherwise just outside.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    content.effect(.offset(phase.isIdentity ? .init() : .out(by: edge)))
  }
}

/// Moves in at the leading side and out at the trailing one.
public struct SlideTransition: Transition, Hashable, Sendable {
  /// Makes the transition.
  public init() {}

  /// Just outside the leading side before, just outside the trailing one after.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    content.effect(.offset(TransitionEffect.Offset(widths: phase.value)))
  }
}

/// Moves in at one side and out at the opposite one, and fades.
public struct PushTransition: Transition, Hashable, Sendable {
  /// The side where the view comes in.
  public var edge: Edge

  /// Makes the transition.
  ///
  /// - Parameter edge: The side where the view comes in.
  public init(edge: Edge) {
    self.edge = edge
  }

  /// In its position and opaque at identity, otherwise just outside and transparent.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    let offset =
      switch phase {
      case .willAppear: TransitionEffect.Offset.out(by: edge)
      case .identity: TransitionEffect.Offset()
      case .didDisappear: TransitionEffect.Offset.out(by: edge.opposite)
      }
    return content.effect(.offset(offset)).opacity(phase.isIdentity ? 1 : 0)
  }
}

/// Moves from an offset, and back to it.
public struct OffsetTransition: Transition, Hashable, Sendable {
  /// Points toward the trailing side and downward.
  public var offset: CGSize

  /// Makes the transition.
  ///
  /// - Parameter offset: Points toward the trailing side and downward.
  public init(_ offset: CGSize) {
    self.offset = offset
  }

  /// In its position at identity, otherwise at the offset.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    content.offset(phase.isIdentity ? .zero : offset)
  }
}

/// Scales from a factor, and back to it.
public struct ScaleTransition: Transition, Hashable, Sendable {
  /// Factor of width and height while the view is away; 0 counts as ``ScaleEffect/scaleMin``.
  public var scale: Double

  /// The point that does not move, as shares of the size.
  public var anchor: UnitPoint

  /// Makes the transition.
  ///
  /// - Parameters:
  ///   - scale: Factor of width and height while the view is away; 0 counts as
  ///     ``ScaleEffect/scaleMin``.
  ///   - anchor: The point that does not move, as shares of the size.
  public init(_ scale: Double, anchor: UnitPoint = .center) {
    self.scale = scale
    self.anchor = anchor
  }

  /// Scales from a point in the centre.
  init() { self.init(ScaleEffect.scaleMin) }

  /// Not scaled at identity, otherwise scaled by the factor.
  public func body(content: Content, phase: TransitionPhase) -> some View {
    content.scaleEffect(phase.isIdentity ? 1 : scale, anchor: anchor)
  }
}

extension Edge {
  /// The opposite side.
  fileprivate var opposite: Edge {
    switch self {
    case .top: .bottom
    case .leading: .trailing
    case .bottom: .top
    case .trailing: .leading
    }
  }
}

extension Transition where Self == MoveTransition {
  /// Moves in and out at one side, by the view's whole width or height.
  ///
  /// - Parameter edge: The side.
  /// - Returns: The transition.
  public static func move(edge: Edge) -> MoveTransition { MoveTransition(edge: edge) }
}

extension Transition where Self == SlideTransition {
  /// Moves in at the leading side and out at the trailing one.
  public static var slide: SlideTransition { SlideTransition() }
}

extension Transition where Self == PushTransition {
  /// Moves in at one side and out at the opposite one, and fades.
  ///
  /// - Parameter edge: The side where the view comes in.
  /// - Returns: The transition.
  public static func push(from edge: Edge) -> PushTransition { PushTransition(edge: edge) }
}

extension Transition where Self == OffsetTransition {
  /// Moves from an offset, and back to it.
  ///
  /// - Parameter offset: Points toward the trailing side and downward.
  /// - Returns: The transition.
  public static func offset(_ offset: CGSize) -> OffsetTransition { OffsetTransition(offset) }

  /// Moves from an offset, and back to it.
  ///
  /// - Parameters:
  ///   - x: Points toward the trailing side.
  ///   - y: Points downward.
  /// - Returns: The transition.
  public static func offset(x: CGFloat = 0, y: CGFloat = 0) -> OffsetTransition {
    OffsetTransition(CGSize(width: x, height: y))
  }
}

extension Transition where Self == ScaleTransition {
  /// Grows from a point in the centre, and shrinks back to it.
  public static var scale: ScaleTransition { ScaleTransition() }

  /// Scales from a factor, and back to it.
  ///
  /// - Parameters:
  ///   - scale: Factor of width and height while the view is away.
  ///   - anchor: The point that does not move, as shares of the size.
  /// - Returns: The transition.
  public static func scale(_ scale: Double, anchor: UnitPoint = .center) -> ScaleTransition {
    ScaleTransition(scale, anchor: anchor)
  }
}

extension MoveTransition: ErasableTransition {
  var erased: AnyTransition { .move(edge: edge) }
}

extension SlideTransition: ErasableTransition {
  var erased: AnyTransition { .slide }
}

extension PushTransition: ErasableTransition {
  var erased: AnyTransition { .push(from: edge) }
}

extension OffsetTransition: ErasableTransition {
  var erased: AnyTransition { .offset(offset) }
}

extension ScaleTransition: ErasableTransition {
  var erased: AnyTransition { .scale(scale: scale, anchor: anchor) }
}
