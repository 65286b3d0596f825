// SPDX-License-Identifier: Apache-2.0

extension AnimatedView {
  /// Puts its centre there, in points of the scene.
  public func position(x: Double, y: Double) -> AnimatedView {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  /// Sets the size that transitions count with, in points.
  public func frame(width: Double, height: Double) -> AnimatedView {
    with { $0.size = CGSize(width: width, height: height) }
  }

  /// Sets its opacity at the start: 0 is invisible, 1 opaque.
  public func opacity(_ opacity: Double) -> AnimatedView {
    with { $0.initial.opacity = opacity }
  }

  /// Sets the factor about its centre at the start.
  public func scaleEffect(_ scale: Double) -> AnimatedView {
    with { $0.initial.scale = scale }
  }

  /// Turns it about its centre at the start, radians clockwise.
  public func rotationEffect(_ radians: Double) -> AnimatedView {
    with { $0.initial.rotation = radians }
  }

  /// Moves it at the start, in points.
  public func offset(x: Double = 0, y: Double = 0) -> AnimatedView {
    with {
      $0.initial.x = x
      $0.initial.y = y
    }
  }

  /// Blurs it at the start, by a radius in points.
  public func blur(radius: Double) -> AnimatedView {
    with { $0.initial.blur = radius }
  }

  /// Leaves it out at the start; a command can show it.
  public func hidden() -> AnimatedView {
    with { $0.isHidden = true }
  }

  /// Sets how it comes and goes.
  public func transition(_ transition: AnyTransition) -> AnimatedView {
    with { $0.transition = transition }
  }

  /// Lets it move with another view: that one's translation, scale, rotation and opacity, about
  /// that one's centre, act on this one too.
  public func parent(_ name: String) -> AnimatedView {
    with { $0.parent = name }
  }

  /// Plays keyframes of one property from the start.
  ///
  /// - Parameters:
  ///   - property: What moves, from its value at the start of the scene.
  ///   - repeats: Whether the track starts again, for ever.
  ///   - steps: The keyframes; 1...1000.
  /// - Returns: The view with this track.
  public func keyframes(
    _ property: ViewProperty, repeats: Bool = true, _ steps: KeyframeStep...
  ) -> AnimatedView {
    with {
      $0.keyframes.append(KeyframeLoop(property: property, repeats: repeats, steps: steps))
    }
  }

  /// Goes through phases from the start, for ever; after the last one follows the first.
  public func phases(_ phases: ViewPhase...) -> AnimatedView {
    with { $0.phases = phases }
  }

  private func with(_ change: (inout AnimatedView) -> Void) -> AnimatedView {
    var view = self
    change(&view)
    return view
  }
}
