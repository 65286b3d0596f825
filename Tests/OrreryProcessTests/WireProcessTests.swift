// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Goal: runs are followed from other machines, by those who may, and by nobody where nobody was asked.
///
/// Method: the programs, over the loopback address and between network namespaces.
@Suite struct WireProcessTests {
  /// Starts a sim that listens, and finds out where.
  private static func sim(
    _ arguments: [String], listen: String = "tcp://127.0.0.1:0", in place: Place
  ) throws -> (Program, String) {
    let sim = try Program(
      "sim", arguments + ["--run", "wire", "--listen", listen, "--json"], in: place)
    sim.wait(for: "where it listens") {
      sim.errorText.contains("listens at ") || !sim.isRunning
    }
    let line = try #require(
      sim.errorText.split(separator: "\n").first { $0.contains("listens at ") }, "\(sim.errorText)")
    #expect(line.hasPrefix("sim: notice: "))
    return (sim, String(try #require(line.split(separator: " ").last)))
  }

  @Test func failedStartLeavesNothingBehind() throws {
    let other = try Place()
    let (listening, endpoint) = try Self.sim(["flags"], in: other)
    let place = try Place()
    let name = "orrery-test-" + UUID().uuidString.prefix(8)
    let sim = try Program.run(
      "sim", ["flags", "--run", "late", "--shm-name", name, "--listen", endpoint, "--ticks", "1"],
      in: place)
    #expect(sim.code == 69, "\(sim.errorText)")
    #expect(sim.errorText.contains("in use"), "\(sim.errorText)")
    #expect(!FileManager.default.fileExists(atPath: "/dev/shm/" + name))
    #expect(place.runs.isEmpty)
    listening.signal(SIGTERM)
    #expect(listening.wait() == 0)
  }

  /// Lines of `ss` about sockets of a process that others could connect to.
  private static func listeners(of program: Program, in place: Place) throws -> [String] {
    let lines = try Program.run("/usr/bin/ss", ["-Hltnup"], in: place).text.split(separator: "\n")
    return lines.filter { $0.contains("pid=\(program.processID),") }.map(String.init)
  }

  private static func account(_ report: [String: Any]) throws -> (Int, Int, Int) {
    let published = try #require(number("published", in: report))
    let received = try #require(number("received", in: report))
    let missed = try #require(number("missed", in: report))
    #expect(published == received + missed)
    return (published, received, missed)
  }

  @Test func fault22NothingListensUnlessAsked() throws {
    let place = try Place()
    let programs = try [
      Program("sim", ["flags", "--run", "quiet"], in: place),
      Program("logger", ["--run", "quiet", "--out", "a.mcap"], in: place),
      Program("renderer", ["--run", "quiet", "--png", "a.png"], in: place),
    ]
    programs[1].wait(forFile: "a.mcap", in: place)
    usleep(500_000)
    for program in programs {
      #expect(program.isRunning, "\(program.errorText)")
      #expect(try Self.listeners(of: program, in: place) == [])
    }
    for program in programs.reversed() { program.signal(SIGTERM) }
    for program in programs { #expect(program.wait() == 0) }
    // And where it was asked to, at that address only.
    let (sim, endpoint) = try Self.sim(["flags"], in: place)
    let listeners = try Self.listeners(of: sim, in: place)
    #expect(listeners.count == 1)
    #expect(listeners.first?.contains(endpoint.dropFirst("tcp://".count)) == true)
    sim.signal(SIGTERM)
    #expect(sim.wait() == 0)
  }

  @Test(arguments: ["tcp://0.0.0.0:0", "tcp://*:0", "tcp://0:0"])
  func fault22OtherMachinesAreNotServedWithoutKeys(listen: String) throws {
    let place = try Place()
    let outcome = try Program.run("sim", ["flags", "--run", "x", "--listen", listen], in: place)
    #expect(outcome.code == 77)
    #expect(outcome.errorText.contains("--keys is required there"))
    #expect(outcome.errorText.split(separator: "\n").count == 1)
    #expect(place.runs == [])
  }

  @Test func runIsFollowedByMessage() throws {
    let place = try Place()
    let (sim, endpoint) = try Self.sim(
      ["flags", "--duration", "2", "--lockstep", "--wait-for", "2"], in: place)
    let logger = try Program(
      "logger", ["--connect", endpoint, "--out", "a.mcap", "--lz4", "--json"], in: place)
    let renderer = try Program(
      "renderer", ["--connect", endpoint, "--png", "a.png", "--json"], in: place)
    #expect(logger.wait() == 0)
    #expect(renderer.wait() == 0)
    #expect(sim.wait() == 0)
    for program in [logger, renderer] {
      let (published, received, _) = try Self.account(
        report("orrery.subscriber.v2", in: program.text))
      #expect(published == 120)
      #expect(received == 120)
    }
    let simReport = try report("orrery.sim.v2", in: sim.text)
    let accounts = try #require(simReport["subscribers"] as? [[String: Any]])
    #expect(accounts.count == 2)
    for account in accounts {
      // How they left depends on which of the two was faster.
      #expect(account["received"] as? Int == 120)
      #expect(account["departure"] is String)
    }
  }

  private static let script = Program.root + "/tools/subscriber.py"

  @Test(
    arguments: [
      ([], 64, "Usage: tools/subscriber.py "), (["a", "b", "c"], 64, "Usage: "),
      (["/nosuch/run", "0"], 64, "FRAMES 0: a whole number from 1"),
      (["/nosuch/run"], 69, "no run at /nosuch/run"),
      (["tcp://127.0.0.1:9"], 69, "no sim answers at tcp://127.0.0.1:9"),
      (["tcp://nowhere"], 64, "tcp://nowhere: "),
    ] as [([String], Int32, String)])
  func subscriberInPythonRefusesWrongArguments(
    arguments: [String], code: Int32, says: String
  ) throws {
    let run = try Program.run(Program.python, [Self.script] + arguments, in: Place())
    #expect(run.code == code, "\(run.errorText)")
    #expect(run.errorText.contains(says), "\(run.errorText)")
    #expect(!run.errorText.contains("Traceback"), "\(run.errorText)")
    #expect(run.text == "")
  }

  /// By message it hears nothing for 2.5 seconds; in place its lease is over.
  @Test func subscriberInPythonEndsWithItsSimAndLeavesWhenAsked() throws {
    let place = try Place()
    let (sim, endpoint) = try Self.sim(["flags"], in: place)
    let sources = [endpoint, place.runtime + "/orrery/wire"]
    let left = try sources.map { try Program(Program.python, [Self.script, $0], in: place) }
    let stayed = try sources.map { try Program(Program.python, [Self.script, $0], in: place) }
    for subscriber in left + stayed {
      subscriber.wait(for: "its first frame") { subscriber.text.contains("sequence") }
    }
    for subscriber in left {
      subscriber.signal(SIGTERM)
      #expect(subscriber.wait() == 0, "\(subscriber.errorText)")
    }
    sim.signal(SIGKILL)
    for subscriber in stayed {
      #expect(subscriber.wait() == 69)
      #expect(subscriber.errorText.contains("the sim died or "), "\(subscriber.errorText)")
    }
    for subscriber in left + stayed {
      let account = try #require(subscriber.text.split(separator: "\n").last)
      #expect(account.contains("\"published\": "), "\(account)")
      #expect(!subscriber.errorText.contains("Traceback"), "\(subscriber.errorText)")
    }
  }

  @Test func subscriberInPythonSeesWhatTheKernelsCompute() throws {
    let place = try Place()
    let (sim, endpoint) = try Self.sim(
      ["flags", "--duration", "3", "--wait-for", "2", "--seed", "5", "--slots", "256"], in: place)
    let directory = place.runtime + "/orrery/wire"
    let subscribers = try [endpoint, directory].map { source in
      try Program(Program.python, [Self.script, source], in: place)
    }
    for subscriber in subscribers { #expect(subscriber.wait() == 0, "\(subscriber.errorText)") }
    #expect(sim.wait() == 0)
    let sample = try Program.run(
      "orrery", ["sample", "flags", "--seed", "5", "--at", "1.5", "--entity", "0", "--json"],
      in: place)
    let expected = try #require(
      JSONSerialization.jsonObject(with: Data(sample.text.utf8)) as? [String: Any])
    let x = try #require(expected["x"] as? Double)
    for subscriber in subscribers {
      let lines = try subscriber.text.split(separator: "\n").map { line in
        try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      let frame = try #require(lines.first { $0["tick"] as? Int == 90 })
      #expect(Float(try #require(frame["x"] as? Double)) == Float(x))
      let (published, received, missed) = try Self.account(try #require(lines.last))
      #expect(published == 180)
      #expect(received == 180)
      #expect(missed == 0)
    }
  }

  @Test func subscriberInPythonKnowsWhatTheEntityIsCalled() throws {
    let place = try Place()
    let (sim, endpoint) = try Self.sim(
      ["planets", "--duration", "1", "--wait-for", "1"], in: place)
    let script = Program.root + "/tools/subscriber.py"
    let subscriber = try Program.run(Program.python, [script, endpoint, "3"], in: place)
    #expect(subscriber.code == 0, "\(subscriber.errorText)")
    #expect(sim.wait() == 0)
    let frames = subscriber.text.split(separator: "\n").dropLast()
    #expect(frames.count == 3)
    #expect(frames.allSatisfy { $0.contains("\"name\": \"Mars.panel\"") }, "\(subscriber.text)")
  }

  @Test func followerTakesTheNextRunIntoTheNextFile() throws {
    let place = try Place()
    // Frames begin when the logger has joined, which takes a while where much else is going on.
    let waits = ["flags", "--wait-for", "2"]
    let (first, endpoint) = try Self.sim(waits, in: place)
    let logger = try Program(
      "logger", ["--connect", endpoint, "--out", "a.mcap", "--follow", "--json", "--wait", "300"],
      in: place)
    let renderer = try Program(
      "renderer",
      [
        "--connect", endpoint, "--png", "a.png", "--frames", "all", "--size", "64x36", "--follow",
        "--json", "--wait", "300",
      ], in: place)
    first.waitForProgress()
    sleep(1)
    first.signal(SIGKILL)
    #expect(first.wait() == 128 + SIGKILL)
    let (second, _) = try Self.sim(waits, listen: endpoint, in: place)
    second.waitForProgress()
    logger.wait(forFile: "a-2.mcap", in: place)
    sleep(1)
    second.signal(SIGTERM)
    #expect(second.wait() == 0)
    for program in [logger, renderer] {
      program.wait(for: "its second report") { program.text.split(separator: "\n").count == 2 }
      program.signal(SIGTERM)
      #expect(program.wait() == 0)
      for line in program.text.split(separator: "\n") {
        let (_, received, _) = try Self.account(report("orrery.subscriber.v2", in: String(line)))
        #expect(received > 0)
      }
    }
    #expect(
      logger.errorText.contains(" died or cannot be heard after frame "), "\(logger.errorText)")
    #expect(logger.errorText.contains("; a.mcap is complete up to there"), "\(logger.errorText)")
    for name in ["a.png", "all", "a-2.png", "all-2"] { #expect(place.has(name), "\(name)") }
  }

  @Test func keysAreMadeForTheirOwnerOnly() throws {
    let place = try Place()
    let made = try Program.run("orrery", ["keygen", "keys"], in: place)
    #expect(made.code == 0)
    #expect(made.text.split(separator: "\n").count == 4)
    let again = try Program.run("orrery", ["keygen", "keys"], in: place)
    #expect(again.code == 74)
    #expect(again.errorText.contains("--force"))
    chmod(place.files + "/keys/server.key", 0o644)
    let sim = try Program.run(
      "sim", ["flags", "--run", "x", "--listen", "tcp://127.0.0.1:0", "--keys", "keys"], in: place)
    #expect(sim.code == 77)
    #expect(sim.errorText.contains("server.key"))
    chmod(place.files + "/keys/client.key", 0o640)
    let logger = try Program.run(
      "logger", ["--connect", "tcp://127.0.0.1:1", "--keys", "keys", "--out", "a"], in: place)
    #expect(logger.code == 77)
    #expect(logger.errorText.contains("client.key"))
  }
}
