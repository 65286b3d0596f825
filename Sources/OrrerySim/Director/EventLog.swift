// SPDX-License-Identifier: Apache-2.0

/// Recorded events that were not taken yet: at most `countMax`; the oldest are lost first.
///
/// They lie in chunks, so that a tick that records a million of them copies none.
struct EventLog: ~Copyable {
  /// Largest number of events; 24 bytes each.
  let countMax: Int

  /// Number of events that were lost because they were not taken in time.
  private(set) var lostCount: UInt64 = 0

  private var chunks: [UnsafeMutablePointer<DirectorEvent>] = []

  /// Chunks for a first burst, whose pages are there already.
  private var spare: [UnsafeMutablePointer<DirectorEvent>] = []

  /// Number of events.
  private(set) var count = 0

  /// Index of the oldest event; once the log is full, events wrap around from its end to its start.
  private var first = 0

  /// The address of the next event, and the end of its chunk.
  private var next: UnsafeMutablePointer<DirectorEvent>
  private var end: UnsafeMutablePointer<DirectorEvent>

  /// 4096 events: 96 KiB, below the size for which the C library asks the kernel each time.
  static let chunkBits = 12

  /// Up to this number, events are copied; more are handed over with their chunks, which are then
  /// replaced.
  private static let copiedMax = 512

  init(countMax: Int) {
    self.countMax = max(countMax, 1)
    chunks = [.allocate(capacity: 1 << Self.chunkBits)]
    next = chunks[0]
    end = next + min(1 << Self.chunkBits, self.countMax)
  }

  deinit { for chunk in chunks + spare { chunk.deallocate() } }

  /// Makes room for events that will come in one tick: the first time, their pages take longer than they do.
  mutating func reserve(_ eventCount: Int) {
    let chunkCount = min(eventCount, countMax) >> Self.chunkBits
    while spare.count < chunkCount {
      let chunk = UnsafeMutablePointer<DirectorEvent>.allocate(capacity: 1 << Self.chunkBits)
      chunk.initialize(
        repeating: DirectorEvent(time: 0, .completed(0)), count: 1 << Self.chunkBits)
      spare.append(chunk)
    }
  }

  mutating func append(_ event: DirectorEvent) {
    if next == end { makeRoom() }
    next.initialize(to: event)
    next += 1
    if count < countMax {
      count += 1
    } else {
      first = first + 1 == countMax ? 0 : first + 1
      lostCount += 1
    }
  }

  /// Continues in the next chunk; after the last one, when the log is full, in the first.
  private mutating func makeRoom() {
    let index = count < countMax ? count : first
    let chunk = index >> Self.chunkBits
    if chunk == chunks.count {
      chunks.append(spare.popLast() ?? .allocate(capacity: 1 << Self.chunkBits))
    }
    next = chunks[chunk] + index & (1 << Self.chunkBits - 1)
    end = chunks[chunk] + min(1 << Self.chunkBits, countMax - chunk << Self.chunkBits)
  }

  /// Hands over all events together with their memory.
  ///
  /// - Returns: Nil if there are none.
  mutating func takeChunks() -> EventChunks? {
    guard count > 0 else { return nil }
    guard count > Self.copiedMax, first == 0 else { return EventChunks(takeAll()) }
    let taken = EventChunks(chunks, count: count)
    chunks = [.allocate(capacity: 1 << Self.chunkBits)]
    (count, first) = (0, 0)
    next = chunks[0]
    end = next + min(1 << Self.chunkBits, countMax)
    return taken
  }

  /// Takes all events, the oldest first.
  mutating func takeAll() -> [DirectorEvent] {
    // An array of capacity 0 is one that all threads share, and Swift would write its count.
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
    next = chunks[0]
    end = next + min(1 << Self.chunkBits, countMax)
    return taken
  }
}
