// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import OrreryBase

/// One of two builds that are measured in turns; `bench compare` runs it for each.
struct TurnPart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "turn-part", abstract: "One of two builds in turns.", shouldDisplay: false)

  @Argument(help: "Scenes whose ticks are timed.")
  var scenes: [String]

  func run() throws {
    linux_die_with_parent()
    let context = StudyContext.now()
    // Both builds take turns on one processor: a second one may share its core with other work and be slower
    // all the time.
    linux_run_on(0)
    try runArea {
      try refuseDebugBuild()
      let subjects = try TurnSubjects(scenes, context)
      Standard.output(JSONLine.text(subjects.offer) + "\n")
      while let line = readLine() {
        guard let request = JSONLine.read(line.utf8, as: TurnRequest.self) else {
          throw Failure(.usage, "turn-part: not a request: \(line.prefix(80))")
        }
        Standard.output(JSONLine.text(subjects.answer(request)) + "\n")
      }
      return []
    }
  }
}

/// What a build measures in turns: ticks of scenes, publishing, recording.
final class TurnSubjects {
  private let ticks: [TimedWorkload]
  private let publishing: TimedPublishing
  private let recording: TimedRecording
  private let context: StudyContext

  /// Builds everything.
  ///
  /// - Parameters:
  ///   - scenes: Scenes whose ticks are timed.
  ///   - context: The machine, read before the process was bound to a processor.
  /// - Throws: `Failure` for a scene that cannot be used, `TraceError`.
  init(_ scenes: [String], _ context: StudyContext) throws {
    self.context = context
    var options = TimedWorkload.Options()
    options.splits = false
    ticks = try scenes.map { (name: String) throws -> TimedWorkload in
      var workload = Workload.named(name) ?? Workload(name: name, writesAll: false)
      // Cycles of a few milliseconds, so that a round has several and the quick ones count.
      workload.copies = min(workload.copies, 25)
      workload.writesAll = false
      return try TimedWorkload(workload, options)
    }
    publishing = try TimedPublishing()
    recording = try TimedRecording()
  }

  var offer: TurnOffer {
    TurnOffer(
      rows: ticks.map(\.row) + [
        StudyRow("publish", unit: "ns"), StudyRow("record", unit: "MB/s", better: .larger),
      ], context: context)
  }

  func answer(_ request: TurnRequest) -> TurnAnswer {
    do {
      switch request.row - ticks.count {
      case ..<0: return TurnAnswer(value: ticks[request.row].round(request.ns, request.plant))
      case 0: return TurnAnswer(value: publishing.measure(ns: request.ns, plant: request.plant))
      case 1: return TurnAnswer(value: try recording.measure(ns: request.ns, plant: request.plant))
      default: return TurnAnswer(error: "there is no row \(request.row)")
      }
    } catch {
      return TurnAnswer(error: "\(error)")
    }
  }
}
