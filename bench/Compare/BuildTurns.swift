// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase

/// Two builds measured in turns, A B B A, so that what the machine does meanwhile meets both alike.
package struct BuildTurns {
  /// The folders of the builds, old and new; each has `bench` and the other programs.
  package let folders: [String]
  /// Scenes whose ticks are timed.
  package var scenes = ["flags", "planets", "stress", "feed", "ticker-wall", "dashboard"]
  /// Whether frames are followed through whole programs, too.
  package var frames = true
  /// Turns: each build is measured once in each.
  package var turns = 6
  /// Seconds of a run of whole programs.
  package var seconds = 2.0

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
  /// - Parameter progress: Receives a few words at each step.
  /// - Returns: Their results, old and new; partial if a signal came.
  /// - Throws: `Failure` if a program fails.
  func measure(progress: (String) -> Void) throws(Failure) -> [StudyResult] {
    let folder = try ProgramFolder("compare")
    var results: [StudyResult?] = [nil, nil]
    for turn in 0..<turns {
      for index in Self.order(turn: turn) where StopSignals.count == 0 {
        progress("turn \(turn + 1) of \(turns), \(index == 0 ? "old" : "new")")
        for (number, words) in commands.enumerated() {
          let file = folder.path("\(turn)-\(index)-\(number).json")
          try run(words + ["--json", file], folders[index], isNew: index == 1)
          guard StopSignals.count == 0 else { break }
          results[index].add(try StudyResult.read(file))
        }
      }
    }
    let all = results.compactMap { $0 }
    guard all.count == 2 else { throw Failure(.unmet, "interrupted before both builds had a turn") }
    return all.map { result in
      var result = result
      result.isPartial = StopSignals.count > 0
      return result
    }
  }

  private var commands: [[String]] {
    var all = [["run"] + scenes + ["--rounds", "2", "--round-ms", "40"]]
    if frames {
      all.append([
        "run", "stress", "--rounds", "1", "--round-ms", "1", "--frames", "--seconds", "\(seconds)",
        "--subscribers", "reader,logger",
      ])
    }
    return scenes.isEmpty ? Array(all.dropFirst()) : all
  }

  /// Runs a build's bench to its end.
  private func run(_ words: [String], _ folder: String, isNew: Bool) throws(Failure) {
    let planted = isNew ? getenv("ORRERY_BENCH_PLANT_NEW").map { String(cString: $0) } : nil
    do throws(SystemCallError) {
      let process = try ChildProcess(
        folder + "/bench", words,
        environment: ["ORRERY_BENCH_PLANT": planted ?? "", "SWIFT_BACKTRACE": "enable=no"],
        errors: .shared)
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
