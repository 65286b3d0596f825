// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Memory traffic per entity and tick, in bytes.
package struct Traffic: Hashable, Sendable {
  /// Bytes only read.
  package var reads: Double
  /// Bytes read and written in place.
  package var updates: Double
  /// Bytes only written.
  package var writes: Double

  /// Creates a traffic per entity and tick.
  package init(reads: Double, updates: Double, writes: Double) {
    (self.reads, self.updates, self.writes) = (reads, updates, writes)
  }

  /// Bytes loaded and stored.
  package var bytes: Double { reads + 2 * updates + writes }
}

/// A timed row: one way to do something with a count of entities, and the times of its rounds.
package final class BenchRow {
  /// The owner of the row.
  package let subject: StudyRow.Subject
  /// The name in the table.
  package let name: String
  /// The name of the peer's library, which several rows may share; empty for Orrery.
  package let family: String
  /// Entities of a call.
  package let count: Int
  /// Nil if unknown, as for objects on the heap.
  package let traffic: Traffic?
  /// Ticks that one call computes.
  package let ticksPerCall: Int
  /// Threads that share the work.
  package var threads = 1
  /// The instruction set, for Orrery's rows only.
  package var isa: String?
  /// Whether the state hash is computed as well.
  package var hashes = false
  /// Whether columns have 16 bits.
  package var isFixed = false
  /// Orrery's state hash at `hashTick`.
  package var hash: UInt64?
  /// Whether a peer is right after some seconds but wrong after an hour.
  package var drifts = false
  /// Additions and multiplications per entity and tick; 0 if unknown.
  package var operations = 0

  private let call: () -> Void
  /// Nanoseconds per entity and tick.
  package private(set) var rounds = Rounds()
  private var callNs: UInt64 = 0

  /// The tick at which hashes are compared.
  package static let hashTick: UInt64 = 1000

  /// Creates a row; each `call` advances by `ticksPerCall` ticks.
  ///
  /// A row without a call gets its rounds by `add`.
  package init(
    _ subject: StudyRow.Subject, name: String, family: String, count: Int, traffic: Traffic?,
    ticksPerCall: Int = 1, call: @escaping () -> Void = {}
  ) {
    self.subject = subject
    self.name = name
    self.family = family
    self.count = count
    self.traffic = traffic
    self.ticksPerCall = ticksPerCall
    self.call = call
  }

  /// Calls once, to map the memory and train the branch predictors.
  package func warmUp() { call() }

  /// Advances a peer until all entities with a late start have started.
  package func start() {
    guard subject == .peer else { return }
    for _ in 0..<Self.startTicks { call() }
  }

  /// Two seconds of ticks, and one more.
  private static let startTicks = 121

  /// Measures one round.
  ///
  /// A row whose single call takes longer than four rounds is measured only three times: a third digit of it
  /// is not needed.
  package func measure(ns: UInt64) {
    if rounds.count >= 3 && callNs > 4 * ns { return }
    // Catch up with ticks that other rows computed, and bring small data back into the caches.
    if subject == .ours || callNs < ns { call() }
    var count = 0
    let begin = Clock.monotonicNs()
    var end = begin
    repeat {
      call()
      count += 1
      end = Clock.monotonicNs()
    } while end < begin + ns
    add(ns: end - begin, calls: count)
  }

  /// Adds a round of `calls` calls that took `ns` together.
  package func add(ns: UInt64, calls: Int) {
    callNs = ns / UInt64(calls)
    rounds.add(Double(ns) / Double(calls * count * ticksPerCall))
  }
}
