// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// What a writer and its readers are to do: one row of Orrery's.
package struct HandoverTask: Codable, Sendable {
  /// What is measured.
  package enum Measure: String, Codable {
    /// From publishing to the stamp that was read in place and validated.
    case latency
    /// Frames per second.
    case rate
    /// What publishing costs the thread that does it.
    case cost
    /// Frames per second to another machine, as it were.
    case remote
  }

  /// How readers learn of a frame; the names are those of `Waiting`.
  package enum Wait: String, Codable {
    case spin, futex, announcement
  }

  /// What is measured.
  package var measure: Measure
  /// How readers learn of a frame.
  package var waiting = Wait.spin
  /// Bytes of a frame, as near as its head and alignment allow.
  package var frameBytes: Int
  /// Slots of the ring.
  package var slotCount: UInt64 = 64
  /// Readers, each a process.
  package var readerCount = 1
  /// Through `Subscription`, as subscribers read; otherwise by `FrameReader` alone.
  package var subscribes = false
  /// Whether the frame is copied in and out, or only handed over.
  package var copies = false
  /// Whether the writer goes on whatever readers do; otherwise it waits for what it would overwrite.
  package var isFree = false

  /// The task that a word of the command line says; nil if it says none.
  package init?(text: String) {
    guard let task = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)),
      (63...FrameShape.bytesMax).contains(task.frameBytes), (2...65_536).contains(task.slotCount),
      (0...HandoverMemory.readersMax).contains(task.readerCount)
    else { return nil }
    self = task
  }

  /// Whether writer and reader keep to a processor each: only where no other thread takes part.
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

  /// Frames between two words of a reader to a writer that waits for it.
  package var toldFrames: UInt64 { max(slotCount / 8, 1) }

  /// A task with defaults for the rest.
  package init(_ measure: Measure, frameBytes: Int) {
    self.measure = measure
    self.frameBytes = frameBytes
  }

  /// As a word of the command line.
  package var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
