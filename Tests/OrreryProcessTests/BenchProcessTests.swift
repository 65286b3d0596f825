// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// `bench` works wherever Orrery does, and its peers do what Orrery does: short runs, whose times say
/// nothing.
@Suite struct BenchProcessTests {
  /// A row of a result, as the bench wrote it.
  private struct Row {
    let (name, table, line, figure, subject): (String, String, String, String, String)
    let samples: [Double]
    let (hash, hashTick): (String?, Int?)
    let doubts: [String]
    let ratio: Double?
    let limit: [Double]?

    init(_ row: [String: Any]) {
      let place = row["place"] as? [String: Any] ?? [:]
      func text(_ key: String) -> String { place[key] as? String ?? "" }
      (name, table) = (row["name"] as? String ?? "", text("table"))
      (line, figure) = (text("line"), text("figure"))
      subject = row["subject"] as? String ?? "ours"
      samples = row["samples"] as? [Double] ?? []
      (hash, hashTick) = (row["hash"] as? String, number("hash_tick", in: row))
      doubts = row["doubts"] as? [String] ?? []
      ratio = row["ratio"] as? Double
      limit = (row["bound"] as? [String: Any])?["samples"] as? [Double]
    }
  }

  /// The rows of a result, which is as its schema says; those of the machine's steadiness have no table.
  private static func rows(_ path: String) throws -> [Row] {
    try expectSchema("result", path)
    let rows = try #require(try report(path)["rows"] as? [[String: Any]]).map(Row.init)
    #expect(Set(rows.map(\.name)).count == rows.count, "each name once")
    #expect(rows.allSatisfy { !$0.samples.isEmpty })
    return rows.filter { !$0.table.isEmpty }
  }

