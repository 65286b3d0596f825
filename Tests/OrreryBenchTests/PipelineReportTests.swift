// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import TestSupport
import Testing

/// Goal: figures of `bench pipeline` follow from the times of frames, joined by the frames' numbers.
///
/// Method: times by hand, in whole milliseconds up to 31, which a histogram keeps to within a 32nd.
@Suite struct PipelineReportTests {
  private static let ms: UInt64 = 1_000_000

  /// When frame n is due: far from 0, and not a whole number of anything.
  private static func due(_ sequence: UInt64) -> UInt64 { 7_000_000_123 + sequence * 100 * ms }

  /// A frame of a sim, in milliseconds from its due time.
  private static func frame(
    _ sequence: UInt64, begun: UInt64, computed: UInt64, published: UInt64, isDue: Bool = true
  ) -> SimFrameTimes {
    let due = due(sequence)
    return SimFrameTimes(
      sequence: sequence, tick: sequence + 40, dueNs: isDue ? due : nil, begunNs: due + begun * ms,
      computedNs: due + computed * ms, publishedNs: due + published * ms)
  }

  /// A frame of a subscriber, in milliseconds from its due time.
  private static func use(
    _ sequence: UInt64, found: UInt64, done: UInt64
  ) -> SubscriberFrameTimes {
    SubscriberFrameTimes(
      sequence: sequence, foundNs: due(sequence) + found * ms, doneNs: due(sequence) + done * ms)
  }

  private static let times = [
    frame(1, begun: 1, computed: 4, published: 5), frame(2, begun: 2, computed: 3, published: 5),
    frame(3, begun: 0, computed: 8, published: 9), frame(4, begun: 1, computed: 2, published: 5),
  ]

  /// Four frames of a run with ten ticks a second.
  private static let frames = PublishedFrames(times, frameBytes: 1000, ticksPerSecond: 10)

  private static let cost = PipelineReport.Cost(
    userSeconds: 1.5, systemSeconds: 0.25, residentMaxBytes: 300 << 20)

  private static func stage(
    _ name: String, _ program: PipelineReport.Program
  ) throws -> DurationReport {
    try #require(program.stages.first { $0.name == name }?.sinceDue)
  }

