// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim
import TestSupport
import Testing

/// Goal: what no caller may ask for ends the process at once, before memory that is not ours is touched.
///
/// Method: each misuse in a process of its own, one place before the first or after the last that is allowed.
/// Memory behind the last lane exists, so nothing but the check ends the process.
@Suite struct MisuseTests {
  /// A misuse, by what it is done with.
  enum Misuse: String, CaseIterable, Codable, Sendable {
    case setBase, base, begin, endAll
    case threads, destinations, ahead, moreDestinations, event
  }

  @Test(arguments: Misuse.allCases, [true, false])
  func whatIsOutOfRangeTraps(misuse: Misuse, isBelow: Bool) async {
    await #expect(processExitsWith: .failure) { [misuse, isBelow] in
      try Self.commit(misuse, isBelow: isBelow)
    }
  }

  /// The nearest uses that are allowed.
  @Test func whatIsInRangeDoesNot() throws {
    let block = LaneBlock(count: 10, rate: 60, curves: CurveBank())
    for lane in [0, 9] {
      block.setBase(lane, 1)
      _ = block.begin(lane, .hold(progress: 1), interval: 1)
      #expect(block.base(lane) == 1)
      block.endAll(lane)
      #expect(!block.isMoving(lane))
    }
    _ = DestinationRun(0, ahead: 7, of: 8)
    _ = try World.small(threads: 2)
  }

  private static func commit(_ misuse: Misuse, isBelow: Bool) throws {
    let block = LaneBlock(count: 10, rate: 60, curves: CurveBank())
    let lane = isBelow ? -1 : 10
    switch misuse {
    case .setBase: block.setBase(lane, 0)
    case .base: _ = block.base(lane)
    case .begin: _ = block.begin(lane, .hold(progress: 0), interval: 1)
    case .endAll: block.endAll(lane)
    case .threads: _ = try World.small(threads: isBelow ? 0 : 1_025)
    case .destinations:
      let world = try World.small()
      let memory = [Memory(world), Memory(world)]
      world.keepDestinations(memory)
      _ = world.evaluate(tick: 0, destinations: DestinationRun(isBelow ? -1 : 2))
    case .ahead: _ = DestinationRun(0, ahead: isBelow ? -1 : 8, of: 9)
    case .moreDestinations:
      var run = DestinationRun(0)
      for next in 1...8 { run.append(next) }
    case .event:
      var script = ViewScript()
      script.set(to: 1, at: 0, .linear(duration: 1))
      let world = try script.world()
      _ = world.hash(120)
      guard let events = world.takeEventChunks(batch: 0) else { return }
      _ = events[isBelow ? -1 : events.count]
    }
  }
}
