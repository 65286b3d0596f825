// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import OrreryBase
import OrreryCommandLine

/// Judges a result, or a build, by another one.
struct CompareBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Is it slower than before? A ratio with its interval.",
    usage: "orrery bench compare OLD [NEW] [OPTIONS]",
    discussion: """
      Examples:
        orrery bench compare old.json new.json
        orrery bench compare old.json new.json --threshold 3%
        orrery bench compare ../before/.build/release .build/release --out both
        orrery bench compare old.json new.json --markdown
        orrery bench compare both.json --scenes feed,board
      OLD and NEW are results of study or run; or folders of two builds, which are
      then measured in turns: a difference of one run to the next meets both. With
      --scenes, OLD alone: its second scene is judged by its first one. The exit
      code is 1 if a row is slower, or if the comparison was interrupted; 2 if a row
      of OLD is undecided or not compared, unless that is allowed.
      """)

  @Argument(help: "The baseline: a file, or the folder of a build.")
  var old: String

  @Argument(help: "What is judged: a file, or the folder of a build.")
  var new: String?

  @Option(help: "The smallest difference worth reporting, 0.1% to 100%.")
  var threshold = Percent(0.02)

  @Option(help: "How often two builds are started to be measured, \(Self.startRange).")
  var starts = BuildTurns.startsDefault

  @Flag(help: "Also run whole programs of two builds: minutes.")
  var frames = false

  @Flag(help: "Rows that are undecided or not compared do not change the exit code.")
  var allowUndecided = false

  @Flag(help: "Also compare rows of a scene file with those of the same file before it was edited.")
  var edited = false

  @Option(help: "Two scenes of OLD, as FIRST,SECOND: is the second slower than the first?")
  var scenes: String?

  @OptionGroup var progress: ProgressOption

  @Flag(help: "Prints the comparison as Markdown, for a comment on a change.")
  var markdown = false

  @Flag(help: "Prints the comparison as JSON, in place of tables.")
  var json = false

  @Option(
    name: [.short, .long],
    help: "Writes the results of two builds to NAME-old.json and NAME-new.json.")
  var out: String?

  func validate() throws {
    try CommandLineProgram.checkOutputs([("--out", out)], inputs: [old] + (new.map { [$0] } ?? []))
    guard (0.001...1).contains(threshold.part) else {
      throw ValidationError("--threshold \(threshold.text): use 0.1% to 100%")
    }
    try Self.startRange.check("--starts", starts)
    guard (new == nil) == (scenes != nil) else {
      throw ValidationError(
        new == nil
          ? "NEW is missing: a second result or build; or name two scenes of OLD with --scenes"
          : "--scenes compares two scenes of one result: leave out \(new ?? "")")
    }
    guard !json || !markdown else {
      throw ValidationError("--json and --markdown: one of them")
    }
    guard scenes == nil || sceneNames.count == 2 else {
      throw ValidationError("--scenes \(scenes ?? ""): use two names, FIRST,SECOND")
    }
    guard scenes == nil || !edited && !frames else {
      throw ValidationError("--scenes compares rows as they are: leave out --edited and --frames")
    }
  }

  private var sceneNames: [String] { scenes?.split(separator: ",").map(String.init) ?? [] }

  private static let startRange = OptionRange(4...1000)

  func run() throws {
    try runArea(writing: out.map { ["\($0)-old.json", "\($0)-new.json"] } ?? []) {
      let paths = [old, new ?? old]
      try Failure.checkExist(paths)
      let areBuilds = paths.map(Self.isFolder)
      guard areBuilds[0] || out == nil else {
        throw Failure(
          .usage, "--out writes what was measured of two builds; \(old) is a result already")
      }
      guard areBuilds[0] == areBuilds[1] else {
        throw Failure(
          .usage, "\(paths[0]) and \(paths[1]): use two files, or two folders of builds")
      }
      let results: [StudyResult]
      if scenes != nil {
        let result = try StudyResult.read(old)
        results = try sceneNames.map { name throws(Failure) in try result.alone(name, file: old) }
      } else if areBuilds[0] {
        StopSignals.installHandlers()
        var builds = try BuildTurns(paths)
        (builds.starts, builds.frames) = (starts, frames)
        let line = progress.line
        results = try builds.measure { line.show($0) }
        line.close()
      } else {
        results = try paths.map { path throws(Failure) in try StudyResult.read(path) }
      }
      let comparison = Comparison(
        results[0], results[1], threshold: threshold.part,
        isPaired: areBuilds[0],
        scenes: scenes != nil ? .any : edited ? .edited : .none)
      Standard.output(
        json
          ? ReportLine.encode(ComparisonDocument(comparison), schema: ComparisonDocument.schema)
            + "\n"
          : markdown
            ? ComparisonText.markdown(comparison)
            : ComparisonText.text(comparison, old: results[0], new: results[1]))
      if let out, areBuilds[0] {
        try results[0].write(to: "\(out)-old.json")
        try results[1].write(to: "\(out)-new.json")
      }
      if !comparison.slower.isEmpty || StopSignals.count > 0 {
        throw ExitCode(ExitStatus.unmet.rawValue)
      }
      if !comparison.isDecided, !allowUndecided { throw ExitCode(ExitStatus.undecided.rawValue) }
      return []
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}

/// A part as `3%` or `0.03`.
package struct Percent: ExpressibleByArgument, Equatable, Sendable {
  /// 0.03 for three percent.
  package let part: Double

  /// A part.
  package init(_ part: Double) { self.part = part }

  /// Reads a word of the command line; nil if it is no number.
  package init?(argument: String) {
    let hasSign = argument.hasSuffix("%")
    guard let number = Double(hasSign ? argument.dropLast() : argument[...]), number.isFinite else {
      return nil
    }
    part = hasSign ? number / 100 : number
  }

  /// As typed on the command line.
  package var text: String { decimal(part * 100, places: 1) + "%" }

  /// As help shows it.
  package var defaultValueDescription: String { text }
}
