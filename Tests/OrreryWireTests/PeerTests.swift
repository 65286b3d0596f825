// SPDX-License-Identifier: Apache-2.0

import OrreryWire
import Testing

/// Goal: a client can ask a thousand times at once and four thousand times a second, and is forgotten when it says
/// nothing for ten seconds.
///
/// Method: times that are made up.
@Suite struct PeerTests {
  private static let second: UInt64 = 1_000_000_000

  private static func peer() -> Peer {
    Peer(
      WireRequest(
        peer: [1], bytes: [], hasMore: false, descriptor: -1, key: nil, isLocal: true),
      nowNs: second)
  }

  private static func pay(_ peer: inout Peer, _ price: Double, nowNs: UInt64) -> Bool {
    peer.pay(price, nowNs: nowNs)
  }

  /// How often it can pay a price at one time.
  private static func paidCount(_ peer: inout Peer, _ price: Double, nowNs: UInt64) -> Int {
    var count = 0
    while count < 10_000, peer.pay(price, nowNs: nowNs) { count += 1 }
    return count
  }

  @Test func aThousandCanBePaidAtOnce() {
    var peer = Self.peer()
    #expect(Self.paidCount(&peer, 1, nowNs: Self.second) == 1_000)
    // What costs nothing can be had all the same.
    #expect(Self.pay(&peer, 0, nowNs: Self.second))
    var other = Self.peer()
    #expect(Self.paidCount(&other, 300, nowNs: Self.second) == 3)
    #expect(Self.paidCount(&other, 1, nowNs: Self.second) == 100)
  }

  @Test func whatIsTooDearTakesNothing() {
    var peer = Self.peer()
    #expect(!Self.pay(&peer, 1_001, nowNs: Self.second))
    #expect(Self.pay(&peer, 1_000, nowNs: Self.second))
  }

  @Test func allowanceComesBackWithTimeUpToItsMost() {
    var peer = Self.peer()
    #expect(Self.paidCount(&peer, 1, nowNs: Self.second) == 1_000)
    var nowNs = Self.second + Self.second / 8
    #expect(Self.paidCount(&peer, 1, nowNs: nowNs) == 500)
    nowNs += Self.second / 16
    #expect(Self.paidCount(&peer, 1, nowNs: nowNs) == 250)
    // An hour saves up no more than the most.
    nowNs += 3_600 * Self.second
    #expect(Self.paidCount(&peer, 1, nowNs: nowNs) == 1_000)
  }

  @Test func whoSaysNothingForTenSecondsIsIdle() {
    var peer = Self.peer()
    #expect(!peer.isIdle(nowNs: 11 * Self.second))
    #expect(peer.isIdle(nowNs: 11 * Self.second + 1))
    // Not while an answer is owed.
    peer.openCount = 1
    #expect(!peer.isIdle(nowNs: 100 * Self.second))
    peer.openCount = 0
    // A request, paid or not, begins the time anew.
    #expect(!Self.pay(&peer, 5_000, nowNs: 20 * Self.second))
    #expect(!peer.isIdle(nowNs: 30 * Self.second))
    #expect(peer.isIdle(nowNs: 30 * Self.second + 1))
  }
}
