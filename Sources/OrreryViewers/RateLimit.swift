// SPDX-License-Identifier: Apache-2.0

/// How often something is recorded that is only to be looked at: at most 30 times a second, of the scene's time and, in
/// live delivery, of the day's too.
struct RateLimit {
  /// Times a second.
  static let perSecond: UInt64 = 30

  /// What may be made up for after a late frame.
  private static let burst = 2.0

  private let isLive: Bool
  private var cell: UInt64?
  private var allowance = Self.burst
  private var askedNs: UInt64 = 0

  init(isLive: Bool) { self.isLive = isLive }

  /// Whether this frame is one to be recorded.
  ///
  /// - Parameters:
  ///   - simTimeNs: The frame's scene time.
  ///   - nowNs: The time of day.
  /// - Returns: Whether it is; then its turn is over.
  mutating func take(simTimeNs: UInt64, nowNs: UInt64) -> Bool {
    // The first frame of each thirtieth of a second: at 60 Hz every other one.
    // Scene times are rounded down: the next nanosecond is not before the tick.
    let (high, low) = (simTimeNs &+ 1).multipliedFullWidth(by: Self.perSecond)
    let cell = high > 0 ? UInt64.max : low / 1_000_000_000
    guard cell != self.cell else { return false }
    if isLive {
      let seconds = nowNs > askedNs ? Double(nowNs - askedNs) / 1e9 : 0
      askedNs = nowNs
      allowance = min(allowance + seconds * Double(Self.perSecond), Self.burst)
      guard allowance >= 1 else { return false }
      allowance -= 1
    }
    self.cell = cell
    return true
  }
}
