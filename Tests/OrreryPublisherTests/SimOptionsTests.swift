// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryPublisher
import OrreryWire
import Testing

/// Goal: a run that was asked for nothing in particular is the one that the README describes, and its ring has the size
/// that its frames call for.
///
/// Method: defaults one by one, and sizes of frames on both sides of each limit.
@Suite struct SimOptionsTests {
  @Test func defaultsAreThoseOfThePages() {
    let options = SimOptions(run: "name")
    #expect(options.run == "name")
    #expect(options.isPaced)
    #expect(options.tickCount == nil)
    #expect(options.delivery == .live)
    #expect(options.slotCount == nil)
    #expect(options.lookAhead == nil)
    #expect(options.output == .float32)
    #expect(options.stores == .auto)
    #expect(options.events == .completions)
    #expect(options.waitFor == 0)
    #expect(options.waitSeconds == 60)
    #expect(options.stallLimitSeconds == 10)
    #expect(options.carrier == .memory)
    #expect(options.listen == nil)
    #expect(options.keys == nil)
    #expect(options.threadCount == 1)
    #expect(options.instructionSet == .best)
    #expect(SimOptions.lookAheadMax == 7)
  }

  /// 256 MiB of frames, 8 to 64 of them.
  @Test(
    arguments: [
      (0, 64), (1, 64), (4 << 20, 64), (4 << 20 + 1, 63), (8 << 20, 32), (16 << 20, 16),
      (28 << 20, 9), (32 << 20, 8), (32 << 20 + 1, 8), (1 << 31, 8),
    ] as [(UInt64, UInt64)])
  func slotsAreASecondOfFramesOrWhatFits(frameBytes: UInt64, slots: UInt64) {
    #expect(SimOptions.defaultSlotCount(frameBytes: frameBytes) == slots)
  }

  /// 32 MiB of frames, 4 to 1024 of them.
  @Test(
    arguments: [
      (0, 1_024), (1, 1_024), (32 << 10, 1_024), (32 << 10 + 1, 1_023), (1 << 20, 32),
      (6 << 20, 5), (8 << 20, 4), (8 << 20 + 1, 4), (1 << 31, 4),
    ] as [(UInt64, UInt64)])
  func framesOnTheirWayHavePlacesIfAnybodyCanAskForThem(
    frameBytes: UInt64, spares: UInt64
  ) throws {
    var options = SimOptions(run: "name")
    #expect(options.spareCount(frameBytes: frameBytes) == 0)
    options.listen = try WireEndpoint("tcp://127.0.0.1:0")
    #expect(options.spareCount(frameBytes: frameBytes) == spares)
  }

  @Test func wireIsServedAsTheRunIs() throws {
    var options = SimOptions(run: "name")
    #expect(options.wire.listen == nil)
    #expect(options.wire.keys == nil)
    #expect(options.wire.stallLimitSeconds == 10)
    options.listen = try WireEndpoint("tcp://127.0.0.1:4321")
    options.keys = .client(try CurveKeyPair(), serverKey: "key")
    options.stallLimitSeconds = 2.5
    #expect(options.wire.listen == options.listen)
    #expect(options.wire.keys == options.keys)
    #expect(options.wire.stallLimitSeconds == 2.5)
  }
}
