// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryTrace
import OrreryWire

/// Writes a run's events into a trace, on the topic `/orrery/events`, and keeps account of them.
final class EventRecorder {
  private let source: any EventSource
  private let writer: TraceWriter
  private let channel: TraceChannelID
  private let generation: UInt64
  private let clock: @Sendable () -> UInt64
  private var account = EventAccount()

  /// Messages taken after one frame: the next frame must not wait for a flood of events.
  private static let messagesMax = 64

  /// How long the last messages may take to come once the run has ended.
  private static let lastWordsNs: UInt64 = 1_500_000_000

  /// Adds the channel.
  init(
    _ source: any EventSource, writer: TraceWriter, generation: UInt64,
    clock: @escaping @Sendable () -> UInt64
  ) throws(TraceError) {
    self.source = source
    self.writer = writer
    self.generation = generation
    self.clock = clock
    let schema = try writer.addSchema(
      name: "orrery.Events", encoding: "protobuf", data: MessageSchema.descriptorSet)
    channel = try writer.addChannel(
      topic: "/orrery/events", messageEncoding: "protobuf", schema: schema)
  }

  /// Writes what has come.
  func record() throws(TraceError) {
    for _ in 0..<Self.messagesMax {
      guard try recordOne(timeoutNs: 0) else { return }
    }
  }

  /// Writes what still comes of a run that has ended.
  ///
  /// - Parameters:
  ///   - isFromStart: Whether the run was joined before its first frame.
  ///   - simEnded: Whether the run ended in order: then its last message is waited for.
  /// - Returns: What there is to be said in the summary.
  /// - Throws: `TraceError` when it cannot be written.
  func finish(isFromStart: Bool, simEnded: Bool) throws(TraceError) -> [String: String] {
    let deadline = Clock.monotonicNs() + (simEnded ? Self.lastWordsNs : 0)
    while !account.isFinal {
      let now = Clock.monotonicNs()
      guard try recordOne(timeoutNs: max(deadline, now) - now) else { break }
    }
    return [
      "events_received": "\(account.receivedCount)",
      "events_missed": "\(account.missedCount(isFromStart: isFromStart))",
      "events_to_the_end": "\(account.isFinal)",
    ]
  }

  /// Writes one message.
  ///
  /// - Returns: False if there was none in time.
  private func recordOne(timeoutNs: UInt64) throws(TraceError) -> Bool {
    try source.next(timeoutNs: timeoutNs) { (bytes) throws(TraceError) in
      // A message of another run that had this name, or of somebody else, is none of ours.
      guard let head = EventsHead(bytes), head.generation == generation else { return }
      account.receive(head)
      guard head.count > 0 else { return }
      let now = clock()
      try writer.write(
        channel, sequence: UInt32(truncatingIfNeeded: head.firstNumber), logTimeNs: now,
        publishTimeNs: now, parts: [bytes])
    }
  }
}
