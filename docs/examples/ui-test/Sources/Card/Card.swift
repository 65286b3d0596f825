// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A card that springs aside and comes back: the code under test.
public final class Card {
  private let engine = AnimationEngine()
  private let x: AnimatedProperty<Double>
  private let opacity: AnimatedProperty<Double>

  /// Closed, at time 0.
  public init() {
    x = engine.property(0)
    opacity = engine.property(1)
  }

  /// Seconds on the card's own clock, which nothing else moves.
  public var time: Double {
    get { engine.time }
    set { engine.advance(to: newValue) }
  }

  /// What a screen would show now: points to the right, and how opaque.
  public var shown: (x: Double, opacity: Double) { (x.presentation, opacity.presentation) }

  /// Springs aside.
  public func openAside() {
    withAnimation(.spring(duration: 0.5, bounce: 0.3)) { (x.value, opacity.value) = (240, 0.5) }
  }

  /// Comes back, from wherever it is.
  public func close() {
    withAnimation(.easeInOut(duration: 0.3)) { (x.value, opacity.value) = (0, 1) }
  }
}
