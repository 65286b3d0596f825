// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: a run of tests that hangs or crashes ends and says where, and the slowest suites are named.
///
/// Method: a shell script in place of a test program, which lists tests and writes their events by hand.
@Suite struct ToolProcessTests {
  /// The script's functions: `started TEST SECONDS` and `ended TEST SECONDS`.
  private static let head = #"""
    #!/bin/bash
    case " $* " in *" --list-tests "*) cat list; exit;; esac
    while [[ $1 != --event-stream-output-path ]]; do shift; done
    events=$2
    shift 2
    event() {
      echo '{"kind":"event","payload":{"instant":{"absolute":'$3'},"kind":"'$1'","testID":"'$2'/F.swift:1:2"}}' >> $events
    }
    started() { event testStarted "$1" "$2"; }
    ended() { event testEnded "$1" "$2"; }

    """#

  /// Runs a script as a test program that has these tests; `$*` says which of them are wanted.
  private static func run(
    _ script: String, tests: [String], _ options: [String] = [], in place: Place
  ) throws -> (code: Int32?, lines: [String], errorText: String) {
    try place.write(tests.joined(separator: "\n") + "\n", to: "list")
    try place.write(head + script, to: "tests")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: place.files + "/tests")
    let run = try Program.run(
      Program.root + "/tools/run-tests", options + [place.files + "/tests"], in: place)
    return (run.code, run.text.split(separator: "\n").map(String.init), run.errorText)
  }

  @Test func testThatHangsIsEndedAndNamed() throws {
    let place = try Place()
    // A child keeps the output open.
    let run = try Self.run(
      "started 'M.A/ends()' 1; ended 'M.A/ends()' 2; started 'M.A/hangs()' 2; echo $$ > pid; sleep 3600",
      tests: ["M.A/ends()", "M.A/hangs()", "M.A/waits()"], ["--seconds", "0.5"], in: place)
    #expect(run.code == 1, "\(run.errorText)")
    let said = "✘ M.A/hangs(): nothing began or ended for 0.5 s, and the process was ended"
    #expect(run.lines.first == said)
    #expect(run.lines.last?.contains("failed after ") == true)
    #expect(run.lines.last?.hasSuffix("; 2 did not end") == true)
    let text = try String(contentsOfFile: place.files + "/pid", encoding: .utf8)
    #expect(kill(try #require(pid_t(text.dropLast())), 0) != 0)
  }

  @Test func testsThatBeginAndEndGoOn() throws {
    let place = try Place()
    let run = try Self.run(
      "for n in 1 2 3 4; do started 'M.A/f()' $n; sleep 0.4; ended 'M.A/f()' $n; sleep 0.4; done; exit 3",
      tests: ["M.A/f()"], ["--seconds", "2"], in: place)
    #expect(run.code == 1, "\(run.errorText)")
    #expect(run.lines.first == "✘ no test: the process ended with exit code 3")
  }

  /// A crash costs the process of its suites; the other's go on.
  @Test func testThatCrashesIsNamed() throws {
    let place = try Place()
    let run = try Self.run(
      """
      case $* in *A/crashes*) started 'M.A/crashes()' 1; kill -SEGV $$;; esac
      started 'N.B/runs()' 1; started 'N.B/isSkipped()' 1
      ended 'N.B/runs()' 2; event testSkipped 'N.B/isSkipped()' 2
      """, tests: ["M.A/crashes()", "N.B/runs()", "N.B/isSkipped()"], in: place)
    #expect(run.code == 1, "\(run.errorText)")
    #expect(run.lines.contains("✘ M.A/crashes(): the process was ended by signal 11"))
    #expect(run.lines.last?.contains("with 3 tests in 2 suites failed") == true)
    #expect(run.lines.last?.hasSuffix("; 1 did not end") == true, "\(run.lines)")
  }

  @Test func suitesAreListedByTheirOwnTimeAndChosenByName() throws {
    let place = try Place()
    let run = try Self.run(
      """
      started 'M.Slow/f(n:)' 10; ended 'M.Slow/f(n:)' 14; started 'M.Slow/g()' 14; ended 'M.Slow/g()' 15
      started 'M.Quick/h()' 15; ended 'M.Quick/h()' 15.5
      echo "$*" > options
      """, tests: ["M.Slow/f(n:)", "M.Slow/g()", "M.Quick/h()", "M.Quick/other()", "N.C/i()"],
      ["--filter", "^M", "--skip", "other"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(
      run.lines.dropLast() == [
        "Seconds of each suite, the 2 slowest of 2:", "      5.0  M.Slow", "      0.5  M.Quick",
        "      5.5  all",
      ])
    #expect(run.lines.last?.hasPrefix("Test run with 3 tests in 2 suites passed after ") == true)
    let options = try String(contentsOfFile: place.files + "/options", encoding: .utf8)
    #expect(options.contains(#"M\.Quick/h\(\)|M\.Slow/f\(n:\)|M\.Slow/g\(\)"#), "\(options)")
  }

  @Test func noTestsAreAnError() throws {
    let run = try Self.run("", tests: ["M.A/f()"], ["--filter", "B"], in: Place())
    #expect(run.code == 69)
    #expect(run.errorText == "tools/run-tests: no test has such a name\n")
  }

  @Test func linesAreCountedByKindAndModule() throws {
    let place = try Place()
    let run = try Program.run(Program.root + "/tools/lines", ["HEAD"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let rows = run.text.split(separator: "\n").dropFirst().map { row in
      (isKind: !row.hasPrefix(" "), words: row.split(separator: " "))
    }
    func count(_ word: Substring) -> Int { Int(word.filter { $0 != "," }) ?? -1 }
    // A kind's lines are those of its modules, which follow it.
    var (kinds, rest): ([String: Int], Int) = ([:], 0)
    for row in rows {
      if row.isKind {
        #expect(rest == 0, "\(run.text)")
        rest = count(row.words[1])
        kinds[String(row.words[0])] = rest
      } else {
        // "its own files" are three words.
        let words = row.words[0] == "its" ? row.words.dropFirst(2) : row.words[...]
        rest -= count(words[words.startIndex + 1])
      }
    }
    #expect(rest == 0)
    for kind in ["Sources", "Tests", "bench", "docs", "tools"] {
      #expect((kinds[kind] ?? 0) > 1000, "\(kind)")
    }
    let wrong = try Program.run(Program.root + "/tools/lines", ["nosuch"], in: place)
    #expect(wrong.code == 1 && wrong.errorText.hasPrefix("tools/lines: "), "\(wrong.errorText)")
  }
}
