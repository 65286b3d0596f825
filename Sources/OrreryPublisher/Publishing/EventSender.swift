// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrreryScene
import OrrerySim
import OrreryWire

/// Numbers a run's events; encodes and sends them, and the timings of frames, on a thread of its own.
///
/// The sim's loop only hands over the memory that holds a tick's events. The queue is bounded: if
/// it is full, events are dropped but keep their numbers, so that every subscriber can count what
/// it missed.
package final class EventSender: @unchecked Sendable {
  private let views: [ViewPlan]
  private let firstEntity: Int
  private let batch: Int?
  private let announcer: EventAnnouncer
  private let queue = Monitor(Queue())
  private var encoder: EventEncoder
  private var thread: BackgroundThread?

  /// How long frames took; the loop adds to it.
  package let timings = TimingPages()

  /// Used by the sender's thread only: the number after the last event that was sent.
  private var nextNumber: UInt64 = 1

  /// Names of completions: the scene's, then those of commands.
  private let completions: Monitor<[String]>
  private let plannedCompletionCount: Int

  /// Events so far; used by the loop's thread only.
  private(set) var numberedCount: UInt64 = 0
  private var droppedCount: UInt64 = 0

  /// Number of the lost events of the world that already have numbers.
  private var lostCount: UInt64 = 0

  private struct Queue {
    var items: [Item] = []
    var eventCount = 0
    var isEnding = false
    var expectsSubscriber = false
    /// Also gets every message.
    var listener: (@Sendable ([UInt8]) -> Void)?
    /// Says whether anybody listens; nil: nobody does.
    var isHeard: (@Sendable () -> Bool)?
  }

  private enum Item: Sendable {
    case events(EventChunks, firstNumber: UInt64, tick: UInt64)
    case command(String, number: UInt64, tick: UInt64, seconds: Double)
    case keep(number: UInt64, tick: UInt64, seconds: Double)
  }

  /// Events that may be queued: 24 bytes each.
  private static let waitingMax = 1 << 21

  /// Items that may be queued.
  private static let itemsMax = 1 << 14

  /// Names of completions that commands may add.
  private static let completionsMax = 10_000

  /// Starts the thread.
  ///
  /// - Throws: `SystemCallError`.
  package init(
    _ plan: ScenePlan, generation: UInt64, announcer: EventAnnouncer
  ) throws(SystemCallError) {
    batch = plan.viewsBatch
    firstEntity = batch.map { plan.firstEntities[$0] } ?? 0
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
    // The thread is joined in `finish`, which `deinit` also calls. A counted reference would keep this
    // sender as long as the thread runs.
    thread = try BackgroundThread { [unowned(unsafe) self] in serve() }
  }

  deinit { finish() }

  /// The index of a completion that a command names; a new name gets the next index.
  ///
  /// - Returns: Nil if there are too many names; then the completion is not recorded.
  package func index(ofCompletion name: String) -> Int? {
    completions.change { names in
      if let known = names.firstIndex(of: name) { return known }
      guard names.count < plannedCompletionCount + Self.completionsMax else { return nil }
      names.append(name)
      return names.count - 1
    }
  }

  /// Takes the events of the tick that was just made, and queues them for sending.
  package func send(_ maker: any FrameMaker, tick: UInt64) {
    guard let batch, let chunks = maker.takeEventChunks(batch: batch) else { return }
    let lost = maker.lostEventCount
    numberedCount += lost - lostCount
    droppedCount += lost - lostCount
    lostCount = lost
    let first = numberedCount + 1
    numberedCount += UInt64(chunks.count)
    put(.events(chunks, firstNumber: first, tick: tick), count: chunks.count)
  }

  /// Queues the event of an applied command.
  package func send(command: String, tick: UInt64, seconds: Double) {
    numberedCount += 1
    put(.command(command, number: numberedCount, tick: tick, seconds: seconds), count: 1)
  }

  /// Queues an event that asks recorders to keep what they have.
  package func sendKeep(tick: UInt64, seconds: Double) {
    numberedCount += 1
    put(.keep(number: numberedCount, tick: tick, seconds: seconds), count: 1)
  }

  private func put(_ item: Item, count: Int) {
    let isPut = queue.change { queue in
      // An empty queue takes any number of events: the world limits those of one tick.
      guard queue.items.count < Self.itemsMax,
        queue.items.isEmpty || queue.eventCount + count <= Self.waitingMax
      else { return false }
      queue.items.append(item)
      queue.eventCount += count
      return true
    }
    if !isPut { droppedCount += UInt64(count) }
  }

  /// Sends all queued events and then the final count, and ends the thread.
  package func finish() {
    guard let thread else { return }
    timings.close()
    queue.change { $0.isEnding = true }
    thread.join()
    self.thread = nil
    encoder.begin(firstNumber: numberedCount + 1, tick: 0)
    deliver(encoder.bytes)
    queue.change { ($0.listener, $0.isHeard) = (nil, nil) }
  }

  /// Looks often for a subscriber that is about to connect, which waits until it is known.
  package func expectSubscriber() { queue.change { $0.expectsSubscriber = true } }

  /// Sets a closure that says whether anybody listens: timings are sent only then.
  package func setAudience(_ isHeard: @escaping @Sendable () -> Bool) {
    queue.change { $0.isHeard = isHeard }
  }

  /// Sets a closure that also gets every message, on the sender's thread.
  package func setListener(_ listener: @escaping @Sendable ([UInt8]) -> Void) {
    queue.change { $0.listener = listener }
  }

  private func deliver(_ message: [UInt8]) {
    announcer.send(message)
    queue.read { $0.listener }?(message)
  }

  /// Counts of events, for `stats` replies.
  package var stats: [String: DocumentValue] {
    ["events_total": .count(numberedCount), "events_dropped": .count(droppedCount)]
  }
}

