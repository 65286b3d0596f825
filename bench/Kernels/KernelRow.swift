// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// Bytes that an entity moves at a tick.
struct Traffic: Hashable, Sendable {
  /// Only read.
  var reads: Double
  /// Read and written in place.
  var updates: Double
  /// Only written.
  var writes: Double

  /// Loaded and stored.
  var bytes: Double { reads + 2 * updates + writes }
}

/// What is timed: somebody's way of moving so many entities of a kind.
final class KernelRow {
  /// Who it is.
  enum Subject: String, Sendable {
    /// Orrery's kernels.
    case ours
    /// Another way to do the same.
    case peer
    /// The bytes without the arithmetic.
    case limit
  }

  let subject: Subject
  /// In words of the table.
  let name: String
  /// What the peer's library is called, which several rows may share; empty for Orrery.
  let family: String
  let count: Int
  /// Nil where nobody knows: objects are anywhere.
  let traffic: Traffic?
  let ticksPerCall: Int
  var threads = 1
  /// Of Orrery's rows only.
  var isa: String?
  var hashes = false
  var isFixed = false
  /// Orrery's state hash at `hashTick`.
  var hash: UInt64?
  /// A peer that is right at first and wrong after an hour.
  var drifts = false
  /// Additions and multiplications; 0 where unknown.
  var operations = 0

  private let call: () -> Void
  /// Nanoseconds of an entity and a tick.
  private(set) var rounds = Rounds()
  private var callNs: UInt64 = 0

  /// The tick at which hashes are compared.
  static let hashTick: UInt64 = 1000

  /// Takes what moves on by `ticksPerCall` ticks at each call.
  init(
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
  func warmUp() { call() }

  /// Goes on until everything has started that starts late.
  func start() {
    guard subject == .peer else { return }
    for _ in 0..<Self.startTicks { call() }
  }

  /// Two seconds.
  private static let startTicks = 121

  /// Measures one round.
  ///
  /// A row whose one call takes longer than four rounds should is measured three times and then left out:
  /// it is so slow that nobody asks for its third digit.
  func measure(ns: UInt64) {
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
    callNs = (end - begin) / UInt64(count)
    rounds.add(Double(end - begin) / Double(count * self.count * ticksPerCall))
  }
}
