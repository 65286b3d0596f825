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

  /// A program beside `orrery` is run as it is, and has no say in what is orrery's own.
  @Test func otherWordsAreProgramsBesideIt() throws {
    let place = try Place()
    let folder = place.files + "/bin"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // Where it is, and not where it was, is what it looks at.
    let copy = try Program.run("/bin/cp", [Program.directory + "/orrery", folder], in: place)
    #expect(copy.code == 0, "\(copy.errorText)")
    for name in ["sim", "help", "hash", "--version"] {
      try place.write("#!/bin/sh\necho script \"$@\"\n", to: "script")
      let made = try Program.run(
        "/usr/bin/install", ["-m", "755", "script", "-T", "bin/./" + name], in: place)
      #expect(made.code == 0, "\(made.errorText)")
    }
    func answer(_ words: [String]) throws -> String {
      try Program.run(folder + "/orrery", words, in: place).text
    }
    #expect(try answer(["sim", "a b", "--help"]) == "script a b --help\n")
    #expect(try answer(["--version"]) == "orrery 0.1.0\n")
    #expect(try answer(["help"]).contains("SUBCOMMANDS"))
    #expect(try answer(["hash", "flags", "--tick", "1"]).count == 17)
  }

  /// A program whose parent has gone before it could ask to be told stops at once.
  @Test(arguments: ["sim", "logger", "renderer"])
  func programOfAParentThatHasGoneStops(name: String) throws {
    let place = try Place()
    let words = [
      "sim": ["flags", "--run", "p", "--json", "--ticks", "600"],
      "logger": ["--run", "p", "--out", "a.mcap", "--wait", "60"],
      "renderer": ["--run", "p", "--png", "a.png", "--wait", "60"],
    ]
    let run = try Program.run(
      "/usr/bin/env",
      ["ORRERY_PARENT=1", Program.directory + "/" + name] + (words[name] ?? []), in: place)
    #expect(run.code == 0, "\(run.errorText)")
    if name == "sim" {
      #expect(number("frames", in: try report("orrery.sim.v1", in: run.text)) == 0)
    } else {
      #expect(run.errorText.contains("stopped before run 'p' appeared"), "\(run.errorText)")
    }
    #expect(place.runs == [])
  }

  @Test func traceNeedsAName() throws {
    let run = try Program.run("logger", ["--run", "p", "--out", ""], in: Place())
    #expect(run.code == 64)
    #expect(run.errorText.contains("--out: a file's name is needed"), "\(run.errorText)")
  }

  @Test func plotHasTheSizeThatIsAskedFor() throws {
    let place = try Place()
    for (size, expected) in [(["--size", "64x36"], [64, 36]), ([], [960, 600])] {
      _ = try Program.run("orrery", ["curve", "linear", "--plot", "a.png"] + size, in: place)
      let png = [UInt8](try #require(FileManager.default.contents(atPath: place.files + "/a.png")))
      try #require(png.count > 24)
      // Width and height stand in the first chunk.
      #expect([16, 20].map { Int(png[$0 + 2]) << 8 | Int(png[$0 + 3]) } == expected)
    }
  }

  @Test func inputThatCannotBeReadIsAFailure() throws {
    let place = try Place()
    let run = try Program.run(
      "/bin/bash", ["-c", "\(Program.directory)/orrery eval < /"], in: place)
    #expect(run.code == 74)
    #expect(run.errorText.contains("standard input"), "\(run.errorText)")
  }

  /// Where the signal that would end it is ignored.
  @Test func readerThatHasHadEnoughIsNoFailure() throws {
    let place = try Place()
    let times = (0..<20_000).map { "\($0)" }.joined(separator: ",")
    try place.write(times, to: "times")
    let run = try Program.run(
      "/bin/bash",
      [
        "-c",
        "trap '' PIPE; \(Program.directory)/orrery sample flags --at $(cat times) | head -1;"
          + " exit ${PIPESTATUS[0]}",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.split(separator: "\n").count == 1)
    #expect(run.errorText == "")
  }
}
