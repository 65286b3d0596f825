// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase

/// Two builds measured in turns, A B B A, so that disturbances of the machine affect both alike.
///
/// Both run at once and wait for requests: a round of one is followed by the same round of the other within
/// milliseconds. After two turns, A B and B A, both are started anew: where a process lies in memory makes it
/// faster or slower by a hundredth, and sometimes by a fifth, for as long as it lives. So each start is one
/// sample, and many starts are worth more than many turns.
package struct BuildTurns {
  /// The folders of the builds, old and new; each has `bench` and the other programs.
  package let folders: [String]
  /// Scenes whose ticks are timed.
  package var scenes = ["flags", "planets", "stress", "feed", "ticker-wall", "dashboard"]
  /// Whether frames are also followed through whole programs.
  package var frames = false
  /// How often both are started.
  package var starts = Self.startsDefault
  /// Milliseconds of a round.
  package var roundMs = 10
  /// Slowdowns of the new build's rows, by their names: a test plants them.
  package var plants: [String: Double] = [:]

  /// How often both are started by default.
  package static let startsDefault = 32

  /// Two builds.
  ///
  /// - Throws: `Failure` if one of the folders has no `bench`.
  package init(_ folders: [String]) throws(Failure) {
    self.folders = folders
    for folder in folders {
      guard FileManager.default.isExecutableFile(atPath: folder + "/bench") else {
        throw Failure(.unavailable, "\(folder): has no program bench; it is no folder of a build")
      }
    }
  }

  /// The order of the builds: A B, B A, A B and so on.
  package static func order(turn: Int) -> [Int] { turn % 2 == 0 ? [0, 1] : [1, 0] }

  /// Measures both.
  ///
  /// - Parameter progress: Receives each step.
  /// - Returns: Their results, old and new; partial if a signal came.
  /// - Throws: `Failure` if a program fails.
  func measure(progress: (MeasuringStep) -> Void) throws(Failure) -> [StudyResult] {
    signal(SIGPIPE, SIG_IGN)
    let clock = ProcessorClock.now()
    var results: [StudyResult?] = [nil, nil]
    let beginNs = Clock.monotonicNs()
    for start in 0..<starts where StopSignals.count == 0 {
      let passed = Double(Clock.monotonicNs() - beginNs) / 1e9
      // Nobody knows how long whole programs will take.
      let left = start == 0 || frames ? nil : passed / Double(start) * Double(starts - start)
      progress(MeasuringStep("start \(start + 1) of \(starts)", remainingSeconds: left))
      let pair = try BuildPair(folders, scenes: scenes)
      try pair.measure(ns: UInt64(roundMs) * 1_000_000, plants: plants)
      for (index, result) in pair.results(title: folders).enumerated() {
        results[index].add(result)
      }
    }
    if frames { try measureFrames(&results, progress) }
    let all = results.compactMap { $0 }
    guard all.count == 2, all.allSatisfy({ !$0.rows.isEmpty }) else {
      throw Failure(.unmet, "interrupted before both builds had a turn")
    }
    return all.map { result in
      var result = result
      result.isPartial = StopSignals.count > 0
      result.context.loadAfter = StudyContext.load()
      if let clock { result.context.stolen = ProcessorClock.now()?.stolen(since: clock) ?? 0 }
      return result
    }
  }

  /// Runs whole programs: seconds for each turn, so there are fewer.
  private func measureFrames(
    _ results: inout [StudyResult?], _ progress: (MeasuringStep) -> Void
  ) throws(Failure) {
    let folder = try ProgramFolder("compare")
    let turns = max(starts / 4, 4)
    for turn in 0..<turns {
      for index in Self.order(turn: turn) where StopSignals.count == 0 {
        let build = index == 0 ? "old" : "new"
        progress(MeasuringStep("whole programs, turn \(turn + 1) of \(turns), \(build)"))
        let file = folder.path("\(turn)-\(index).json")
        try run(file, folders[index])
        guard StopSignals.count == 0 else { return }
        var result = try StudyResult.read(file)
        result.rows.removeAll { $0.name.hasPrefix("tick ") || Steadiness.names.contains($0.name) }
        results[index].add(result)
      }
    }
  }

  /// Runs a build's bench to its end.
  private func run(_ file: String, _ folder: String) throws(Failure) {
    let words = [
      "run", "stress", "--rounds", "1", "--round-ms", "1", "--frames",
      "--subscribers", "reader,logger", "--json", file,
    ]
    do throws(SystemCallError) {
      let process = try ChildProcess(
        folder + "/bench", words, environment: ["SWIFT_BACKTRACE": "enable=no"], errors: .shared)
      while !process.hasEnded(within: 0.2) {
        if StopSignals.count > 0 { process.signal(SIGTERM) }
      }
      guard process.status == .exited(0) || StopSignals.count > 0 else {
        throw SystemCallError(call: "bench", path: folder, errno: ECHILD)
      }
    } catch {
      throw Failure(.unavailable, "\(folder)/bench \(words.joined(separator: " ")): it failed")
    }
  }
}

