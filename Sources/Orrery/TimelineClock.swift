// SPDX-License-Identifier: Apache-2.0

/// Digits that show the date of a timeline schedule's latest entry.
///
/// The date of time 0 is the scene's, and so is the time zone.
public struct TimelineClock: Hashable, Sendable {
  /// When it is updated.
  public var schedule: Schedule

  /// What it shows: `HH` hours, `mm` minutes, `ss` seconds, and `S`, `SS` or `SSS` tenths to
  /// thousandths; between them spaces and `:` `.` `,` `-` `/`.
  public var format: String

  /// How digits are set.
  public var font = Font.title

  /// Colour of the digits.
  public var color = Color.black

  /// Where its centre stands; nil is the middle of the scene.
  public var position: CGPoint?

  /// When a clock is updated; seconds after the scene's start.
  public enum Schedule: Hashable, Sendable {
    /// At a time and every so many seconds after it.
    case periodic(from: Double, by: Double)
    /// At the start of every minute of the scene's time zone.
    case everyMinute
    /// At these times only.
    case explicit([Double])
    /// At every tick, or every so many seconds.
    case animation(minimumInterval: Double? = nil, paused: Bool = false)
  }

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - schedule: When it is updated.
  ///   - format: What it shows.
  public init(_ schedule: Schedule, format: String = "HH:mm:ss") {
    self.schedule = schedule
    self.format = format
  }

  /// Sets how digits are set.
  public func font(_ font: Font) -> TimelineClock {
    with { $0.font = font }
  }

  /// Sets the colour of the digits.
  public func foregroundColor(_ color: Color) -> TimelineClock {
    with { $0.color = color }
  }

  /// Puts its centre there, in points of the scene.
  public func position(x: Double, y: Double) -> TimelineClock {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  private func with(_ change: (inout TimelineClock) -> Void) -> TimelineClock {
    var clock = self
    change(&clock)
    return clock
  }
}
