// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrrerySim

/// Encodes `orrery.Events` messages of bounded size, event by event.
///
/// It writes the bytes that the generated type would write. The generated type would take a microsecond and several
/// allocations for each event.
package struct EventEncoder {
  /// Bytes at which a message is full: room for many events, and small enough to lose or to queue for a
  /// subscriber.
  package static let fullBytes = 32 << 10

  /// The message so far.
  package var bytes: [UInt8] { fields.bytes }

  private var fields = FieldWriter(reserving: 2 * Self.fullBytes)
  private let generation: UInt64

  /// Creates an encoder for the messages of one run.
  package init(generation: UInt64) { self.generation = generation }

  /// Begins a message.
  ///
  /// - Parameters:
  ///   - firstNumber: Number of its first event.
  ///   - tick: The tick whose events it holds.
  package mutating func begin(firstNumber: UInt64, tick: UInt64) {
    fields.removeAll()
    for (number, value) in [(1, generation), (2, firstNumber), (3, tick)] where value != 0 {
      fields.append(number, fixed64: value)
    }
  }

  /// Whether the message must be sent before more is added.
  package var isFull: Bool { bytes.count >= Self.fullBytes }

  /// Adds an event of a view, or a completion.
  ///
  /// - Parameters:
  ///   - event: The director's event.
  ///   - name: Name of its view or completion.
  ///   - firstEntity: Number of the entity that is view 0.
  package mutating func append(_ event: DirectorEvent, name: String, firstEntity: Int) {
    appendEvent(time: event.time) { fields in
      switch event.kind {
      case .legEnded(let view, let channel, let leg):
        fields.append(.legEnded, name, firstEntity + view, channel)
        fields.append(6, varint: UInt64(leg))
      case .logicallyComplete(let view, let channel):
        fields.append(.logicallyComplete, name, firstEntity + view, channel)
      case .removed(let view, let channel, let isFinished):
        fields.append(.removed, name, firstEntity + view, channel)
        fields.append(7, varint: isFinished ? 0 : 1)
      case .completed:
        fields.append(.completed)
        fields.append(8, name)
      }
    }
  }

  /// Adds a command that was applied.
  package mutating func append(command: String, time: Double) {
    appendEvent(time: time) { fields in
      fields.append(.command)
      fields.append(9, command)
    }
  }

  /// Adds an event that asks recorders to keep what they have.
  package mutating func appendKeep(time: Double) {
    appendEvent(time: time) { $0.append(.keep) }
  }

  /// Adds the timings of frames, to a message without events.
  package mutating func append(
    _ frames: UnsafeBufferPointer<FrameTiming>, of head: TimingPages.Head
  ) {
    let generation = generation
    fields.append(5) { timings in
      timings.append(1, fixed64: generation)
      timings.append(2, fixed64: head.firstSequence)
      timings.append(3) { list in for frame in frames { list.append(varint: UInt64(frame.waitNs)) }
      }
      timings.append(4) { list in
        for frame in frames { list.append(varint: UInt64(frame.computeNs)) }
      }
      timings.append(5) { list in
        for frame in frames { list.append(varint: UInt64(frame.publishNs)) }
      }
      timings.append(6, varint: head.lateTicks)
    }
  }

  private mutating func appendEvent(time: Double, _ body: (inout FieldWriter) -> Void) {
    fields.append(4) { event in
      if time.bitPattern != 0 { event.append(1, fixed64: time.bitPattern) }
      body(&event)
    }
  }
}

extension FieldWriter {
  fileprivate mutating func append(_ kind: Orrery_Event.Kind) {
    append(2, varint: UInt64(kind.rawValue))
  }

  fileprivate mutating func append(
    _ kind: Orrery_Event.Kind, _ view: String, _ entity: Int, _ channel: ViewChannel
  ) {
    append(kind)
    append(3, view)
    append(4, varint: UInt64(entity))
    append(5, varint: UInt64(channel.property?.fieldNumber ?? 0))
  }
}
