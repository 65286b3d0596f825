// SPDX-License-Identifier: Apache-2.0

/// Where a subscriber gets `orrery.Events` messages from.
package protocol EventSource: AnyObject {
  /// Hands over the next message, if one is there.
  ///
  /// - Parameters:
  ///   - timeoutNs: How long to wait for it, where that is possible.
  ///   - use: Reads the message in place.
  /// - Returns: False if there was none in time.
  /// - Throws: What `use` throws.
  func next<Failure: Error>(
    timeoutNs: UInt64, use: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Bool
}

/// Messages of events that came with frames from another machine, until they are taken.
package final class EventInbox: EventSource {
  private var messages: [[UInt8]] = []

  /// Messages that are kept: with 32 KiB each, 32 MiB.
  ///
  /// What comes then is dropped, and missed by its number.
  private static let messagesMax = 1024

  package init() {}

  /// Keeps a message, if there is room.
  package func put(_ message: UnsafeRawBufferPointer) {
    if messages.count < Self.messagesMax { messages.append([UInt8](message)) }
  }

  /// Hands over the oldest message; it does not wait, because nothing comes meanwhile.
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
