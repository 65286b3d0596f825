// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryBase
import OrreryDocument
import OrreryFrame
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: what a run says of itself is so, it goes exactly as far as its readers let it, and nothing of it stays.
///
/// Method: runs of ten entities under names of this process alone, paused or held up by a subscriber that reads nothing
/// unless the test says so.
@Suite struct SimulationStateTests {
  private static func plan() -> ScenePlan {
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch()]
    let specs = Specs(count: 10) { OrbitSpec(radius: Double($0), period: 10, phase: 0) }
    return ScenePlan(name: "state", seed: 5, rate: 60, batches: [.orbit(specs)], layout: layout)
  }

  /// A subscriber of a run.
  private static func join(
    _ options: SimOptions, waiting: Waiting = .announcement, reading: Reading = .every
  ) throws -> JoinClient {
    try JoinClient(
      JoinConnection(RunDirectory(name: options.run)), name: "slow", waiting: waiting,
      reading: reading)
  }

  // MARK: - What it says

  @Test func statsSayEverythingOfARun() throws {
    var options = SimOptions(test: "stats", ticks: nil)
    (options.slotCount, options.lookAhead) = (16, 3)
    (options.output, options.events) = (.fixed16, .none)
    let simulation = try Simulation(Self.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let paused = client.post(.pause)
    let running = try RunningSimulation(simulation)
    _ = paused.wait()
    let subscriber = try Self.join(options)
    var expected: [String: DocumentValue] = [
      "run": .string(options.run), "scene": .string("state"), "seed": .word(5),
      "generation": .word(subscriber.reader.generation), "entities": .integer(10),
      "isa": .string(InstructionSet.best.rawValue), "threads": .integer(1),
      "threads_mean": .number(1),
      "delivery": .string("live"), "paced": .bool(false), "ticks_per_second": .number(60),
      "seconds": .number(0), "slots": .integer(16),
      "frame_bytes": .count(subscriber.reader.layout.frameBytes), "look_ahead": .integer(3),
      "output": .string("fixed16"), "hash": .string("full"), "pid": .integer(Int64(getpid())),
      "subscribers": .integer(1), "subscribers_connected": .integer(1),
      "subscriber_accounts": .array([
        .table([
          "name": .string("slow"), "pid": .integer(Int64(getpid())),
          "waiting": .string("announcement"), "reading": .string("every"),
          "joined_after": .integer(0), "received": .integer(0), "missed": .integer(0),
        ])
      ]), "changes": .integer(0),
      "late_ticks": .integer(0), "schedule_shifts": .integer(0), "events": .string("none"),
      "events_total": .integer(0), "events_dropped": .integer(0), "tick": .integer(0),
      "sequence": .integer(0), "state_hash": .word(0), "next_tick": .integer(1),
      "paused": .bool(true), "speed": .number(1),
    ]
    let times = ["tick", "publish"].map { name in
      ["mean", "p50", "p99", "max"].map { "\(name)_\($0)_ns" }
    }
    func check(_ stats: [String: DocumentValue]) {
      let keys = Set(expected.keys).union(times.joined()).union(["age_s"])
      #expect((stats["age_s"]?.number ?? -1) >= 0)
      #expect(Set(stats.keys).symmetricDifference(keys) == [])
      for (key, value) in expected { #expect(stats[key] == value, "\(key)") }
    }
    var stats = client.done(.stats)
    check(stats)
    for name in times.joined() { #expect(stats.count(name) == 0, "\(name)") }

    #expect(client.done(.step, ["ticks": .integer(3)]).count("tick") == 3)
    let world = try World(Self.plan(), instructionSet: .baseline, threadCount: 1, output: .fixed16)
    let hash = Values(of: world, tick: 3).stateHash
    expected.merge([
      "seconds": .number(0.05), "tick": .integer(3), "sequence": .integer(3),
      "state_hash": .word(hash), "next_tick": .integer(4),
    ]) { $1 }
    stats = client.done(.stats)
    check(stats)
    for names in times {
      let ns = names.compactMap { stats.count($0) }
      try #require(ns.count == 4)
      // The mean, then rising percentiles and the longest.
      #expect(ns[1...] == ns[1...].sorted()[...] && ns[0] <= ns[3])
      #expect(ns[3] > 0, "\(names[3])")
    }
    client.done(.quit)
    _ = try running.join()
    #expect(subscriber.isLeaseOver)
  }

  /// Whoever prepares is seen, and stands in no report.
  @Test func subscriberThatPreparesIsSeen() throws {
    let options = SimOptions(test: "preparing", ticks: nil)
    let simulation = try Simulation(Self.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let running = try RunningSimulation(simulation)
    var guest: JoinGuest? = try JoinGuest(
      JoinConnection(RunDirectory(name: options.run)), name: "artist")
    let stats = client.done(.stats)
    #expect(stats["subscribers"] == .integer(0))
    #expect(stats["subscribers_connected"] == .integer(1))
    let account = stats["subscriber_accounts"]?.array?.first?.table
    #expect(account?["name"] == .string("artist"))
    #expect(account?["waiting"] == .string("preparing"))
    #expect(account?["reading"] == .string("none"))
    #expect(account?.has("sent") == false)
    withExtendedLifetime(guest) {}
    guest = nil
    client.done(.quit)
    #expect(try running.join()?.subscribers == [])
  }

  @Test(arguments: [false, true])
  func snapshotSaysWhatTheRunIs(isNamed: Bool) throws {
    var options = SimOptions(test: "said-\(isNamed)", ticks: nil)
    // Named as other segments of tests are, which a test of leftovers knows.
    if isNamed { options.carrier = try Carrier(name: "orrery-" + options.run) }
    let simulation = try Simulation(Self.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let paused = client.post(.pause)
    let running = try RunningSimulation(simulation)
    _ = paused.wait()
    let subscriber = try Self.join(options)
    client.done(.step, ["ticks": .integer(3)])
    guard case .done(let fields, let attachments) = client.ask(.snapshot) else {
      Issue.record("refused")
      return
    }
    #expect(fields.count("tick") == 3)
    #expect(fields.count("sim_time_ns") == 50_000_000)
    // The wall clock's, to the hour: somebody may set it.
    let publishNs = try #require(fields.count("publish_time_ns"))
    let wallNs = Clock.wallNs()
    #expect(publishNs > wallNs - 3_600_000_000_000)
    #expect(publishNs < wallNs + 3_600_000_000_000)
    let layout = try Orrery_SceneLayout(serializedBytes: attachments[1])
    let reader = subscriber.reader
    #expect(layout.run == options.run)
    #expect(layout.generation == reader.generation)
    #expect(layout.layoutHash == reader.layout.layoutHash)
    #expect(layout.entityCount == 10)
    #expect(layout.isa == InstructionSet.best.rawValue)
    #expect(layout.delivery == "live")
    #expect(layout.hash == "full")
    #expect(layout.clockOffsetNs == reader.clockOffsetNs)
    let world = try World(Self.plan(), instructionSet: .baseline, threadCount: 1)
    let fieldNumbers = world.batches[0].fields.map { Int($0.fieldNumber) }
    #expect(layout.batches.map { $0.fields.map(\.rawValue) } == [fieldNumbers])
    #expect(fieldNumbers.count == 2)
    client.done(.quit)
    _ = try running.join()
  }

  @Test func reportSaysEverythingOfARun() throws {
    var options = SimOptions(test: "report", ticks: 20)
    (options.slotCount, options.lookAhead, options.threadCount) = (16, 3, 2)
    options.stores = .streaming
    let need = try MemoryNeed(Self.plan(), options: options).bytes
    let beganNs = Clock.monotonicNs()
    let report = try finish(Simulation(Self.plan(), options: options))
    let passedNs = Clock.monotonicNs() - beganNs
    let world = try World(Self.plan(), instructionSet: .baseline, threadCount: 1)
    #expect(report.program == "sim")
    #expect(report.scene == "state")
    #expect(report.run == options.run)
    #expect(report.entities == 10)
    #expect(report.isa == InstructionSet.best.rawValue)
    #expect(report.threads == 1, "one block has work for one thread")
    #expect(report.threadsMean == 1)
    #expect(report.delivery == "live")
    #expect(report.slots == 16)
    // 63 bytes of numbers, and two columns of ten floats at multiples of 64.
    #expect(report.frameBytes == 128 + 128 + 40)
    #expect(report.lookAhead == 3)
    #expect(report.output == "float32")
    #expect(report.stores == "streaming")
    #expect(report.ticksPerSecond == 60)
    #expect(report.frames == 20)
    #expect(report.stateHash == hexadecimal(Values(of: world, tick: 20).stateHash))
    #expect(report.pace.elapsedSeconds > 0)
    #expect(report.pace.elapsedSeconds <= Double(passedNs) / 1e9)
    for times in [report.work, report.publish] {
      #expect(times.count == 20)
      #expect(times.meanNs > 0)
      #expect(times.p50Ns <= times.p90Ns)
      #expect(times.p90Ns <= times.p99Ns)
      #expect(times.p99Ns <= times.p999Ns)
      #expect(times.p999Ns <= times.maxNs)
      #expect(times.maxNs > 0)
      #expect(times.maxNs <= passedNs)
    }
    #expect(report.pace.lateTicks == 0)
    #expect(report.pace.scheduleShifts == 0)
    // What the run needs, and what this process held before: it is no small one.
    #expect(report.memory.estimatedBytes > need + 1_000_000)
    #expect(report.memory.residentMaxBytes > 1_000_000)
    #expect(report.subscribers == [])
  }

  // MARK: - Before it begins

  @Test func runThatIsToldToEndWaitsForNobody() throws {
    var options = SimOptions(test: "told", ticks: 5)
    options.waitFor = 1
    let simulation = try Simulation(Self.plan(), options: options)
    let ended = CommandQueueClient(queue: simulation.commands).post(.quit)
    let report = try finish(simulation)
    #expect(report.frames == 0)
    guard case .done = ended.wait() else {
      Issue.record("refused")
      return
    }
  }

  @Test func speedThatIsAskedForBeforeTheFirstTickIsKept() throws {
    var options = SimOptions(test: "early-speed", ticks: nil)
    (options.isPaced, options.waitFor) = (true, 1)
    let simulation = try Simulation(Self.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let running = try RunningSimulation(simulation)
    #expect(client.done(.speed, ["factor": .integer(50)])["speed"] == .number(50))
    let subscriber = try Self.join(options)
    // A frame shows that nobody is waited for any more.
    let said = client.done(.step)
    #expect(said.count("sequence").map { $0 >= 1 } == true)
    #expect(said["speed"] == .number(50))
    client.done(.quit)
    _ = try running.join()
    withExtendedLifetime(subscriber) {}
  }
}

// MARK: - Readers

extension SimulationStateTests {
  /// Options of a run in lockstep that a subscriber of this test holds up.
  private static func heldUp(_ name: String, slots: UInt64, ahead: UInt64) -> SimOptions {
    var options = SimOptions(test: name, ticks: nil)
    (options.delivery, options.waitFor, options.stallLimitSeconds) = (.lockstep, 1, 600)
    (options.slotCount, options.lookAhead) = (slots, ahead)
    return options
  }

  /// Every slot but those that are looked ahead to is filled, and none that holds a frame that is still to be read.
  @Test(arguments: [(2, 0), (4, 0), (3, 1), (8, 2), (9, 7)] as [(UInt64, UInt64)])
  func runInLockstepStopsBeforeAFrameThatIsStillToBeRead(slots: UInt64, ahead: UInt64) throws {
    let options = Self.heldUp("still-\(slots)-\(ahead)", slots: slots, ahead: ahead)
    let simulation = try Simulation(Self.plan(), options: options)
    let running = try RunningSimulation(simulation)
    let subscriber = try Self.join(options)
    let reader = subscriber.reader
    for progress in 0...4 as ClosedRange<UInt64> {
      let newest = slots - ahead + progress
      try waitUntil("frame \(newest)") { reader.published >= newest }
      // It would go on at once, if it did.
      Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 20_000_000)
      try #require(reader.published == newest)
      subscriber.report(sequence: progress + 1, missed: 0)
    }
    CommandQueueClient(queue: simulation.commands).done(.quit)
    subscriber.report(sequence: reader.published, missed: 0)
    let report = try running.join()
    #expect(report?.frames == reader.published)
  }

  /// What nobody asked for is not looked ahead to, so the last frames fill the ring; and the run waits for
  /// the last words of its subscribers.
  @Test(arguments: [(2, 0), (8, 2), (9, 7)] as [(UInt64, UInt64)])
  func lastFramesFillTheRingAndAreAccountedFor(slots: UInt64, ahead: UInt64) throws {
    var options = Self.heldUp("last-\(slots)-\(ahead)", slots: slots, ahead: ahead)
    options.tickCount = slots
    let simulation = try Simulation(Self.plan(), options: options)
    let running = try RunningSimulation(simulation)
    let subscriber = try Self.join(options, waiting: .futex, reading: .newest)
    let reader = subscriber.reader
    try waitUntil("the end of frames") { reader.hasEnded }
    #expect(reader.published == slots)
    #expect(!subscriber.isLeaseOver)
    subscriber.report(sequence: slots, missed: 1, isLast: true)
    let report = try #require(try running.join())
    #expect(report.frames == slots)
    #expect(
      report.subscribers == [
        SubscriberAccount(
          name: "slow", processID: UInt32(getpid()), waiting: "futex", reading: "newest",
          joinedAfter: 0, received: slots - 1, missed: 1, departure: "left")
      ])
    // The run is over, though its simulation is still there.
    #expect(subscriber.isLeaseOver)
    #expect(CommandQueueClient(queue: simulation.commands).reason(.stats) == "the run has ended")
  }

  /// A subscriber that is slow to its last frame has its account in the report; for one that never reports, the report
  /// says that it is not the last.
  @Test func runThatHasEndedWaitsForTheLastReports() throws {
    var options = SimOptions(test: "reports", ticks: 40)
    options.waitFor = 2
    let simulation = try Simulation(Self.plan(), options: options)
    let running = try RunningSimulation(simulation)
    let slow = try Self.join(options)
    let mute = try Self.join(options)
    try waitUntil("the end of frames") { slow.reader.hasEnded }
    slow.report(sequence: 36, missed: 4)
    Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + 500_000_000)
    slow.report(sequence: 40, missed: 4)
    let accounts = try #require(try running.join()).subscribers
    #expect(accounts.map(\.received) == [36, 0])
    #expect(accounts.map(\.missed) == [4, 0])
    #expect(accounts.map(\.isFinal) == [true, false])
    #expect(accounts.map(\.departure) == ["stayed to the end", "stayed to the end"])
    #expect(slow.isLeaseOver)
    #expect(mute.isLeaseOver)
  }

  @Test func requestsThatWaitForFramesAreBounded() throws {
    let options = Self.heldUp("owed", slots: 2, ahead: 0)
    let simulation = try Simulation(Self.plan(), options: options)
    let client = CommandQueueClient(queue: simulation.commands)
    let running = try RunningSimulation(simulation)
    let subscriber = try Self.join(options)
    let reader = subscriber.reader
    try waitUntil("frame 2") { reader.published == 2 }
    var posted: [PostedRequest] = []
    for _ in 0..<64 {
      posted.append(client.post(.step))
      // Answered behind it: the loop has taken it.
      #expect(client.done(.stats).count("sequence") == 2)
    }
    #expect(posted.allSatisfy { $0.answerCount == 0 })
    let reason = "64 requests wait for frames already; try again"
    #expect(client.reason(.step) == reason)
    #expect(client.reason(.seek, ["tick": .integer(9)]) == reason)
    // Whoever is refused has changed nothing.
    #expect(client.done(.stats).count("next_tick") == 3)
    client.done(.pause)
    #expect(posted.allSatisfy { $0.wait() == .refused("the run was paused first") })
    // There is room again.
    let late = client.post(.step)
    #expect(client.done(.stats).count("sequence") == 2)
    #expect(late.answerCount == 0)
    client.done(.quit)
    subscriber.report(sequence: 2, missed: 0)
    _ = try running.join()
    #expect(late.wait() == .refused("the run has ended"))
    posted.append(late)
    #expect(posted.allSatisfy { $0.answerCount == 1 })
  }
}

// MARK: - What it takes

extension SimulationStateTests {
  /// Lets 300 ms pass, of which nobody may work half.
  private static func expectSleep(_ what: String) {
    let workedNs = processorNs(whileAsleepForNs: 300_000_000)
    #expect(workedNs < 150_000_000, "\(what): \(workedNs) ns of work")
  }

  @Test func runThatHasNothingToDoSleeps() async {
    await #expect(processExitsWith: .success) {
      var options = SimOptions(test: "asleep-waiting", ticks: nil)
      (options.isPaced, options.waitFor) = (true, 1)
      let waiting = try Simulation(Self.plan(), options: options)
      let waitingRun = try RunningSimulation(waiting)
      _ = CommandQueueClient(queue: waiting.commands).done(.stats)
      Self.expectSleep("waiting for a subscriber")
      CommandQueueClient(queue: waiting.commands).done(.quit)
      _ = try waitingRun.join()

      (options.run, options.waitFor) = (options.run + "-paused", 0)
      let paused = try Simulation(Self.plan(), options: options)
      let client = CommandQueueClient(queue: paused.commands)
      let pausedRun = try RunningSimulation(paused)
      client.done(.pause)
      Self.expectSleep("paused")
      // The next tick is due in more than a second.
      client.done(.speed, ["factor": .number(0.01)])
      client.done(.resume)
      Self.expectSleep("slow")
      client.done(.quit)
      _ = try pausedRun.join()
    }
  }

  /// Threads and descriptors of this process.
  private static func held() -> (threads: Int, descriptors: Int) {
    func count(_ path: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: path))?.count ?? 0
    }
    return (count("/proc/self/task"), count("/proc/self/fd"))
  }

  /// A request to a simulation that was never run, and a subscriber that had joined it.
  private static func abandoned(
    _ name: String
  ) throws -> (posted: PostedRequest, subscriber: JoinClient) {
    let options = SimOptions(test: name, ticks: nil)
    let simulation = try Simulation(Self.plan(), options: options)
    let subscriber = try join(options)
    return (CommandQueueClient(queue: simulation.commands).post(.stats), subscriber)
  }

  @Test func simulationThatIsNeverRunLeavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      func use() throws {
        let (posted, subscriber) = try Self.abandoned("never")
        #expect(posted.wait() == .refused("the run has ended"))
        #expect(posted.answerCount == 1)
        #expect(subscriber.isLeaseOver)
        // One that cannot listen where it should is none, and its name is free again.
        var options = SimOptions(test: "never", ticks: nil)
        options.listen = try WireEndpoint("tcp://192.0.2.1:9")
        let failing = options
        #expect(throws: Failure.self) { _ = try Simulation(Self.plan(), options: failing) }
      }
      // The first ones leave what ZeroMQ and the system keep for all.
      for _ in 0..<2 { try use() }
      let before = Self.held()
      for _ in 0..<8 { try use() }
      // Less than one of each for each round: threads that are not the simulation's come and go.
      try waitUntil("threads and descriptors to be given back") {
        let now = Self.held()
        return now.threads < before.threads + 6 && now.descriptors < before.descriptors + 6
      }
    }
  }
}
