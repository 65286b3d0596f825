// SPDX-License-Identifier: Apache-2.0

/// What moves a `Row` sideways.
public enum RowMotion: Hashable, Sendable {
  /// A seamless loop; speed in points per second.
  case marquee(speed: Double, direction: MarqueeDirection)

  /// A linear move from one offset to another, repeated for ever from the start; points and
  /// seconds.
  case animation(from: Double, to: Double, duration: Double)

  /// Steps of a timer, back to the start when an offset is reached or passed; points and seconds.
  case timer(start: Double, step: Double, interval: Double, resetAt: Double)
}

/// Where a marquee moves.
public enum MarqueeDirection: String, CaseIterable, Hashable, Sendable {
  /// To the left: offsets fall.
  case left
  /// To the right: offsets grow.
  case right
}
