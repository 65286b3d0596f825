// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Bytes that an entity moves at a tick.
package struct Traffic: Hashable, Sendable {
  /// Only read.
  package var reads: Double
  /// Read and written in place.
  package var updates: Double
  /// Only written.
  package var writes: Double

  /// Bytes of an entity and a tick.
  package init(reads: Double, updates: Double, writes: Double) {
    (self.reads, self.updates, self.writes) = (reads, updates, writes)
  }

  /// Loaded and stored.
  package var bytes: Double { reads + 2 * updates + writes }
}

/// What is timed: somebody's way of moving so many entities of a kind.
package final class KernelRow {
  /// Who it is.
  package enum Subject: String, Sendable {
    /// Orrery's kernels.
    case ours
    /// Another way to do the same.
    case peer
    /// The bytes without the arithmetic.
    case limit
  }

  /// Whose row it is.
  package let subject: Subject
  /// In words of the table.
  package let name: String
  /// What the peer's library is called, which several rows may share; empty for Orrery.
  package let family: String
  /// Entities of a call.
  package let count: Int
  /// Nil where nobody knows: objects are anywhere.
  package let traffic: Traffic?
  /// Ticks that one call computes.
  package let ticksPerCall: Int
  /// Threads that share the work.
  package var threads = 1
  /// Of Orrery's rows only.
  package var isa: String?
  /// Whether the state hash is computed, too.
  package var hashes = false
  /// Whether columns have 16 bits.
  package var isFixed = false
  /// Orrery's state hash at `hashTick`.
  package var hash: UInt64?
  /// A peer that is right at first and wrong after an hour.
  package var drifts = false
  /// Additions and multiplications; 0 where unknown.
  package var operations = 0

  private let call: () -> Void
  /// Nanoseconds of an entity and a tick.
  package private(set) var rounds = Rounds()
  private var callNs: UInt64 = 0

  /// The tick at which hashes are compared.
  package static let hashTick: UInt64 = 1000

  /// Takes what moves on by `ticksPerCall` ticks at each call.
  package init(
    _ subject: Subject, name: String, family: String, count: Int, traffic: Traffic?,
    ticksPerCall: Int = 1, call: @escaping () -> Void
  ) {
    self.subject = subject
    self.name = name
    self.family = family
    self.count = count
    self.traffic = traffic
    self.ticksPerCall = ticksPerCall
    self.call = call
  }

  /// Calls once, so that memory is there and predictions are made.
  package func warmUp() { call() }

  /// Goes on until everything has started that starts late.
  package func start() {
    guard subject == .peer else { return }
    for _ in 0..<Self.startTicks { call() }
  }

  /// Two seconds.
  private static let startTicks = 121

  /// Measures one round.
  ///
  /// A row whose one call takes longer than four rounds should is measured three times and then left out:
  /// it is so slow that nobody asks for its third digit.
  package func measure(ns: UInt64) {
    if rounds.count >= 3 && callNs > 4 * ns { return }
    // Takes up what others moved on with, and brings small data back into the caches.
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

  /// Adds a round in which so many calls took so long together.
  package func add(ns: UInt64, calls: Int) {
    callNs = ns / UInt64(calls)
    rounds.add(Double(ns) / Double(calls * count * ticksPerCall))
  }
}
