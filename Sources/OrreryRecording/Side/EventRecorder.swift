// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryTrace
import OrreryWire

/// Writes a run's events into a trace, on the topic `/orrery/events`, and counts those that it misses.
final class EventRecorder {
  private let source: any EventSource
  private let writer: any TraceSink
  private let channel: TraceChannelID
  private let generation: UInt64
  private let clock: @Sendable () -> UInt64
  private var losses = EventLosses()

  /// Gets timings of frames, which come the same way.
  private let side: SideTopics?

  /// Messages recorded after one frame, at most: a flood of events must not delay the next frame.
  private static let messagesMax = 64

  /// How long to wait for the last messages after the run has ended.
  private static let finalWaitNs: UInt64 = 1_500_000_000

  /// Adds the channel to the trace.
  init(
    _ source: any EventSource, writer: any TraceSink, generation: UInt64, side: SideTopics?,
    clock: @escaping @Sendable () -> UInt64
  ) throws(TraceError) {
    self.source = source
    self.writer = writer
    self.generation = generation
    self.side = side
    self.clock = clock
    channel = try writer.addChannel(.events)
  }

  /// Writes the messages that have arrived, up to a limit.
  func record() throws(TraceError) {
    for _ in 0..<Self.messagesMax {
      guard try recordOne(timeoutNs: 0) else { return }
    }
  }

  /// Writes the remaining messages of a run that has ended.
  ///
  /// - Parameters:
  ///   - isFromStart: Whether the run was joined before its first frame.
  ///   - simEnded: Whether the run ended in order; if so, this waits for its last message.
  /// - Returns: Entries for the trace's summary.
  /// - Throws: `TraceError` when the trace cannot be written.
  func finish(isFromStart: Bool, simEnded: Bool) throws(TraceError) -> [String: String] {
    let deadline = Clock.monotonicNs() + (simEnded ? Self.finalWaitNs : 0)
    while !losses.isFinal {
      let now = Clock.monotonicNs()
      guard try recordOne(timeoutNs: max(deadline, now) - now) else { break }
    }
    return [
      "events_received": "\(losses.receivedCount)",
      "events_missed": "\(losses.missedCount(isFromStart: isFromStart))",
      "events_to_the_end": "\(losses.isFinal)",
    ]
  }

  /// Writes one message.
  ///
  /// - Returns: False if there was none in time.
  private func recordOne(timeoutNs: UInt64) throws(TraceError) -> Bool {
    try source.next(timeoutNs: timeoutNs) { (bytes) throws(TraceError) in
      // A message of an earlier run of this name, or of another program, is ignored.
      guard let head = EventsHead(bytes), head.generation == generation else { return }
      if let timings = head.timings {
        try side?.record(timings: UnsafeRawBufferPointer(rebasing: bytes[timings]))
        return
      }
      losses.receive(head)
      guard head.count > 0 else { return }
      try writer.write(
        TraceMessageHead(channel, sequence: head.firstNumber, logTimeNs: clock()), parts: [bytes])
      if head.asksToKeep { side?.keepWasAsked() }
    }
  }
}
