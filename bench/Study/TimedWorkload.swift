// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryScene
import OrrerySim

/// A workload with its rows, measured round by round in turns with others.
package final class TimedWorkload {
  /// How a workload is computed.
  package struct Options: Sendable {
    /// The instruction set.
    package var instructionSet = InstructionSet.best
    /// Threads that may share a tick.
    package var threads = 1
    /// Ticks that may be computed early.
    package var lookAhead = 7
    /// Which values the hash covers.
    package var hashMode = HashMode.full
    /// The seed; nil: the scene's own.
    package var seed: UInt64?
    /// How many of the slowest ticks are kept, with what they did.
    package var worst = 0
    /// Whether the tick is also measured by kinds.
    package var splits = true

    /// The options of a sim on this machine, with one thread.
    package init() {}
  }

  /// The workload to measure.
  package let workload: Workload
  /// The row of its ticks.
  package private(set) var row: StudyRow

  /// What the scene's file has and a scene has not; nil: nothing.
  private let leftOut: String?

  private let options: Options
  private let cycle: WorkloadCycle
  /// The world, followed by one world for each kind if kinds are measured separately.
  private var worlds: [TimedWorld]
  /// Nanoseconds that building them took.
  private let buildNs: UInt64
  private var histogram = HdrHistogram()
  private var worst: WorstTicks
  /// Ticks between two readings of the clock: reading it takes less than a hundredth of them.
  private let stride: Int
  private let planted: Double
  /// Ticks of a segment: the ticks that are computed together, or several such groups if one is too short to
  /// be timed.
  private let segmentTicks: Int
  /// Segments until a cycle and a group of ticks begin at the same time again.
  private let segmentCount: Int
  private var writings = 1
  /// Nanoseconds of its rounds, and of these, those for which its thread waited for a processor.
  private var (roundsNs, waitedNs): (UInt64, UInt64) = (0, 0)

  /// Builds the world, and plays two cycles of it: memory is allocated then.
  ///
  /// - Parameters:
  ///   - workload: What is measured.
  ///   - options: How it is computed.
  /// - Throws: `Failure` for a scene that is unknown, faulty or too large.
  package init(_ workload: Workload, _ options: Options = Options()) throws(Failure) {
    (self.workload, self.options) = (workload, options)
    let begin = Clock.monotonicNs()
    let built = try Self.build(workload, options)
    let timed = built.worlds[0]
    worlds = built.worlds
    cycle = built.cycle
    leftOut = built.leftOut.isEmpty ? nil : built.leftOut.text
    let name = "tick " + workload.rowName(scene: built.scene)
    planted = Planted.part(of: name)
    worst = WorstTicks(options.worst) {
      workload.commands(
        to: $0, seconds: timed.world.rate.seconds(tick: $0), scene: built.scene, seed: options.seed,
        entityCount: timed.world.entityCount)
    }
    row = StudyRow(name, unit: "ns", entities: timed.world.entityCount)
    row.budgetNs = timed.world.rate.tickSeconds * 1e9
    if workload.writesAll, timed.frameBytes > 0 {
      row.bound = StudyRow.Bound(what: "writing the frame's bytes")
    }
    // One kind is the whole tick.
    let parts = worlds.count > 1 ? worlds[1...] : worlds[...]
    if built.kinds.count == parts.count {
      row.parts = zip(built.kinds, parts).map { kind, part in
        let entities = part.world.entityCount
        return StudyRow.Part(
          kind: kind, entities: entities,
          bytesPerEntity: Double(part.frameBytes) / Double(entities))
      }
    }
    _ = timed.time(ticks: cycle.ticks)
    // Of a rolling hash, a small scene has ticks without any value.
    if options.hashMode == .full || timed.hash != 0 {
      (row.hash, row.hashTick) = (hexadecimal(timed.hash), timed.tick)
    }
    let tickNs = Self.warmUp(worlds, cycle, options)
    stride = max(1, Int((100 * Self.clockNs / max(tickNs, 1)).rounded(.up)))
    let group = options.lookAhead + 1
    // A round has only one cycle of this length, so there is nothing to choose from.
    let isLong = tickNs * Double(cycle.ticks) > Self.longCycleNs
    segmentTicks = isLong || !cycle.isSame ? cycle.ticks : (stride + group - 1) / group * group
    segmentCount = cycle.ticks / WorkloadCycle.commonDivisor(cycle.ticks, segmentTicks)
    buildNs = Clock.monotonicNs() - begin
  }

  /// Builds the worlds anew before each round if that is quick, otherwise once after half of the rounds.
  ///
  /// The position in memory makes a world slightly faster or slower, and rounds should differ by that too.
  ///
  /// - Parameters:
  ///   - round: The round that comes next, from 0.
  ///   - count: Rounds in all.
  /// - Throws: `Failure` if there is no memory for them.
  package func rebuild(beforeRound round: Int, of count: Int) throws(Failure) {
    guard round > 0, buildNs < Self.quickBuildNs || round == count / 2 else { return }
    // The old ones make room.
    worlds = []
    worlds = try Self.build(workload, options).worlds
    _ = worlds[0].time(ticks: cycle.ticks)
    _ = Self.warmUp(worlds, cycle, options)
  }

  /// Plays a cycle of each world, and writes to each slot: memory is allocated then.
  ///
  /// - Returns: The mean time of a whole tick, in nanoseconds.
  private static func warmUp(
    _ worlds: [TimedWorld], _ cycle: WorkloadCycle, _ options: Options
  ) -> Double {
    let times = worlds.map { $0.time(ticks: cycle.ticks) }
    _ = worlds[0].timeOfWriting(ticks: options.lookAhead + 1)
    return times[0]
  }

  private static let quickBuildNs: UInt64 = 500_000_000

  /// What is built of a workload: its world, followed by those of its kinds if there are several and they are wanted.
  private typealias Built = (
    worlds: [TimedWorld], kinds: [String], scene: String, leftOut: LeftOut, cycle: WorkloadCycle
  )

  private static func build(_ workload: Workload, _ options: Options) throws(Failure) -> Built {
    do {
      let plan = try workload.plan(seed: options.seed)
      guard plan.entityCount > 0 else {
        throw Failure(
          .badData, "\(workload.name): nothing in it moves, so there is no tick to time")
      }
      let kinds = kinds(of: plan)
      var plans = [plan]
      if options.splits, kinds.count > 1 { plans += kinds.map { plan.only($0) } }
      return (
        try plans.map { try world($0, options) }, kinds, plan.name, plan.leftOut,
        WorkloadCycle(workload, plan)
      )
    } catch let error as SystemCallError {
      throw Failure(.resource, error)
    } catch {
      throw Failure(error)
    }
  }

  private static func world(
    _ plan: ScenePlan, _ options: Options
  ) throws(SystemCallError) -> TimedWorld {
    try TimedWorld(
      plan, instructionSet: options.instructionSet, threads: options.threads,
      lookAhead: options.lookAhead, hashMode: options.hashMode)
  }

  private static let longCycleNs = 25e6
  /// Rounds in which parts are also measured, if cycles are long.
  private static let longRounds = 4

  /// Kinds of a plan in their order, each once.
  private static func kinds(of plan: ScenePlan) -> [String] {
    var names: [String] = []
    for batch in plan.batches where !names.contains(batch.kind) { names.append(batch.kind) }
    return names
  }

  /// The time that a reading of the clock takes, in nanoseconds: the fastest of several.
  private static let clockNs: Double = {
    (0..<5).map { _ in
      let begin = Clock.monotonicNs()
      for _ in 0..<1000 { _ = Clock.monotonicNs() }
      return Double(Clock.monotonicNs() - begin) / 1000
    }.min() ?? 0
  }()

  /// Measures a round: whole cycles, the same number of bytes written, and the kinds alone.
  ///
  /// - Parameter ns: Time of the whole tick's part, at least.
  package func measure(ns: UInt64) {
    let (begin, waited) = (Clock.monotonicNs(), ProcessorClock.waitedNs())
    row.samples.append(round(ns, planted))
    if let waited, let now = ProcessorClock.waitedNs() {
      (waitedNs, roundsNs) = (waitedNs + now - waited, roundsNs + Clock.monotonicNs() - begin)
      row.waited = Double(waitedNs) / Double(max(roundsNs, 1))
    }
    if stride == 1 { row.histogram = histogram.encoded }
    if options.worst > 0 {
      if stride > 1 { measureWorst(ns: ns) }
      row.worst = worst.ticks
    }
    measureBound(ns: ns / 8)
    // For long cycles, a few rounds show the parts well enough.
    guard segmentTicks < cycle.ticks || !cycle.isSame || row.samples.count <= Self.longRounds else {
      return
    }
    measureKinds(ns: ns / 4)
    measureEvents(ns: ns / 8)
  }

  /// What a reader of its row should know: what was left out of the file, and whether nothing is left to happen, so that
  /// most ticks of its rounds are of a scene at rest.
  package var notes: [String] {
    var notes = leftOut.map { ["\(workload.name): left out: \($0)"] } ?? []
    let world = worlds[0].world
    if world.viewCounts.queued > 0, world.viewLoad.events == 0 {
      notes.append(
        "\(workload.name): all its commands were over before tick \(worlds[0].tick), the last one"
          + " that was timed, so most ticks are of a scene at rest; a command with every repeats")
    }
    return notes
  }

  /// Adds what the scene lets happen to its slowest ticks.
  package func explainWorst() {
    guard let worst = row.worst, !worst.isEmpty, let plan = try? workload.plan(seed: options.seed),
      let causes = TickCauses(plan, commandedTracks: worlds[0].world.commandedTracks)
    else { return }
    row.worst = worst.map { tick in
      var tick = tick
      tick.causes = causes.words(tick: tick.tick)
      return tick
    }
  }

  /// The time of a tick, in nanoseconds, over whole cycles.
  ///
  /// A cycle is measured in segments, each of as many ticks as are computed at one time. Where a segment does the
  /// same work in every cycle, a longer time means an interruption: the lower quartile of its times
  /// counts. On a busy machine, most cycles are interrupted somewhere, but few segments. Otherwise all count.
  ///
  /// - Parameters:
  ///   - ns: Time of the round, at least.
  ///   - planted: A slowdown that a test plants, as a fraction.
  /// - Returns: Nanoseconds.
  package func round(_ ns: UInt64, _ planted: Double = 0) -> Double {
    var segments = [[Double]](repeating: [], count: segmentCount)
    let begin = Clock.monotonicNs()
    repeat {
      for index in segments.indices {
        var (sum, left) = (0.0, segmentTicks)
        while left > 0 {
          let ticks = stride == 1 ? 1 : left
          let tickNs =
            stride == 1 && options.worst > 0
            ? timeInParts(planted) : worlds[0].time(ticks: ticks, planted: planted)
          if stride == 1 { histogram.record(UInt64(tickNs)) }
          sum += tickNs * Double(ticks)
          left -= ticks
        }
        segments[index].append(sum)
      }
    } while Clock.monotonicNs() < begin + ns
    let sum = segments.reduce(0) { $0 + cycle.time(of: $1) }
    return sum / Double(segmentCount * segmentTicks)
  }

  /// Times whole cycles tick by tick where a round does not: reading the clock takes a part of such short ticks.
  private func measureWorst(ns: UInt64) {
    let begin = Clock.monotonicNs()
    repeat {
      for _ in 0..<cycle.ticks { _ = timeInParts(planted) }
    } while Clock.monotonicNs() < begin + ns
  }

  /// The time of the next tick in nanoseconds; it is kept if it is one of the slowest.
  private func timeInParts(_ planted: Double) -> Double {
    let tick = worlds[0].timeInParts(planted: planted)
    worst.add(tick)
    return tick.ns
  }

  private func measureBound(ns: UInt64) {
    guard row.bound != nil else { return }
    let begin = Clock.monotonicNs()
    let first = worlds[0].timeOfWriting(ticks: writings)
    // As many calls as fit the time, from the second round on.
    if Clock.monotonicNs() < begin + ns, first > 0 {
      writings = max(1, min(1_000_000, Int(Double(ns) / first)))
      row.bound?.samples.append(worlds[0].timeOfWriting(ticks: writings))
    } else {
      row.bound?.samples.append(first)
    }
  }

  private func measureKinds(ns: UInt64) {
    guard worlds.count > 1 else {
      // One kind is the whole tick.
      if !row.parts.isEmpty { row.parts[0].tickNs.append(row.samples[row.samples.count - 1]) }
      return
    }
    let kinds = worlds[1...]
    for (index, kind) in kinds.enumerated() {
      let begin = Clock.monotonicNs()
      var cycles: [Double] = []
      repeat {
        cycles.append(kind.time(ticks: cycle.ticks))
      } while Clock.monotonicNs() < begin + ns / UInt64(kinds.count)
      row.parts[index].tickNs.append(cycle.time(of: cycles))
    }
  }

  private func measureEvents(ns: UInt64) {
    guard let index = row.parts.firstIndex(where: { $0.kind == "view" }) else { return }
    let world = worlds.count > 1 ? worlds[1 + index] : worlds[0]
    let begin = Clock.monotonicNs()
    var cycles: [Double] = []
    repeat {
      cycles.append(world.timeOfEvents(ticks: cycle.ticks, clockNs: Self.clockNs))
    } while Clock.monotonicNs() < begin + ns
    row.parts[index].eventsNs =
      (row.parts[index].eventsNs ?? [])
      + [cycle.time(of: cycles)]
  }
}
