// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase

/// Checks that comparisons find planted slowdowns, and nothing else; tools/check-compare runs it.
struct CheckCompareBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-compare", abstract: "Are planted slowdowns found, and nothing else?",
    discussion: """
      A build is compared with itself, as bench compare does it. In every second
      comparison the new one is slowed down: 5 % in a kernel, 10 % in
      publishing, 5 % in recording. The exit code is 1 if one of these is not found,
      or if anything is found where nothing was planted.
      """,
    shouldDisplay: false)

  @Argument(help: "The folder of the build.")
  var folder: String

  @Option(help: "Comparisons with and without slowdowns, 1 to 1000 each.")
  var count = 20

  @Option(help: "How often both are started for each, 4 to 1000.")
  var starts = BuildTurns.startsDefault

  @Option(help: "Milliseconds of a round, 1 to 1000.")
  var roundMs = 10

  func validate() throws {
    for (name, value, range) in [
      ("count", count, 1...1000), ("starts", starts, 4...1000), ("round-ms", roundMs, 1...1000),
    ] where !range.contains(value) {
      throw ValidationError(
        "--\(name) \(value): use \(range.lowerBound) to \(range.upperBound)")
    }
  }

  /// What is slowed down, and by how much.
  private static let plants = ["tick stress": 0.05, "publish": 0.10, "record": 0.05]
  private static let scenes = ["stress", "planets", "ticker-wall"]

  func run() throws {
    try runArea {
      StopSignals.installHandlers()
      var builds = try BuildTurns([folder, folder])
      (builds.scenes, builds.starts, builds.roundMs) = (Self.scenes, starts, roundMs)
      var found: [String: Int] = [:]
      var alarms: [String] = []
      let line = ProgressLine()
      for number in 0..<count {
        for isPlanted in number % 2 == 0 ? [true, false] : [false, true] {
          builds.plants = isPlanted ? Self.plants : [:]
          let results = try builds.measure {
            line.show(MeasuringStep("comparison \(number + 1) of \(count), \($0.text)"))
          }
          guard StopSignals.count == 0 else { throw Failure(.unmet, "interrupted") }
          for row in Comparison(results[0], results[1], isPaired: true).rows {
            let isSlower = row.verdict == .slower
            if isPlanted, Self.plants[row.name] != nil {
              found[row.name, default: 0] += isSlower ? 1 : 0
            } else if isSlower || row.verdict == .faster {
              alarms.append("\(number + 1): \(row.name) \(decimal(row.slowdown.value, places: 3))")
            }
          }
        }
      }
      line.close()
      let names = Self.plants.keys.sorted()
      for name in names {
        let part = decimal((Self.plants[name] ?? 0) * 100, places: 0)
        Standard.output("\(name), \(part) % slower: found in \(found[name] ?? 0) of \(count)\n")
      }
      Standard.output(
        "false alarms: \(alarms.count) in \(count * 2) comparisons"
          + (alarms.isEmpty ? "" : ": " + alarms.joined(separator: ", ")) + "\n")
      guard alarms.isEmpty, names.allSatisfy({ found[$0] == count }) else {
        throw ExitCode(ExitStatus.unmet.rawValue)
      }
      return []
    }
  }
}
