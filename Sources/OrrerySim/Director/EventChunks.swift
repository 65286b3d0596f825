// SPDX-License-Identifier: Apache-2.0

/// Events of one or more ticks, the oldest first, on their way to another thread.
package final class EventChunks: @unchecked Sendable {
  /// Number of events.
  package let count: Int

  private let chunks: [UnsafeMutablePointer<DirectorEvent>]

  /// Takes over memory that an event log filled; all chunks but the last are full.
  init(_ chunks: [UnsafeMutablePointer<DirectorEvent>], count: Int) {
    self.chunks = chunks
    self.count = count
  }

  /// Copies events into as many chunks as are needed.
  init(_ events: [DirectorEvent]) {
    count = events.count
    let capacity = 1 << EventLog.chunkBits
    chunks = stride(from: 0, to: events.count, by: capacity).map { first in
      let part = events[first..<min(first + capacity, events.count)]
      let chunk = UnsafeMutablePointer<DirectorEvent>.allocate(capacity: part.count)
      for (index, event) in part.enumerated() { (chunk + index).initialize(to: event) }
      return chunk
    }
  }

  deinit { for chunk in chunks { chunk.deallocate() } }

  /// The event at an index; 0 is the oldest.
  package subscript(index: Int) -> DirectorEvent {
    precondition(index >= 0 && index < count, "event \(index) of \(count)")
    return chunks[index >> EventLog.chunkBits][index & (1 << EventLog.chunkBits - 1)]
  }
}
