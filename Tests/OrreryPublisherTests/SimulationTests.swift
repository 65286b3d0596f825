// SPDX-License-Identifier: Apache-2.0

import Glibc
import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPublisher
import OrreryScene
import OrrerySim
import OrreryWire
import TestSupport
import Testing

/// Goal: a run publishes the ticks that it was asked for, with the hashes that a world has when it
/// is computed directly.
///
/// Method: short runs of a small scene, not paced, under names of this process alone.
@Suite struct SimulationTests {
  private func plan() -> ScenePlan {
    var layout = Orrery_SceneLayout()
    layout.batches = [Orrery_Batch()]
    let specs = Specs(count: 5_000) {
      OrbitSpec(radius: Double($0), period: 10 + Double($0 % 50), phase: 0)
    }
    return ScenePlan(name: "test", seed: 1, rate: 60, batches: [.orbit(specs)], layout: layout)
  }

  private func options(_ name: String, ticks: UInt64) -> SimOptions {
    var options = SimOptions(run: "test-\(getpid())-\(name)")
    options.isPaced = false
    options.tickCount = ticks
    return options
  }

  /// What a world computes never ends: its frames are all ticks that can be counted.
  @Test func worldHasAFrameForEveryTick() throws {
    let world = try World(plan(), instructionSet: .baseline, threadCount: 1)
    #expect(world.frames == 0..<UInt64.max)
    for number in [0, 1, UInt64.max - 1] {
      #expect(world.next(from: number) == number)
      #expect(world.tick(at: number) == number)
      #expect(world.index(ofTick: number) == number)
    }
  }

  @Test(arguments: [1, 2])
  func runEndsAtItsLastTickWithTheDirectHash(threads: Int) throws {
    var options = options("hash\(threads)", ticks: 100)
    options.threadCount = threads
    let ticks = Monitor<[UInt64]>([])
    let report = try finish(Simulation(plan(), options: options)) { tick, _, _ in
      ticks.change { $0.append(tick) }
    }
    let world = try World(plan(), instructionSet: .baseline, threadCount: 1)
    #expect(report.frames == 100)
    #expect(ticks.read { $0 } == Array(1...100))
    #expect(report.entities == 5_000)
    #expect(report.stateHash == hexadecimal(Values(of: world, tick: 100).stateHash))
    #expect(report.pace.lateTicks == 0)
    #expect(report.pace.scheduleShifts == 0)
  }

  /// What frames, reports and the direct way say of a hash is the same.
  ///
  /// A rolling one has the third block's turn at this tick.
  @Test(arguments: HashMode.allCases)
  func hashIsOfTheAskedMode(mode: HashMode) throws {
    var options = options("mode-\(mode)", ticks: 102)
    (options.hashMode, options.threadCount) = (mode, 2)
    let simulation = try Simulation(plan(), options: options)
    let report = try finish(simulation)
    let world = try World(
      plan(), instructionSet: .baseline, threadCount: 1, hashMode: mode)
    #expect(report.hash == mode.rawValue)
    #expect(report.stateHash == hexadecimal(Values(of: world, tick: 102).stateHash))
    #expect((report.stateHash == "0000000000000000") == (mode == .off))
  }

  /// The first frame is published after the program began to make the run, and before it ended.
  @Test func firstFrameHasItsTime() throws {
    let beganNs = Clock.monotonicNs()
    let report = try finish(Simulation(plan(), options: options("first", ticks: 20)))
    let firstNs = try #require(report.firstFrameClockNs)
    #expect(firstNs > beganNs)
    #expect(firstNs < Clock.monotonicNs())
    let none = try finish(Simulation(plan(), options: options("first-none", ticks: 0)))
    #expect(none.firstFrameClockNs == nil)
  }

