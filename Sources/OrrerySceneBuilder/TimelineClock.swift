// SPDX-License-Identifier: Apache-2.0

import Orrery

/// A digital clock that shows the date of a timeline schedule's latest entry.
///
/// The date of time 0 and the time zone are the scene's.
public struct TimelineClock: Hashable, Sendable {
  /// When it is updated.
  public var schedule: Schedule

  /// Its format: `HH` hours, `mm` minutes, `ss` seconds, and `S`, `SS` or `SSS` tenths to
  /// thousandths; between them spaces and `:` `.` `,` `-` `/`.
  public var format: String

  /// Font of the digits.
  public var font = Font.title

  /// Colour of the digits.
  public var color = Color.black

  /// Position of its centre; nil is the middle of the scene.
  public var position: CGPoint?

  /// When a clock is updated; seconds after the scene's start.
  public enum Schedule: Hashable, Sendable {
    /// At a time, and after each further interval.
    case periodic(from: Double, by: Double)
    /// At the start of every minute of the scene's time zone.
    case everyMinute
    /// At these times only.
    case explicit([Double])
    /// At every tick, or every `minimumInterval` seconds.
    case animation(minimumInterval: Double? = nil, paused: Bool = false)
  }

  /// Makes a clock.
  ///
  /// - Parameters:
  ///   - schedule: When it is updated.
  ///   - format: Its format.
  public init(_ schedule: Schedule, format: String = "HH:mm:ss") {
    self.schedule = schedule
    self.format = format
  }

  /// Sets the font of the digits.
  public func font(_ font: Font) -> TimelineClock {
    with { $0.font = font }
  }

  /// Sets the colour of the digits.
  public func foregroundColor(_ color: Color) -> TimelineClock {
    with { $0.color = color }
  }

  /// Sets the position of its centre, in points of the scene.
  public func position(x: Double, y: Double) -> TimelineClock {
    with { $0.position = CGPoint(x: x, y: y) }
  }

  private func with(_ change: (inout TimelineClock) -> Void) -> TimelineClock {
    var clock = self
    change(&clock)
    return clock
  }
}
