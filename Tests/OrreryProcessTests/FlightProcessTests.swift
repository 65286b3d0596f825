// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: what a flight recorder is asked for is a whole trace with the last seconds, whoever asks, and recording goes on.
///
/// Method: one run of a real sim and a real logger; it is asked by control, by signal, and by the sim's death. A reader that
/// we did not write reads all three traces.
@Suite(.serialized) struct FlightProcessTests {
  @Test func lastSecondsAreKeptWhenTheyAreAskedFor() throws {
    let place = try Place()
    let sim = try Program(
      "sim", ["planets", "--run", "flight", "--rate", "60", "--wait-for", "1"], in: place)
    let logger = try Program(
      "logger",
      [
        "--run", "flight", "--out", "kept.mcap", "--mode", "flight", "--keep", "500ms", "--delta",
      ], in: place)
    sim.wait(for: "a second of frames") {
      let stats = try? Program.run(
        "orrery", ["control", "flight", "stats", "--json", "--wait", "300"], in: place)
      let fields = stats.flatMap { try? report("orrery.control.v1", in: $0.text) }
      return fields.flatMap { number("sequence", in: $0) } ?? 0 > 70
    }
    let keep = try Program.run("orrery", ["control", "flight", "keep", "--json"], in: place)
    #expect(keep.code == 0, "\(keep.errorText)")
    #expect(number("loggers", in: try report("orrery.control.v1", in: keep.text)) == 1)
    logger.wait(for: "the first file") { logger.errorText.contains("in kept.mcap") }
    logger.signal(SIGUSR1)
    logger.wait(for: "the second file") { logger.errorText.contains("in kept-2.mcap") }
    sim.signal(SIGKILL)
    #expect(logger.wait() == 69)
    for (file, cause) in [("kept", "keep"), ("kept-2", "signal"), ("kept-3", "the sim died")] {
      #expect(logger.errorText.contains("\(cause): kept "), "\(logger.errorText)")
      let check = try Program.run(
        Program.python, [Program.root + "/tools/mcap-crosscheck.py", file + ".mcap", "--json"],
        in: place)
      #expect(check.code == 0, "\(file): \(check.text)\(check.errorText)")
    }
  }

  @Test func wrongTriggerIsOneLineWithItsColumn() throws {
    let place = try Place()
    let logger = try Program.run(
      "logger",
      ["--run", "none", "--out", "a.mcap", "--mode", "flight", "--trigger", "tick_ms > x"],
      in: place)
    #expect(logger.code == 64)
    #expect(logger.errorText == "orrery logger: --trigger column 11: a number is wanted\n")
  }
}