/// Two builds that run and wait for requests.
final class BuildPair {
  private let programs: [HandoverProgram]
  private var offers: [TurnOffer]
  /// Rows of the old build, each with the new build's of the same name.
  private var pairs: [(old: Int, new: Int)] = []

  /// Starts both, and waits until they have built their scenes.
  ///
  /// - Throws: `Failure` if one of them cannot do it.
  init(_ folders: [String], scenes: [String]) throws(Failure) {
    var (programs, offers): ([HandoverProgram], [TurnOffer]) = ([], [])
    for folder in folders {
      let program = try HandoverProgram(
        .init(path: folder + "/bench", arguments: ["turn-part"] + scenes))
      guard let line = program.readLine(), let offer = JSONLine.read(line, as: TurnOffer.self)
      else {
        throw Failure(
          .unavailable,
          "\(folder)/bench: cannot be measured in turns (older than this comparison, or a scene"
            + " is missing there); compare two results instead")
      }
      programs.append(program)
      offers.append(offer)
    }
    (self.programs, self.offers) = (programs, offers)
    for (old, row) in offers[0].rows.enumerated() {
      if let new = offers[1].rows.firstIndex(where: { $0.name == row.name }) {
        pairs.append((old, new))
      }
    }
  }

  deinit { for program in programs { program.stop() } }

  /// Measures a round of each row and build in each of two turns; a signal ends it after the first.
  ///
  /// - Parameters:
  ///   - ns: Nanoseconds of a round.
  ///   - plants: Slowdowns of the new build's rows, by their names.
  /// - Throws: `Failure` if one of the builds ends or hangs.
  func measure(ns: UInt64, plants: [String: Double]) throws(Failure) {
    for turn in 0..<2 where StopSignals.count == 0 {
      for (number, pair) in pairs.enumerated() {
        for build in BuildTurns.order(turn: turn + number) {
          let row = build == 0 ? pair.old : pair.new
          let name = offers[build].rows[row].name
          let plant = build == 1 ? plants[name] ?? 0 : 0
          offers[build].rows[row].samples.append(try round(build, row, ns, plant))
        }
      }
    }
  }

  private func round(
    _ build: Int, _ row: Int, _ ns: UInt64, _ plant: Double
  ) throws(Failure) -> Double {
    let name = "\(build == 0 ? "old" : "new") build, \(offers[build].rows[row].name)"
    let request = JSONLine.text(TurnRequest(row: row, ns: ns, plant: plant)) + "\n"
    guard let line = programs[build].ask(line: request) else {
      throw Failure(.unavailable, "\(name): it ended or hangs")
    }
    let answer = JSONLine.read(line, as: TurnAnswer.self)
    guard let value = answer?.value, value > 0 else {
      throw Failure(.unavailable, "\(name): \(answer?.error ?? "its answer is no figure")")
    }
    return value
  }

  /// The results so far.
  func results(title: [String]) -> [StudyResult] {
    offers.indices.map { build in
      var result = StudyResult(
        title: title[build],
        command: "orrery bench compare "
          + title.map(SweepScript.quoted).joined(separator: " "), context: offers[build].context)
      result.rows = offers[build].rows.filter { !$0.samples.isEmpty }
      return result
    }
  }
}

extension StudyResult? {
  /// Adds the rounds of another run of the same rows.
  fileprivate mutating func add(_ other: StudyResult) {
    guard var mine = self else {
      self = other
      return
    }
    for row in other.rows {
      if let index = mine.rows.firstIndex(where: { $0.name == row.name }) {
        mine.rows[index].samples += row.samples
        mine.rows[index].bound?.samples += row.bound?.samples ?? []
      } else {
        mine.rows.append(row)
      }
    }
    self = mine
  }
}
