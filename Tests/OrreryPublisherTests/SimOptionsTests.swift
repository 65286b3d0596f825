// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryPublisher
import OrreryWire
import Testing

/// Goal: a run that was asked for nothing in particular is the one that the documents describe, and its ring has the size
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

  /// 16 MiB of frames, at most 64; at least 28, for seven ticks ahead; within an eighth of 32 GiB,
  /// but at least eight.
  @Test(
    arguments: [
      (0, 64), (1, 64), (256 << 10, 64), (256 << 10 + 1, 63), (512 << 10, 32), (1 << 20, 28),
      (128 << 20, 28), (147 << 20, 27), (256 << 20, 16), (512 << 20, 8), (1 << 31, 8),
    ] as [(UInt64, UInt64)])
  func slotsAreASecondOfFramesOrWhatFits(frameBytes: UInt64, slots: UInt64) throws {
    let options = SimOptions(run: "name")
    #expect(
      try options.slotCount(frameBytes: frameBytes, rate: 60, freeBytes: 32 << 30) == slots)
    var told = options
    told.slotCount = 5
    #expect(try told.slotCount(frameBytes: frameBytes, rate: 60, freeBytes: 32 << 30) == 5)
  }

  /// A quarter of a second, seven ticks and the newest frame, where that is more than 28.
  @Test(arguments: [(60, true, 28), (100, true, 33), (1_000, true, 258), (100_000, true, 1_024)])
  func readersMayBeAQuarterOfASecondLate(rate: Int, isPaced: Bool, slots: UInt64) throws {
    var options = SimOptions(run: "name")
    let frameBytes: UInt64 = 16 << 20
    func count() throws -> UInt64 {
      try options.slotCount(
        frameBytes: frameBytes, rate: try #require(TickRate("\(rate)")), freeBytes: 1 << 50)
    }
    #expect(try count() == slots)
    options.isPaced = false
    #expect(try count() == 28, "no tick is due at a time")
  }

  @Test(arguments: [(4_000, 28), (2_800, 28), (2_799, 27), (400, 4)] as [(UInt64, UInt64)])
  func ringMemoryIsNotExceeded(memory: UInt64, slots: UInt64) throws {
    var options = SimOptions(run: "name")
    options.ringMemory = memory << 20
    #expect(try options.slotCount(frameBytes: 100 << 20, rate: 60, freeBytes: 0) == slots)
  }

  @Test func tooLittleRingMemoryIsRefusedWithNumbers() {
    var options = SimOptions(run: "name")
    options.ringMemory = 399_000_000
    #expect {
      try options.slotCount(frameBytes: 100_000_000, rate: 60, freeBytes: 1 << 50)
    } throws: { error in
      "\(error)"
        == "--ring-memory holds 3 frames of 100.0 MB; the ring needs 4, which take 400.0 MB"
    }
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
