// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryPublisher
import OrreryScene
import OrrerySim
import Testing

/// Goal: what is computed before its turn is what would have been computed in its turn, and nobody is
/// lapped by it in lockstep delivery.
///
/// Method: runs of one scene with every look-ahead and rings of few and many slots; a subscriber keeps
/// each frame's bytes, and they are compared with those of a run that computed tick by tick.
@Suite struct LookAheadTests {
  static let ticks: UInt64 = 40

  /// Runs the scene under the test's own name, which others run beside, and keeps its frames.
  private static func frames(
    _ name: String, lookAhead: UInt64, slots: UInt64, output: ColumnFormat.Kind = .float32,
    held: UInt64 = 0
  ) throws -> (frames: [[UInt8]], report: SimReport) {
    var options = SimOptions(test: name, ticks: ticks)
    options.delivery = .lockstep
    (options.lookAhead, options.slotCount) = (lookAhead, slots)
    (options.output, options.waitFor) = (output, 1)
    let simulation = try Simulation(.mixed, options: options)
    let keeper = try FrameKeeper(run: options.run, held: held)
    let report = try finish(simulation)
    try keeper.finish()
    #expect(keeper.lostCount == 0)
    #expect(report.frames == ticks)
    #expect(report.lookAhead == min(lookAhead, slots - 2))
    return (keeper.frames, report)
  }

  @Test(arguments: [2, 8, 9, 64] as [UInt64])
  func everyFrameIsTheSameHoweverFarTheWorldLooksAhead(slots: UInt64) throws {
    let (expected, report) = try Self.frames("ahead-\(slots)", lookAhead: 0, slots: 64)
    #expect(expected.count == Int(Self.ticks))
    let world = try World(.mixed, instructionSet: .baseline, threadCount: 1)
    #expect(report.stateHash == hexadecimal(Values(of: world, tick: Self.ticks).stateHash))
    for lookAhead in 0...7 as ClosedRange<UInt64> {
      for held in 0...1 as ClosedRange<UInt64> {
        let found = try Self.frames(
          "ahead-\(slots)", lookAhead: lookAhead, slots: slots, held: held)
        // Not compared inside the macro, which would print every byte.
        let isSame = found.frames == expected
        #expect(isSame, "\(lookAhead) ahead, \(held) held")
        #expect(found.report.stateHash == report.stateHash)
      }
    }
  }

  @Test(arguments: [1, 4, 7] as [UInt64])
  func framesOf16BitColumnsAreTheSameToo(lookAhead: UInt64) throws {
    let name = "ahead16-\(lookAhead)"
    let expected = try Self.frames(name, lookAhead: 0, slots: 64, output: .fixed16)
    let found = try Self.frames(name, lookAhead: lookAhead, slots: 9, output: .fixed16)
    let isSame = found.frames == expected.frames
    #expect(isSame)
    #expect(found.frames.count == Int(Self.ticks))
    let world = try World(.mixed, instructionSet: .baseline, threadCount: 1, output: .fixed16)
    #expect(world.columns.contains { $0.format != .float32 })
    let hash = hexadecimal(Values(of: world, tick: Self.ticks).stateHash)
    #expect(found.report.stateHash == hash)
    #expect(expected.report.stateHash == hash)
  }

  @Test(arguments: [0, 7] as [UInt64], SimOptions.Stores.allCases)
  func liveRunsHaveTheDirectHash(lookAhead: UInt64, stores: SimOptions.Stores) throws {
    var options = SimOptions(test: "ahead-live-\(lookAhead)-\(stores)", ticks: 300)
    (options.lookAhead, options.stores, options.threadCount) = (lookAhead, stores, 2)
    let report = try finish(Simulation(.mixed, options: options))
    let world = try World(.mixed, instructionSet: .baseline, threadCount: 1)
    #expect(report.stateHash == hexadecimal(Values(of: world, tick: 300).stateHash))
    #expect(report.stores == (stores == .streaming ? "streaming" : "cached"))
  }

  @Test(
    arguments: [
      (nil, 2, 0), (nil, 8, 2), (nil, 28, 7), (nil, 64, 7), (nil, 65_536, 7), (7, 2, 0),
      (7, 3, 1), (7, 9, 7), (7, 8, 6), (3, 64, 3), (0, 64, 0),
    ] as [(UInt64?, UInt64, UInt64)])
  func lookAheadLeavesTheNewestFrame(asked: UInt64?, slots: UInt64, ahead: UInt64) {
    var options = SimOptions(test: "unused", ticks: 0)
    options.lookAhead = asked
    #expect(options.lookAhead(slotCount: slots) == ahead)
  }

  @Test func storesGoPastTheCachesIfTheRingIsLargerThanWhatACoreGets() {
    var options = SimOptions(test: "unused", ticks: 0)
    let sizes: [(ring: UInt64, cache: UInt64?, streams: Bool)] = [
      (1 << 20, 8 << 20, false), (8 << 20, 8 << 20, false), (9 << 20, 8 << 20, true),
      (64 << 20, 480 << 20, false), (65 << 20, 480 << 20, true), (64 << 20, nil, false),
      (65 << 20, nil, true),
    ]
    for size in sizes {
      options.stores = .auto
      #expect(options.streams(ringBytes: size.ring, cacheBytes: size.cache) == size.streams)
      options.stores = .cached
      #expect(!options.streams(ringBytes: size.ring, cacheBytes: size.cache))
      options.stores = .streaming
      #expect(options.streams(ringBytes: size.ring, cacheBytes: size.cache))
    }
  }
}
