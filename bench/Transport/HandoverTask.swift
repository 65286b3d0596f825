// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The task of a writer and its readers: one of Orrery's rows.
package struct HandoverTask: Codable, Sendable {
  /// A measured quantity.
  package enum Measure: String, Codable {
    /// Time from publishing until a reader has read the stamp in place and validated the frame.
    case latency
    /// Frames per second.
    case rate
    /// Time that publishing takes on the publishing thread.
    case cost
    /// Frames per second to another machine, simulated by TCP loopback.
    case remote
  }

  /// How readers learn of a frame; the names are those of `Waiting`.
  package enum Wait: String, Codable {
    case spin, futex, announcement
  }

  /// The measured quantity.
  package var measure: Measure
  /// How readers learn of a frame.
  package var waiting = Wait.spin
  /// Bytes of a frame, as closely as its head and alignment allow.
  package var frameBytes: Int
  /// Slots of the ring.
  package var slotCount: UInt64 = 64
  /// Readers, each a process.
  package var readerCount = 1
  /// Whether to read through `Subscription`, as subscribers do; otherwise through `FrameReader`.
  package var subscribes = false
  /// Whether the frame is copied in and out, or only handed over.
  package var copies = false
  /// Whether the writer never waits; otherwise it waits for readers of the slot to overwrite.
  package var isFree = false

  /// Reads a word of the command line; nil if it is not a task, or out of range.
  package init?(text: String) {
    guard let task = JSONLine.read(text.utf8, as: Self.self),
      (63...FrameShape.bytesMax).contains(task.frameBytes), (2...65_536).contains(task.slotCount),
      (0...HandoverMemory.readersMax).contains(task.readerCount)
    else { return nil }
    self = task
  }

  /// Whether writer and readers are pinned to processors: only if no other thread takes part.
  package var isPinned: Bool {
    switch measure {
    case .latency: waiting != .announcement
    case .rate: true
    case .cost, .remote: false
    }
  }

  /// How its frames are handed over.
  package var way: HandoverWay {
    switch (measure, waiting) {
    case (.rate, _): HandoverWay(copies: copies, isFree: isFree)
    case (.remote, _): .wire
    case (.latency, .spin), (.cost, .spin): .spin
    case (.latency, .futex), (.cost, .futex): .futex
    case (.latency, .announcement), (.cost, .announcement): .announcement
    }
  }

  /// Frames between two reports of a reader to the writer.
  package var framesPerReport: UInt64 { max(slotCount / 8, 1) }

  /// A task with defaults for the rest.
  package init(_ measure: Measure, frameBytes: Int) {
    self.measure = measure
    self.frameBytes = frameBytes
  }

  /// The task as a word of the command line.
  package var text: String { JSONLine.text(self) }
}
