// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Glibc
import OrreryBase

/// The command line of a program, from its words to an exit code.
///
/// What is wrong with the words is one line on standard error, under the name of the command, and exit code 64.
/// Names of commands and options come from the configurations; none is listed a second time.
package struct CommandLineProgram {
  /// The name of the program that runs all others.
  package static let orrery = "orrery"

  private let root: any ParsableCommand.Type

  /// Commands that are not in the root's configuration.
  private let others: [String]

  /// The script that completes this program's command line; nil: that of the root's commands.
  private let completion: (@Sendable () -> CompletionScript)?

  /// The command line of a program.
  ///
  /// - Parameters:
  ///   - root: The program's command.
  ///   - others: Names of programs that it runs as if they were its commands.
  ///   - completion: The script that completes its command line; nil: that of the root's commands.
  package init(
    _ root: any ParsableCommand.Type, others: [String] = [],
    completion: (@Sendable () -> CompletionScript)? = nil
  ) {
    (self.root, self.others, self.completion) = (root, others, completion)
  }

  /// The words of this process's command line, without the program's name.
  ///
  /// They are read from /proc. Where it is not mounted there are none, and the process ends.
  package static var words: [String] {
    let arguments = CommandLine.arguments.isEmpty ? readArguments() : CommandLine.arguments
    return Array(arguments.dropFirst())
  }

  /// Swift tries once, and takes a failure for an empty command line.
  private static func readArguments() -> [String] {
    let path = "/proc/self/cmdline"
    if access(path, F_OK) != 0 {
      Failure(.unavailable, "the command line cannot be read: /proc is not mounted")
        .exit(program: orrery)
    }
    guard let text = SmallFile.read(path, bytesMax: 2 << 20), !text.isEmpty else {
      Failure(.resource, "\(path): cannot be read: \(String(cString: strerror(errno)))")
        .exit(program: orrery)
    }
    return text.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// What the words of a command line lead to.
  package enum Outcome {
    /// A command to run.
    case command(any ParsableCommand)
    /// A text for standard output: help, or the version.
    case text(String)
    /// A line for standard error, without its end; and the exit code.
    case failure(line: String, code: Int32)
  }

  /// Parses the words, and runs the command; ends the process unless it succeeds.
  ///
  /// With `ORRERY_PARSE_ONLY` in the environment the command is not run: a test parses the examples of help and
  /// documents so, by the programs themselves.
  package func run(_ words: [String] = Self.words) {
    refuseForeignText(words)
    let command = name(path(words[...]).path)
    let old = OldOptions(words, of: command)
    for note in old.notes { Standard.error("\(command): \(note)\n") }
    let configured = configured(old.words)
    let words = configured.words
    // A file that reaches the limit of `ulimit -f` is an error of the call that writes it.
    signal(SIGXFSZ, SIG_IGN)
    switch configured.explained(outcome(words)) {
    case .command(var command):
      guard getenv("ORRERY_PARSE_ONLY") == nil else { return }
      let path = path(words[...]).path
      let (name, isJSON) = (name(path), wantsReport(words, of: path))
      do {
        try (command as? any MemoryLimited)?.limitMemory(program: name, isJSON: isJSON)
        try command.run()
      } catch let error as any ExitStatusError {
        Failure(error).exit(program: name, isJSON: isJSON)
      } catch {
        finish(outcome(of: error, words), words)
      }
    case let other: finish(other, words)
    }
  }

  /// The words with those that a configuration adds; a bad one ends the process.
  private func configured(_ words: [String]) -> ConfiguredWords {
    let (path, rest) = path(words[...])
    let name = name(path)
    let program = Configuration.programs.first { name == "\(Self.orrery) \($0)" }
    guard let program else { return ConfiguredWords(words: words) }
    do {
      return try Self.configured(words, at: rest.startIndex, program: program) {
        CommandTree(path.last ?? root)
      }
    } catch {
      finish(.failure(line: "\(name): \(error)", code: error.status.rawValue), words)
      return ConfiguredWords(words: words)
    }
  }

  /// Ends the process if an argument, or a variable that names a folder, is not UTF-8.
  ///
  /// As a text it would lead to another file than the one that was meant.
  package func refuseForeignText(_ words: [String]) {
    let isText: (UnsafePointer<CChar>?) -> Bool = { text in
      text.map { String(validatingCString: $0) != nil } ?? true
    }
    let arguments = (1..<max(Int(CommandLine.argc), 1)).first { index in
      !isText(CommandLine.unsafeArgv[index])
    }
    let folders: [String] = ["XDG_RUNTIME_DIR", "TMPDIR"]
    let variable = folders.first { name in !isText(getenv(name)) }
    let line =
      arguments.map { index in
        "argument \(index), '\(CommandLine.arguments[index])', is not UTF-8; rename the file"
      } ?? variable.map { name in "\(name) is not UTF-8; give another folder" }
    guard let line else { return }
    let code = ExitStatus.usage.rawValue
    finish(.failure(line: "\(name(path(words[...]).path)): \(line)", code: code), words)
  }

  /// What these words lead to.
  package func outcome(_ words: [String]) -> Outcome {
    // Before anything else is checked: it is asked for where nothing runs.
    if let index = words.firstIndex(where: { $0.hasPrefix(Self.scriptOption) }) {
      return script(words[index...])
    }
    let isHelp = words.first == "help" && !root.configuration.subcommands.isEmpty
    let (path, rest) = path(isHelp ? words.dropFirst() : words[...])
    let command = path.last ?? root
    if let word = rest.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty {
      return unknown(word, in: path)
    }
    if isHelp {
      if let word = rest.first {
        let line = "\(name(path)): help takes no '\(word)'; see '\(name(path)) --help'"
        return .failure(line: line, code: ExitStatus.usage.rawValue)
      }
      return .text(Self.lines(root.helpMessage(for: command, columns: Self.columns())))
    }
    do {
      return .command(try root.parseAsRoot(words))
    } catch {
      return outcome(of: error, words)
    }
  }

  private static let scriptOption = "--generate-completion-script"

  /// The script for the shell that is named after the option: as a word, or after `=`.
  private func script(_ words: ArraySlice<String>) -> Outcome {
    let parts = words.first?.split(separator: "=", maxSplits: 1).map(String.init) ?? []
    let shell = parts.count > 1 ? parts[1] : words.dropFirst().first ?? ""
    guard let known = CompletionShell(rawValue: shell) else {
      let shells = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
      let line = "\(name([root])): \(Self.scriptOption) \(shell): use one of \(shells)"
      return .failure(line: line, code: ExitStatus.usage.rawValue)
    }
    let script = completion?() ?? CompletionScript(CommandTree(root))
    return .text(script.text(for: known))
  }

  /// The width of help: that of `COLUMNS` or of the terminal, at least 40; 80 where neither says it, as in a pipe.
  ///
  /// Examples and lists are written for 80 columns, so a wider terminal changes only the lines of options.
  package static func columns(
    variable: String? = getenv("COLUMNS").map { String(cString: $0) },
    terminal: Int? = ProgressWriter.columns(of: STDOUT_FILENO)
  ) -> Int {
    let asked = variable.flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil }
    return max(asked ?? terminal ?? 80, 40)
  }

  /// What an error of parsing or running leads to: a request for help is one, too.
  private func outcome(of error: any Error, _ words: [String]) -> Outcome {
    let code = root.exitCode(for: error)
    if code == .success {
      return .text(Self.lines(root.fullMessage(for: error, columns: Self.columns())))
    }
    let message = root.message(for: error)
    guard !message.isEmpty else { return .failure(line: "", code: code.rawValue) }
    let (path, rest) = path(words[...])
    let text =
      code == .validationFailure
      ? UsageLine(
        message: message, words: rest, parts: CommandParts(path.last ?? root),
        helpCommand: "\(name(path)) --help"
      ).text : message
    return .failure(line: "\(name(path)): \(text)", code: code.rawValue)
  }

  /// A text that ends with one line break.
  private static func lines(_ text: String) -> String {
    var rest = text[...]
    while rest.last == "\n" { rest.removeLast() }
    return rest + "\n"
  }

  private func finish(_ outcome: Outcome, _ words: [String]) {
    switch outcome {
    case .command: preconditionFailure("a command is run, not finished")
    case .text(let text): Standard.output(text)
    case .failure(let line, let code):
      if !line.isEmpty { Standard.error(line + "\n") }
      if let report = report(line, code, words) { Standard.output(report + "\n") }
      exit(code)
    }
  }

  /// What is wrong with the words, for a program that asked for JSON.
  ///
  /// - Parameters:
  ///   - line: The line for people.
  ///   - code: The exit code.
  ///   - words: The words of the command line.
  /// - Returns: A line of JSON; nil if the words do not ask for it.
  package func report(_ line: String, _ code: Int32, _ words: [String]) -> String? {
    let path = path(words[...]).path
    guard let status = ExitStatus(rawValue: code), !line.isEmpty, wantsReport(words, of: path)
    else { return nil }
    let program = name(path)
    let text = line.hasPrefix(program + ": ") ? line.dropFirst(program.count + 2) : line[...]
    return ReportLine.encode(
      ErrorReport(program: program, Failure(status, String(text))), schema: ErrorReport.schema)
  }

  /// Whether words ask a command for JSON; `--json FILE` of a bench is for what was measured.
  private func wantsReport(_ words: [String], of path: [any ParsableCommand.Type]) -> Bool {
    words.contains("--json")
      && CommandParts(path.last ?? root).part("--json")?.takesValue == false
  }

  /// The commands that words name, the root first, and the words after them.
  private func path(
    _ words: ArraySlice<String>
  ) -> (path: [any ParsableCommand.Type], rest: ArraySlice<String>) {
    var path = [root]
    var rest = words
    while let word = rest.first, let next = Self.subcommand(word, of: path.last ?? root) {
      path.append(next)
      rest.removeFirst()
    }
    // Options without a name of a command are those of the default.
    if let next = path.last?.configuration.defaultSubcommand, rest.first?.hasPrefix("-") == true,
      !Self.builtIn.contains(rest.first ?? "")
    {
      path.append(next)
    }
    return (path, rest)
  }

  /// Options that every command has.
  private static let builtIn = ["-h", "--help", "--version"]

  private static func subcommand(
    _ word: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { command in
      command._commandName == word || command.configuration.aliases.contains(word)
    }
  }

  /// The words that run a command, as `orrery bench kernels`.
  private func name(_ path: [any ParsableCommand.Type]) -> String {
    let names = path.map { $0._commandName }
    return (names.first == Self.orrery ? names : [Self.orrery] + names).joined(separator: " ")
  }

  /// Words for a command in other tools, and Orrery's.
  private static let otherWords = [
    "cut": "filter", "slice": "filter", "print": "show", "make": "new", "create": "new",
    "validate": "check", "repair": "recover", "view": "info", "graph": "plot", "start": "run",
    "status": "ps", "stats": "ps",
  ]

  private func unknown(_ word: String, in path: [any ParsableCommand.Type]) -> Outcome {
    let shown = (path.last ?? root).configuration.subcommands.filter { command in
      command.configuration.shouldDisplay
    }
    let known = shown.map { $0._commandName } + (path.count == 1 ? ["help"] + others : [])
    let groups = shown.filter { group in
      group.configuration.subcommands.contains { $0._commandName == word }
    }
    let meant =
      groups.first.map { "; did you mean \($0._commandName) \(word)?" }
      ?? Self.otherWords[word].flatMap { known.contains($0) ? "; did you mean \($0)?" : nil }
    // A scene, where a command that runs one is wanted.
    let isScene = word.hasSuffix(".toml") || word.hasSuffix(".json")
    let question =
      meant ?? (isScene && known.contains("run") ? "; did you mean run \(word)?" : nil)
      ?? NearestName.question(word, among: known)
    let rest = question.isEmpty ? "; there are \(known.joined(separator: ", "))" : question
    return .failure(
      line: "\(name(path)): no command '\(word)'\(rest)", code: ExitStatus.usage.rawValue)
  }
}
