// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryText
import OrreryWire
import TestSupport
import Testing

/// Goal: all shards make a change at the same frame, or none does; one that is started again is where the
/// others are.
///
/// Method: shards of `planets` on threads of this process, and the frames that each of them has published.
@Suite(.serialized) struct ShardControlTests {
  private static func plan(_ shard: Shard) throws -> ScenePlan {
    var options = ScenePlanOptions()
    options.shard = shard
    var plan = try ScenePlan(
      SceneSource.load(nameOrPath: "planets"), options: options, text: InstalledFonts())
    plan.show([.x])
    return plan
  }

  /// One shard that runs.
  private struct Running {
    let client: CommandQueueClient
    let running: RunningSimulation
    let subscriber: JoinClient

    /// Starts a shard; at a time of its own it waits for the others.
    init(_ shard: Shard, _ name: String, in directory: String) throws {
      var options = SimOptions(test: shard.run(of: name), ticks: nil)
      (options.isPaced, options.waitFor, options.slotCount) = (true, 1, 4_096)
      options.meeting = SimOptions.Meeting(name: name, directory: directory)
      options.meeting?.delaySeconds = 0.1
      let simulation = try Simulation(ShardControlTests.plan(shard), options: options)
      client = CommandQueueClient(queue: simulation.commands)
      running = try RunningSimulation(simulation)
      subscriber = try JoinClient(
        JoinConnection(RunDirectory(name: options.run)), name: "keeper")
    }

    /// Tick and hash of each frame that the ring still has.
    var frames: [UInt64: FrameStamp] {
      var frames: [UInt64: FrameStamp] = [:]
      let published = subscriber.reader.published
      for sequence in stride(from: subscriber.joinedAfter + 1, through: published, by: 1) {
        guard case .frame(let view) = subscriber.reader.acquire(sequence) else { continue }
        frames[sequence] = view.stamp()
      }
      return frames
    }

    func quit() throws {
      client.done(.quit)
      _ = try running.join()
    }
  }

  private static func start(
    _ count: Int, _ name: String, in base: TemporaryBase
  ) throws -> [Running] {
    try (0..<count).map { try Running(Shard($0, of: count), name, in: base.path) }
  }

  /// Asks the first shard; asks again if some shard was too slow for the proposal, or has not begun.
  @discardableResult
  private static func done(
    _ first: Running, _ verb: ControlVerb, _ fields: [String: DocumentValue] = [:]
  ) throws -> [String: DocumentValue] {
    for _ in 0..<100 {
      switch first.client.ask(verb, fields) {
      case .done(let said, _): return said
      case .refused(let reason):
        let isLate = ["answered", "begun"].contains { reason.contains($0) }
        try #require(isLate, "\(verb): \(reason)")
        usleep(20_000)
      }
    }
    Issue.record("\(verb) is always refused")
    return [:]
  }

  /// The frames of all shards together: no two show different ticks, and the hash is a sum.
  private static func joined(_ shards: [Running]) -> [UInt64: (tick: UInt64, hash: UInt64)] {
    let all = shards.map(\.frames)
    var joined: [UInt64: (tick: UInt64, hash: UInt64)] = [:]
    for (sequence, first) in all[0] {
      let stamps = all.compactMap { $0[sequence] }
      #expect(Set(stamps.map(\.tick)).count == 1, "frame \(sequence): \(stamps.map(\.tick))")
      guard stamps.count == shards.count else { continue }
      joined[sequence] = (first.tick, stamps.reduce(0) { $0 &+ $1.stateHash })
    }
    return joined
  }

