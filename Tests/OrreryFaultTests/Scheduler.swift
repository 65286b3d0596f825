// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Synchronization
import TestSupport

/// The only source of time and chance in a simulated run.
///
/// Events wait in the order of their virtual times; those of one time in an order drawn from the seed.
/// An actor that is at work can be interrupted: then events of others run before it goes on, as if the
/// kernel had given the processor to them. So every order of steps of different processes can come about.
final class Scheduler {
  private struct Event {
    let timeNs: UInt64
    let order: UInt64
    let run: () -> Void
  }

  /// The time, also for what runs in other threads.
  let clock = VirtualClock()

  private(set) var nowNs: UInt64 {
    get { clock.nowNs }
    set { clock.nowNs = newValue }
  }

  private(set) var log = EventLog()
  var random: SeededRandom

  /// From when on no process is kept from running for long, so that all come to an end.
  var calmNs: UInt64 = 0

  /// What was found wrong.
  private(set) var problems: [String] = []

  /// A binary heap.
  private var events: [Event] = []

  /// Events that run within events.
  private var depth = 0

  /// Points of the code at which this seed makes trouble; see `buggify`.
  private let active: Set<Trouble>

  init(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    active = Set(Trouble.allCases.filter { _ in Int.random(in: 0..<4, using: &random) == 0 })
    self.random = random
  }

  func note(_ actor: String, _ what: String, _ number: UInt64 = 0) {
    log.note(nowNs, actor, what, number)
  }

  func fail(_ problem: String) {
    note("checker", problem)
    problems.append(problem)
  }

  /// Whether trouble is to be made here: a quarter of the points in a quarter of the seeds each, as in
  /// FoundationDB's simulator, so that no kind of trouble hides another.
  func buggify(_ trouble: Trouble) -> Bool { active.contains(trouble) && chance(4) }

  /// True once in so many times.
  func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

  func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  func timeNs(_ range: ClosedRange<UInt64>) -> UInt64 { UInt64.random(in: range, using: &random) }

  // MARK: - Events

  func after(_ delayNs: UInt64, _ run: @escaping () -> Void) {
    events.append(Event(timeNs: nowNs + delayNs, order: random.next(), run: run))
    var child = events.count - 1
    while child > 0, isBefore(child, (child - 1) / 2) {
      events.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Runs until nothing is left to happen, or the time is over.
  func run(until endNs: UInt64) {
    while let next = events.first, next.timeNs <= endNs { runNext() }
  }

  /// Gives the processor away in the midst of an actor's work: mostly not at all or for a moment, seldom
  /// for long.
  func interrupt() {
    guard depth <= Self.depthMost, chance(3) else { return }
    var endNs = nowNs
    if nowNs < calmNs, buggify(.longPreemption) {
      endNs += timeNs(1_000_000...2_000_000_000)
    } else if chance(2) {
      endNs += timeNs(1_000...20_000_000)
    }
    depth += 1
    defer { depth -= 1 }
    var left = Self.eventsMost
    while let next = events.first, next.timeNs <= endNs, left > 0 {
      runNext()
      left -= 1
    }
    nowNs = max(nowNs, endNs)
  }

  /// Processes interrupted while others are; more are on no stack of ours.
  private static let depthMost = 4

  /// Events in one interruption: a backstop.
  private static let eventsMost = 500

  private func runNext() {
    let event = events[0]
    events.swapAt(0, events.count - 1)
    events.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < events.count {
        if isBefore(child, least) { least = child }
      }
      if least == parent { break }
      events.swapAt(least, parent)
      parent = least
    }
    nowNs = max(nowNs, event.timeNs)
    event.run()
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    (events[one].timeNs, events[one].order) < (events[other].timeNs, events[other].order)
  }
}

/// A scheduler's time, which only events move.
final class VirtualClock: Sendable {
  private let ns = Atomic<UInt64>(0)

  fileprivate(set) var nowNs: UInt64 {
    get { ns.load(ordering: .relaxed) }
    set { ns.store(newValue, ordering: .relaxed) }
  }
}

/// Kinds of trouble that a seed has or has not.
enum Trouble: CaseIterable {
  case longPreemption
  case announcementDropped
  case announcementTwice
  case announcementLate
  case readerStopped
  case simStopped
  case slowDisk
  case shortWrite
  case interruptedWrite
  case failingWrite
  case failingReserve
  case fullDisk
  case slowUse
  case stalledPin
}
