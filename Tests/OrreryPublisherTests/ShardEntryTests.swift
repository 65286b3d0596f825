// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryWire
import TestSupport
import Testing

/// Goal: a shard that comes into a run between two frames goes on with the next one, when it is due.
///
/// Method: two shards whose ticks are half a second long, on threads of this process.
@Suite struct ShardEntryTests {
  private static func plan(_ shard: Shard) -> ScenePlan {
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch()]
    let specs = Specs(count: 10) { OrbitSpec(radius: Double($0), period: 10, phase: 0) }
    return ScenePlan(
      name: "slow", seed: 5, rate: 2, batches: [.orbit(specs)], layout: layout, shard: shard)
  }

  /// A shard that runs.
  private struct Running {
    let client: CommandQueueClient
    let running: RunningSimulation

    init(_ index: Int, in directory: String) throws {
      let shard = Shard(index, of: 2)
      var options = SimOptions(test: shard.run(of: "entry"), ticks: nil)
      options.isPaced = true
      options.meeting = SimOptions.Meeting(name: "entry", directory: directory)
      options.meeting?.delaySeconds = 0.01
      let simulation = try Simulation(ShardEntryTests.plan(shard), options: options)
      client = CommandQueueClient(queue: simulation.commands)
      running = try RunningSimulation(simulation)
    }

    /// Number and tick of the newest frame, once there is one from a number on.
    func newest(from sequence: UInt64) throws -> [UInt64] {
      var found: [UInt64] = []
      try waitUntil("frame \(sequence)") {
        let stats = client.done(.stats)
        found = [stats.count("sequence") ?? 0, stats.count("tick") ?? 0]
        return found[0] >= sequence
      }
      return found
    }

    func quit() throws -> SimReport {
      client.done(.quit)
      return try #require(try running.join())
    }
  }

  /// Its first frame is not due yet.
  @Test func shardThatComesLaterWaitsForItsFrame() throws {
    let base = try TemporaryBase()
    let first = try Running(0, in: base.path)
    let gone = try Running(1, in: base.path)
    let before = try first.newest(from: 1)[0]
    _ = try gone.quit()
    let late = try Running(1, in: base.path)
    let newest = try late.newest(from: before + 1)
    #expect(newest[1] == newest[0])
    #expect(try late.quit().frames <= newest[0] - before + 1)
    _ = try first.quit()
  }
}
