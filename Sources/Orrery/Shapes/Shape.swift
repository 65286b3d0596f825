// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A view that is a path in its frame, computed and not drawn.
///
///     struct Wave: Shape {
///       var phase: Double
///
///       var animatableData: Double {
///         get { phase }
///         set { phase = newValue }
///       }
///
///       func path(in rect: CGRect) -> Path { … }
///     }
///
/// An animation sets its `animatableData`: ``ViewPlayer/path(at:in:)`` gives the path of a time, and the
/// player's values map it as the modifiers around the shape do.
public protocol Shape: Sendable, Animatable, View {
  /// The outline.
  ///
  /// - Parameter rect: The frame of the view.
  /// - Returns: The path, which may leave the frame.
  func path(in rect: CGRect) -> Path
}

/// A shape that can be made smaller by its own rules.
public protocol InsettableShape: Shape {
  /// Type of the smaller shape.
  associatedtype InsetShape: InsettableShape

  /// The shape, smaller.
  ///
  /// - Parameter amount: Points on each side.
  /// - Returns: The smaller shape.
  func inset(by amount: CGFloat) -> InsetShape
}

extension Shape {
  /// A shape has nothing in it.
  public var body: EmptyView { EmptyView() }
}

extension Path: Shape {
  /// The path itself, wherever its frame is.
  public func path(in rect: CGRect) -> Path { self }
}

extension View {
  /// The path that the view draws: that of its innermost shape.
  ///
  /// - Parameters:
  ///   - rect: The frame of the view.
  ///   - environment: The values that views read as `@Environment`.
  ///   - time: Seconds since the view appeared, for timelines and animators in its body.
  /// - Returns: The path before all modifiers, or nil if there is no shape.
  public func drawnPath(
    in rect: CGRect, environment: EnvironmentValues = EnvironmentValues(), at time: Double = 0
  ) -> Path? {
    description(ViewMoment(time: time, environment: environment)).path(in: rect)
  }
}

extension ViewPlayer {
  /// The path that the view draws: that of its innermost shape.
  ///
  /// - Parameters:
  ///   - time: Seconds, not before the last update.
  ///   - rect: The frame of the view.
  /// - Returns: The path before all modifiers, or nil if there is no shape.
  public func path(at time: Double, in rect: CGRect) -> Path? {
    description(at: time).path(in: rect)
  }
}

extension ViewDescription {
  /// The path of the innermost shape.
  fileprivate func path(in rect: CGRect) -> Path? {
    for effect in effects {
      if case .animated(let animated) = effect.effect, let shape = animated.shape {
        return shape.path(in: rect)
      }
    }
    return nil
  }
}
