// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryBase
import OrreryCommandLine
import OrreryPlot
import OrreryScene
import OrrerySim

/// Finds how many entities fit.
struct CapacityBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capacity",
    abstract: "The most entities that hold the rate, and what limits them.",
    usage: "orrery bench capacity [SCENE] [OPTIONS]",
    discussion: """
      Examples:
        orrery bench capacity
        orrery bench capacity stress --rate 60,120,240 --subscribers renderer,logger
        orrery bench capacity --kind spring --threads 1,2
      Whole programs run for some seconds with each number of entities. A number
      holds if frames are computed within the budget, readers and the logger miss
      none, and the renderer draws its rate; it is confirmed by three runs of three.
      A run that fails while other programs have the processors decides nothing: the
      answer is then undecided, with the least that fits, and the exit code is 2.
      """)

  @Argument(
    help: """
      A built-in scene or a file. Its fields get more entities; one in which other things are is repeated in whole.
      """)
  var scene = "stress"

  @Option(help: "A field of one kind in place of a scene: marquee, orbit, tween or spring.")
  var kind: FieldKind?

  @Option(help: "Ticks per second, separated by commas, 1 to 10000.")
  var rate = NumberList([60])

  @Option(help: "The part of a tick within which a frame is computed, above 0 and at most 1.")
  var budget = 0.9

  @Option(help: "Programs beside the sim: reader,logger,renderer; or none.")
  var subscribers = "logger"

  @Option(
    name: .customLong("p"),
    help: "The percentile of waits held against the budget, \(Self.percentileRange).")
  var percentile = 99.9

  @Option(help: "Pictures a second that the renderer has to draw; default: the rate, at most 60.")
  var pictures: Double?

  @Option(help: "Numbers of threads, separated by commas, 1 to 1024.")
  var threads = NumberList([1])

  @Option(help: "Instruction sets, separated by commas; default: the best.")
  var isa: WordList<InstructionSet>?

  @Option(help: "Ticks that may be computed ahead, 0 to 7, separated by commas.")
  var lookAhead = "7"

  @Option(help: "Seconds of each run, \(Self.durationRange).")
  var duration = 10.0

  @Option(
    help: """
      The first number of entities, \(Self.entityRange). Default: \(Self.usualFirst), or --max if that is less.
      """)
  var first: Int?

  @Option(help: "The largest number of entities, \(Self.entityRange).")
  var max = 100_000_000

  @OptionGroup var progress: ProgressOption

  @OptionGroup var results: ResultOptions

  @Option(
    help: "Draws waits over entities into a file.", completion: .file(extensions: ["png", "svg"]))
  var plot: String?

  private static let percentileRange = OptionRange(50...100.0)
  private static let durationRange = OptionRange(1...3600.0)
  private static let usualFirst = 100_000
  private static let entityRange = OptionRange(1...100_000_000)

  func validate() throws {
    try checkPlot(plot)
    guard rate.numbers.allSatisfy({ $0 <= 10_000 }) else {
      throw ValidationError("--rate: use 1 to 10000")
    }
    try OptionRange(above: 0, to: 1).check("--budget", budget)
    try Self.percentileRange.check("--p", percentile)
    guard threads.numbers.allSatisfy({ $0 <= 1024 }) else {
      throw ValidationError("--threads: use 1 to 1024")
    }
    try Self.durationRange.check("--duration", duration)
    try Self.entityRange.check("--max", max)
    if let first {
      try Self.entityRange.check("--first", first)
      guard first <= max else { throw ValidationError("--first \(first): above --max \(max)") }
    }
    if let set = isa?.all.first(where: { !$0.isSupported }) {
      throw ValidationError("--isa \(set.rawValue): this machine does not have it")
    }
    _ = try lookAheads()
    _ = try programs()
  }

  private func lookAheads() throws -> [Int] {
    let numbers = lookAhead.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let known = numbers.compactMap { $0 }.filter { (0...7).contains($0) }
    guard known.count == numbers.count else {
      throw ValidationError("--look-ahead \(lookAhead): use numbers from 0 to 7")
    }
    return known
  }

  private func programs() throws -> [ProgramRun.Subscriber] {
    guard subscribers != "none" else { return [] }
    let words = subscribers.split(separator: ",", omittingEmptySubsequences: false)
    let known = words.compactMap { ProgramRun.Subscriber(rawValue: String($0)) }
    guard known.count == words.count, Set(known).count == known.count else {
      throw ValidationError(
        "--subscribers \(subscribers): use reader, logger and renderer, each once; or none")
    }
    return known
  }

  func run() throws {
    try runArea(writing: [results.out, plot]) {
      StopSignals.installHandlers()
      let folder = try ProgramFolder("capacity")
      let (path, subject, copied) = try sceneFile(in: folder)
      let clock = ProcessorClock.now()
      var study = StudyResult(
        title: "capacity of \(subject)", command: StudyOutput.command,
        context: .now())
      let line = progress.line
      let searches = try combinations()
      var pace = CapacityPace(searches: searches.count, runSeconds: duration)
      results.show(pace.expected)
      warnOfOthers()
      results.show(CapacityText.heading)
      search: for (rate, threads, set, ahead) in searches {
        var one = try search(path, subject, rate, threads, set, ahead)
        one.copied = copied
        let (result, isInterrupted) = try one.measure(in: folder) { entities, runsLeft in
          let words = "\(pace.search), \(rate) Hz: \(TextTable.grouped(entities)) entities"
          let left = pace.next(runsLeft: runsLeft, nowNs: Clock.monotonicNs())
          line.show(MeasuringStep(words, remainingSeconds: left))
        }
        pace.searchesDone += 1
        line.close()
        study.add(result)
        results.show(CapacityText.line(result))
        if isInterrupted {
          study.isPartial = true
          break search
        }
      }
      study.context.loadAfter = StudyContext.load()
      if let clock { study.context.stolen = ProcessorClock.now()?.stolen(since: clock) ?? 0 }
      study.notes = Steadiness.notes(study.context, [])
      try study.finish(results)
      if let plot, let format = PlotFile.Format(path: plot) {
        try ChartFile.write(
          Charts.capacity(study.capacities), path: plot, format: format, colors: .light)
      }
      if study.isPartial { throw ExitCode(ExitStatus.unmet.rawValue) }
      if study.capacities.contains(where: { $0.undecided != nil }) {
        throw ExitCode(ExitStatus.undecided.rawValue)
      }
      return []
    }
  }

  /// Says on standard error that the machine is busy, before minutes are spent on it.
  private func warnOfOthers() {
    let (clock, own) = (ProcessorClock.now(), ProcessorClock.ownSeconds())
    _ = Clock.wait(seconds: 0.5, everyNs: 50_000_000) { StopSignals.count > 0 }
    guard let clock, let now = ProcessorClock.now() else { return }
    let others = now.others(since: clock, own: ProcessorClock.ownSeconds() - own)
    guard others > CapacityJudge.othersMax else { return }
    Standard.error(
      "warning: \(CapacityJudge.othersText(others)) just now; what fails meanwhile decides nothing\n"
    )
  }

  private func combinations() throws -> [(Int, Int, InstructionSet?, Int)] {
    let sets: [InstructionSet?] = isa?.all ?? [nil]
    let aheads = try lookAheads()
    return rate.numbers.flatMap { rate in
      threads.numbers.flatMap { threads in
        sets.flatMap { set in aheads.map { (rate, threads, set, $0) } }
      }
    }
  }

  private func search(
    _ path: String, _ subject: String, _ rate: Int, _ threads: Int, _ set: InstructionSet?,
    _ ahead: Int
  ) throws -> CapacityRun {
    var words = [path, "--rate", "\(rate)", "--threads", "\(threads)", "--look-ahead", "\(ahead)"]
    if let set { words += ["--isa", set.rawValue] }
    var name = "\(subject), \(threads) thread\(threads == 1 ? "" : "s")"
    name += ", \((set ?? .best).rawValue), \(ahead) ahead"
    return CapacityRun(
      sim: words,
      judge: CapacityJudge(
        tickNs: 1e9 / Double(rate), budget: budget, percentile: percentile,
        picturesHz: pictures ?? min(Double(rate), 60)),
      result: CapacityResult(
        scene: name, rateHz: Double(rate), budget: budget, percentile: percentile,
        stepSeconds: duration, subscribers: try programs()),
      first: first ?? min(Self.usualFirst, max),
      max: max)
  }

  /// The scene to run, checked before the first run, so that a faulty scene is reported at once; and what grows in it: a
  /// kind, or what the scene is called; and the entities of a copy if it grows by copies.
  private func sceneFile(
    in folder: ProgramFolder
  ) throws -> (path: String, subject: String, copied: Int?) {
    var path = scene
    if let kind {
      path = folder.path(kind.rawValue + ".toml")
      try AtomicFile.write(kind.scene, to: path)
    }
    let file = try SceneSource.load(nameOrPath: path)
    let count = SceneChecker.entityCount(of: file.scene)
    let isField = count.fields > 0 && count.fixed == 0
    let plan = try ScenePlan(
      file, options: ScenePlanOptions(entities: isField ? 1 : nil), text: InstalledFonts())
    let subject = kind?.rawValue ?? (SceneSource.isPath(scene) ? file.scene.name : scene)
    return isField
      ? (path, subject, nil) : (path, "copies of \(subject)", plan.entityCount)
  }
}

