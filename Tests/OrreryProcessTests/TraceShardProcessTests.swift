// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: traces of a run's shards, one each, are used as the trace of one run.
///
/// Method: real sims of one scene; a logger for each shard, and one that joins all as they run. What commands make of the
/// shards' files is compared with what they make of the one.
@Suite(.serialized) struct TraceShardProcessTests {
  private static func record(_ place: Place, _ mode: [String]) throws {
    let sims = try (0..<3).map {
      try Program(
        "sim",
        [
          "stress", "--entities", "400", "--run", "demo", "--shard", "\($0)/3", "--ticks", "40",
          "--lockstep", "--unpaced", "--wait-for", "2",
        ], in: place)
    }
    let loggers = try [
      ["--per-shard", "--out", "run.mcap"] + mode, ["--out", "joined.mcap"],
    ].map {
      try Program("logger", ["--run", "demo", "--wait", "300", "--force"] + $0, in: place)
    }
    for program in sims + loggers { #expect(program.wait() == 0, "\(program.errorText)") }
  }

  @Test(arguments: [[], ["--mode", "digest"]])
  func tracesOfShardsAreOneTrace(mode: [String]) throws {
    let place = try Place()
    try Self.record(place, mode)
    let files = (0..<3).map { "run.\($0)of3.mcap" }
    func trace(_ words: [String], code: Int32 = 0) throws -> String {
      let run = try Program.run("orrery", ["trace"] + words, in: place)
      #expect(run.code == code, "\(words): \(run.text)\(run.errorText)")
      return run.text
    }
    let difference = try report(
      "orrery.trace-diff.v1", in: trace(["diff", "--json"] + files + ["--against", "joined.mcap"]))
    #expect(number("ticks", in: difference) == 40 && number("only_b", in: difference) == 0)
    let rows = ["--entity", "0,199,200,399", "--every", "7"]
    #expect(
      try trace(["export", "csv"] + files + rows) == trace(["export", "csv", "joined.mcap"] + rows))
    let verified = try trace(["verify"] + files)
    #expect(verified.contains("shard         0\n") && verified.contains("shard         2\n"))
    let info = try report("orrery.trace-info.v1", in: trace(["info", "--json"] + files))
    let runs = try #require(info["runs"] as? [[String: Any]])
    #expect(runs.map { ($0["shard"] as? [String: Any])?["index"] as? Int } == [0, 1, 2])
    _ = try trace(["plot"] + files + ["--entity", "0,399", "-o", "a.svg"])
    let lines = try trace(["cat"] + files + ["--to-tick", "1", "--topic", "/orrery/scene"])
    #expect(lines.split(separator: "\n").count == 3)
    let missing = try Program.run("orrery", ["trace", "prove", files[0], files[2]], in: place)
    #expect(missing.code == 65 && missing.errorText.contains("shard 1 of 3 is missing"))
    let play = try Program(
      "orrery",
      [
        "trace", "play", "--run", "again", "--wait-for", "1", "--unpaced", "--lockstep",
      ] + files, in: place)
    let logger = try Program("logger", ["--run", "again", "--out", "again.mcap"], in: place)
    for program in [play, logger] { #expect(program.wait() == 0, "\(program.errorText)") }
    _ = try trace(["diff", "again.mcap", "joined.mcap"])
    // One file of all shards is the same run.
    _ = try trace(["merge"] + files + ["-o", "merged.mcap"])
    _ = try trace(["diff", "merged.mcap", "joined.mcap"])
  }

  /// By a request, over TCP, of both shards joined.
  @Test func flightRecordersFollowShardsAndOtherMachines() throws {
    let place = try Place()
    // No other run of these tests has them.
    let port = 17_000 + 2 * (Int(getpid()) % 1_000)
    let addresses = [port, port + 1].map { "tcp://127.0.0.1:\($0)" }
    let sims = try (0..<2).map {
      try Program(
        "sim",
        [
          "stress", "--entities", "400", "--run", "demo", "--shard", "\($0)/2", "--wait-for", "2",
          "--listen", addresses[$0], "--json",
        ], in: place)
    }
    let flight = ["--mode", "flight", "--keep", "300ms", "--wait", "300"]
    let joined = try Program(
      "logger", ["--run", "demo", "--out", "joined.mcap"] + flight, in: place)
    let remote = try Program(
      "logger",
      [
        "--connect", addresses[0], "--connect", addresses[1], "--out", "remote.mcap",
      ] + flight, in: place)
    for sim in sims { sim.waitForProgress() }
    usleep(600_000)
    for logger in [joined, remote] {
      logger.signal(SIGUSR1)
      logger.wait(for: "a file") { logger.errorText.contains("kept ") }
    }
    for sim in sims { sim.signal(SIGTERM) }
    for program in sims + [joined, remote] { #expect(program.wait() == 0, "\(program.errorText)") }
    for file in ["joined.mcap", "remote.mcap"] {
      let verify = try Program.run("orrery", ["trace", "verify", file], in: place)
      #expect(verify.code == 0, "\(verify.text)\(verify.errorText)")
      #expect(verify.text.contains("\nequal\n"), "\(verify.text)")
    }
  }
}
