// SPDX-License-Identifier: Apache-2.0

/// How long a supervisor waits for programs that are to end, in nanoseconds.
///
/// A program that hangs at the first stop signal, or soon after it, is gone 15 s after that signal:
/// the sim after `simSilentNs`, and a subscriber that hangs since the sim's end after `silentNs`
/// and `graceNs` more. Where other programs have the processors, one that waits for a processor gets
/// that time in addition, up to `starvedNs`.
package struct EndLimits: Sendable {
  /// After the run's own end: time without progress until a subscriber gets SIGTERM.
  ///
  /// Twice that, until SIGKILL. An encoder has to drain, a disk to sync.
  package var finishNs: UInt64 = 120_000_000_000

  /// How much longer it may take because it waits for a processor.
  package var finishStarvedNs: UInt64 = 600_000_000_000

  /// After the first stop signal: time without a sign of life until a program gets SIGTERM.
  ///
  /// Programs that work report four times a second.
  package var silentNs: UInt64 = 5_000_000_000

  /// Time from that SIGTERM until SIGKILL.
  package var graceNs: UInt64 = 2_000_000_000

  /// The same for the sim: from the last progress of any program until SIGKILL.
  ///
  /// It reports nothing while it waits for subscribers.
  package var simSilentNs: UInt64 = 8_000_000_000

  /// How much longer a silent program may live because it waits for a processor.
  ///
  /// The renderer has the lowest priority: on a machine with other work, one picture can take it seconds.
  package var starvedNs: UInt64 = 60_000_000_000

  /// After the second stop signal: time until programs that still run get another SIGTERM, which
  /// ends them at once.
  package var againNs: UInt64 = 700_000_000

  /// After the second stop signal: time until SIGKILL.
  package var killNs: UInt64 = 1_500_000_000

  package init() {}
}
