// SPDX-License-Identifier: Apache-2.0

import OrreryTrace

/// Memory for messages that follow each other; nothing in it changes once it is complete.
final class FlightBlock: @unchecked Sendable {
  /// A message in a block.
  struct Entry: Sendable {
    let head: TraceMessageHead
    let bytes: Range<Int>
  }

  /// Bytes that it has room for.
  let capacity: Int

  private let memory: UnsafeMutableRawPointer
  private(set) var entries: [Entry] = []
  private var count = 0

  init(capacity: Int) {
    self.capacity = capacity
    memory = .allocate(byteCount: max(capacity, 1), alignment: 64)
  }

  deinit { memory.deallocate() }

  /// Bytes that are left.
  var room: Int { capacity - count }

  /// Log time of the last message; 0 if there is none.
  var lastNs: UInt64 { entries.last?.head.logTimeNs ?? 0 }

  /// Empties it, to be filled anew.
  func clear() {
    entries.removeAll(keepingCapacity: true)
    count = 0
  }

  /// Copies a message, for which there is room.
  ///
  /// - Returns: The result of `isIntact`; if it is false, the message is taken back.
  func append(
    _ head: TraceMessageHead, parts: [UnsafeRawBufferPointer], isIntact: () -> Bool
  ) -> Bool {
    let start = count
    var end = start
    for part in parts {
      guard let source = part.baseAddress else { continue }
      memory.advanced(by: end).copyMemory(from: source, byteCount: part.count)
      end += part.count
    }
    guard isIntact() else { return false }
    count = end
    entries.append(Entry(head: head, bytes: start..<end))
    return true
  }

  /// The bytes of a message.
  func bytes(_ entry: Entry) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      rebasing: UnsafeRawBufferPointer(start: memory, count: count)[entry.bytes])
  }
}
