// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    init(
      _ index: Int, of name: String = "entry", in directory: String, isPaced: Bool = true,
      delaySeconds: Double = 0.01
    ) throws {
      let shard = Shard(index, of: 2)
      var options = SimOptions(test: shard.run(of: name), ticks: nil)
      options.isPaced = isPaced
      options.meeting = SimOptions.Meeting(name: name, directory: directory)
      options.meeting?.delaySeconds = delaySeconds
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

  /// Where no clock says where the others will be, the speed so far does: a change is for a frame that is as many ahead
  /// as the run makes in twice the time in which all learn of it.
  @Test func frameOfAChangeFollowsTheSpeedOfAnUnpacedRun() throws {
    let base = try TemporaryBase()
    let name = "unpaced"
    let beganNs = Clock.monotonicNs()
    let first = try Running(0, of: name, in: base.path, isPaced: false, delaySeconds: 0.1)
    let notes = try Rendezvous.notes(in: base.path, of: name)
    let second = try Rendezvous(
      directory: base.path, name: name, shard: Shard(1, of: 2),
      scene: try #require(notes.first).note.scene, address: nil)
    _ = try second.agree(waitSeconds: patienceSeconds, delaySeconds: 0)
    let agreement = try ShardAgreement(
      second, second.history(nowWallNs: Clock.wallNs()), delaySeconds: 0.1
    ) {}
    defer { agreement.finish() }
    let before = try first.newest(from: 20_000)[0]
    let pause = first.client.post(.pause)
    var change: ShardChange?
    try waitUntil("a proposal") {
      change = agreement.take()
      return change != nil
    }
    let perNs = Double(before) / Double(Clock.monotonicNs() - beganNs)
    let sequence = try #require(change).sequence
    let least = before + 8 + UInt64(2 * perNs * Double(agreement.delayNs))
    #expect(sequence >= least, "\(sequence) after \(before)")
    // Nobody has said that it knows the change.
    if case .done = pause.wait() { Issue.record("the change was made") }
    _ = try first.quit()
    withExtendedLifetime(second) {}
  }

  /// A change of a frame that a shard has published already comes too late for it, even if it is the newest one: the
  /// shard does not say that it knows the change, and decides against it.
  @Test func changeOfTheNewestFrameComesTooLate() throws {
    let base = try TemporaryBase()
    let name = "too-late"
    let shard = try Running(1, of: name, in: base.path)
    let notes = try Rendezvous.notes(in: base.path, of: name)
    let first = try Rendezvous(
      directory: base.path, name: name, shard: Shard(0, of: 2),
      scene: try #require(notes.first).note.scene, address: nil)
    _ = try first.agree(waitSeconds: patienceSeconds, delaySeconds: 0)
    let agreement = try ShardAgreement(
      first, first.history(nowWallNs: Clock.wallNs()), delaySeconds: 0.01
    ) {}
    defer { agreement.finish() }
    let request = ControlRequest(verb: .pause, id: 0)
    let newest = try shard.newest(from: 1)[0]
    // Until it is due, the first shard waits for the other's answer.
    let change = try #require(
      agreement.propose(
        String(decoding: request.json, as: UTF8.self), sequence: newest,
        wallNs: Clock.wallNs() + 3_600_000_000_000))
    try waitUntil("a decision") {
      let files = (try? FileManager.default.contentsOfDirectory(atPath: base.path)) ?? []
      return files.contains { $0.hasSuffix(".decision") }
    }
    #expect(
      try agreement.refusal(of: change, else: "nobody had decided")
        == "shard 1/2 came to frame \(newest) before all had answered")
    _ = try shard.quit()
    withExtendedLifetime(first) {}
  }
}
