// SPDX-License-Identifier: Apache-2.0

import OrreryCommandLine
import Testing

/// Goal: options go on working under the names that they had before, and the new name is said.
///
/// Method: words of command lines as a shell hands them over.
@Suite struct OldOptionsTests {
  private func renamed(_ line: String, of command: String) -> (String, [String]) {
    let old = OldOptions(line.split(separator: " ").map(String.init), of: command)
    return (old.words.joined(separator: " "), old.notes)
  }

  @Test(arguments: [
    ("orrery sim", "flags --output fixed16", "flags --format fixed16", "--output is --format now"),
    ("orrery run", "flags --output=fixed16", "flags --format=fixed16", "--output is --format now"),
    (
      "orrery sim", "a --delivery lockstep -b", "a --lockstep -b",
      "--delivery lockstep is --lockstep now"
    ),
    (
      "orrery sim", "a --delivery=lockstep -b", "a --lockstep -b",
      "--delivery lockstep is --lockstep now"
    ),
    (
      "orrery trace play", "a --delivery live -b", "a -b",
      "--delivery live is the default, and has no option now"
    ),
    ("orrery trace play", "--rate 2 a", "--speed 2 a", "--rate is --speed now"),
    (
      "orrery logger", "--entities 1 2 --out a", "--entity 1 2 --out a",
      "--entities is --entity now"
    ),
    ("orrery bench study", "--short", "--quick", "--short is --quick now"),
    ("orrery bench kernels", "--seconds 1", "--duration 1", "--seconds is --duration now"),
    ("orrery bench study", "--json a.json", "--out a.json", "--json is --out now"),
    ("orrery bench tick", "--json=a.json", "--out=a.json", "--json is --out now"),
    ("orrery bench report", "a --output b.html", "a --out b.html", "--output is --out now"),
    ("orrery control", "demo seek --seconds 1", "demo seek --at 1", "--seconds is --at now"),
    ("orrery renderer", "--from 2", "--from-frame 2", "--from is --from-frame now"),
    ("orrery logger", "--from=2", "--from-frame=2", "--from is --from-frame now"),
    (
      "orrery run", "--record-entities 1 2", "--record-entity 1 2",
      "--record-entities is --record-entity now"
    ),
    ("orrery bench capacity", "--from 2", "--first 2", "--from is --first now"),
    ("orrery bench save", "a --to b", "a --results b", "--to is --results now"),
    ("orrery bench history", "a --from b", "a --results b", "--from is --results now"),
    ("orrery trace export", "csv a --column x", "csv a --columns x", "--column is --columns now"),
  ])
  func oldNameIsTheNewOne(command: String, line: String, new: String, note: String) {
    let (words, notes) = renamed(line, of: command)
    #expect(words == new)
    #expect(notes == [note])
  }

  @Test(arguments: [
    ("orrery sim", "flags --rate 2 --entities 5 --delivery maybe"),
    ("orrery logger", "--delivery live"),
    ("orrery bench run", "a -- --seconds 1"), ("orrery sim", "--outputs 1"),
    ("orrery ps", "--short"), ("orrery bench study", "--json"),
    ("orrery bench run", "--json feed"),
  ])
  func allElseStays(command: String, line: String) {
    let (words, notes) = renamed(line, of: command)
    #expect(words == line)
    #expect(notes.isEmpty)
  }
}
