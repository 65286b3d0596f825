// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import Testing

/// Goal: a connection that does not ask to join is closed after a second, or when there are too many.
///
/// Method: no sockets and no clock. Connections are numbers, and times are made up.
@Suite struct HandshakesTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func silentConnectionHasASecond() {
    var handshakes = Handshakes()
    #expect(handshakes.nextSilentNs == nil)
    #expect(handshakes.accept(3, nowNs: 5) == nil)
    #expect(handshakes.accept(4, nowNs: 7) == nil)
    #expect(handshakes.sockets == [3, 4])
    #expect(handshakes.nextSilentNs == 5 + Self.second)
    #expect(handshakes.removeSilent(nowNs: 4 + Self.second) == [])
    #expect(handshakes.removeSilent(nowNs: 5 + Self.second) == [3])
    #expect(handshakes.nextSilentNs == 7 + Self.second)
    #expect(handshakes.accept(5, nowNs: 8) == nil)
    #expect(handshakes.removeSilent(nowNs: .max) == [4, 5])
    #expect(handshakes.sockets == [])
  }

  @Test func connectionThatHasSaidSomethingIsNotSilent() {
    var handshakes = Handshakes()
    for socket in [3, 4] as [CInt] { #expect(handshakes.accept(socket, nowNs: 5) == nil) }
    let wasThere = handshakes.remove(3)
    #expect(wasThere)
    // Once, and no stranger.
    for socket in [3, 9] as [CInt] {
      let isThere = handshakes.remove(socket)
      #expect(!isThere)
    }
    #expect(handshakes.removeSilent(nowNs: .max) == [4])
  }

  @Test func oneSilentConnectionTooManyTakesTheOldestOnesPlace() {
    var handshakes = Handshakes()
    for socket in 0..<CInt(Handshakes.countMax) {
      #expect(handshakes.accept(100 + socket, nowNs: 0) == nil)
    }
    #expect(handshakes.accept(900, nowNs: 0) == 100)
    #expect(handshakes.accept(901, nowNs: 0) == 101)
    #expect(handshakes.sockets.count == Handshakes.countMax)
    #expect(handshakes.evict() == 102)
    // There is room for one now.
    #expect(handshakes.accept(902, nowNs: 0) == nil)
    #expect(handshakes.sockets.last == 902)
    var none = Handshakes()
    #expect(none.evict() == nil)
  }
}
