// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import OrreryConsole
import OrreryReplay
import OrreryScene
import OrrerySceneBuilder

/// What can be done with a scene but to run it.
struct SceneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scene",
    abstract: "List, show, check and make scenes.",
    usage: "orrery scene VERB [ARGUMENTS]",
    discussion: """
      Examples:
        orrery scene list
        orrery scene show planets
        orrery scene check mine.toml other.json
        orrery scene new mine
        orrery scene import animation.json -o animation.toml
        orrery scene schema
      docs/reference/scene-file.md describes scene files.
      """,
    subcommands: [
      SceneListCommand.self, SceneShowCommand.self, SceneCheckCommand.self, SceneNewCommand.self,
      SceneImportCommand.self, SceneSchemaCommand.self,
    ])
}

/// Lists the built-in scenes.
struct SceneListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the built-in scenes, with a sentence for each.",
    usage: "orrery scene list [OPTIONS]",
    discussion: """
      Example:
        orrery scene list --json
      """)

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() {
    let report = SceneListReport()
    Standard.output(json ? report.json : report.text)
  }
}

/// Prints a scene.
struct SceneShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a scene as TOML, or as JSON.",
    usage: "orrery scene show SCENE [OPTIONS]",
    discussion: """
      Examples:
        orrery scene show flags
        orrery scene show mine.toml --json
        orrery scene show mine.mcap
      A scene that is written in the other notation is converted; comments are then
      lost. Of a trace it is the scene that was recorded, as it was written.
      """)

  @Argument(help: "Name of a built-in scene, or the path of a scene or a trace.")
  var scene: String

  @Flag(help: "Print the scene as JSON.")
  var json = false

  func run() throws {
    let (file, text) = try load()
    Standard.output(json ? file.json : text ?? file.toml)
  }

  /// The scene; and its text, if a trace has it.
  private func load() throws -> (SceneFile, text: String?) {
    do throws(SceneError) {
      return (try SceneSource.load(argument: scene), nil)
    } catch .isTrace(let path) {
      let recorded = try FrameArchive(paths: [path]).scene
      guard !recorded.source.isEmpty else {
        throw Failure(.badData, "\(path): its scene was built in Swift, and has no text")
      }
      let file = try SceneFile.decode(recorded.source, file: recorded.scene + ".toml")
      return (file, recorded.source)
    }
  }
}

/// Checks scenes without running them.
struct SceneCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check scenes without running them.",
    usage: "orrery scene check FILE ... [OPTIONS]",
    discussion: """
      Examples:
        orrery scene check scenes/*.toml
        orrery scene check - --json
      Prints a line for each good file, and one for each problem with its file, line,
      column and key. The exit code is 0 if all files are good, 65 if a scene is bad,
      else 69 if a file is missing.
      """)

  @Argument(help: "Paths, names of built-in scenes, or - for standard input.")
  var files: [String]

  @Flag(help: "Print a JSON object.")
  var json = false

  func validate() throws {
    if files.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("-: standard input can be read once")
    }
  }

  func run() throws {
    let fonts = InstalledFonts()
    let report = SceneCheckReport(files.map { SceneVerdict(checking: $0, text: fonts) })
    Standard.output(json ? report.json : report.text)
    if report.status != .done { throw ExitCode(report.status.rawValue) }
  }
}

/// Writes a scene to begin with.
struct SceneNewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new",
    abstract: "Write a scene file to begin with.",
    usage: "orrery scene new NAME [OPTIONS]",
    discussion: """
      Example:
        orrery scene new mine
      The file has comments, runs as it stands, and holds further settings that are
      switched off.
      """)

  @Argument(help: "Path of the file, with or without .toml; - is standard output.")
  var name: String

  @Flag(help: "Replace a file that is there.")
  var force = false

  func run() throws {
    let template = try SceneTemplate(name)
    if template.path == "-" {
      Standard.output(template.text)
    } else {
      try NewFile.write(template.text, to: template.path, replaces: force)
      Standard.output(template.path + "\n")
    }
  }
}

/// Makes a scene of another tool's animation.
struct SceneImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a scene of a Lottie file, web animations or samples.",
    usage: "orrery scene import FILE [OPTIONS]",
    discussion: """
      Examples:
        orrery scene import animation.json
        orrery scene import animation.json -o animation.toml --strict
        orrery scene import web.json
        orrery scene import samples.csv
      Layers become views with the same motions, shapes become boxes and discs. What
      is left out is counted on standard error, as: 12 masks, 3 expressions.
      docs/how-to/a-lottie-file.md says what is taken. Web animations are what
      Element.animate takes (docs/how-to/web-animations.md), samples a table of times
      and values that another tool has written (docs/how-to/samples.md). Every
      command that reads a scene reads all of them, too: orrery run animation.json;
      only a table in Parquet must become a scene first, which needs Python.
      """)

  @Argument(
    help: """
      A Lottie file, web animations, samples as CSV, NDJSON or Parquet, or - for standard input.
      """,
    completion: .file(extensions: ["json", "csv", "ndjson", "jsonl", "parquet"]))
  var file: String

  @Option(name: .shortAndLong, help: "Write the scene to this file, not to standard output.")
  var out: String?

  @Flag(help: "Make nothing, with exit code 65, if something would be left out.")
  var strict = false

  @Flag(help: "Replace a file that is there.")
  var force = false

  func validate() throws {
    if out != "-" { try CommandLineProgram.checkOutputs([("--out", out)], inputs: [file]) }
  }

  func run() throws {
    let scene = try load()
    guard scene.isImported else {
      throw Failure(.badData, "\(file): a scene already, and no file of another tool")
    }
    if !scene.leftOut.isEmpty {
      if strict { throw Failure(.badData, "\(file): would be left out: \(scene.leftOut.text)") }
      Standard.error("\(file): left out: \(scene.leftOut.text)\n")
    }
    if let out, out != "-" {
      try NewFile.write(scene.toml, to: out, replaces: force)
    } else {
      Standard.output(scene.toml)
    }
  }

  private func load() throws -> SceneFile {
    do throws(SceneError) {
      return try SceneSource.load(argument: file)
    } catch .isParquet {
      return try SceneFile.decode(PythonTables.samples(inParquet: file), file: file)
    }
  }
}

/// Prints the JSON Schema of scenes.
struct SceneSchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of scenes, for editors.",
    usage: "orrery scene schema [OPTIONS]",
    discussion: """
      Example:
        orrery scene schema
      A TOML file names it in its first line: #:schema ./scene.schema.json
      """)

  func run() {
    Standard.output(SceneSchema.text)
  }
}