  @Test func stagesOfTheSimAreTimesSinceTheDueTime() throws {
    let sim = PipelineReport.Program(sim: Self.frames, cost: Self.cost)
    #expect(sim.program == "sim")
    #expect(sim.stages.map(\.name) == ["begun", "computed", "published"])
    #expect(
      try Self.stage("begun", sim) == SampleReports.durations(Self.ms, 2 * Self.ms, 0, Self.ms))
    let computed = try Self.stage("computed", sim)
    #expect(computed.count == 4)
    #expect(computed.maxNs == 8 * Self.ms)
    #expect(computed.meanNs == 17 * Self.ms / 4)
    #expect(try Self.stage("published", sim).maxNs == 9 * Self.ms)
    #expect(
      sim.work == SampleReports.durations(3 * Self.ms, Self.ms, 8 * Self.ms, Self.ms),
      "from its turn until it was computed")
    #expect(sim.frames == 4)
    #expect(sim.missed == nil)
    // Four frames, of which the last was published 405 ms after the run's begin.
    #expect(sim.perSecond == 4e9 / 405e6)
    #expect(sim.bytesPerSecond == 4e9 / 405e6 * 1000)
    #expect(sim.cost.residentMaxBytes == 300 << 20)
  }

  @Test func framesWithoutDueTimeHaveNoStages() throws {
    let frames = PublishedFrames(
      [
        Self.frame(1, begun: 1, computed: 4, published: 5, isDue: false),
        Self.frame(2, begun: 2, computed: 3, published: 5),
      ], frameBytes: 1, ticksPerSecond: 10)
    let sim = PipelineReport.Program(sim: frames, cost: Self.cost)
    // From a tick before the first began.
    #expect(sim.perSecond == 2e9 / 204e6)
    #expect(try Self.stage("published", sim).count == 1)
    #expect(sim.work.count == 2)
    #expect(sim.frames == 2)
    let logger = PipelineReport.Program(
      "logger", [Self.use(1, found: 6, done: 7), Self.use(2, found: 8, done: 9)], of: frames,
      cost: Self.cost)
    #expect(try Self.stage("found", logger) == SampleReports.durations(8 * Self.ms))
    #expect(logger.frames == 2)
    #expect(logger.missed == 0)
  }

  /// The subscriber's second line is of the third frame.
  @Test func subscriberIsJoinedByTheNumbersOfFrames() throws {
    let times = [
      Self.use(1, found: 6, done: 11), Self.use(3, found: 10, done: 12),
      Self.use(4, found: 7, done: 31),
    ]
    let logger = PipelineReport.Program(
      "logger", times, of: Self.frames, cost: Self.cost)
    #expect(logger.program == "logger")
    #expect(logger.stages.map(\.name) == ["found", "recorded"])
    #expect(
      try Self.stage("found", logger)
        == SampleReports.durations(6 * Self.ms, 10 * Self.ms, 7 * Self.ms))
    #expect(
      try Self.stage("recorded", logger)
        == SampleReports.durations(11 * Self.ms, 12 * Self.ms, 31 * Self.ms))
    #expect(logger.work == SampleReports.durations(5 * Self.ms, 2 * Self.ms, 24 * Self.ms))
    #expect(logger.frames == 3)
    #expect(logger.missed == 1)
    // The last was recorded 431 ms after the run's begin.
    #expect(logger.perSecond == 3e9 / 431e6)
    #expect(logger.bytesPerSecond == 3e9 / 431e6 * 1000)
  }

  @Test(arguments: [("renderer", "drawn"), ("logger", "recorded"), ("reader", "read")])
  func lastStageHasItsWord(program: String, word: String) {
    let figures = PipelineReport.Program(
      program, [], of: Self.frames, cost: Self.cost)
    #expect(figures.stages.map(\.name) == ["found", word])
    #expect(figures.missed == 4)
    #expect(figures.frames == 0)
    #expect(figures.perSecond == 0)
    #expect(figures.stages.allSatisfy { $0.sinceDue.count == 0 })
  }

  /// A line of another run is none of this one's.
  @Test func framesThatTheSimDidNotPublishDoNotCount() {
    let figures = PipelineReport.Program(
      "reader", [Self.use(4, found: 1, done: 2), Self.use(5, found: 1, done: 2)],
      of: Self.frames, cost: Self.cost)
    #expect(figures.frames == 1)
    #expect(figures.missed == 3)
    #expect(figures.stages[0].sinceDue.count == 1)
  }

  /// A frame may be found before the sim has sent its announcement, but never before it was due.
  @Test func timeThatEndsBeforeItBeginsIsNone() throws {
    let early = SubscriberFrameTimes(sequence: 1, foundNs: Self.due(1) - 1, doneNs: 0)
    let figures = PipelineReport.Program(
      "reader", [early], of: Self.frames, cost: Self.cost)
    #expect(try Self.stage("found", figures).maxNs == 0)
    #expect(figures.work.maxNs == 0)
  }

  /// A program that was done earlier had the rest of the run, too.
  @Test func rateIsThatOfTheWholeRun() {
    #expect(Self.frames.perSecond(0, doneNs: 0) == 0)
    #expect(Self.frames.perSecond(2, doneNs: Self.due(2)) == 2e9 / 405e6)
    #expect(Self.frames.perSecond(2, doneNs: Self.due(9)) == 2e9 / 900e6)
    let none = PublishedFrames([], frameBytes: 1, ticksPerSecond: 10)
    #expect(none.perSecond(0, doneNs: 0) == 0)
  }

  // MARK: - Rows, goals and table

  /// A row of `stress` at this rate, whose sim works so long, and whose subscribers miss so many frames.
  private static func row(
    _ entities: UInt64, _ subscribers: PipelineSubscribers, scene: String = "stress",
    workMs: UInt64 = 3, missed: Int = 0, perSecond: Double = 30, lateTicks: UInt64 = 0
  ) -> PipelineReport.Row {
    var report = SampleReports.sim()
    (report.scene, report.entities, report.frameBytes) = (scene, entities, 6_000_136)
    (report.threads, report.pace.lateTicks) = (1, lateTicks)
    // Twenty frames are used, and each is done in 11 ms; the others are missed.
    let tickNs = UInt64((1e9 / perSecond).rounded())
    let dueTimes = (1...UInt64(20 + missed)).map { ($0, due(0) + $0 * tickNs) }
    let published = PublishedFrames(
      dueTimes.map { sequence, due in
        SimFrameTimes(
          sequence: sequence, tick: sequence, dueNs: due, begunNs: due + ms,
          computedNs: due + (1 + workMs) * ms, publishedNs: due + (2 + workMs) * ms)
      }, frameBytes: report.frameBytes, ticksPerSecond: perSecond)
    let used = dueTimes.prefix(20).map { sequence, due in
      SubscriberFrameTimes(sequence: sequence, foundNs: due + 6 * ms, doneNs: due + 11 * ms)
    }
    let sim = PipelineReport.Program(sim: published, cost: cost)
    let programs = subscribers.programs.map {
      PipelineReport.Program($0, used, of: published, cost: cost)
    }
    return PipelineReport.Row(report, subscribers, programs: [sim] + programs)
  }

  private static func judged(_ rows: [PipelineReport.Row]) -> [BenchGoal] {
    var report = PipelineReport()
    report.rows = rows
    return report.goals
  }

  @Test func goalsAreOfTheirOwnRows() throws {
    let goals = Self.judged([
      Self.row(1_000_000, .rendererAndLogger), Self.row(1_000_000, .renderer, perSecond: 31),
      Self.row(4_000_000, .renderer, perSecond: 11), Self.row(10_000_000, .renderer, perSecond: 5),
      Self.row(10_000_000, .none, workMs: 3),
    ])
    #expect(goals.map(\.verdict) == ["holds", "holds", "holds", "holds", "holds"])
    #expect(goals.map(\.wanted) == [0, 30, 10, 4, 4])
    #expect(goals.map(\.isLimit) == [true, false, false, false, true])
    let measured = goals.compactMap(\.measured)
    try #require(measured.count == 5)
    #expect(measured[0] == 0 && measured[4] == 3)
    for (figure, rate) in zip(measured[1...3], [31, 11, 5] as [Double]) {
      #expect(abs(figure - 20 / (20 / rate + 0.011)) < 1e-6, "\(figure), \(rate)")
    }
  }

  @Test func goalsThatAreNotReachedAreMissed() {
    let goals = Self.judged([
      Self.row(1_000_000, .rendererAndLogger, missed: 3),
      Self.row(1_000_000, .renderer, perSecond: 29), Self.row(4_000_000, .renderer, perSecond: 9),
      Self.row(10_000_000, .renderer, perSecond: 3), Self.row(10_000_000, .none, workMs: 5),
    ])
    #expect(goals.map(\.verdict) == Array(repeating: "missed", count: 5))
    #expect(goals[0].measured == 3)
  }

  @Test func otherRowsAreNoGoals() {
    let goals = Self.judged([
      Self.row(1_000_000, .rendererAndLogger, scene: "planets"), Self.row(1_000_000, .logger),
      Self.row(4_000_001, .renderer), Self.row(10_000_000, .reader), Self.row(4_000_000, .none),
    ])
    #expect(goals.allSatisfy { $0.verdict == "not measured" })
    #expect(goals.allSatisfy { $0.name.count <= 51 }, "\(goals.map(\.name))")
  }

  @Test func rowHasWhatTheSimReported() {
    let row = Self.row(1_000_000, .rendererAndLogger, lateTicks: 3)
    #expect(row.scene == "stress")
    #expect(row.entities == 1_000_000)
    #expect(row.frameBytes == 6_000_136)
    #expect(row.slots == 64)
    #expect(row.ticksPerSecond == 60)
    #expect(row.threads == 1)
    #expect(row.lateTicks == 3)
    #expect(row.programs.map(\.program) == ["sim", "renderer", "logger"])
    #expect(row.program("logger")?.program == "logger")
    #expect(row.program("reader") == nil)
  }

  @Test func tablesHaveALineForEachStageAndProgram() {
    let rows = Self.row(1_000_000, .rendererAndLogger, missed: 3, lateTicks: 1).studyRows
    let run = "stress, 1,000,000 entities, sim, renderer with a video, and logger"
    let stages = rows.filter { $0.place?.table == run }
    #expect(stages.count == 4 * 6)
    #expect(
      stages.filter { $0.place?.figure == "p99" }.map(\.place?.line) == [
        "sim, computed", "sim, published", "renderer, found", "renderer, drawn", "logger, found",
        "logger, recorded",
      ])
    #expect(stages.first { $0.place?.line == "renderer, drawn" }?.samples == [11])
    let logger = rows.filter {
      $0.place == .init(run + ", programs", "logger", $0.place?.figure ?? "")
    }
    #expect(logger.map(\.place?.figure) == ["Hz", "missed", "MB/s", "CPU s", "MiB"])
    #expect(logger.map { $0.samples[0] }[1] == 3)
    #expect(logger.map { $0.samples[0] }[3...] == [1.75, 300])
    #expect(rows.first { $0.place?.figure == "late" }?.samples == [1])
    #expect(Self.row(1, .none).studyRows[0].place?.table == "stress, 1 entity, sim alone")
  }

  @Test func subscribersHaveTheirPrograms() {
    #expect(
      PipelineSubscribers.allCases.map(\.programs)
        == [[], ["reader"], ["renderer"], ["logger"], ["renderer", "logger"]])
    #expect(Set(PipelineSubscribers.allCases.map(\.title)).count == 5)
  }
}
