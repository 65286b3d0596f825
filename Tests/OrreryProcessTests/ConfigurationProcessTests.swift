// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Goal: words of the command line, variables, the two files and defaults count in this order, and each value's origin
/// is shown.
///
/// Method: sims and a whole run in a folder with an `orrery.toml`, and `orrery config show` there.
@Suite struct ConfigurationProcessTests {
  private static func orrery(
    _ words: [String], _ variables: [String] = [], in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    try Program.run("/usr/bin/env", variables + [Program.directory + "/orrery"] + words, in: place)
  }

  /// The frames of a sim, of a sim without `--duration`.
  private static func ticks(
    _ words: [String] = [], _ variables: [String] = [], in place: Place
  ) throws -> Int? {
    let run = try orrery(
      ["sim", "flags", "--run", "c", "--unpaced", "--json"] + words, variables, in: place)
    try #require(run.code == 0, "\(run.errorText)")
    return number("frames", in: try report("orrery.sim.v2", in: run.text))
  }

  @Test func strongerOnesWin() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.configuration + "/orrery", withIntermediateDirectories: true)
    try "[sim]\nticks = 11\nthreads = 1\n".write(
      toFile: place.configuration + "/orrery/config.toml", atomically: true, encoding: .utf8)
    #expect(try Self.ticks(in: place) == 11)
    try place.write("[sim]\nticks = 12\n", to: "orrery.toml")
    #expect(try Self.ticks(in: place) == 12)
    let variable = "ORRERY_SIM_TICKS=13"
    #expect(try Self.ticks([], [variable], in: place) == 13)
    #expect(try Self.ticks(["--ticks", "14"], [variable], in: place) == 14)
    #expect(try Self.ticks(["--ticks=15"], [variable], in: place) == 15)
    #expect(try Self.ticks(["--ticks", "16"], ["ORRERY_CONFIG=none"], in: place) == 16)

    let shown = try Self.orrery(["config", "show"], [variable], in: place)
    let user = place.configuration + "/orrery/config.toml"
    #expect(
      shown.text == """
        program  option   value  from
        sim      ticks    13     \("ORRERY_SIM_TICKS")
        sim      threads  1      \(user):3
        files: orrery.toml, \(user)

        """, "\(shown.text)\(shown.errorText)")
    let all = try Self.orrery(["config", "show", "sim"], in: place)
    let rows = all.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.contains(["sim", "ticks", "12", "orrery.toml:2"]), "\(all.text)")
    #expect(rows.contains(["sim", "lockstep", "false", "default"]), "\(all.text)")
    #expect(rows.contains(["sim", "wait-for", "0", "default"]), "\(all.text)")
  }

  /// A sim that `orrery run` starts is told its options, and reads none of its own.
  @Test func wholeRunReadsItsOwnTable() throws {
    let place = try Place()
    try place.write(
      "[run]\nticks = 20\nonly = \"trace\"\nlockstep = true\n[sim]\nticks = 5\n[logger]\nmode = 1\n",
      to: "orrery.toml")
    let run = try Self.orrery(["run", "flags", "--json", "--out", "out"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let info = try Self.orrery(["trace", "info", "out/flags.mcap"], in: place)
    #expect(info.text.contains("20 frames") || info.text.contains(" 20"), "\(info.text)")
    #expect(!place.has("out/flags.mp4"))
  }

  @Test func whatIsWrongIsNamedWithItsPlace() throws {
    let place = try Place()
    let words = ["sim", "flags", "--run", "c", "--ticks", "1"]
    for (text, message) in [
      (
        "[sim]\nthreds = 2\n",
        "orrery.toml:2: threds: no option of sim with one value; did you mean threads?"
      ),
      (
        "[sim]\n\nkeys = \"keys\"\n",
        "orrery.toml:3: keys: not from the working directory; set it in the user's file, or by "
          + "ORRERY_SIM_KEYS"
      ),
    ] {
      try place.write(text, to: "orrery.toml")
      let run = try Self.orrery(words, in: place)
      #expect(run.code == 64 && run.errorText == "orrery sim: \(message)\n", "\(run.errorText)")
      #expect(try Self.orrery(words, ["ORRERY_CONFIG=none"], in: place).code == 0)
      // Help is printed whatever stands there.
      #expect(try Self.orrery(["sim", "--help"], in: place).code == 0)
    }
    try place.write("[sim]\nslots = 1\n", to: "orrery.toml")
    let run = try Self.orrery(words, in: place)
    #expect(
      run.code == 64 && run.errorText.hasSuffix(" (--slots is set by orrery.toml:2)\n"),
      "\(run.errorText)")
    let wrong = try Self.orrery(["config", "show", "smi"], in: place)
    #expect(wrong.code == 64 && wrong.errorText.contains("did you mean sim?"))
    #expect(try Self.orrery(["config", "show", "bench"], in: place).code == 64)
  }

  @Test func nothingIsSetWhereNothingIsThere() throws {
    let place = try Place()
    let shown = try Self.orrery(["config", "show"], in: place)
    #expect(
      shown.text == """
        nothing is set
        files: orrery.toml (not there), \(place.configuration)/orrery/config.toml (not there)

        """, "\(shown.errorText)")
  }
}
