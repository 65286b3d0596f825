// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A sideways motion of a `Row`.
public enum RowMotion: Hashable, Sendable {
  /// A seamless loop; speed in points per second.
  case marquee(speed: Double, direction: MarqueeDirection)

  /// A linear move from one offset to another, repeated for ever from the start; points and
  /// seconds.
  case animation(from: Double, to: Double, duration: Double)

  /// A move from one offset to another by an animation that repeats for ever; points.
  case repeating(from: Double, to: Double, animation: Animation)

  /// A text that crosses its frame, followed by its next copy.
  ///
  /// Speed in points per second, nil is 50; the gap behind the cells in points, nil is the row's
  /// spacing. The distance from one copy to the next is at least the frame's width.
  case ticker(
    speed: Double? = nil, gap: Double? = nil, variant: TickerVariant = .seamless,
    direction: MarqueeDirection = .leading)

  /// Steps of a timer; back to the start when an offset is reached or passed; points and seconds.
  case timer(start: Double, step: Double, interval: Double, resetAt: Double)
}

/// Direction in which a marquee or a ticker moves.
public enum MarqueeDirection: String, CaseIterable, Hashable, Sendable {
  /// Toward the leading side: to the left, or to the right in a right-to-left scene.
  case leading
  /// Toward the trailing side: to the right, or to the left in a right-to-left scene.
  case trailing
  /// To the left in every scene: offsets fall.
  case left
  /// To the right in every scene: offsets grow.
  case right
}

/// How a ticker computes its offset.
public enum TickerVariant: String, CaseIterable, Hashable, Sendable {
  /// As a function of time, without a seam.
  case seamless
  /// Moves by the time since the last update, with a second copy one frame's width behind. The distance by
  /// which an update passes the end is lost, and cells wider than the frame overlap.
  case delta
  /// One point at each update, so the tick rate is the speed; one copy only.
  case perUpdate = "per-update"
}
