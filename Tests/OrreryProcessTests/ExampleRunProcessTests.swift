// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: whoever types a command of a help or a document gets no error.
///
/// Method: the examples of each help and document, one after the other in one shell and an empty folder, as they
/// stand. What goes on until it is told to end runs beside the others, and is told at the end.
@Suite struct ExampleRunProcessTests {
  /// What the shell begins with: files that examples name, and what is done with each example.
  ///
  /// In a network of its own, the ports that examples name are free.
  private static let opening = #"""
    set -u -o pipefail
    ip link set lo up || exit 9
    orrery scene show flags --json > scene.json
    orrery scene show flags > mine.toml
    cp scene.json other.json
    cat > animation.json << 'END'
    { "fr": 30, "ip": 0, "op": 60, "w": 400, "h": 300, "layers": [
      { "ty": 1, "nm": "box", "sw": 80, "sh": 40, "sc": "#ff8800", "ip": 0, "op": 60, "ks": {
        "a": { "a": 0, "k": [40, 20] }, "p": { "a": 1, "k": [
          { "t": 0, "s": [90, 150], "o": { "x": 0.3, "y": 0 }, "i": { "x": 0.7, "y": 1 } },
          { "t": 59, "s": [310, 150] }] } } }] }
    END
    printf 'time,x\n0,0\n1,40\n' > samples.csv
    echo '{"keyframes": {"opacity": [0, 1]}, "options": 500}' > web.json
    orrery curve linear --plot before.png > /dev/null
    cp before.png after.png
    orrery run mine.toml --duration 0.1 --only trace --run mine > run.txt 2>&1 || exit 9
    mkdir scenes && cp mine.toml scenes
    jobs=() names=()
    trap 'kill "${jobs[@]}" 2> jobs.txt' EXIT

    # Whether a run can be told something.
    is_there() {
      for ((n = 0; n < 6000; n++)); do orrery ps "$1" > ps.txt 2>&1 && return; sleep 0.05; done
      echo "run $1 did not begin: $(cat ps.txt)" >&2; exit 8
    }
    # Runs an example; the scene is what it may read.
    try() {
      bash -c "$1" < scene.json || { echo "exit code $?: $1" >&2; exit 7; }
    }
    # Runs an example of this run beside the others.
    begin() {
      bash -c "exec $1" < /dev/null & jobs+=($!) names+=("$2")
      is_there "$2"
    }
    finish() {
      for index in "${!jobs[@]}"; do
        orrery control "${names[$index]}" quit > /dev/null 2>&1
        wait "${jobs[$index]}" || { echo "exit code $? of run ${names[$index]}" >&2; exit 6; }
      done
      jobs=()
    }

    """#

  /// Examples that run for minutes or take gigabytes, of which `BenchProcessTests` has short runs; and those of traces,
  /// which read files that no other example makes: the tests of replay and of trace tools have their work.
  ///
  /// `orrery live` goes on as long as its run, `ps --watch` and `metrics --listen` for ever: `LiveProcessTests`,
  /// `TopProcessTests` and `MetricsProcessTests` run them, and `TerminalProcessTests` what needs a terminal.
  private static func isTooLarge(_ example: String) -> Bool {
    "\(example) ".hasPrefix("orrery bench ") || example.contains("--entities 1000000 ")
      || example.hasPrefix("orrery trace ") || example.hasPrefix("orrery live ")
      || example.hasPrefix("orrery ps --watch") || example.hasPrefix("orrery metrics --listen")
      || example.contains(" --terminal")
  }

  /// The shell's commands for examples, in their order.
  private static func script(_ examples: [String]) -> String {
    var runs: Set<String> = []
    var lines: [String] = []
    for example in examples where !isTooLarge(example) && !example.contains("…") {
      let words = example.components(separatedBy: " # ")[0].split(separator: " ").map(String.init)
      let quoted = "'" + example.replacing("'", with: "'\\''") + "'"
      if ["ps", "control"].contains(words[1]), words.count > 2 {
        let isRemote = words.contains("--connect")
        let name = isRemote ? "remote" : words[2]
        if runs.insert(name).inserted {
          var sim = "orrery sim planets --run \(name)"
          if isRemote {
            // Who steers over TCP needs keys; the server's are beside the client's.
            lines.append("try 'orrery keygen keys'")
            sim += words.drop { $0 != "--connect" }.joined(separator: " ")
              .replacing("--connect", with: " --listen")
          }
          lines.append("begin '\(sim)' \(name)")
        }
      }
      let isEndless = ["run", "sim"].contains(words[1]) && !words.contains("--duration")
      if isEndless || words.last == "&" {
        let name = words.firstIndex(of: "--run").map { words[$0 + 1] } ?? words[2]
        runs.insert(name)
        let command = quoted.replacing(" &'", with: "'")
        lines.append("begin \(command) \(name)")
      } else {
        if words.starts(with: ["orrery", "scene", "new"]) { lines.append("rm mine.toml") }
        lines.append("try \(quoted)")
      }
    }
    return lines.isEmpty ? "" : opening + (lines + ["finish"]).joined(separator: "\n") + "\n"
  }

  private static func expectRuns(_ examples: [String], of source: String) throws {
    let script = script(examples)
    if script.isEmpty { return }
    let place = try Place()
    try place.write(script, to: "examples.sh")
    let run = try Program.run(
      "/usr/bin/env",
      [
        "PATH=\(Program.directory):/usr/sbin:/usr/bin:/sbin:/bin", "unshare", "--net",
      ] + (geteuid() == 0 ? [] : ["--map-root-user"]) + ["bash", "examples.sh"], in: place,
      seconds: 2 * patienceSeconds)
    #expect(run.code == 0, "\(source): \(run.errorText)")
    #expect(place.runs == [], "\(source)")
  }

  @Test(arguments: try ExampleProcessTests.documents())
  func commandsOfDocumentsRun(document: String) throws {
    let text = try String(contentsOfFile: document, encoding: .utf8)
    try Self.expectRuns(
      ExampleProcessTests.examples(text, indent: 4, keepsBackground: true), of: document)
  }

  @Test func commandsOfHelpsRun() throws {
    let helps = try ExampleProcessTests.helps(in: Place())
    for (command, text) in helps {
      let overview = text.components(separatedBy: "\nUSAGE: ")[0]
      try Self.expectRuns(
        ExampleProcessTests.examples(overview, indent: 2, keepsBackground: true), of: command)
    }
  }
}