/// A kind of field.
package enum FieldKind: String, CaseIterable, ExpressibleByArgument, Sendable {
  case marquee, orbit, tween, spring

  /// A scene with one field of the kind.
  package var scene: String {
    let motion =
      switch self {
      case .marquee: "marquee = { speed = [10, 120], period = [40, 400] }"
      case .orbit: "orbit = { radius = [4, 60], duration = [10, 100] }"
      case .tween: "tween = { property = \"x\", from = 0, to = [20, 120], duration = [0.5, 3] }"
      case .spring:
        "spring = { property = \"y\", distance = [20, 120], response = [0.3, 1], bounce = [0, 0.6], every = 4 }"
      }
    return """
      # A field of one kind, to scale.

      name = "\(rawValue)"
      size = [1280, 720]
      background = "#10131c"
      rate = 60
      seed = 1

      [[content]]
      kind = "field"
      count = 100_000
      \(motion)

      """
  }
}

extension StudyResult {
  /// Adds a search, with a row of its number if that is decided.
  fileprivate mutating func add(_ capacity: CapacityResult) {
    capacities.append(capacity)
    guard capacity.undecided == nil else { return }
    rows.append(
      StudyRow(
        capacity.rowName, unit: "entities", better: .larger, samples: [Double(capacity.entities)]))
  }
}
