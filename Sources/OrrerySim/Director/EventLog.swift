// SPDX-License-Identifier: Apache-2.0

/// Events that wait for somebody to take them: at most so many, of which the oldest are lost first.
///
/// They lie in chunks, so that a tick that tells a million of them copies none.
struct EventLog: ~Copyable {
  /// Events that may wait; 24 bytes each.
  let countMax: Int

  /// Events lost because nobody took them.
  private(set) var lostCount: UInt64 = 0

  private var chunks: [UnsafeMutablePointer<DirectorEvent>] = []

  /// Events that wait.
  private(set) var count = 0

  /// Where the oldest event stands once the log is full: from there on it is a ring.
  private var first = 0

  /// The next event's place, and that behind the last place of its chunk.
  private var place: UnsafeMutablePointer<DirectorEvent>
  private var end: UnsafeMutablePointer<DirectorEvent>

  /// 4096 events: 96 KiB, less than what the C library asks the kernel for at a time.
  static let chunkBits = 12

  /// So few events are copied: their chunk would have to be made anew.
  private static let copiedMax = 512

  init(countMax: Int) {
    self.countMax = max(countMax, 1)
    chunks = [.allocate(capacity: 1 << Self.chunkBits)]
    place = chunks[0]
    end = place + min(1 << Self.chunkBits, self.countMax)
  }

  deinit { for chunk in chunks { chunk.deallocate() } }

  mutating func append(_ event: DirectorEvent) {
    if place == end { makeRoom() }
    place.initialize(to: event)
    place += 1
    if count < countMax {
      count += 1
    } else {
      first = first + 1 == countMax ? 0 : first + 1
      lostCount += 1
    }
  }

  /// Goes on to the next chunk; behind the last one, when the log is full, to the first.
  private mutating func makeRoom() {
    let index = count < countMax ? count : first
    let chunk = index >> Self.chunkBits
    if chunk == chunks.count { chunks.append(.allocate(capacity: 1 << Self.chunkBits)) }
    place = chunks[chunk] + index & (1 << Self.chunkBits - 1)
    end = chunks[chunk] + min(1 << Self.chunkBits, countMax - chunk << Self.chunkBits)
  }

  /// Hands over all events and the memory that they lie in.
  ///
  /// - Returns: Nil if there are none.
  mutating func takeChunks() -> EventChunks? {
    guard count > 0 else { return nil }
    guard count > Self.copiedMax, first == 0 else { return EventChunks(takeAll()) }
    let taken = EventChunks(chunks, count: count)
    chunks = [.allocate(capacity: 1 << Self.chunkBits)]
    (count, first) = (0, 0)
    place = chunks[0]
    end = place + min(1 << Self.chunkBits, countMax)
    return taken
  }

  /// Takes all events, the oldest first.
  mutating func takeAll() -> [DirectorEvent] {
    // Swift writes to an empty array's count, which all threads share.
    guard count > 0 else { return [] }
    let taken = [DirectorEvent](unsafeUninitializedCapacity: count) { events, initializedCount in
      for index in 0..<count {
        let from = (first + index) % countMax
        events.initializeElement(
          at: index, to: chunks[from >> Self.chunkBits][from & (1 << Self.chunkBits - 1)])
      }
      initializedCount = count
    }
    for chunk in chunks.dropFirst() { chunk.deallocate() }
    chunks.removeLast(chunks.count - 1)
    (count, first) = (0, 0)
    place = chunks[0]
    end = place + min(1 << Self.chunkBits, countMax)
    return taken
  }
}
