// SPDX-License-Identifier: Apache-2.0

/// A row that a timer moves by a step and, at a tuned limit, sets back to a tuned start.
///
/// Its errors, which ``MarqueeMotion`` does not have:
///
/// - The distance by which the last step passes the limit is lost in each loop.
/// - The distance of the loop is not the content's period, so the picture jumps.
/// - A late timer tick still adds one step, whatever time has passed.
/// - It may be started several times, and then moves several times as fast.
public struct TimerMarqueeAsWritten: Hashable, Sendable {
  /// Points before the first timer tick and after each reset.
  public let start: Double

  /// Points at which the row is set back, in the same timer tick.
  public let resetAt: Double

  /// Points added by each timer tick; > 0.
  public let step: Double

  /// Seconds between timer ticks; > 0.
  public let interval: Double

  /// Number of running timers: one for each start.
  public private(set) var timerCount = 0

  /// Makes the motion, without a timer.
  ///
  /// - Parameters:
  ///   - start: Points before the first timer tick and after each reset.
  ///   - resetAt: Points at which the row is set back.
  ///   - step: Points added by each timer tick.
  ///   - interval: Seconds between timer ticks.
  public init(start: Double, resetAt: Double, step: Double = 3, interval: Double = 0.01) {
    self.start = start
    self.resetAt = resetAt
    self.step = step
    self.interval = interval
  }

  /// Starts one more timer.
  public mutating func startTimer() { timerCount += 1 }

  /// Points per second.
  public var speed: Double { Double(timerCount) * step / interval }

  /// Points from the start to the limit.
  public var distance: Double { resetAt - start }

  /// Timer ticks of a loop: the smallest n >= 1 with start + step·n >= resetAt.
  ///
  /// For the decimal numbers that were meant: a quotient that differs from a whole number by at
  /// most the rounding errors of its terms counts as that number. 0 if the limit is never reached.
  public var loopTicks: Int {
    guard step > 0 else { return resetAt <= start ? 1 : 0 }
    let quotient = distance / step
    let whole = quotient.rounded()
    let rounding = (start.ulp + resetAt.ulp) / step + 4 * quotient.ulp
    let ticks = abs(quotient - whole) <= rounding ? whole : quotient.rounded(.up)
    return ticks.isFinite ? max(1, Loop.count(ticks)) : 0
  }

  /// The offset after a number of timer ticks, whenever they came.
  ///
  /// - Parameter tick: 0 or more.
  /// - Returns: Points.
  public func offset(tick: Int) -> Double {
    let loop = loopTicks
    let ticks = loop > 0 ? max(0, tick) % loop : max(0, tick)
    return start + step * Double(ticks)
  }

  /// Loops after a number of timer ticks.
  ///
  /// - Parameter tick: 0 or more.
  /// - Returns: How many times the row was set back.
  public func loops(tick: Int) -> Int {
    loopTicks > 0 ? max(0, tick) / loopTicks : 0
  }

  /// Points past the limit that each loop loses.
  public var overshoot: Double { start + step * Double(loopTicks) - resetAt }

  /// Points by which the picture jumps at each loop.
  ///
  /// - Parameter period: Points from one copy of the content to the next.
  /// - Returns: 0 or more.
  public func jump(period: Double) -> Double { abs(distance - period) }

  /// The mean width of labels for which the distance would be the period.
  ///
  /// - Parameters:
  ///   - cellCount: Cells, each a flag and a label; > 0.
  ///   - flag: Points of each flag.
  ///   - spacing: Points after each flag and each label.
  /// - Returns: Points.
  public func fittingLabelWidth(cellCount: Int, flag: Double = 100, spacing: Double = 8) -> Double {
    distance / Double(cellCount) - flag - 2 * spacing
  }
}