  /// A file that the bench wrote.
  private static func report(_ path: String) throws -> [String: Any] {
    let data = try #require(FileManager.default.contents(atPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// Holds a file against its schema in docs/schemas.
  private static func expectSchema(_ name: String, _ path: String) throws {
    let data = try #require(FileManager.default.contents(atPath: path))
    let faults = try Repository.schema("bench-\(name)").faults(of: data)
    #expect(faults.isEmpty, "\(name): \(faults.prefix(5))")
  }

  /// Runs the bench to its end, and looks that it leaves nothing behind where temporary files are.
  private static func bench(
    _ arguments: [String], settings: [String] = [], in place: Place
  ) throws -> (code: Int32?, text: String, errorText: String) {
    let program = try Program(
      "/usr/bin/env", settings + [Program.directory + "/bench"] + arguments, in: place)
    let code = program.wait()
    for kind in ["peers", "transport", "subscribers", "pipeline"] {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("orrery-\(kind)-\(program.processID)").path
      #expect(!FileManager.default.fileExists(atPath: folder), "\(folder)")
    }
    return (code, program.text, program.errorText)
  }

  /// Each instruction set, hashed and not, with one thread and two; and the ticks are the scene's.
  @Test func ticksAreMeasuredWithEachInstructionSet() throws {
    let place = try Place()
    let run = try Program.run(
      "bench",
      [
        "tick", "--entities", "500", "--rounds", "2", "--threads", "1,2", "--hash", "full,off",
        "--out", "tick.json",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let all = try Self.rows(place.files + "/tick.json")
    let rows = all.filter { $0.table == "a tick of stress, 500 entities" }
    #expect(rows.count >= 4 && rows.count % 4 == 0, "\(run.text)")
    #expect(all.count == rows.count * 3 / 2, "how many threads shared, where there were two")
    for (index, row) in rows.enumerated() {
      #expect(row.samples.count == 2 && row.samples.allSatisfy { $0 > 0 }, "\(row)")
      #expect(row.line.hasSuffix(index % 4 < 2 ? "hash full" : "hash off"), "\(row)")
      #expect((row.hash == nil) == (index % 4 >= 2), "\(row)")
      #expect(index % 4 != 0 || row.ratio == 1, "the first of its kind: \(row)")
    }
    let tick = try #require(rows[0].hashTick)
    // Sixteen ticks before the first round, and at least one in each.
    #expect(tick >= 18)
    let hash = try Program.run(
      "orrery", ["hash", "stress", "--entities", "500", "--tick", "\(tick)"], in: Place())
    #expect(hash.code == 0, "\(hash.errorText)")
    #expect(hash.text.contains(try #require(rows[0].hash)), "tick \(tick): \(hash.text)")
  }

  @Test func picturesAreMeasuredAndPrintedAsJSON() throws {
    let run = try Program.run(
      "bench", ["draw", "--rounds", "2", "--width", "64", "--height", "36", "--json"], in: Place())
    #expect(run.code == 0, "\(run.errorText)")
    let data = Data(run.text.utf8)
    #expect(try Repository.schema("bench-result").faults(of: data) == [], "JSON and nothing else")
    let result = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let rows = try #require(result?["rows"] as? [[String: Any]]).map(Row.init)
      .filter { !$0.table.isEmpty }
    #expect(rows.map(\.table) == Array(repeating: "pictures, 64x36", count: 4))
    #expect(
      rows.map(\.line) == [
        "flags, 2 entities, 1 thread", "stress, 100,000 entities, 1 thread",
        "stress, 1,000,000 entities, 1 thread",
        "stress, 1,000,000 entities, \(counted(Processors.count, "thread"))",
      ])
    #expect(rows.allSatisfy { $0.samples.count == 2 && $0.samples.allSatisfy { $0 > 0 } })
  }

  /// Frames are recorded to memory, to files and by whole programs, and columns of scenes become smaller.
  ///
  /// Values that did not come back would end it. Its runs take a second each.
  @Test func recordingIsMeasured() throws {
    let place = try Place()
    let run = try Self.bench(
      ["record", "--quick", "--folder", place.files, "--out", "record.json"],
      settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let rows = try Self.rows(place.files + "/record.json")
    for scene in ["stress", "lottie-like", "feed", "planets"] {
      let bits = rows.first {
        $0.table == "columns of floats, \(scene)" && $0.figure == "bits a value"
      }
      let value = try #require(bits?.samples.first, "\(scene): \(run.text)")
      #expect(value > 0 && value < 16, "\(scene)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.files) == ["record.json"])
  }

  @Test func kernelsAreMeasuredWithoutCompiler() throws {
    let place = try Place()
    let run = try Self.bench(
      [
        "kernels", "--entities", "1000", "--quick", "--out", "kernels.json", "--plot",
        "roofline.png",
      ], settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("left out: no g++ on PATH"))
    #expect(!run.text.contains("DIFFERENT"), "\(run.text)")
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    let last = try #require(run.text.split(separator: "\n").last)
    #expect(
      last.wholeMatch(of: /goals: \d+ reached, \d+ missed, \d+ not measured/) != nil, "\(last)")
    let rows = try Self.rows(place.files + "/kernels.json")
    #expect(!rows.contains { $0.subject == "limit" }, "nothing measured the machine's limits")
    for kind in ["orbit", "marquee", "flow", "tween", "spring", "mixed"] {
      let table = rows.filter { $0.table == "\(kind), 1,000 entities" }
      #expect(run.text.contains("\n\(kind), 1,000 entities, ns "), "\(run.text)")
      // Two ways to animate with objects, from the faster to the slower.
      #expect(table.prefix(2).map(\.subject) == ["peer", "peer"], "\(kind)")
      #expect(table.first?.ratio == 1, "\(kind): the best peer is as fast as itself")
      #expect(table.allSatisfy { $0.samples.count == 2 && $0.limit == nil })
      let hashes = table.compactMap(\.hash)
      #expect(hashes.count >= 4, "\(kind): tick by tick and in tiles, with and without the world")
      #expect(Set(hashes).count == 1, "\(kind): \(hashes)")
    }
    let picture = try #require(
      FileManager.default.contents(atPath: place.files + "/roofline.png"))
    #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    // Every verb takes the file of every area.
    let page = try Self.bench(["report", "kernels.json", "-o", "page.html"], in: place)
    #expect(page.code == 0, "\(page.errorText)")
    let comparison = try Self.bench(
      ["compare", "kernels.json", "kernels.json", "--allow-undecided"], in: place)
    #expect(comparison.code == 0, "\(comparison.errorText)")
    #expect(comparison.text.contains(" 0 not compared"), "\(comparison.text)")
    #expect(!comparison.text.contains("Swift, array of objects"), "peers are not judged")
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/g++")))
  func peersComputeTheSame() throws {
    let place = try Place()
    let run = try Self.bench(
      ["kernels", "--entities", "1000", "--quick", "--out", "kernels.json"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(!run.text.contains("wrong, not timed"), "\(run.text)")
    #expect(run.text.contains("\npeers built with g++"), "\(run.text)")
    let rows = try Self.rows(place.files + "/kernels.json")
    for family in ["C++ arrays", "entity-component arrays", "Swift, array of objects"] {
      #expect(rows.contains { $0.subject == "peer" && $0.line.hasPrefix(family) }, "\(run.text)")
    }
    // Seven streams in sizes from 8 KiB to 1 MiB, and two sorts of arithmetic, on one thread and on two.
    for threads in ["one thread", "2 threads"] {
      let bandwidths = rows.filter { $0.table == "bandwidth, \(threads)" }
      #expect(bandwidths.count == 7 * 8)
      #expect(bandwidths.allSatisfy { $0.samples[0] > 0 && $0.subject == "limit" })
      #expect(rows.contains { $0.table == "arithmetic" && $0.figure == threads })
    }
    // What moving so much takes, for what a library says of itself, and for ours.
    let limited = rows.filter { $0.line.hasPrefix("C++ arrays") }
    #expect(!limited.isEmpty && limited.allSatisfy { $0.limit?.first ?? 0 > 0 })
    #expect(rows.contains { $0.subject == "ours" && $0.limit != nil })
  }

  /// What was asked for is what is measured: kinds, entities, sets, threads, tiles and rounds.
  @Test(
    arguments: [
      (["--kinds", "marquee"], 7),
      (["--kinds", "mixed", "--rounds", "3", "--duration", "0.001"], 3),
    ] as [([String], Int)])
  func kernelsAreThoseThatWereAskedFor(arguments: [String], rounds: Int) throws {
    let place = try Place()
    let run = try Self.bench(
      [
        "kernels", "--entities", "100,300", "--isa", "baseline", "--threads", "1", "--tile", "1,8",
        "--out", "kernels.json",
      ] + arguments, settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let rows = try Self.rows(place.files + "/kernels.json")
    #expect(rows.allSatisfy { $0.samples.count == rounds })
    for entities in [100, 300] {
      let table = "\(arguments[1]), \(entities) entities"
      let group = rows.filter { $0.table == table || $0.table == table + ", 16 bits" }
      #expect(group.count { $0.subject == "peer" } == 2, "\(entities)")
      let ours = group.filter { $0.subject == "ours" }
      #expect(
        ours.map(\.line).sorted() == [
          "Orrery baseline, 1 tick", "Orrery baseline, 1 tick, hashed", "Orrery baseline, 8 ticks",
          "Orrery baseline, 8 ticks, 16 bits", "Orrery baseline, 8 ticks, hashed",
        ])
      #expect(ours.allSatisfy { $0.hashTick == 1000 })
    }
    #expect(rows.count == 14, "and nothing else")
  }

  /// A few seconds: three rows that sleep most of the time.
  @Test func transportIsMeasuredInSevenRoundsOfTheGroupsThatWereAskedFor() throws {
    let place = try Place()
    let run = try Self.bench(
      ["transport", "--groups", "wake", "--out", "transport.json"],
      settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(!run.text.contains("one way, spinning"), "\(run.text)")
    let rows = try Self.rows(place.files + "/transport.json")
    #expect(rows.count == 3 * 3, "\(run.text)")
    for row in rows {
      #expect(row.table == "one way, the reader sleeps")
      #expect(row.samples.count == 7, "\(row)")
      #expect(row.doubts == [], "\(row)")
    }
  }

  @Test func transportIsMeasuredWithoutCompiler() throws {
    let place = try Place()
    let run = try Self.bench(
      ["transport", "--quick", "--out", "transport.json", "--plot", "transport.png"],
      settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("left out: no g++ on PATH"))
    #expect(run.text.contains("left out: iceoryx2"))
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    let rows = try Self.rows(place.files + "/transport.json")
    #expect(Set(rows.map(\.table)).count == 5, "a table for each group")
    #expect(rows.count > 120)
    // On a busy machine a reader that shall spin may have to sleep. Then its row says so, and has no figures of that round.
    let doubted = Set(rows.filter { !$0.doubts.isEmpty }.map(\.line))
    for row in rows {
      #expect(
        row.doubts.allSatisfy { row.table.hasSuffix("spinning") && $0.contains("» slept ") },
        "a row whose program did something else has failed: \(row)")
      #expect(row.subject == "ours", "\(row)")
      if row.figure == "missed %" {
        // Where the writer waits, everything arrives.
        #expect(row.line.hasSuffix("free") || row.samples == [0], "\(row)")
      } else {
        let isDoubted = row.table.hasSuffix("spinning") && doubted.contains(row.line)
        #expect((isDoubted ? 0...1 : 2...2).contains(row.samples.count), "two rounds: \(row)")
        #expect(row.samples.allSatisfy { $0 > 0 }, "\(row)")
      }
    }
    let spinning = Set(rows.filter { $0.table.hasSuffix("spinning") }.map(\.line))
    #expect(doubted.count < spinning.count, "readers that spin sleep: \(doubted)")
    for line in Set(rows.filter { $0.figure == "p50" }.map(\.line)) {
      let parts = ["p50", "p99", "max"].map { figure in
        rows.first { $0.line == line && $0.figure == figure }?.samples ?? []
      }
      for (lower, upper) in zip(parts, parts.dropFirst()) {
        #expect(zip(lower, upper).allSatisfy { $0 <= $1 }, "\(line): \(parts)")
      }
    }
    let goals = try #require(
      try Self.report(place.files + "/transport.json")["goals"] as? [[String: Any]])
    #expect(goals.contains { $0["measured"] == nil }, "without limits there are no ratios")
    let picture = try #require(
      FileManager.default.contents(atPath: place.files + "/transport.png"))
    #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/g++")))
  func limitsOfTransportAreMeasured() throws {
    let place = try Place()
    let run = try Program.run(
      "bench", ["transport", "--quick", "--groups", "wake,rate,remote", "--out", "transport.json"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let rows = try Self.rows(place.files + "/transport.json")
    #expect(rows.allSatisfy { $0.doubts == [] }, "\(rows.flatMap(\.doubts))")
    let limits = rows.filter { $0.subject == "limit" }
    for name in ["a futex", "an eventfd", "a pipe", "a socket", "bare ring", "libzmq"] {
      #expect(
        limits.contains { $0.line.contains(name.split(separator: " ").last ?? "") }, "\(name)")
    }
    let goals = try #require(
      try Self.report(place.files + "/transport.json")["goals"] as? [[String: Any]])
    for name in ["futex, by", "announcement, by", "4 KiB handed over, 3", "tcp, 16 MiB"] {
      let goal = try #require(goals.first { ($0["name"] as? String)?.hasPrefix(name) == true })
      #expect(goal["measured"] != nil, "\(name)")
      #expect(run.text.contains(name))
    }
  }

  /// Each stage comes after the one before.
  @Test func startsAreMeasured() throws {
    let place = try Place()
    let run = try Program.run(
      "bench", ["startup", "--entities", "25,2000", "--rounds", "1", "--out", "startup.json"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let rows = try Self.rows(place.files + "/startup.json")
    for line in ["25 entities", "2,000 entities"] {
      let seconds = rows.filter { $0.line == line }.map { $0.samples[0] }
      try #require(seconds.count == 4, "\(run.text)")
      #expect(seconds[0] > 0 && seconds[0] <= seconds[1] && seconds[1] <= seconds[2], "\(seconds)")
      #expect(seconds[0] <= seconds[3], "\(seconds)")
    }
  }

  /// The pipeline from parts is left out without a compiler; Orrery's part is measured, and a report shows it.
  @Test func peersOfTheWholeAreWrittenAsTheirSchemaSays() throws {
    let place = try Place()
    let peers = try Program.run(
      Program.python,
      [
        Program.root + "/tools/bench-whole-peer", "--entities", "1000", "--seconds", "1", "--turns",
        "1", "--bin", Program.directory, "--json", "peers.json",
      ], in: place)
    #expect(peers.code == 0, "\(peers.text)\(peers.errorText)")
    try Self.expectSchema("peers", place.files + "/peers.json")
    let figures = try #require(
      try Self.report(place.files + "/peers.json")["figures"] as? [[String: Any]])
    let ours = figures.filter { $0["subject"] as? String == "Orrery" }
    #expect(
      ours.compactMap { $0["what"] as? String } == [
        "a tick's work, 1,000", "recorded after, p50, 1,000", "recorded after, p99, 1,000",
      ])
    let study = try Self.bench(
      ["run", "flags", "--rounds", "1", "--round-ms", "1", "--out", "study.json"], in: place)
    #expect(study.code == 0, "\(study.errorText)")
    let report = try Self.bench(
      ["report", "study.json", "--peers", "peers.json", "-o", "a.html"], in: place)
    #expect(report.code == 0, "\(report.errorText)")
    let page = try String(contentsOfFile: place.files + "/a.html", encoding: .utf8)
    #expect(page.contains("recorded after, p99, 1,000"))
    let wrong = try Self.bench(
      ["report", "study.json", "--peers", "study.json", "-o", "b.html"], in: place)
    #expect(wrong.code == 65, "\(wrong.errorText)")
    #expect(wrong.errorText.contains("study.json: no result of peers"), "\(wrong.errorText)")
    #expect(!place.has("b.html"))
  }

  /// Whole programs run as many copies as the ticks that are timed, with the same state.
  @Test func copiesOfAWorkloadRunThroughWholePrograms() throws {
    let place = try Place()
    let run = try Self.bench(
      [
        "run", "lottie-like", "--copies", "7", "--rounds", "1", "--round-ms", "1", "--frames",
        "--duration", "0.5", "--subscribers", "reader", "--out", "study.json", "--progress",
        "plain",
      ], in: place)
    #expect(run.code == 0, "\(run.text)\(run.errorText)")
    #expect(run.text.contains("frames of 420 entities"), "\(run.text)")
    #expect(run.errorText.contains(/frames with reader, \d+ s left/), "\(run.errorText)")
    let rows = try #require(
      try Self.report(place.files + "/study.json")["rows"] as? [[String: Any]])
    let row = try #require(rows.first { $0["name"] as? String == "frame computed" })
    let tick = try #require(number("hash_tick", in: row))
    let hash = try Program.run(
      "orrery", ["hash", "lottie-like", "--copies", "7", "--tick", "\(tick - 1)"], in: place)
    let other = try Program.run(
      "orrery", ["hash", "lottie-like", "--copies", "7", "--tick", "\(tick)"], in: place)
    let found = try #require(row["hash"] as? String)
    #expect([hash.text, other.text].contains(found + "\n"), "\(row)")
  }

  /// Each run has its programs, and each stage of a frame comes after the one before.
  @Test func pipelinesAreMeasured() throws {
    let place = try Place()
    let run = try Self.bench(
      [
        "pipeline", "--scenes", "stress", "--entities", "2000", "--duration", "1", "--out",
        "pipeline.json",
      ], in: place)
    #expect(run.code == 0, "\(run.text)\(run.errorText)")
    #expect(
      run.text.hasSuffix("goals: 0 reached, 0 missed, 5 not measured\n"), "\(run.text)")
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    let rows = try Self.rows(place.files + "/pipeline.json")
    let runs = [
      ("sim alone", ["sim"]), ("sim and a subscriber that only reads", ["sim", "reader"]),
      ("sim and renderer, no encoder", ["sim", "renderer"]), ("sim and logger", ["sim", "logger"]),
      ("sim, renderer with a video, and logger", ["sim", "renderer", "logger"]),
    ]
    for (title, programs) in runs {
      let table = "stress, 2,000 entities, \(title)"
      let medians = rows.filter { $0.table == table && $0.figure == "p50" }
      #expect(medians.count == 2 * programs.count, "\(title)")
      for program in programs {
        let times = medians.filter { $0.line.hasPrefix(program) }.map { $0.samples[0] }
        #expect(times == times.sorted() && times.first ?? 0 > 0, "\(title), \(program): \(times)")
        func figure(_ name: String) -> Double? {
          rows.first {
            $0.table == table + ", programs" && $0.line == program && $0.figure == name
          }?.samples[0]
        }
        // A renderer for which a busy machine has no time draws one picture, the last.
        #expect(figure("Hz") ?? 0 > 0, "\(title), \(program)")
        #expect((figure("missed") == nil) == (program == "sim"), "\(title), \(program)")
        #expect(figure("missed") ?? 0 < 60, "\(title), \(program)")
        #expect(figure("CPU s") ?? 0 > 0, "\(title), \(program)")
        // A ring of 2000 entities, and the program itself.
        #expect((1...1000).contains(figure("MiB") ?? 0), "\(title), \(program)")
      }
    }
  }

  @Test func subscribersAreMeasured() throws {
    let place = try Place()
    let run = try Self.bench(
      ["subscribers", "--quick", "--out", "subscribers.json"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let rows = try Self.rows(place.files + "/subscribers.json")
    func figures(_ line: String, _ name: String) -> [Double] {
      rows.filter { $0.line == line && $0.figure == name }.map { $0.samples[0] }
    }
    for line in ["alone", "with logger and renderer", "they run", "stopped", "nobody"] {
      #expect(figures(line, "work p99").first ?? 0 > 0, "\(line): \(run.text)")
    }
    #expect(figures("all of them", "torn") == [0])
    #expect(figures("all of them", "frames whole")[0] > 0)
    // All eight at the end, and at least one before.
    #expect(figures("all of them", "killed")[0] >= 9)
    #expect(figures("all of them", "joined")[0] >= 2)
    #expect(figures("before", "descriptors") == figures("after", "descriptors"))
    #expect(rows.contains { $0.table == "8 subscribers that come and go for 3 s" })
    let goals = try Self.report(place.files + "/subscribers.json")["goals"] as? [Any]
    #expect(goals?.count == 8)
  }

  @Test(arguments: [
    ["transport", "--rounds", "0"], ["transport", "--groups", "spin,unknown"],
    ["transport", "--plot", "plot.txt"], ["subscribers", "--entities", "0"],
    ["subscribers", "--duration", "1,2"], ["subscribers", "--subscribers", "1000"],
    ["transport-part", "{}"], ["transport-part", #"{"measure":"latency","frameBytes":1}"#],
  ])
  func wrongArgumentsOfTransportAreRefused(arguments: [String]) throws {
    let run = try Program.run("bench", arguments, in: Place())
    #expect(run.code == 64, "\(run.text)\(run.errorText)")
  }

  @Test(arguments: [[], ["--board", "/nonexistent/board"], ["--source", "/nonexistent/source"]])
  func readerNeedsABoardAndASource(options: [String]) throws {
    let task =
      #"{"measure":"latency","waiting":"spin","frameBytes":64,"slotCount":64,"#
      + #""readerCount":1,"subscribes":false,"copies":false,"isFree":false}"#
    let run = try Program.run(
      "bench", ["transport-part", task, "--reader", "0"] + options, in: Place())
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("a reader needs --board and --source"), "\(run.text)")
    let both = try Program.run(
      "bench",
      [
        "transport-part", task, "--reader", "0", "--board", "/nonexistent/board", "--source", "x",
      ], in: Place())
    // The answer is a line of JSON, whose slashes have a mark before them.
    #expect(both.text.contains(#"nonexistent\/board: open"#), "\(both.text)")
  }

  @Test func benchSaysThatAFileCannotBeWritten() throws {
    let run = try Program.run(
      "bench", ["transport", "--quick", "--out", "/nonexistent/transport.json"], in: Place())
    #expect(run.code == 74, "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("/nonexistent/transport.json"))
  }
}
