// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// A wait of a test that was not over in time.
package struct Overdue: Error, CustomStringConvertible {
  /// What did not come, and how long it was waited for.
  package let description: String

  init(_ what: String, seconds: Double) { description = "waited \(seconds) s for \(what)" }
}

/// How long a test waits, in seconds, for what takes milliseconds on a machine that is not busy, or seconds: whole
/// programs that share two processors with thirty others get a fifteenth of their time.
package let patienceSeconds = 300.0

/// `patienceSeconds` in nanoseconds.
package let patienceNs = UInt64(patienceSeconds * 1e9)

/// A sleep that lasts longer than any test waits for its end, in nanoseconds: who is not woken is found.
package let endlessNs: UInt64 = 3_600_000_000_000

/// Looks again and again until a condition holds.
///
/// - Parameters:
///   - what: What is waited for, for the error.
///   - seconds: How long.
///   - intervalNs: Time between two looks.
///   - condition: Asked on this thread.
/// - Throws: `Overdue`.
package func waitUntil(
  _ what: String, seconds: Double = patienceSeconds, everyNs intervalNs: UInt64 = 1_000_000,
  _ condition: () -> Bool
) throws(Overdue) {
  guard Clock.wait(seconds: seconds, everyNs: intervalNs, until: condition) else {
    throw Overdue(what, seconds: seconds)
  }
}

/// A thread of a test, which waits for it no longer than its patience lasts.
///
/// One that does not come to its end goes on by itself, with what it holds.
package final class TestThread: Sendable {
  private let what: String
  private let outcome: Monitor<Result<Void, any Error>?>
  private let thread: Monitor<BackgroundThread?>

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - what: What its end means, for the error.
  ///   - body: What it does; an error is thrown by `join`.
  /// - Throws: `SystemCallError` when the system has no thread left.
  package init(_ what: String, _ body: @escaping @Sendable () throws -> Void) throws {
    self.what = what
    let outcome = Monitor<Result<Void, any Error>?>(nil)
    self.outcome = outcome
    thread = Monitor(
      try BackgroundThread {
        let result = Result { try body() }
        outcome.change { $0 = result }
      })
  }

  /// Whether it has come to its end.
  package var isOver: Bool { outcome.read { $0 != nil } }

  /// Waits for its end.
  ///
  /// - Throws: `Overdue`, or what its body threw.
  package func join(seconds: Double = patienceSeconds) throws {
    let result = outcome.wait(atMostNs: UInt64(seconds * 1e9)) { $0 }
    guard let result else { throw Overdue(what, seconds: seconds) }
    thread.change { thread in
      thread?.join()
      thread = nil
    }
    try result.get()
  }
}

/// Calls what may wait for ever on a thread of its own, and waits for it no longer than the patience lasts.
///
/// - Parameters:
///   - what: What is waited for, for the error.
///   - seconds: How long.
///   - body: What waits.
/// - Returns: What `body` returns.
/// - Throws: `Overdue`, or what `body` throws.
package func within<Value: Sendable>(
  _ what: String, seconds: Double = patienceSeconds, _ body: @escaping @Sendable () throws -> Value
) throws -> Value {
  let value = Monitor<Value?>(nil)
  try TestThread(what) {
    let result = try body()
    value.change { $0 = result }
  }.join(seconds: seconds)
  guard let result = value.read({ $0 }) else { throw Overdue(what, seconds: seconds) }
  return result
}
