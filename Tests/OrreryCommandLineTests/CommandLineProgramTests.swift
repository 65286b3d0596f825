// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryCommandLine
import Testing

/// Goal: what is wrong with a command line is one line that names the nearest right word or the possible values.
///
/// Method: a program with two commands, and the texts that its words lead to.
@Suite struct CommandLineProgramTests {
  /// The line and the exit code that words lead to; nil if they are a command or ask for a text.
  private func failure(_ line: String, of program: CommandLineProgram = orrery) -> String? {
    guard case .failure(let text, let code) = program.outcome(words(line)) else { return nil }
    #expect(code == 64)
    #expect(!text.contains("\n"), "\(text)")
    return text
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  private func text(_ line: String, of program: CommandLineProgram = orrery) -> String? {
    if case .text(let text) = program.outcome(words(line)) { text } else { nil }
  }

  private static let orrery = CommandLineProgram(Orrery.self, others: ["sim", "bench"])
  private static let bench = CommandLineProgram(Bench.self)

  @Test(arguments: [
    ("rum", "orrery: no command 'rum'; did you mean run?"),
    ("rum flags --dur 5", "orrery: no command 'rum'; did you mean run?"),
    ("smi flags", "orrery: no command 'smi'; did you mean sim?"),
    ("hlep", "orrery: no command 'hlep'; did you mean help?"),
    ("frobnicate", "orrery: no command 'frobnicate'; there are run, hash, help, sim, bench"),
    ("help runn", "orrery: no command 'runn'; did you mean run?"),
    ("help run flags", "orrery run: help takes no 'flags'; see 'orrery run --help'"),
  ])
  func unknownCommandIsToldTheNearest(line: String, message: String) {
    #expect(failure(line) == message)
  }

  @Test(arguments: [
    ("run flags --name a --dur 5", "no option --dur; did you mean --duration?"),
    ("run flags --dur=5 --name a", "no option --dur; did you mean --duration?"),
    ("run flags --nmae a", "no option --nmae; did you mean --name?"),
    ("run --drutaion 5", "no option --drutaion; did you mean --duration?"),
    ("run flags --name a -json", "no option -json; did you mean --json?"),
    ("run flags --name a --versio", "no option --versio; did you mean --version?"),
    ("run flags --name a --xyzzy", "no option --xyzzy; see 'orrery run --help'"),
    ("run flags --name a -q", "no option -q; see 'orrery run --help'"),
  ])
  func unknownOptionIsToldTheNearest(line: String, message: String) {
    #expect(failure(line) == "orrery run: " + message)
  }

  @Test func wrongWordsAreToldAsJSONToWhoAsksForIt() throws {
    let words = words("run flags --json --dur 5 --name a")
    guard case .failure(let line, let code) = Self.orrery.outcome(words) else {
      Issue.record("no failure")
      return
    }
    #expect(
      Self.orrery.report(line, code, words)
        == #"{"schema":"orrery.error.v1","error":"no option --dur; did you mean --duration?","#
        + #""exit_code":64,"program":"orrery run"}"#)
    #expect(Self.orrery.report(line, code, words.filter { $0 != "--json" }) == nil)
  }

  @Test(arguments: [
    ("run", "<scene> is missing: name of a scene"),
    ("run flags", "--name <name> is missing: name of the run"),
    ("run flags --name", "--name <name>: the value is missing: name of the run"),
    // The value of an option is no option, whatever it looks like.
    ("run flags --rate --dur --name a", "--rate --dur is not possible: PNG or ticks, 1 to 60"),
    ("run flags --rate 0 --name a", "--rate 0 is not possible: PNG or ticks, 1 to 60"),
    ("run flags --rate it's --name a", "--rate it's is not possible: PNG or ticks, 1 to 60"),
    ("run flags --duration x --name a", "--duration x is not possible: seconds, more than 0"),
    ("run flags --mode slo --name a", "--mode slo: use fast or slow; did you mean slow?"),
    ("run flags --mode 7 --name a", "--mode 7: use fast or slow"),
    ("run flags --size 1 --name a", "--size 1: use 2"),
    ("run flags --duration 0 --name a", "--duration 0.0: use more than 0"),
    (
      "run flags --json=3 --name a",
      "the option '--json' does not take any value, but '3' was specified"
    ),
    ("run flags more --name a", "unexpected argument 'more'; see 'orrery run --help'"),
  ])
  func badValueIsToldThePossibleOnes(line: String, message: String) {
    #expect(failure(line) == "orrery run: " + message)
  }

  /// A program that stands beside `orrery` is called as it is run.
  @Test(arguments: [
    ("rum", "orrery bench: no command 'rum'; did you mean run?"),
    ("run --dur", "orrery bench run: no option --dur; did you mean --duration?"),
    ("--tikc 1", "orrery bench hash: no option --tikc; did you mean --tick?"),
    ("--tick x", "orrery bench hash: --tick x is not possible: the tick, from 0"),
  ])
  func programIsNamedAsItIsRun(line: String, message: String) {
    #expect(failure(line, of: Self.bench) == message)
  }

  @Test func hiddenCommandIsNotSuggestedButRun() {
    #expect(failure("par", of: Self.bench)?.contains("part") == false)
    #expect(failure("part", of: Self.bench) == nil)
  }

  @Test(arguments: ["run flags --name a", "hash --tick 1", "run -- --dur --name"])
  func rightWordsAreACommand(line: String) {
    let words = words(line == "run -- --dur --name" ? "run --name a -- --dur" : line)
    guard case .command = Self.orrery.outcome(words) else {
      Issue.record("\(line): \(Self.orrery.outcome(words))")
      return
    }
  }

  @Test(
    arguments: [
      (nil, nil, 80), (nil, 132, 132), ("100", 132, 100), ("100", nil, 100), ("x", nil, 80),
      ("0", 90, 90), ("-3", nil, 80), ("1", nil, 40), (nil, 7, 40),
    ] as [(String?, Int?, Int)])
  func helpIsAsWideAsTheTerminal(variable: String?, terminal: Int?, columns: Int) {
    #expect(CommandLineProgram.columns(variable: variable, terminal: terminal) == columns)
  }

  @Test func helpIsEightyColumnsWideAndKeepsItsLines() throws {
    for line in ["help", "help run", "help hash"] {
      let text = try #require(self.text(line))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
      #expect(text.hasSuffix("\n"))
      #expect(!text.hasSuffix("\n\n"))
    }
    #expect(text("help run")?.contains("\n" + Run.configuration.discussion + "\n") == true)
    #expect(text("help", of: Self.bench)?.contains("USAGE: orrery bench [COMMAND]\n") == true)
  }

  @Test func versionIsOfEveryCommand() throws {
    let version = try #require(text("--version"))
    #expect(
      version.wholeMatch(of: /orrery [0-9.]+ \(commit \S+, Swift \S+, baseline[a-z0-9 ]*\)\n/)
        != nil, "\(version)")
    #expect(text("run --version") == version)
    #expect(text("--version", of: Self.bench) == version)
  }

