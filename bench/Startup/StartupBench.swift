// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryBase

/// Times the start of a run, with whole processes as in real use.
struct StartupBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "startup",
    abstract: "From the command 'orrery run' to its first frame and first picture.",
    usage: "orrery bench startup [OPTIONS]",
    discussion: """
      Example:
        orrery bench startup --entities 25,1000000 --rounds 5
      Runs 'orrery run stress' for some ticks, with a video, a picture and a trace,
      in a runtime directory of its own. Other programs disturb: run it alone.
      """)

  @Option(help: "Numbers of entities, 1 to 100000000, separated by commas.")
  var entities = NumberList([25, 100_000, 1_000_000, 10_000_000])

  @Option(help: "Rounds, \(roundRange).")
  var rounds = 3

  @OptionGroup var goals: GoalOptions

  @OptionGroup var results: ResultOptions

  func validate() throws {
    try roundRange.check("--rounds", rounds)
    guard entities.numbers.allSatisfy({ $0 <= 100_000_000 }) else {
      throw ValidationError("--entities: use 1 to 100000000")
    }
  }

  func run() throws {
    try runArea(writing: [results.out], isChecked: goals.check) {
      let folder = try ProgramFolder("startup")
      let area = AreaResult("startup", results)
      let numbers = entities.numbers
      var report = StartupReport(entities: numbers)
      for round in 0..<rounds {
        for index in Turns.order(count: numbers.count, round: round) {
          report.add(try StartupRun.measure(entities: numbers[index], in: folder), row: index)
        }
      }
      area.add(report.studyRows)
      return try area.finish(report.goals)
    }
  }
}

/// One start of `orrery run`.
enum StartupRun {
  /// The parts of a report of `orrery run` that matter here.
  private struct Report: Decodable {
    let sim: SimReport
    let subscribers: [SubscriberReportMessage]
  }

  /// Ticks of a run: enough for the renderer to see one, whatever the size.
  private static let tickCount = 60

  /// Starts a run and waits for its end.
  ///
  /// - Throws: `Failure` if a program fails, hangs, or does not say when its first frame came.
  static func measure(entities: Int, in folder: ProgramFolder) throws(Failure) -> StartupTimes {
    let outputs = folder.url.appendingPathComponent("out")
    defer { try? FileManager.default.removeItem(at: outputs) }
    let beganNs = Clock.monotonicNs()
    let run = try StartedProgram(
      "orrery",
      [
        "run", "stress", "--entities", "\(entities)", "--ticks", "\(tickCount)", "--json",
        "--progress", "none", "--out", outputs.path,
      ], in: folder.url)
    guard run.wait(seconds: 600) else {
      run.end(SIGTERM)
      throw Failure(.unavailable, "a run of \(entities) entities hangs")
    }
    guard let report: Report = run.report("orrery.run"),
      let times = StartupTimes(report.sim, report.subscribers, beganNs: beganNs)
    else {
      throw Failure(
        .unavailable,
        "a run of \(entities) entities did not say when it began: "
          + run.lines.suffix(3).joined(separator: " "))
    }
    return times
  }
}