  /// Whoever looks at a run's counters sees the figures of its report.
  @Test func countersSayWhatTheReportSays() throws {
    var options = options("counters", ticks: 5)
    options.delivery = .lockstep
    let simulation = try Simulation(plan(), options: options)
    let report = try finish(simulation)
    let directory = try CounterDirectory(base: RunDirectory(name: options.run).base)
    let counters = try #require(
      try directory.readings().readings.first { $0.fact("run") == options.run })
    #expect(counters.isWhole)
    #expect(counters[SimCounter.frames] == 5)
    #expect(counters[SimCounter.stallMaxNs] == report.pace.stallMaxNs)
    #expect(report.pace.stallMaxNs > 0)
    #expect(Double(counters[SimCounter.waitedNs]) / 1e9 == report.pace.waitedSeconds)
    #expect(report.pace.waitedSeconds > 0)
    #expect(counters[SimCounter.overBudgetFrames] == report.pace.overBudgetFrames)
    #expect(counters[SimCounter.frameBytes] == report.frameBytes)
    #expect(counters.times(SimCounter.workTimesNs).count == 5)
    #expect(counters.times(SimCounter.publishTimesNs).count == 5)
    withExtendedLifetime(simulation) {}
  }

  /// The lines of a run's times, each as its cells.
  private func frameTimes(
    _ options: SimOptions, before: (Simulation) -> Void = { _ in }
  ) throws -> [SimFrameTimes] {
    let base = try TemporaryBase()
    let file = try FrameTimesFile<SimFrameTimes>(path: base.path + "/times")
    let simulation = try Simulation(plan(), options: options)
    before(simulation)
    _ = try finish(simulation, frameTimes: file)
    #expect(file.finish() == nil)
    let text = try String(contentsOfFile: base.path + "/times", encoding: .utf8)
    return try text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      return try #require(SimFrameTimes(cells: cells.map { UInt64($0) }))
    }
  }

  /// Each time is after the one before, and due times are those of the schedule.
  @Test func timesOfFramesAreThoseOfTheirStages() throws {
    var options = options("times", ticks: 12)
    options.isPaced = true
    let beganNs = Clock.monotonicNs()
    let times = try frameTimes(options)
    #expect(times.map(\.sequence) == Array(1...12))
    #expect(times.map(\.tick) == Array(1...12))
    let dueTimes = times.compactMap(\.dueNs)
    try #require(dueTimes.count == 12)
    for (frame, due) in zip(times, dueTimes) {
      #expect(due > beganNs && due <= frame.begunNs)
      #expect(frame.begunNs <= frame.computedNs)
      #expect(frame.computedNs <= frame.publishedNs)
    }
    // A run that was held up for five ticks moves its schedule, and only then.
    let gaps = zip(dueTimes.dropFirst(), dueTimes).map { $0 - $1 }
    #expect(gaps.allSatisfy { $0 >= 16_666_666 }, "\(gaps)")
    #expect(zip(times, times.dropFirst()).allSatisfy { $0.publishedNs <= $1.begunNs })
  }

  /// A run that does not wait for the clock has no due times; a tick is not its frame's number.
  @Test func unpacedFramesAreDueAtNoTime() throws {
    let times = try frameTimes(options("times-unpaced", ticks: 5)) { simulation in
      let seek = ControlRequest(verb: .seek, id: 1, fields: ["tick": .integer(100)])
      simulation.commands.handle(seek) { _ in }
    }
    #expect(times.map(\.sequence) == Array(1...5))
    #expect(times.map(\.tick) == Array(100...104))
    #expect(times.allSatisfy { $0.dueNs == nil })
  }

  /// Three recorded frames, and which of them were made.
  private final class RecordedFrames: FrameMaker {
    private(set) var made: [UInt64] = []

    let frameColumns = [
      ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 4, format: .float32)
    ]
    let (entityCount, isa, threadCount, threadsMean) = (4, "none", 1, 1.0)
    let frames: Range<UInt64> = 5..<8

    func next(from index: UInt64) throws(Failure) -> UInt64 { index }
    func tick(at index: UInt64) -> UInt64 { index }
    func index(ofTick tick: UInt64) throws(Failure) -> UInt64 { tick }
    func keepPlaces(
      _ count: Int, streams: Bool, column: @escaping (Int, Int) -> UnsafeMutableRawPointer
    ) {}
    func make(_ index: UInt64, place: Int, places: DestinationRun) throws(Failure) -> UInt64 {
      made.append(index)
      return 0
    }
  }

  /// The first one, too: only what is computed is computed before its turn.
  @Test func recordedFramesAreMadeOnceEach() throws {
    var options = options("recorded", ticks: 0)
    options.tickCount = nil
    let maker = RecordedFrames()
    let lock = try RunLock(run: options.run, carrier: options.carrier)
    let report = try finish(Simulation(lock, plan(), maker: maker, options: options))
    #expect(report.frames == 3)
    #expect(maker.made == [5, 6, 7])
  }

  @Test func pacedRunTakesItsTime() throws {
    var options = options("paced", ticks: 12)
    options.isPaced = true
    let report = try finish(Simulation(plan(), options: options))
    #expect(report.frames == 12)
    #expect(report.pace.elapsedSeconds >= 12.0 / 60)
    #expect(report.pace.askedHz == 60)
    #expect(report.pace.reachedHz > 0)
  }

  @Test func runWithoutTicksPublishesNone() throws {
    let report = try finish(Simulation(plan(), options: options("none", ticks: 0)))
    #expect(report.frames == 0)
  }

  @Test func secondRunOfANameIsRefused() throws {
    let first = try Simulation(plan(), options: options("twice", ticks: 1))
    let failure = #expect(throws: Failure.self) {
      _ = try Simulation(plan(), options: options("twice", ticks: 1))
    }
    #expect(failure?.status == .nameTaken)
    _ = try finish(first)
  }

  @Test func missingSubscribersEndTheRun() throws {
    var options = options("alone", ticks: 1)
    (options.waitFor, options.waitSeconds) = (1, 0.01)
    let simulation = try Simulation(plan(), options: options)
    let failure = #expect(throws: Failure.self) { _ = try finish(simulation) }
    #expect(failure?.status == .unavailable)
    #expect(
      failure?.description
        == "0 of 1 subscribers joined run '\(options.run)' within 0.01 s")
  }
}