  @Test func standardOutputIsRefusedByTheOption() throws {
    try CommandLineProgram.checkOutputs([("--out", "./-"), ("--png", nil)])
    let error = #expect(throws: ValidationError.self) {
      try CommandLineProgram.checkOutputs([("--out", "a"), ("--png", "-")])
    }
    #expect(error?.message.hasPrefix("--png -: ") == true)
  }
}

private enum Mode: String, ExpressibleByArgument, CaseIterable { case fast, slow }

private enum Size: String, ExpressibleByArgument, CaseIterable { case two = "2" }

private struct Rate: ExpressibleByArgument {
  init?(argument: String) { if !["1", "60"].contains(argument) { return nil } }
}

private struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run.", usage: "orrery run SCENE --name NAME [OPTIONS]",
    discussion: """
      Example:
        orrery run flags --name a
      A paragraph whose lines are as long as lines of help can be, which is seventy
      nine characters.
      """)

  @Argument(help: "Name of a scene.") var scene: String
  @Option(help: "Name of the run.") var name: String
  @Option(parsing: .unconditional, help: "PNG or ticks, 1 to 60.") var rate: Rate?
  @Option(help: "Seconds, more than 0.") var duration: Double?
  @Option(help: "How.") var mode = Mode.fast
  @Option(help: "How large.") var size = Size.two
  @Flag(help: "JSON.") var json = false

  func validate() throws {
    if duration == 0 { throw ValidationError("--duration 0.0: use more than 0") }
  }
}

private struct Hash: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash", usage: "orrery hash --tick TICK")

  @Option(help: "The tick, from 0.") var tick: UInt64
}

private struct Part: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "part", shouldDisplay: false)
}

private struct Orrery: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orrery", usage: "orrery COMMAND", version: Version.text,
    subcommands: [Run.self, Hash.self])
}

private struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    program: "bench", abstract: "Bench.", usage: "[COMMAND]", discussion: "",
    subcommands: [Run.self, Hash.self, Part.self], defaultSubcommand: Hash.self)
}
