// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: a shell completes every command and option of all programs, and the values that are known.
///
/// Method: the shells themselves read the script and complete a line; zsh does so with functions in place of its own
/// ones that need a terminal.
@Suite struct CompletionProcessTests {
  /// A line up to the cursor, and words that have to be offered.
  static let lines: [(String, [String])] = [
    ("orrery ru", ["run"]), ("orrery si", ["sim"]), ("orrery run pla", ["planets"]),
    ("orrery run --form", ["--format"]), ("orrery run --format fi", ["fixed16"]),
    ("orrery trace ex", ["export"]), ("orrery trace export par", ["parquet"]),
    ("orrery bench ca", ["capacity"]), ("orrery bench capacity --kind or", ["orbit"]),
    ("orrery logger --fro", ["--from-frame"]), ("orrery control x tog", ["toggle"]),
    ("orrery sim --wait-f", ["--wait-for"]),
  ]

  private static func script(_ shell: String, in place: Place) throws -> String {
    let run = try Program.run("orrery", ["--generate-completion-script", shell], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    try run.text.write(toFile: place.files + "/script", atomically: true, encoding: .utf8)
    return place.files + "/script"
  }

  /// What a shell offers for each line, one line of output for each.
  private static func offers(
    _ shell: String, _ program: String, _ complete: (String) -> String, in place: Place
  ) throws -> [String] {
    let path = "PATH=\(Program.directory):/usr/bin:/bin"
    let script = ([program] + lines.map { complete($0.0) }).joined(separator: "\n")
    try script.write(toFile: place.files + "/lines", atomically: true, encoding: .utf8)
    let run = try Program.run("/usr/bin/env", [path, shell, place.files + "/lines"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    return run.text.components(separatedBy: "--\n").dropFirst().map { $0 }
  }

  private static func check(_ offers: [String]) {
    #expect(offers.count == lines.count)
    for ((line, wanted), offer) in zip(lines, offers) {
      let words = offer.split(whereSeparator: \.isWhitespace).map(String.init)
      for word in wanted { #expect(words.contains(word), "\(line): \(offer)") }
      // Each line has one answer, or names that begin with it.
      #expect(words.allSatisfy { $0.hasPrefix(wanted[0].prefix(2)) }, "\(line): \(offer)")
    }
  }

  @Test func bashCompletes() throws {
    let place = try Place()
    let script = try Self.script("bash", in: place)
    Self.check(
      try Self.offers(
        "bash",
        """
        source \(script)
        offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _orrery; echo --; echo "${COMPREPLY[@]}"; }
        """, { "offer \($0)" }, in: place))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/zsh")))
  func zshCompletes() throws {
    let place = try Place()
    let script = try Self.script("zsh", in: place)
    Self.check(
      try Self.offers(
        "zsh",
        """
        compdef() { }
        compset() { }
        _files() { }
        compadd() { shift; print -l -- ${(M)@:#$cur*}; }
        _describe() { local found=(${(P)2}); print -l -- ${(M)${found%%:*}:#$cur*}; }
        source \(script)
        offer() { words=("$@"); CURRENT=$#; print -- --; _orrery; }
        """, { "offer \($0)" }, in: place))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/fish")))
  func fishCompletes() throws {
    let place = try Place()
    let script = try Self.script("fish", in: place)
    Self.check(
      try Self.offers(
        "fish",
        """
        source \(script)
        function offer; printf '%s\\n' --; complete -C "$argv" | string split -f1 \\t; end
        """, { "offer '\($0)'" }, in: place))
  }

  /// A script is asked for where nothing runs, so nothing else is checked before.
  @Test(
    arguments: ["sim", "renderer", "logger", "live", "metrics", "bench"], ["bash", "zsh", "fish"])
  func everyProgramHasOne(program: String, shell: String) throws {
    let place = try Place()
    let run = try Program.run(program, ["--generate-completion-script", shell], in: place)
    #expect(run.code == 0 && run.errorText.isEmpty, "\(run.errorText)")
    #expect(run.text.contains("# Completes the command line of \(program) in \(shell)."))
    let wrong = try Program.run(program, ["--generate-completion-script=tcsh"], in: place)
    #expect(wrong.code == 64)
    #expect(wrong.errorText.hasSuffix(": use one of bash, zsh, fish\n"), "\(wrong.errorText)")
  }
}
