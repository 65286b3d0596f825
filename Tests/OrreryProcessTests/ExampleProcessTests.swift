// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: help fits into 80 columns, and every command that stands in it or in a document is right as it stands.
///
/// Method: each command's help, as `orrery --help` and `orrery bench --help` list them; a shell runs the lines of their
/// examples and of indented code in documents, with `ORRERY_PARSE_ONLY`: each program parses its words and ends.
@Suite struct ExampleProcessTests {
  /// The help of every command of every program.
  static func helps(in place: Place) throws -> [(command: String, text: String)] {
    func help(_ words: [String]) throws -> (command: String, text: String) {
      let run = try Program.run("orrery", words + ["--help"], in: place)
      #expect(run.code == 0, "\(words): \(run.errorText)")
      return ((["orrery"] + words).joined(separator: " "), run.text)
    }
    var all = try [help([])]
    let programs = ["sim", "renderer", "logger", "live", "metrics", "bench"]
    all += try (subcommands(all[0].text) + programs).map { name in try help([name]) }
    for program in all where program.command != "orrery" {
      let name = String(program.command.dropFirst("orrery ".count))
      all += try subcommands(program.text).map { try help([name, $0]) }
    }
    return all
  }

  /// The names that a help lists.
  private static func subcommands(_ help: String) -> [String] {
    let lines = help.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
    return lines.filter { $0.prefix(2) == "  " && $0.dropFirst(2).first?.isLowercase == true }
      .compactMap { $0.split(separator: " ").first.map { String($0.prefix { $0 != "," }) } }
  }

  /// The commands of indented lines, without the sign that they run in the background unless it is kept.
  static func examples(
    _ text: String, indent: Int, keepsBackground: Bool = false
  ) -> [String] {
    let margin = String(repeating: " ", count: indent)
    return text.split(separator: "\n").filter { $0.hasPrefix(margin) }.compactMap { line in
      let command = line.dropFirst(indent)
      guard command.hasPrefix("orrery ") || command.contains("| orrery ") else { return nil }
      // A shell does not tell the exit code of what it does not wait for.
      return command.hasSuffix(" &") && !keepsBackground
        ? String(command.dropLast(2)) : String(command)
    }
  }

  /// The paths of the documents that have examples.
  static func documents() throws -> [String] {
    let folder = Program.root + "/docs/"
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
    return [Program.root + "/README.md", Program.root + "/CONTRIBUTING.md"]
      + names.filter { $0.hasSuffix(".md") }.map { folder + $0 }
  }

  private static func expectRight(_ example: String, of source: String, in place: Place) throws {
    let run = try Program.run(
      "/usr/bin/env",
      [
        "ORRERY_PARSE_ONLY=1", "PATH=\(Program.directory):/usr/bin:/bin", "/bin/bash", "-c",
        example,
      ], in: place)
    #expect(run.code == 0, "\(source): \(example): \(run.errorText)")
    #expect(run.text == "", "\(source): \(example) was run")
  }

  @Test func helpFitsIntoEightyColumnsAndItsExamplesAreRight() throws {
    let place = try Place()
    let helps = try Self.helps(in: place)
    #expect(helps.count >= 18, "\(helps.map(\.command))")
    for (command, text) in helps {
      for line in text.split(separator: "\n") { #expect(line.count <= 80, "\(command): \(line)") }
      #expect(text.contains("\nUSAGE: \(command) "), "\(text)")
      // A line that was broken once more leaves a short one, which a capital or an indent does not follow.
      let overview = text.components(separatedBy: "\nUSAGE: ")[0]
      let lines = overview.split(separator: "\n", omittingEmptySubsequences: false)
      for (line, next) in zip(lines, lines.dropFirst()) where !line.hasPrefix("  ") {
        let isBroken = line.count < 40 && next.first?.isLowercase == true
        #expect(!isBroken, "\(command): \(line)")
      }
      let examples = Self.examples(overview, indent: 2)
      #expect(!examples.isEmpty, "\(command) has no example")
      for example in examples { try Self.expectRight(example, of: command, in: place) }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.files) == [])
    #expect(place.runs == [])
  }

  @Test func examplesOfDocumentsAreRight() throws {
    let place = try Place()
    var count = 0
    for path in try Self.documents() {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      for example in Self.examples(text, indent: 4) where !example.contains("…") {
        try Self.expectRight(example, of: path, in: place)
        count += 1
      }
    }
    #expect(count >= 100)
  }

  @Test func pageOfTheCommandsHasTheHelpOfThePrograms() throws {
    let check = try Program.run(
      "/usr/bin/env",
      [
        "PATH=\(Program.directory):/usr/bin:/bin", "python3",
        Program.root + "/tools/generate-cli-page", "--check",
      ], in: Place())
    #expect(check.code == 0, "\(check.errorText)")
  }

  /// A wrong example would be found.
  @Test func wrongExampleIsFound() throws {
    let run = try Program.run(
      "/usr/bin/env",
      ["ORRERY_PARSE_ONLY=1", Program.directory + "/orrery", "hash", "flags", "--tik", "1"],
      in: Place())
    #expect(run.code == 64)
  }
}
