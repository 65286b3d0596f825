// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine

/// Follows frames through sim, renderer and logger, with whole processes as in real use.
struct PipelineBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pipeline",
    abstract: "From a tick's due time to its frame drawn and recorded.",
    usage: "orrery bench pipeline [OPTIONS]",
    discussion: """
      Example:
        orrery bench pipeline --scenes stress --entities 1000000 --check
      Runs the sim alone, then with a subscriber that only reads, with the renderer,
      with the logger, and with both: live, in a runtime directory of their own.
      Other programs disturb: run it alone. The logger's trace needs room: 3.6 GB a
      second with 10,000,000 entities; TMPDIR says where.
      """)

  @Option(help: "Scenes, separated by commas: flags, planets, stress.")
  var scenes = WordList<PipelineScene>(PipelineScene.allCases)

  @Option(help: "Entities of the scene stress, 1 to 100000000, separated by commas.")
  var entities = NumberList([100_000, 1_000_000, 4_000_000, 10_000_000])

  @Option(parsing: .unconditional, help: "Seconds of each run, \(Self.durationRange).")
  var duration: Double = 5

  @OptionGroup var goals: GoalOptions

  @OptionGroup var results: ResultOptions

  func validate() throws {
    guard entities.numbers.allSatisfy({ $0 <= 100_000_000 }) else {
      throw ValidationError("--entities: use 1 to 100000000")
    }
    try Self.durationRange.check("--duration", duration)
  }

  private static let durationRange = OptionRange(0.5...3600, "seconds")

  func run() throws {
    try runArea(writing: [results.out], isChecked: goals.check) {
      let run = PipelineRun(folder: try ProgramFolder("pipeline"), seconds: duration)
      let length = decimal(duration, places: 1)
      let area = AreaResult(
        "pipeline", results,
        notes: [
          "one run after the other, live, \(length) s each; the sim computes with one thread",
          "p50 to max: from a tick's due time until its frame was computed, published, found, drawn;"
            + " Hz, MB/s: frames and their bytes in a second; CPU s: processor time from start to end;"
            + " MiB: memory at its largest, with its part of the ring",
        ])
      var report = PipelineReport()
      for (scene, entities) in sceneSizes {
        for subscribers in PipelineSubscribers.allCases {
          let row = try run.measure(scene, entities: entities, subscribers)
          area.add(row.studyRows)
          report.rows.append(row)
        }
      }
      return try area.finish(report.goals)
    }
  }

  /// The scenes, each with its numbers of entities; nil: the scene's own.
  private var sceneSizes: [(PipelineScene, Int?)] {
    scenes.all.flatMap { scene in
      scene == .stress ? entities.numbers.map { (scene, $0) } : [(scene, nil)]
    }
  }
}

/// A scene of `bench pipeline`.
package enum PipelineScene: String, CaseIterable, Sendable {
  case flags, planets, stress
}

/// The subscribers of a run of `bench pipeline`.
package enum PipelineSubscribers: String, CaseIterable, Codable, Sendable {
  case none, reader, renderer, logger
  case rendererAndLogger = "renderer_and_logger"

  /// The names of their programs.
  package var programs: [String] {
    self == .rendererAndLogger ? ["renderer", "logger"] : self == .none ? [] : [rawValue]
  }

  /// The row's title: the sim and these.
  package var title: String {
    switch self {
    case .none: "sim alone"
    case .reader: "sim and a subscriber that only reads"
    case .renderer: "sim and renderer, no encoder"
    case .logger: "sim and logger"
    case .rendererAndLogger: "sim, renderer with a video, and logger"
    }
  }
}
