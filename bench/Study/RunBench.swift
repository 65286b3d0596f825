// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryBase
import OrreryCommandLine
import OrreryDocument
import OrreryScene
import OrrerySim

/// A study of one's own: any scene, any settings.
struct RunBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "A study of scenes of one's own.",
    usage: "orrery bench run SCENE|PLAN.toml … [OPTIONS]",
    discussion: """
      Examples:
        orrery bench run stress feed --threads 2
        orrery bench run stress --entities 1000000 --frames --out million.json
        orrery bench run feed storm --worst 5
      Scenes are built-in ones, the workloads of the study, and scene files. A plan
      is what sweep takes, without a grid: its keys are the options below.
      """)

  private static let usual = CaseSettings()

  @Argument(help: "Scenes or plans.")
  var scenes: [String]

  @Option(help: "Entities of a scene with fields, 1 to 100000000. Default: its own.")
  var entities: Int?

  @Option(help: "Copies of the scene's entities, 1 to 10000000. Default: the workload's, or 1.")
  var copies: Int?

  @Option(help: "Threads that may share a tick, 1 to 1024. Default: \(Self.usual.threads).")
  var threads: Int?

  @Option(help: "Instruction set: baseline, avx2 or avx512. Default: the best.")
  var isa: String?

  @Option(help: "Ticks that may be computed ahead, 0 to 7. Default: \(Self.usual.lookAhead).")
  var lookAhead: Int?

  @Option(
    help: "Values that the hash covers: full, rolling or off. Default: \(Self.usual.hash.rawValue)."
  )
  var hash: String?

  @Option(help: "Seed of all random numbers, from 0. Default: the scene's.")
  var seed: Int?

  @Option(help: "Rounds of each scene, 1 to 10000. Default: \(Self.usual.rounds).")
  var rounds: Int?

  @Option(help: "Milliseconds of a round, 1 to 60000. Default: \(Self.usual.roundMilliseconds).")
  var roundMs: Int?

  @Option(help: "Name so many of the slowest ticks, with what they did: 0 to 1000. Default: none.")
  var worst: Int?

  @Flag(help: "Also run whole programs of one scene, and follow the frames.")
  var frames = false

  @Option(
    help: "Seconds of such a run, 0.5 to 3600. Default: \(decimal(Self.usual.duration, places: 0))."
  )
  var duration: Double?

  @Option(help: "Programs beside the sim: reader,logger,renderer; or none. Default: all.")
  var subscribers: String?

  @Option(help: "Ticks per second of such a run, 0.01 to 1000000. Default: the scene's.")
  var rate: Double?

  @OptionGroup var progress: ProgressOption

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try CommandLineProgram.checkOutputs([("--out", results.out)], inputs: scenes)
    do {
      var settings = CaseSettings()
      try apply(to: &settings)
    } catch let fault as Fault {
      throw ValidationError("--\(fault.key.rawValue): \(fault.reason)")
    }
  }

  func run() throws {
    try runArea(writing: [results.out]) {
      var plan: StudyRun.Plan?
      let title = scenes.map(Workload.sceneName).joined(separator: ", ")
      for scene in scenes {
        var settings = try self.settings(scene)
        do {
          try apply(to: &settings)
        } catch let fault as Fault {
          throw Failure(.usage, "--\(fault.key.rawValue): \(fault.reason)")
        }
        let one = settings.study(title: title, command: StudyOutput.command)
        if plan == nil { plan = one } else { plan?.workloads += one.workloads }
      }
      let names = plan?.workloads.map(\.name) ?? []
      guard Set(names).count == names.count else {
        throw Failure(.usage, "a scene stands twice; two settings of one scene are a sweep")
      }
      if scenes.count > 1, plan?.frames != nil {
        throw Failure(.usage, "--frames follows the frames of one scene; there are \(scenes.count)")
      }
      if let plan { try StudyOutput.finish(plan, results, progress.line) }
      return []
    }
  }

  /// The settings of a scene, or of a plan without a grid.
  private func settings(_ name: String) throws(Failure) -> CaseSettings {
    if name.hasSuffix(".toml"), let data = FileManager.default.contents(atPath: name),
      let table = try? TOMLParser.parse(String(decoding: data, as: UTF8.self), depthMax: 8),
      table.has("run") || table.has("grid"), !table.has("content")
    {
      let plan = try SweepPlan.read(name)
      guard plan.varied.isEmpty else {
        throw Failure(.usage, "\(name): has a grid; run it with orrery bench sweep")
      }
      return plan.cases[0].settings
    }
    var settings = CaseSettings()
    settings.scene = name
    return settings
  }

  private struct Fault: Error {
    let key: CaseSettings.Key
    let reason: String
  }

  private func apply(to settings: inout CaseSettings) throws {
    func set(_ key: CaseSettings.Key, _ value: DocumentValue?) throws(Fault) {
      guard let value else { return }
      do throws(CaseSettings.Fault) {
        try settings.set(key, value)
      } catch {
        throw Fault(key: key, reason: error.reason)
      }
    }
    func whole(_ number: Int?) -> DocumentValue? { number.map { .integer(Int64($0)) } }
    try set(.entities, whole(entities))
    try set(.copies, whole(copies))
    try set(.threads, whole(threads))
    try set(.isa, isa.map { .string($0) })
    try set(.lookAhead, whole(lookAhead))
    try set(.hash, hash.map { .string($0) })
    try set(.seed, whole(seed))
    try set(.rounds, whole(rounds))
    try set(.roundMilliseconds, whole(roundMs))
    try set(.worst, whole(worst))
    if frames { try set(.frames, .bool(true)) }
    try set(.duration, duration.map { .number($0) })
    try set(
      .subscribers,
      subscribers.map { text in
        let words =
          text == "none" ? [] : text.split(separator: ",", omittingEmptySubsequences: false)
        return .array(DocumentArray(words.map { .string(String($0)) }, offsets: []))
      })
    try set(.rate, rate.map { .number($0) })
  }
}
