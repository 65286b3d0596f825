// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryScene

/// A study: workloads in turns, round by round, with runs of whole programs between the rounds, and the
/// machine's state meanwhile.
package final class StudyRun {
  /// What is measured, and for how long.
  package struct Plan {
    /// The workloads whose ticks are timed.
    package var workloads: [Workload]
    /// How they are computed.
    package var options = TimedWorkload.Options()
    /// Rounds of each.
    package var rounds = 12
    /// Nanoseconds of a round of a workload's ticks, at least.
    package var roundNs: UInt64 = 50_000_000
    /// Runs of whole programs; nil: none.
    package var frames: Frames?
    /// Seconds for rows whose rounds differ too much.
    package var repeatSeconds = 10.0
    /// What it is called.
    package var title: String
    /// The command line that measures it again.
    package var command: String

    /// A plan.
    package init(workloads: [Workload], title: String, command: String) {
      (self.workloads, self.title, self.command) = (workloads, title, command)
    }
  }

  /// Runs of whole programs.
  package struct Frames {
    /// The scene and its options, as arguments of `sim`.
    package var sim: [String]
    /// Seconds of each run.
    package var seconds = 3.0
    /// How often each is run.
    package var turns = 2
    /// Programs beside the sim; the renderer has a run of its own.
    package var subscribers: [ProgramRun.Subscriber] = [.reader, .logger, .renderer]
    /// Whether there is also a run without a clock, as fast as possible.
    package var hasUnpaced = true

    /// Runs of a scene.
    package init(sim: [String]) { self.sim = sim }

    /// The runs of a turn, with their names, and whether they go as fast as they can.
    fileprivate var runs: [(name: String, run: ProgramRun, isUnpaced: Bool)] {
      let beside = subscribers.filter { $0 != .renderer }
      var runs: [(name: String, run: ProgramRun, isUnpaced: Bool)] = []
      if !beside.isEmpty {
        let run = ProgramRun(sim: sim, subscribers: beside, seconds: seconds)
        runs.append(("frames with \(beside.map(\.rawValue).joined(separator: ", "))", run, false))
      }
      if subscribers.contains(.renderer) {
        let run = ProgramRun(sim: sim, subscribers: [.renderer], seconds: seconds)
        runs.append(("frames with renderer", run, false))
      }
      if hasUnpaced {
        let run = ProgramRun(sim: sim, seconds: seconds * 40, isPaced: false)
        runs.append(("frames as fast as they can be", run, true))
      }
      return runs
    }
  }

  private let plan: Plan
  private var result: StudyResult
  private let steadiness = Steadiness()
  private var subjects: [TimedWorkload] = []
  private let frameRows = FrameRows()
  private let folder: ProgramFolder?
  private let progress: (MeasuringStep) -> Void
  private var programRunsLeft: Int
  private var roundsLeft: Int

  /// Seconds that rounds took so far, and their number.
  private var roundTimes = (seconds: 0.0, count: 0)

  /// Rounds that differ by more than this, from quartile to quartile, are repeated.
  private static let spreadMax = 0.1

  /// - Parameters:
  ///   - plan: The rows to measure.
  ///   - progress: Receives each step.
  /// - Throws: `Failure` if the folder for the programs' files cannot be made.
  package init(
    _ plan: Plan, progress: @escaping (MeasuringStep) -> Void = { _ in }
  ) throws(Failure) {
    (self.plan, self.progress) = (plan, progress)
    programRunsLeft = plan.frames.map { ($0.turns + 1) * $0.runs.count } ?? 0
    roundsLeft = plan.rounds
    folder = plan.frames == nil ? nil : try ProgramFolder("study")
    result = StudyResult(title: plan.title, command: plan.command, context: .now())
  }

  /// Shows a step, with the time that is left: programs run as long as they are told to, and rounds take as long as
  /// those before them; the first is as long as its parts are planned to be.
  private func show(_ words: String) {
    let planned = Double(plan.workloads.count) * Double(plan.roundNs) / 1e9 * Self.roundFactor
    let roundSeconds =
      roundTimes.count > 0 ? roundTimes.seconds / Double(roundTimes.count) : planned
    let programs = Double(programRunsLeft) * ((plan.frames?.seconds ?? 0) + Self.startSeconds)
    progress(
      MeasuringStep(words, remainingSeconds: programs + Double(roundsLeft) * roundSeconds))
  }

  /// A round by the time of its main part: an eighth for the limit, a quarter for the kinds, an eighth for events.
  private static let roundFactor = 1.5
  /// Seconds in which programs start and finish their files.
  private static let startSeconds = 1.0

  /// Whether a signal asked this program to end.
  private var isInterrupted: Bool { StopSignals.count > 0 }

  /// Measures everything.
  ///
  /// - Returns: The result; partial if a signal came meanwhile.
  /// - Throws: `Failure` if a scene cannot be used, or a program fails.
  package func measure() throws(Failure) -> StudyResult {
    let clock = ProcessorClock.now()
    // Programs are started first: the worlds of the workloads take memory, and the kernel needs some for files.
    for turn in 0..<(plan.frames?.turns ?? 0) where !isInterrupted { try measureFrames(turn) }
    try makeSubjects()
    for round in 0..<plan.rounds where !isInterrupted {
      show("round \(round + 1) of \(plan.rounds)")
      let beginNs = Clock.monotonicNs()
      defer {
        roundsLeft -= 1
        roundTimes.seconds += Double(Clock.monotonicNs() - beginNs) / 1e9
        roundTimes.count += 1
      }
      for index in Turns.order(count: subjects.count, round: round) where !isInterrupted {
        try subjects[index].rebuild(beforeRound: round, of: plan.rounds)
        steadiness.measure()
        subjects[index].measure(ns: plan.roundNs)
      }
    }
    repeatUnsteady()
    if !isInterrupted, let frames = plan.frames { try measureFrames(frames.turns) }
    return finish(since: clock)
  }

  private func makeSubjects() throws(Failure) {
    for workload in plan.workloads where !isInterrupted {
      show("building \(workload.name)")
      let (entities, needed) = try Self.need(of: workload, seed: plan.options.seed)
      let free = Memory.availableBytes()
      guard needed < free / 2 else {
        let reason =
          "\(workload.name): \(TextTable.grouped(entities)) entities need about"
          + " \(TextTable.grouped(Int(needed >> 20))) MiB; half of \(free >> 20) MiB is used at most"
        // A study goes on without this workload; if it was the only one, the request was too large.
        guard plan.workloads.count > 1 else { throw Failure(.resource, reason) }
        result.notes.append("left out: " + reason)
        continue
      }
      var options = plan.options
      // A second world of a million views would take too long for what it shows.
      options.splits = options.splits && workload.copies <= Self.splitCopiesMax
      let subject = try TimedWorkload(workload, options)
      guard !subjects.contains(where: { $0.row.name == subject.row.name }) else {
        throw Failure(
          .usage, "\(workload.name): the same scene as another; two settings of one are a sweep")
      }
      subjects.append(subject)
    }
  }

  /// Estimates a workload's entities and memory from one copy and small fields, so that too many entities are
  /// never made.
  private static func need(
    of workload: Workload, seed: UInt64?
  ) throws(Failure) -> (entities: Int, bytes: UInt64) {
    var one = workload
    one.copies = 1
    one.entities = workload.entities.map { min($0, sampledEntities) }
    let scale = Double(workload.entities ?? 1) / Double(one.entities ?? 1)
    do throws(SceneError) {
      var (entities, bytes): (Int, UInt64) = (0, 0)
      for batch in try one.plan(seed: seed).batches {
        let isViews = batch.kind == "view"
        let copies = isViews || !workload.copiesViewsOnly ? workload.copies : 1
        // At most 10^8 entities and 10^7 copies.
        let count = Int(Double(batch.count * copies) * (isViews ? 1 : scale))
        entities += count
        bytes += UInt64(count) * (isViews ? viewBytes : entityBytes)
      }
      return (entities, bytes)
    } catch {
      throw Failure(error)
    }
  }

  /// Memory of a view, its transaction and its completion, and of its plan: measured with `storm`.
  private static let viewBytes: UInt64 = 2_048
  /// Memory of another entity: two floats in eight slots, as many for the limit's writes, and its columns.
  private static let entityBytes: UInt64 = 160
  private static let splitCopiesMax = 10_000
  /// Fields of more entities are counted in proportion.
  private static let sampledEntities = 10_000

  private func measureFrames(_ turn: Int) throws(Failure) {
    guard let frames = plan.frames, let folder else { return }
    let runs = frames.runs
    // A B C, C B A: what drifts meets all alike.
    for (name, run, isUnpaced) in turn % 2 == 0 ? runs : runs.reversed() where !isInterrupted {
      show(name)
      programRunsLeft -= 1
      steadiness.measure()
      guard let outcome = try run.measure(in: folder) else { return }
      if isUnpaced { frameRows.addUnpaced(outcome) } else { frameRows.add(outcome) }
      for _ in 0..<2 { frameRows.addBound(RecordingBound.copying()) }
    }
  }

  /// Measures rows again whose rounds differ too much, the worst first, as long as there is time.
  private func repeatUnsteady() {
    let end = Clock.monotonicNs() + UInt64(plan.repeatSeconds * 1e9)
    for _ in 0..<plan.rounds {
      let unsteady = subjects.filter { ($0.row.summary?.spread ?? 0) > Self.spreadMax }
      for subject in unsteady where Clock.monotonicNs() < end && !isInterrupted {
        show("again, its rounds differ: \(subject.workload.name)")
        steadiness.measure()
        subject.measure(ns: plan.roundNs)
      }
    }
  }

  private func finish(since clock: ProcessorClock?) -> StudyResult {
    result.isPartial = isInterrupted
    result.context.loadAfter = StudyContext.load()
    if let clock { result.context.stolen = ProcessorClock.now()?.stolen(since: clock) ?? 0 }
    subjects.forEach { $0.explainWorst() }
    result.notes += subjects.flatMap(\.notes)
    result.rows = subjects.map(\.row).filter { !$0.samples.isEmpty }
    result.rows += frameRows.rows.filter { !$0.samples.isEmpty }
    for index in result.rows.indices {
      if let spread = result.rows[index].summary?.spread, spread > Self.spreadMax {
        result.rows[index].doubts.append(
          "its rounds have a spread of \(decimal(spread * 100, places: 0)) %")
      }
      result.rows[index].doubts += [result.rows[index].waitedText].compactMap { $0 }
    }
    result.rows += steadiness.rows.filter { !$0.samples.isEmpty }
    result.notes += Steadiness.notes(result.context, steadiness.rows)
    return result
  }
}
