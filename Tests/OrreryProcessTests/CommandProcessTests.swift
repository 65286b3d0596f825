// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: what `orrery` prints is what was asked for, in the form that was asked for.
///
/// Method: commands that end at once, their exit codes and all that they print.
@Suite(.timeLimit(.minutes(10))) struct CommandProcessTests {
  private static func run(_ line: String, in place: Place) throws -> String {
    let words = line.split(separator: " ").map(String.init)
    let run = try Program.run("orrery", words, in: place)
    #expect(run.code == 0, "\(line): \(run.errorText)")
    #expect(run.errorText == "", "\(line)")
    return run.text
  }

  /// What is asked, and what has to be in the answer.
  static let answers: [(String, [String])] = [
    ("--version", ["orrery 0.1.0"]),
    ("--help", ["SUBCOMMANDS", "control", "keygen", "orrery NAME … runs the program NAME"]),
    ("help run", ["USAGE: orrery run", "--lockstep", "--compression"]),
    ("hash --help", ["USAGE: orrery hash", "--tick"]),
    ("sim --help", ["USAGE: sim", "--stall-limit"]),
    ("curve linear", ["\n"]),
    ("sample flags --at 0", ["     time    tick  entity", "\n    0.000       0       1 "]),
  ]

  @Test(arguments: answers)
  func commandIsAnswered(line: String, parts: [String]) throws {
    let text = try Self.run(line, in: Place())
    for part in parts { #expect(text.contains(part), "\(text)") }
  }

  @Test func hashIsAWordOrAnObject() throws {
    let place = try Place()
    let word = try Self.run("hash flags --tick 7 --isa baseline", in: place)
    #expect(word.count == 17)
    let hash = word.trimmingCharacters(in: .newlines)
    #expect(
      try Self.run("hash flags --tick 7 --isa baseline --json", in: place)
        == "{\"schema\":\"orrery.hash.v1\",\"tick\":7,\"entities\":2,\"isa\":\"baseline\","
        + "\"stateHash\":\"\(hash)\"}\n")
    #expect(try Self.run("hash flags --tick 8 --isa baseline", in: place) != word)
    // The last tick that there is.
    #expect(try Self.run("hash flags --tick 4611686018427387904", in: place).count == 17)
  }

  @Test func sampleIsOfTheEntitiesAndTimesThatAreAskedFor() throws {
    let place = try Place()
    func figures(_ line: String) throws -> [[Int]] {
      try Self.run(line + " --json", in: place).split(separator: "\n").map { line in
        let object =
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
        return [try #require(object["tick"] as? Int), try #require(object["entity"] as? Int)]
      }
    }
    // To the nearest tick of sixty in a second.
    #expect(
      try figures("sample flags --at 1,0.99,0")
        == [[60, 0], [60, 1], [59, 0], [59, 1], [0, 0], [0, 1]])
    #expect(
      try figures("sample stress --entities 500 --at 2.5 --entity 499 0")
        == [[150, 499], [150, 0]])
    #expect(try figures("sample flags --at 1 --entity 1 --rate 50") == [[50, 1]])
  }

  @Test func readerThatHasHadEnoughIsNoFailure() throws {
    let place = try Place()
    let times = (0..<20_000).map { "\($0)" }.joined(separator: ",")
    try place.write(times, to: "times")
    let run = try Program.run(
      "/bin/bash",
      [
        "-c",
        "\(Program.directory)/orrery sample flags --at $(cat times) | head -1;"
          + " exit ${PIPESTATUS[0]}",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.split(separator: "\n").count == 1)
    #expect(run.errorText == "")
  }
}
