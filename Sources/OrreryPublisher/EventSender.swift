// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryScene
import OrrerySim
import OrreryWire

/// Numbers what happens in a run and sends it from a thread of its own.
///
/// The sim's loop hands over the memory that events lie in and goes on; they are encoded and sent elsewhere.
/// What waits is bounded: beyond that, events are dropped and only their numbers are used up, so that every
/// subscriber knows what it missed.
package final class EventSender: @unchecked Sendable {
  private let views: [ViewPlan]
  private let firstEntity: Int
  private let batch: Int?
  private let announcer: EventAnnouncer
  private let queue = Monitor(Queue())
  private var encoder: EventEncoder
  private var thread: BackgroundThread?

  /// Names of completions: the scene's, and those that commands brought.
  private let completions: Monitor<[String]>
  private let plannedCompletionCount: Int

  /// Touched by the loop alone.
  private var numberedCount: UInt64 = 0
  private var droppedCount: UInt64 = 0

  /// The log's own losses that have numbers already.
  private var lostCount: UInt64 = 0

  private struct Queue {
    var items: [Item] = []
    var eventCount = 0
    var isEnding = false
    /// Takes every message too.
    var listener: (@Sendable ([UInt8]) -> Void)?
  }

  private enum Item: Sendable {
    case events(EventChunks, firstNumber: UInt64, tick: UInt64)
    case command(String, number: UInt64, tick: UInt64, seconds: Double)
  }

  /// Events that may wait: 24 bytes each.
  private static let waitingMax = 1 << 21

  /// Items that may wait.
  private static let itemsMax = 1 << 14

  /// Names of completions that commands may bring.
  private static let completionsMax = 10_000

  /// Starts the thread.
  ///
  /// - Throws: `SystemCallError`.
  package init(
    _ plan: ScenePlan, generation: UInt64, announcer: EventAnnouncer
  ) throws(SystemCallError) {
    batch = plan.viewsBatch
    firstEntity = plan.batches.prefix(batch ?? 0).reduce(0) { $0 + $1.count }
    var completions: [String] = []
    if let batch, case .views(let plan) = plan.batches[batch] {
      views = plan.views
      completions = plan.completions
    } else {
      views = []
    }
    plannedCompletionCount = completions.count
    self.completions = Monitor(completions)
    self.announcer = announcer
    encoder = EventEncoder(generation: generation)
    // The thread is joined in `finish`, or when its owner goes.
    thread = try BackgroundThread { [unowned(unsafe) self] in serve() }
  }

  deinit { finish() }

  /// The index of a completion that a command names; a new one gets the next.
  ///
  /// - Returns: Nil if there are too many: it is not told then.
  package func index(ofCompletion name: String) -> Int? {
    completions.change { names in
      if let known = names.firstIndex(of: name) { return known }
      guard names.count < plannedCompletionCount + Self.completionsMax else { return nil }
      names.append(name)
      return names.count - 1
    }
  }

  /// Takes what happened in the tick that was placed, and sends it.
  package func send(_ world: World, tick: UInt64) {
    guard let batch, let chunks = world.takeEventChunks(batch: batch) else { return }
    let lost = world.lostEventCount
    numberedCount += lost - lostCount
    droppedCount += lost - lostCount
    lostCount = lost
    let first = numberedCount + 1
    numberedCount += UInt64(chunks.count)
    put(.events(chunks, firstNumber: first, tick: tick), count: chunks.count)
  }

  /// Tells that a command was applied.
  package func send(command: String, tick: UInt64, seconds: Double) {
    numberedCount += 1
    put(.command(command, number: numberedCount, tick: tick, seconds: seconds), count: 1)
  }

  private func put(_ item: Item, count: Int) {
    let isPut = queue.change { queue in
      // One tick's events are taken however many they are: the log bounds them.
      guard queue.items.count < Self.itemsMax,
        queue.items.isEmpty || queue.eventCount + count <= Self.waitingMax
      else { return false }
      queue.items.append(item)
      queue.eventCount += count
      return true
    }
    if !isPut { droppedCount += UInt64(count) }
  }

  /// Sends what waits, tells how many events there were, and ends the thread.
  package func finish() {
    guard let thread else { return }
    queue.change { $0.isEnding = true }
    thread.join()
    self.thread = nil
    encoder.begin(firstNumber: numberedCount + 1, tick: 0)
    tell(encoder.bytes)
    queue.change { $0.listener = nil }
  }

  /// Hands every message to a closure too, on the sender's thread.
  package func setListener(_ listener: @escaping @Sendable ([UInt8]) -> Void) {
    queue.change { $0.listener = listener }
  }

  private func tell(_ message: [UInt8]) {
    announcer.send(message)
    queue.read { $0.listener }?(message)
  }

  /// What there is to be said of events.
  package var stats: [String: ControlValue] {
    ["events_total": .count(numberedCount), "events_dropped": .count(droppedCount)]
  }
}

// MARK: - The thread

extension EventSender {
  /// Between two looks of a thread that has nothing to send.
  private static let lookNs: UInt64 = 200_000_000

  private func serve() {
    while true {
      let found: (items: [Item], isOver: Bool)? = queue.wait(atMostNs: Self.lookNs) { queue in
        guard !queue.items.isEmpty || queue.isEnding else { return nil }
        defer { (queue.items, queue.eventCount) = ([], 0) }
        return (queue.items, queue.items.isEmpty)
      }
      guard let found else {
        announcer.look()
        continue
      }
      if found.isOver { return }
      for item in found.items { send(item) }
    }
  }

  private func send(_ item: Item) {
    switch item {
    case .command(let text, let number, let tick, let seconds):
      encoder.begin(firstNumber: number, tick: tick)
      encoder.append(command: text, time: seconds)
      tell(encoder.bytes)
    case .events(let chunks, let firstNumber, let tick):
      let completions = completions.read { $0 }
      encoder.begin(firstNumber: firstNumber, tick: tick)
      for index in 0..<chunks.count {
        if encoder.isFull {
          tell(encoder.bytes)
          encoder.begin(firstNumber: firstNumber + UInt64(index), tick: tick)
        }
        let event = chunks[index]
        encoder.append(event, name: name(event, completions), firstEntity: firstEntity)
      }
      tell(encoder.bytes)
    }
  }

  private func name(_ event: DirectorEvent, _ completions: [String]) -> String {
    switch event.kind {
    case .legEnded(let view, _, _), .logicallyComplete(let view, _), .removed(let view, _, _):
      views.indices.contains(view) ? views[view].name : ""
    case .completed(let index): completions.indices.contains(index) ? completions[index] : ""
    }
  }
}
