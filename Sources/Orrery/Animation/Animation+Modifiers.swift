// SPDX-License-Identifier: Apache-2.0

extension Animation {
  /// Begins later; until then the value is the old one.
  ///
  /// Inside a repetition the delay recurs in each leg; outside it happens once.
  ///
  /// - Parameter delay: Seconds. A negative delay begins that far into the motion.
  /// - Returns: The later animation.
  public func delay(_ delay: Double) -> Animation { modified(.delay(delay)) }

  /// Runs faster or slower.
  ///
  /// - Parameter speed: Factor of time: 2 takes half as long. 0 or less stands still for ever.
  /// - Returns: The faster animation.
  public func speed(_ speed: Double) -> Animation { modified(.speed(speed)) }

  /// Plays several times.
  ///
  /// - Parameters:
  ///   - repeatCount: Number of legs; below 1 is 1.
  ///   - autoreverses: Whether every second leg runs backwards.
  /// - Returns: The repeated animation.
  public func repeatCount(_ repeatCount: Int, autoreverses: Bool = true) -> Animation {
    modified(.repeats(count: repeatCount, autoreverses: autoreverses))
  }

  /// Plays again and again, until a later change of the property ends: it runs beside that change, and is
  /// complete with it.
  ///
  /// - Parameter autoreverses: Whether every second leg runs backwards.
  /// - Returns: The repeated animation.
  public func repeatForever(autoreverses: Bool = true) -> Animation {
    modified(.repeats(count: nil, autoreverses: autoreverses))
  }

  /// Is logically complete after a time; the motion does not change.
  ///
  /// - Parameter duration: Seconds; an end before then completes it too.
  /// - Returns: The animation with that completion.
  public func logicallyComplete(after duration: Double) -> Animation {
    modified(.logicallyComplete(after: duration))
  }

  private func modified(_ modifier: AnimationModifier) -> Animation {
    Animation(source, modifiers: modifiers + [modifier])
  }
}
