// SPDX-License-Identifier: Apache-2.0

import Orrery

extension AnimatedView {
  /// Sets the position of its centre, in points of the scene.
  public func position(x: Double, y: Double) -> AnimatedView {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  /// Sets the size that transitions use, in points.
  public func frame(width: Double, height: Double) -> AnimatedView {
    with { $0.size = CGSize(width: width, height: height) }
  }

  /// Sets its opacity at the start: 0 is invisible, 1 opaque.
  public func opacity(_ opacity: Double) -> AnimatedView {
    with { $0.initial.opacity = opacity }
  }

  /// Sets its scale about its centre at the start.
  public func scaleEffect(_ scale: Double) -> AnimatedView {
    with { $0.initial.scale = scale }
  }

  /// Sets its rotation about its centre at the start, radians clockwise.
  public func rotationEffect(_ radians: Double) -> AnimatedView {
    with { $0.initial.rotation = radians }
  }

  /// Sets its offset at the start, in points.
  public func offset(x: Double = 0, y: Double = 0) -> AnimatedView {
    with {
      $0.initial.x = x
      $0.initial.y = y
    }
  }

  /// Sets the radius of its blur at the start, in points.
  public func blur(radius: Double) -> AnimatedView {
    with { $0.initial.blur = radius }
  }

  /// Hides it at the start; a command can show it.
  public func hidden() -> AnimatedView {
    with { $0.isHidden = true }
  }

  /// Sets its transition.
  public func transition(_ transition: AnyTransition) -> AnimatedView {
    with { $0.transition = transition }
  }

  /// Moves it with another view, its parent: the parent's translation, scale, rotation and opacity
  /// apply to this view too, about the parent's centre.
  public func parent(_ name: String) -> AnimatedView {
    with { $0.parent = name }
  }

  /// Plays keyframes of one property from the start.
  ///
  /// - Parameters:
  ///   - property: The property; it starts at its value at the start of the scene.
  ///   - repeats: Whether the track repeats for ever.
  ///   - steps: The keyframes; 1...1000.
  /// - Returns: The view with this track.
  public func keyframes(
    _ property: ViewProperty, repeats: Bool = true, _ steps: KeyframeStep...
  ) -> AnimatedView {
    with {
      $0.keyframes.append(KeyframeLoop(property: property, repeats: repeats, steps: steps))
    }
  }

  /// Plays phases from the start, for ever; the first one follows the last.
  public func phases(_ phases: ViewPhase...) -> AnimatedView {
    with { $0.phases = phases }
  }

  private func with(_ change: (inout AnimatedView) -> Void) -> AnimatedView {
    var view = self
    change(&view)
    return view
  }
}