// MARK: - The thread

extension EventSender {
  /// Longest wait for items before the announcer takes account of subscribers.
  private static let pollNs: UInt64 = 200_000_000

  /// The same while a subscriber is expected, and how long one is.
  private static let (hurriedPollNs, hurriedNs): (UInt64, UInt64) = (2_000_000, 1_000_000_000)

  private func serve() {
    var hurriedUntilNs: UInt64 = 0
    while true {
      let isHurried = Clock.monotonicNs() < hurriedUntilNs
      let found: (items: [Item], isOver: Bool)? = queue.wait(
        atMostNs: isHurried ? Self.hurriedPollNs : Self.pollNs
      ) { queue in
        if queue.expectsSubscriber {
          queue.expectsSubscriber = false
          hurriedUntilNs = Clock.monotonicNs() + Self.hurriedNs
        } else if queue.items.isEmpty, !queue.isEnding {
          return nil
        }
        defer { (queue.items, queue.eventCount) = ([], 0) }
        return (queue.items, queue.items.isEmpty && queue.isEnding)
      }
      // A send of ZeroMQ looks for new subscribers only sometimes: a run may be over before it does.
      announcer.takeSubscriptions()
      guard let found else {
        sendTimings()
        continue
      }
      for item in found.items { send(item) }
      sendTimings()
      if found.isOver { return }
    }
  }

  /// Sends the timings of the frames of the last second, in messages without events.
  private func sendTimings() {
    var isHeard: Bool?
    timings.take { head, frames in
      if isHeard == nil { isHeard = queue.read { $0.isHeard }?() ?? false }
      guard isHeard == true else { return }
      encoder.begin(firstNumber: nextNumber, tick: 0)
      encoder.append(frames, of: head)
      deliver(encoder.bytes)
    }
  }

  private func send(_ item: Item) {
    switch item {
    case .command(let text, let number, let tick, let seconds):
      encoder.begin(firstNumber: number, tick: tick)
      encoder.append(command: text, time: seconds)
      deliver(encoder.bytes)
      nextNumber = number + 1
    case .keep(let number, let tick, let seconds):
      encoder.begin(firstNumber: number, tick: tick)
      encoder.appendKeep(time: seconds)
      deliver(encoder.bytes)
      nextNumber = number + 1
    case .events(let chunks, let firstNumber, let tick):
      let completions = completions.read { $0 }
      encoder.begin(firstNumber: firstNumber, tick: tick)
      for index in 0..<chunks.count {
        if encoder.isFull {
          deliver(encoder.bytes)
          encoder.begin(firstNumber: firstNumber + UInt64(index), tick: tick)
        }
        let event = chunks[index]
        encoder.append(event, name: name(event, completions), firstEntity: firstEntity)
      }
      deliver(encoder.bytes)
      nextNumber = firstNumber + UInt64(chunks.count)
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
