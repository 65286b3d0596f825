// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// Goal: with `--memory-limit` a program keeps to its limit, within a tenth, or says why it cannot.
///
/// Method: control groups that allow a tenth more than the limit, in which the kernel kills what takes more. The sim is
/// outside of them.
@Suite(.serialized) struct MemoryLimitProcessTests {
  private static let canLimit = TestGroup.Resource.memory.root != nil

  /// Starts a program with a limit, in a group that allows a tenth more.
  private static func start(_ words: String, limit: Int, in place: Place) throws -> (
    Program, TestGroup
  ) {
    let group = try TestGroup(memoryBytes: (limit << 20) * 11 / 10)
    let command = "\(Program.directory)/\(words) --memory-limit \(limit)MiB"
    return (try Program("/bin/sh", group.arguments(command), in: place), group)
  }

  /// A crowd that waits for one subscriber.
  private static func crowd(_ entities: Int, _ words: [String], in place: Place) throws -> Program {
    try Program(
      "sim",
      ["stress", "--entities", "\(entities)", "--run", "m", "--wait-for", "1"] + words, in: place)
  }

  /// Compression so slow that frames wait, of which there would soon be 500 MB.
  @Test(
    .enabled(if: canLimit, "making control groups needs root"),
    arguments: ["--compression zstd:6", "--compression zstd:6 --delta"])
  func loggerKeepsFewerChunks(words: String) throws {
    let place = try Place()
    let sim = try Self.crowd(1_000_000, ["--duration", "4"], in: place)
    let (logger, group) = try Self.start(
      "logger --run m --out m.mcap --json --wait 300 --min-free-space 0 \(words)", limit: 128,
      in: place)
    defer { withExtendedLifetime(group) {} }
    #expect(logger.wait() == 0, "\(logger.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    // What it could not keep is named, and the rest is whole.
    let verify = try Program.run("orrery", ["trace", "verify", "m.mcap"], in: place)
    #expect(verify.code == 0, "\(verify.errorText)")
  }

  @Test(.enabled(if: canLimit, "making control groups needs root"))
  func flightRecorderKeepsLess() throws {
    let place = try Place()
    let sim = try Self.crowd(300_000, ["--duration", "4"], in: place)
    let (logger, group) = try Self.start(
      "logger --run m --mode flight --keep 60s --out m.mcap --json --wait 300 --min-free-space 0",
      limit: 64, in: place)
    defer { withExtendedLifetime(group) {} }
    #expect(logger.wait() == 0, "\(logger.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
  }

  /// A picture that is too large is refused before it is made; a smaller one is drawn.
  @Test(.enabled(if: canLimit, "making control groups needs root"))
  func rendererRefusesLargePictures() throws {
    for (size, code) in [("8000x4000", 71), ("1280x720", 0)] as [(String, Int32)] {
      let place = try Place()
      let sim = try Program(
        "sim", ["flags", "--run", "m", "--duration", "0.5", "--wait-for", "1", "--json"], in: place)
      let (renderer, group) = try Self.start(
        "renderer --run m --png m.png --wait 300 --size \(size)", limit: 64, in: place)
      defer { withExtendedLifetime(group) {} }
      #expect(renderer.wait() == code, "\(renderer.errorText)")
      if code != 0 {
        sim.signal(SIGTERM)
        #expect(
          renderer.errorText.contains(
            "no memory for 128000000 bytes of pixels; --memory-limit 64MiB"),
          "\(renderer.errorText)")
      }
      sim.wait()
    }
  }

  /// Pages that read nothing are refused once there is no memory for them; those that are open stay.
  @Test(.enabled(if: canLimit, "making control groups needs root"))
  func liveRefusesPages() throws {
    let place = try Place()
    let (live, group) = try Self.start("live m --wait 300 --clients 500", limit: 40, in: place)
    defer { withExtendedLifetime(group) {} }
    live.wait(for: "the address") { live.text.contains("\n") || !live.isRunning }
    let match = try #require(
      live.text.firstMatch(of: /^http:\/\/127\.0\.0\.1:(\d+)\/\?token=([0-9a-f]{32})\n/))
    let port = try #require(Int(match.1))
    let sim = try Self.crowd(300_000, ["--duration", "600"], in: place)
    sim.wait(forFrames: 10, of: "m", in: place)
    var clients: [LoopbackClient] = []
    var counts: [Int: Int] = [:]
    for _ in 0..<100 {
      let client = try #require(LoopbackClient(port: port))
      let answer = client.upgrade(
        "/live", ["Cookie: orrery-live-\(port)=\(match.2)", "Origin: http://127.0.0.1:\(port)"],
        host: "127.0.0.1:\(port)")
      counts[answer.status, default: 0] += 1
      clients.append(client)
    }
    #expect(counts[101] ?? 0 > 0, "\(counts)")
    #expect((counts[101] ?? 0) + (counts[503] ?? 0) == 100, "\(counts)")
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0, "\(sim.errorText)")
    #expect(live.wait() == 0, "\(live.errorText)")
    withExtendedLifetime(clients) {}
  }

  /// A chunk that does not fit is named, and nothing of an output is left; a limit that it fits into is kept.
  @Test(.enabled(if: canLimit, "making control groups needs root"))
  func traceCommandsRefuseLargeChunks() throws {
    let place = try Place()
    let sim = try Self.crowd(
      1_000_000, ["--ticks", "20", "--lockstep", "--unpaced"], in: place)
    let logger = try Program.run(
      "logger",
      [
        "--run", "m", "--out", "m.mcap", "--wait", "300", "--min-free-space", "0",
        "--chunk-size", "64MiB", "--compression", "lz4",
      ], in: place)
    #expect(logger.code == 0, "\(logger.errorText)")
    #expect(sim.wait() == 0, "\(sim.errorText)")
    let copy = "orrery trace filter m.mcap -o copy.mcap"
    for (words, limit, code) in [
      ("orrery trace verify m.mcap", 48, 71), (copy, 48, 71), (copy, 512, 0),
      (copy + " --force", 48, 71), ("orrery trace export csv m.mcap --entity 0-9", 48, 71),
    ] as [(String, Int, Int32)] {
      let wasThere = place.has("copy.mcap")
      let (run, group) = try Self.start(words, limit: limit, in: place)
      defer { withExtendedLifetime(group) {} }
      #expect(run.wait() == code, "\(words) in \(limit) MiB: \(run.errorText)")
      let isMade = words == copy && code == 0
      #expect(place.has("copy.mcap") == (wasThere || isMade), "\(words) in \(limit) MiB")
      guard code != 0 else { continue }
      #expect(run.errorText.contains("a record of the trace needs"), "\(run.errorText)")
      #expect(run.errorText.contains("; --memory-limit \(limit)MiB, of which"), "\(run.errorText)")
      #expect(run.errorText.split(separator: "\n").count == 1, "\(run.errorText)")
    }
  }

  @Test func limitsThatNoProgramKeepsAreRefused() throws {
    let place = try Place()
    for words in ["logger --run m --out a.mcap", "orrery trace info a.mcap"] {
      let parts = words.split(separator: " ").map(String.init)
      let run = try Program.run(
        parts[0], parts.dropFirst() + ["--memory-limit", "1MiB"], in: place)
      #expect(run.code == 64)
      #expect(run.errorText.contains("--memory-limit 1MiB: use 16MiB or more"), "\(run.errorText)")
    }
  }
}
