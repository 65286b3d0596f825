// SPDX-License-Identifier: Apache-2.0

/// A subscriber's source of `orrery.Events` messages.
package protocol EventSource: AnyObject {
  /// Hands over the next message, if there is one.
  ///
  /// - Parameters:
  ///   - timeoutNs: How long to wait for it, if the source can wait.
  ///   - use: Reads the message in place.
  /// - Returns: False if there was none in time.
  /// - Throws: What `use` throws.
  func next<Failure: Error>(
    timeoutNs: UInt64, use: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Bool

  /// Waits until the sender knows of this source, so that nothing is sent without it.
  ///
  /// - Parameter timeoutNs: How long at most.
  /// - Returns: Whether it knows.
  func waitUntilKnown(timeoutNs: UInt64) -> Bool
}

extension EventSource {
  /// A source that its sender has made is known.
  package func waitUntilKnown(timeoutNs: UInt64) -> Bool { true }
}

/// A queue of event messages that arrived with frames from another machine.
package final class EventInbox: EventSource {
  private var messages: [[UInt8]] = []

  /// Messages kept: with 32 KiB each, 32 MiB.
  ///
  /// Further messages are dropped; their numbers show them as missed.
  private static let messagesMax = 1024

  package init() {}

  /// Keeps a message, if there is room.
  package func put(_ message: UnsafeRawBufferPointer) {
    if messages.count < Self.messagesMax { messages.append([UInt8](message)) }
  }

  /// Hands over the oldest message.
  ///
  /// It does not wait: messages are only added between calls.
  package func next<Failure: Error>(
    timeoutNs: UInt64, use: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    guard !messages.isEmpty else { return false }
    let message = messages.removeFirst()
    let failure = message.withUnsafeBytes { bytes -> Failure? in
      do throws(Failure) {
        try use(bytes)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    return true
  }
}
