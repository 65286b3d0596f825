// SPDX-License-Identifier: Apache-2.0

import Orrery

extension Row {
  /// Moves the row in a seamless loop, whose period follows from the row's cells.
  ///
  /// - Parameters:
  ///   - speed: Points per second, 0...100000.
  ///   - direction: Direction in which it moves.
  /// - Returns: The row with this motion.
  public func marquee(speed: Double, direction: MarqueeDirection = .leading) -> Row {
    with { $0.motions.append(.marquee(speed: speed, direction: direction)) }
  }

  /// Moves one copy of the row, as `linear(duration:).repeatForever(autoreverses: false)` does.
  ///
  /// At offset 0 the row is centred in its frame.
  ///
  /// - Parameters:
  ///   - from: Offset at the start of each cycle, in points.
  ///   - to: Offset at its end, in points.
  ///   - duration: Seconds of a cycle, 0.001...1000000.
  /// - Returns: The row with this motion.
  public func animation(from: Double, to: Double, duration: Double) -> Row {
    with { $0.motions.append(.animation(from: from, to: to, duration: duration)) }
  }

  /// Moves one copy of the row by an animation that repeats for ever.
  ///
  /// At offset 0 the row is centred in its frame.
  ///
  /// - Parameters:
  ///   - from: Offset at the start of each cycle, in points.
  ///   - to: Offset at the end of each cycle, in points.
  ///   - animation: A curve that repeats for ever, such as
  ///     `.easeInOut(duration: 5).repeatForever()`.
  /// - Returns: The row with this motion.
  public func animation(from: Double, to: Double, _ animation: Animation) -> Row {
    with { $0.motions.append(.repeating(from: from, to: to, animation: animation)) }
  }

  /// Moves the row across its frame, again and again.
  ///
  /// - Parameters:
  ///   - speed: Points per second, 0...100000; nil is 50. `perUpdate` has no speed: it moves one
  ///     point per update.
  ///   - gap: Points behind the cells, 0...10000; nil is the row's spacing.
  ///   - variant: Seamless, or one of the article's versions.
  ///   - direction: Direction in which it moves.
  /// - Returns: The row with this motion.
  public func ticker(
    speed: Double? = nil, gap: Double? = nil, variant: TickerVariant = .seamless,
    direction: MarqueeDirection = .leading
  ) -> Row {
    let motion = RowMotion.ticker(speed: speed, gap: gap, variant: variant, direction: direction)
    return with { $0.motions.append(motion) }
  }

  /// Moves two copies of the row by a step at each tick of a timer.
  ///
  /// At offset 0 the two copies are centred in their frame.
  ///
  /// - Parameters:
  ///   - start: Offset before the first tick, in points.
  ///   - step: Points added by each tick, 0.001...100000.
  ///   - interval: Seconds between ticks, 0.0001...1000.
  ///   - resetAt: Offset from which on the row goes back to `start`; larger than `start`.
  /// - Returns: The row with this motion.
  public func timer(start: Double, step: Double, interval: Double, resetAt: Double) -> Row {
    with {
      $0.motions.append(.timer(start: start, step: step, interval: interval, resetAt: resetAt))
    }
  }

  /// Sets the frame's size.
  ///
  /// - Parameters:
  ///   - width: Points, 1...100000; nil is 0.95 of the scene's width.
  ///   - height: Points, 1...100000.
  /// - Returns: The row in this frame.
  public func frame(width: Double? = nil, height: Double = 30) -> Row {
    with {
      $0.width = width
      $0.height = height
    }
  }

  /// Makes flags no higher than this, as `scaledToFit` does in a frame.
  ///
  /// - Parameter height: Points, 1...10000; nil: every flag fills its width.
  /// - Returns: The row with such flags.
  public func flagHeight(_ height: Double?) -> Row {
    with { $0.flagHeight = height }
  }

  /// Sets the position of the frame's centre, in points of the scene.
  public func position(x: Double, y: Double) -> Row {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  /// Hides everything outside the frame.
  public func clipped() -> Row {
    with { $0.isClipped = true }
  }

  /// Sets the font of the labels.
  public func font(_ font: Font) -> Row {
    with { $0.font = font }
  }

  /// Sets the colour of the labels.
  public func foregroundColor(_ color: Color) -> Row {
    with { $0.color = color }
  }

  private func with(_ change: (inout Row) -> Void) -> Row {
    var row = self
    change(&row)
    return row
  }
}
