// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The clocks of a run, in nanoseconds.
///
/// Measuring and waiting use the monotonic clock. Wall time only dates frames, so that traces of
/// different runs can be compared.
package enum Clock {
  /// Nanoseconds of CLOCK_MONOTONIC: never set back, stands still while the machine sleeps.
  package static func monotonicNs() -> UInt64 { read(CLOCK_MONOTONIC) }

  /// Nanoseconds of CLOCK_REALTIME since 1970, always rising within this process.
  ///
  /// If the system clock is set back, this time continues from its last value, so dates stay in
  /// order. If the system clock is set forward, this time follows.
  package static func wallNs() -> UInt64 { wall.timeNs(clockNs: read(CLOCK_REALTIME)) }

  /// Nanoseconds since the machine started, with the time in which it slept.
  package static func uptimeNs() -> UInt64 { read(CLOCK_BOOTTIME) }

  private static let wall = RisingClock()

  /// A time of UTC in words.
  ///
  /// - Parameters:
  ///   - seconds: Since 1970.
  ///   - format: As `strftime` has it; at most 31 bytes of text.
  /// - Returns: The text; nil if the time is after the year 9999.
  package static func utcText(seconds: UInt64, _ format: String) -> String? {
    guard var seconds = time_t(exactly: seconds) else { return nil }
    var date = tm()
    guard gmtime_r(&seconds, &date) != nil, date.tm_year < 8100 else { return nil }
    var text = [CChar](repeating: 0, count: 32)
    guard strftime(&text, text.count, format, &date) > 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Sleeps until the monotonic clock reads `deadlineNs`, or a signal arrives.
  package static func sleep(untilMonotonicNs deadlineNs: UInt64) {
    var deadline = timespec(
      tv_sec: Int(deadlineNs / 1_000_000_000), tv_nsec: Int(deadlineNs % 1_000_000_000))
    _ = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil)
  }

  /// Looks again and again until a condition holds.
  ///
  /// - Parameters:
  ///   - seconds: How long at most.
  ///   - intervalNs: Time between two looks.
  ///   - condition: Called on this thread, at least once.
  /// - Returns: Whether it held in time.
  package static func wait(
    seconds: Double, everyNs intervalNs: UInt64 = 1_000_000, until condition: () -> Bool
  ) -> Bool {
    let deadline = monotonicNs() + UInt64(seconds * 1e9)
    while !condition() {
      let now = monotonicNs()
      guard now < deadline else { return false }
      sleep(untilMonotonicNs: now + intervalNs)
    }
    return true
  }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var now = timespec()
    clock_gettime(clock, &now)
    return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
  }
}
