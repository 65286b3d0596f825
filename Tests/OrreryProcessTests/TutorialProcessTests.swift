// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import Testing

/// Goal: who follows the tutorial gets what it says.
///
/// Method: its blocks run as they stand, one after the other in one shell, in an empty folder.
@Suite struct TutorialProcessTests {
  /// The blocks of a page that a shell runs.
  private static func blocks(of page: String) throws -> [String] {
    let text = try String(contentsOfFile: Program.root + "/" + page, encoding: .utf8)
    return text.components(separatedBy: "\n```").compactMap { part in
      part.hasPrefix("sh\n") ? String(part.dropFirst(3)) : nil
    }
  }

  @Test func everyBlockOfTheTutorialRunsAsItStands() throws {
    let blocks = try Self.blocks(of: "docs/start/tutorial.md")
    try #require(blocks.count >= 9)
    let place = try Place()
    // Python of the tests has the packages that the page names.
    let opening = """
      set -euo pipefail
      PATH='\(Program.directory)':$PATH
      python3() { '\(Program.python)' "$@"; }
      """
    try place.write(([opening] + blocks).joined(separator: "\n"), to: "tutorial.sh")
    let run = try Program.run("/bin/bash", ["tutorial.sh"], in: place)
    try #require(run.code == 0, "\(run.text)\n\(run.errorText)")
    for file in ["film/card.mp4", "film/card.png", "film/card.mcap", "live/first.mcap"] {
      #expect(place.has("first-scene/" + file), "\(file)")
    }
    #expect(run.text.contains("card.toml: ok"))
    #expect(run.text.contains("240 frames, ticks 1 to 240\n"))
    #expect(run.text.contains("1 events: ['there']\n"))
    // `orrery hash` says before the run what the trace says after it.
    let lines = run.text.split(separator: "\n")
    let inTrace = try #require(lines.first { $0.hasPrefix("hash of tick 240: ") })
    let hash = String(try #require(inTrace.split(separator: " ").last))
    #expect(lines.count { $0.contains(hash) } >= 3, "\(run.text)")
    #expect(run.errorText.contains("run the sim with --columns"))
    #expect(place.runs == [])
  }
}