  /// Steps, seeks and changes of views give the frames of one sim of the whole scene.
  @Test func scriptGivesTheFramesOfOneSim() throws {
    let base = try TemporaryBase()
    let shards = try Self.start(3, "script", in: base)
    try Self.done(shards[0], .pause)
    let before = try #require(
      try Self.done(shards[0], .seek, ["tick": .integer(0)]).count("sequence"))
    for step in PlaybackTests.script {
      switch step {
      case .step(let count): try Self.done(shards[0], .step, ["ticks": .count(count)])
      case .seek(let tick): try Self.done(shards[0], .seek, ["tick": .count(tick)])
      case .change(let verb, let fields): try Self.done(shards[0], verb, fields)
      }
    }
    let expected = try PlaybackTests.expectedFrames()
    let last = before + UInt64(expected.count)
    for shard in shards {
      try waitUntil("frame \(last)") { shard.subscriber.reader.published == last }
    }
    let frames = Self.joined(shards)
    for (index, frame) in expected.enumerated() {
      let joined = try #require(frames[before + 1 + UInt64(index)])
      #expect(joined == (frame.tick, frame.hash))
    }
    for shard in shards { try shard.quit() }
  }

  /// Pauses, speeds and seeks while frames come: whenever they are asked for.
  @Test func changesOfARunningRunAreMadeAtOneFrame() throws {
    let base = try TemporaryBase()
    let shards = try Self.start(4, "running", in: base)
    var random = SeededRandom(seed: 16)
    let changes: [(ControlVerb, [String: DocumentValue])] = [
      (.speed, ["factor": .integer(4)]), (.seek, ["tick": .integer(1_000)]), (.pause, [:]),
      (.resume, [:]), (.step, ["ticks": .integer(30)]), (.speed, ["factor": .number(0.5)]),
      (.resume, [:]),
    ]
    for _ in 0..<2 * testEffort {
      for (verb, fields) in changes {
        usleep(.random(in: 0...50_000, using: &random))
        try Self.done(shards[0], verb, fields)
      }
    }
    try Self.done(shards[0], .pause)
    let newest = shards[0].subscriber.reader.published
    for shard in shards {
      try waitUntil("frame \(newest)") { shard.subscriber.reader.published == newest }
    }
    #expect(Self.joined(shards).count > 30)
    // All stand still at the same frame.
    usleep(100_000)
    #expect(shards.allSatisfy { $0.subscriber.reader.published == newest })
    #expect(
      shards[1].client.reason(.resume)
        == "shard 1/4 changes nothing by itself; ask the run or its first shard")
    for shard in shards { try shard.quit() }
    #expect(try Rendezvous.notes(in: base.path, of: "running").isEmpty)
  }

  /// The first shard has views and proposes; another has neither.
  @Test(arguments: [0, 2])
  func shardThatIsStartedAgainIsWhereTheOthersAre(index: Int) throws {
    let base = try TemporaryBase()
    let name = "again-\(index)"
    var shards = try Self.start(3, name, in: base)
    try Self.done(shards[0], .toggle, ["names": .string("Mars")])
    try Self.done(shards[0], .speed, ["factor": .integer(2)])
    try Self.done(shards[0], .seek, ["tick": .integer(200)])
    try Self.done(shards[0], .pause)
    let said = try Self.done(shards[0], .seek, ["tick": .integer(90)])
    let before = try #require(said.count("sequence"))
    for shard in shards {
      try waitUntil("frame \(before)") { shard.subscriber.reader.published == before }
    }
    let hash = try #require(Self.joined(shards)[before]?.hash)
    try shards[index].quit()
    shards[index] = try Running(Shard(index, of: 3), name, in: base.path)
    try Self.done(shards[0], .seek, ["tick": .integer(90)])
    try waitUntil("frame \(before + 1)") {
      shards.allSatisfy { $0.subscriber.reader.published == before + 1 }
    }
    #expect(Self.joined(shards)[before + 1]?.tick == 90)
    #expect(Self.joined(shards)[before + 1]?.hash == hash)
    let resumed = try Self.done(shards[0], .resume)
    #expect(resumed["speed"] == .number(2))
    try waitUntil("later frames") {
      shards.allSatisfy { $0.subscriber.reader.published > before + 20 }
    }
    #expect(Self.joined(shards).count > 15)
    for shard in shards { try shard.quit() }
  }

  /// A shard that lives and does not answer: nothing is changed.
  @Test func changeThatAShardDoesNotKnowIsRefused() throws {
    let base = try TemporaryBase()
    let first = try Running(Shard(0, of: 2), "mute", in: base.path)
    let notes = try Rendezvous.notes(in: base.path, of: "mute")
    let mute = try Rendezvous(
      directory: base.path, name: "mute", shard: Shard(1, of: 2),
      scene: try #require(notes.first).note.scene, address: nil)
    _ = try mute.agree(waitSeconds: patienceSeconds, delaySeconds: 0)
    try waitUntil("a frame") { first.subscriber.reader.published > 0 }
    // Which of the two refuses depends on how far the first shard comes meanwhile.
    let reason = first.client.reason(.pause)
    #expect(
      reason == "shards have not answered in time: 1; nothing was changed"
        || reason.contains(/^shard 0\/2 came to frame \d+ before all had answered$/), "\(reason)")
    let published = first.subscriber.reader.published
    try waitUntil("a frame after it") { first.subscriber.reader.published > published + 10 }
    // Views belong to the first shard.
    first.client.done(.toggle, ["names": .string("Mars")])
    try first.quit()
    withExtendedLifetime(mute) {}
  }
}
