// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// `bench` works wherever Orrery does, and its peers do what Orrery does: short runs, whose times say
/// nothing.
@Suite struct BenchProcessTests {
  /// The kernels' rows of a report.
  private static func rows(_ path: String) throws -> [[String: Any]] {
    let data = try #require(FileManager.default.contents(atPath: path))
    let report = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(report["rows"] as? [[String: Any]])
  }

  /// Holds what `--json` wrote against its schema in docs/schemas.
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

  /// The words of each line.
  private static func words(_ text: String) -> [[String]] {
    text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
  }

  @Test func ticksAreMeasuredWithEachInstructionSet() throws {
    let run = try Program.run(
      "bench",
      ["tick", "--entities", "1000", "--rounds", "2", "--threads", "1,2", "--hash", "full,off"],
      in: Place())
    #expect(run.code == 0, "\(run.errorText)")
    let rows = Self.words(run.text).dropFirst()
    #expect(rows.count >= 4, "\(run.text)")
    #expect(rows.count % 4 == 0, "each hashed and not, with one thread and two: \(run.text)")
    for (index, row) in rows.enumerated() {
      try #require(row.count == 9, "\(row)")
      #expect(row[0] == "1000", "\(row)")
      #expect(["baseline", "avx2", "avx512"].contains(row[1]), "\(row)")
      #expect(index % 2 == 0 ? row[2] == "1" : row[2].hasSuffix("/2"), "\(row)")
      #expect(row[3] == (index % 4 < 2 ? "full" : "off"), "\(row)")
      let (min, median) = (try #require(Double(row[4])), try #require(Double(row[5])))
      #expect(min > 0, "\(row)")
      #expect(min <= median, "\(row)")
      #expect(index % 4 == 0 ? row[6] == "1.00×" : row[6].hasSuffix("×"), "\(row)")
      #expect(row[7].count == 16, "\(row)")
      #expect((row[7] == "0000000000000000") == (row[3] == "off"), "\(row)")
      // Sixteen ticks before the first round, and at least one in each.
      let tick = try #require(Int(row[8].dropFirst().dropLast()), "\(row)")
      #expect(tick >= 18, "\(row)")
    }
  }

  @Test func ticksOfABenchAreThoseOfTheScene() throws {
    let run = try Program.run(
      "bench", ["tick", "--entities", "500", "--rounds", "1"], in: Place())
    let row = try #require(Self.words(run.text).last, "\(run.text)")
    try #require(row.count == 9, "\(row)")
    let tick = String(row[8].dropFirst().dropLast())
    let hash = try Program.run(
      "orrery", ["hash", "stress", "--entities", "500", "--tick", tick], in: Place())
    #expect(hash.code == 0, "\(hash.errorText)")
    #expect(hash.text.contains(row[7]), "tick \(tick): \(row[7]), but \(hash.text)")
  }

  @Test func picturesAreMeasured() throws {
    let run = try Program.run(
      "bench", ["draw", "--rounds", "2", "--width", "64", "--height", "36"], in: Place())
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("(64x36)"), "\(run.text)")
    let rows = Self.words(run.text).dropFirst()
    #expect(rows.map(\.first) == ["flags", "stress", "stress", "stress"], "\(run.text)")
    #expect(rows.map { $0[2] } == ["1", "1", "1", "\(Processors.count)"], "\(run.text)")
    #expect(rows.first?.dropFirst().first == "2", "\(run.text)")
    #expect(rows.last?.dropFirst().first == "1000000", "\(run.text)")
    for row in rows {
      let rates = row.dropFirst(3).compactMap(Double.init)
      try #require(rates.count == 2, "\(row)")
      #expect(rates[0] >= rates[1], "the fastest, and the median: \(row)")
      #expect(rates[1] > 0, "\(row)")
    }
  }

  /// Times and ratios of kernels make sense, whatever they are.
  private static func expectSense(of rows: [[String: Any]]) throws {
    for row in rows {
      let name = "\(row["kind"] ?? "") \(row["family"] ?? "") \(row["name"] ?? "")"
      let rounds = try #require(row["rounds_ns"] as? [Double], "\(name)")
      #expect(row["min_ns"] as? Double == rounds.min(), "\(name)")
      let median = try #require(row["median_ns"] as? Double, "\(name)")
      #expect(rounds.contains(median), "\(name)")
      #expect(rounds.count == 2, "\(name)")
      if let limit = row["limit_ns"] as? Double, let part = row["of_limit"] as? Double {
        #expect(abs(part - limit / (rounds.min() ?? 0)) < 1e-9 * part, "\(name)")
      }
    }
    for (kind, group) in Dictionary(grouping: rows, by: { $0["kind"] as? String ?? "" }) {
      let peers = group.filter { $0["subject"] as? String == "peer" }
      let best = peers.compactMap { $0["ratio"] as? Double }
      #expect(best.contains(1), "\(kind): the best peer is as fast as itself")
    }
  }

  @Test func kernelsAreMeasuredWithoutCompiler() throws {
    let place = try Place()
    let run = try Self.bench(
      [
        "kernels", "--entities", "1000", "--quick", "--json", "kernels.json", "--plot",
        "roofline.png",
      ], settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("left out: no g++ on PATH"))
    for kind in ["orbit", "marquee", "flow", "tween", "spring", "mixed"] {
      #expect(run.text.contains("\n\(kind), 1,000 entities "), "\(run.text)")
    }
    #expect(run.text.contains("\ngoal "), "\(run.text)")
    let last = try #require(run.text.split(separator: "\n").last)
    #expect(
      last.wholeMatch(of: /goals: \d+ reached, \d+ missed, \d+ not measured/) != nil, "\(last)")
    let whole = try Self.report(place.files + "/kernels.json")
    #expect(number("round_count", in: whole) == 2)
    #expect(whole["round_ms"] as? Double == 0.5)
    #expect(whole["compiler"] == nil)
    #expect((whole["peers_missing"] as? [String])?.count == 1)
    #expect((whole["bandwidths"] as? [Any])?.isEmpty == true)
    // Both ways to animate with objects, of each kind that is no mixture.
    let checks = try #require(whole["checks"] as? [[String: Any]])
    #expect(checks.count == 22)
    for check in checks {
      #expect(check["is_right"] as? Bool == true, "\(check)")
      #expect(check["points_off_after_an_hour"] == nil, "\(check)")
    }
    #expect(!run.text.contains("DIFFERENT"), "\(run.text)")
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    try Self.expectSchema("kernels", place.files + "/kernels.json")
    let rows = try Self.rows(place.files + "/kernels.json")
    try Self.expectSense(of: rows)
    for kind in ["orbit", "marquee", "flow", "tween", "spring", "mixed"] {
      let hashes = rows.filter {
        $0["kind"] as? String == kind && $0["is_fixed"] as? Bool == false
      }.compactMap { $0["hash"] as? String }
      #expect(hashes.count >= 4, "\(kind): tick by tick and in tiles, with and without the world")
      #expect(Set(hashes).count == 1, "\(kind): \(hashes)")
    }
    let picture = try #require(
      FileManager.default.contents(atPath: place.files + "/roofline.png"))
    #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/g++")))
  func peersComputeTheSame() throws {
    let place = try Place()
    let run = try Self.bench(
      ["kernels", "--entities", "1000", "--quick", "--json", "kernels.json"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(!run.text.contains("wrong, not timed"), "\(run.text)")
    try Self.expectSchema("kernels", place.files + "/kernels.json")
    let rows = try Self.rows(place.files + "/kernels.json")
    try Self.expectSense(of: rows)
    let families = Set(rows.compactMap { $0["family"] as? String })
    for family in ["C++ arrays", "entity-component arrays", "Swift, array of objects"] {
      #expect(families.contains(family), "\(run.text)")
    }
    let whole = try Self.report(place.files + "/kernels.json")
    // Seven streams and two sorts of arithmetic, of each instruction set, on one thread and on two, in sizes from 8 KiB
    // to 1 MiB.
    let bandwidths = try #require(whole["bandwidths"] as? [[String: Any]])
    let arithmetic = try #require(whole["arithmetic"] as? [[String: Any]])
    let sets = Set(bandwidths.compactMap { $0["isa"] as? String })
    #expect(!sets.isEmpty)
    #expect(bandwidths.count == sets.count * 7 * 2 * 8)
    #expect(arithmetic.count == sets.count * 2 * 2)
    #expect(bandwidths.allSatisfy { $0["bytes_per_second"] as? Double ?? 0 > 0 })
    for rate in arithmetic {
      // The baseline has no fused operation.
      let (isa, isFused) = (rate["isa"] as? String, rate["is_fused"] as? Bool)
      let found = rate["operations_per_second"] as? Double ?? -1
      #expect(isa == "baseline" && isFused == true ? found == 0 : found > 0, "\(rate)")
    }
    // What a library says of itself, and what moving so much takes.
    for row in rows where row["family"] as? String == "C++ arrays" {
      #expect(row["bytes"] as? Double ?? 0 > 0, "\(row["kind"] ?? "")")
      #expect(row["limit_ns"] as? Double ?? 0 > 0, "\(row["kind"] ?? "")")
    }
    #expect(whole["compiler"] is String)
    #expect(run.text.contains("\nbandwidth, GB/s, one thread;"), "\(run.text)")
    #expect(run.text.contains("\nbandwidth, GB/s, 2 threads;"), "\(run.text)")
    #expect(run.text.contains("\narithmetic, GFLOP/s\n"), "\(run.text)")
    let limits = rows.filter { $0["subject"] as? String == "ours" }.compactMap { $0["of_limit"] }
    #expect(!limits.isEmpty)
  }

  /// What was asked for is what is measured: kinds, entities, sets, threads, tiles, rounds and their length.
  @Test(
    arguments: [
      (["--kinds", "marquee"], ["marquee"], 7, 10.0),
      (
        ["--kinds", "mixed", "--rounds", "3", "--duration", "0.001"],
        ["flow", "marquee", "orbit", "spring", "tween"], 3, 1.0
      ),
    ] as [([String], [String], Int, Double)])
  func kernelsAreThoseThatWereAskedFor(
    arguments: [String], checked: [String], rounds: Int, ms: Double
  ) throws {
    let place = try Place()
    let run = try Self.bench(
      [
        "kernels", "--entities", "100,300", "--isa", "baseline", "--threads", "1", "--tile", "1,8",
        "--json", "kernels.json",
      ] + arguments, settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let report = try Self.report(place.files + "/kernels.json")
    #expect(number("round_count", in: report) == rounds)
    #expect(report["round_ms"] as? Double == ms)
    let checks = try #require(report["checks"] as? [[String: Any]])
    #expect(Set(checks.compactMap { $0["kind"] as? String }).sorted() == checked)
    // Objects are not asked for an hour's ticks.
    #expect(checks.allSatisfy { $0["points_off_after_an_hour"] == nil })
    let rows = try #require(report["rows"] as? [[String: Any]])
    #expect(Set(rows.compactMap { $0["kind"] as? String }) == [arguments[1]])
    for entities in [100, 300] {
      let group = rows.filter { $0["entities"] as? Int == entities }
      #expect(group.count { $0["subject"] as? String == "peer" } == 2, "\(entities)")
      let ours = group.filter { $0["subject"] as? String == "ours" }
      #expect(
        ours.compactMap { $0["name"] as? String } == [
          "1 tick", "1 tick, hashed", "8 ticks", "8 ticks, 16 bits", "8 ticks, hashed",
        ])
      for row in ours {
        #expect(row["isa"] as? String == "baseline")
        #expect(row["threads"] as? Int == 1)
        #expect((row["rounds_ns"] as? [Double])?.count == rounds)
        #expect(row["hash_tick"] as? Int == 1000)
      }
    }
  }

  /// A report of the bench, as it wrote it.
  private static func report(_ path: String) throws -> [String: Any] {
    let data = try #require(FileManager.default.contents(atPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  /// What a short run's row of Orrery has to have by its key: every frame, the way, and a pause before each.
  private static func expectAsked(_ row: [String: Any]) throws {
    let key = try #require(row["key"] as? String)
    let words = key.split(separator: "/").map(String.init)
    let bytes = try #require(number("message_bytes", in: row))
    let readers = try #require(number("reader_count", in: row))
    // A twentieth of the messages, and twenty at least.
    let spinning = min(20_000, max((256 << 20) / bytes, 100))
    let isPaced = words.last == "paced"
    let group = try #require(row["group"] as? String)
    let asked: (count: Int, way: String, pauseNs: Double) =
      switch group {
      case "spin": (spinning, "spin", 2_000)
      case "wake": (1_000, words[0], 200_000)
      case "rate":
        (key == "rate/handed/window/1" ? 1_000_000 : 200_000, "\(words[1]) \(words[2])", 0)
      case "remote": (min((1 << 30) / bytes, 100_000), "wire", 0)
      default: (isPaced ? 200 : min(spinning, 5_000), words[2], isPaced ? 1_000_000 : 0)
      }
    let (received, missed) = (number("received", in: row) ?? -1, number("missed", in: row) ?? -1)
    #expect(received + missed == 2 * max(asked.count / 20, 20) * readers, "\(key)")
    #expect(row["way"] as? String == asked.way, "\(key)")
    let rates = row["per_second_rounds"] as? [Double] ?? []
    #expect(rates.count == 2, "\(key)")
    if asked.pauseNs > 0 {
      let most = 1e9 / asked.pauseNs
      #expect(rates.allSatisfy { $0 <= most }, "\(key): \(rates), a pause before each")
    }
    if group == "spin" || group == "wake" {
      #expect(number("slept", in: row) != nil, "\(key)")
      // Each message arrives before the next is sent, and half of them took the median or longer.
      // The median leaves out a twentieth of them.
      let medians = row["p50_rounds_ns"] as? [Double] ?? []
      #expect(medians.count == rates.count, "\(key)")
      for (ns, rate) in zip(medians, rates) {
        #expect(ns * rate < 2.2e9, "\(key): \(ns) ns, \(rate) in a second")
      }
    }
  }

  /// A few seconds: three rows that sleep most of the time.
  @Test func transportIsMeasuredInSevenRoundsOfTheGroupsThatWereAskedFor() throws {
    let place = try Place()
    let run = try Self.bench(
      ["transport", "--groups", "wake", "--json", "transport.json"],
      settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(!run.text.contains("one way, spinning"), "\(run.text)")
    let report = try Self.report(place.files + "/transport.json")
    #expect(number("round_count", in: report) == 7)
    let rows = try #require(report["rows"] as? [[String: Any]])
    #expect(
      rows.compactMap { $0["key"] as? String } == [
        "futex/reader", "futex/subscription", "announcement/subscription",
      ])
    for row in rows {
      let key = row["key"] as? String ?? ""
      #expect(row["failure"] == nil, "\(key): \(row["failure"] ?? "")")
      #expect((row["p50_rounds_ns"] as? [Double])?.count == 7, "\(key)")
      #expect(row["received"] as? Int == 7 * 1000, "\(key)")
      #expect(row["missed"] as? Int == 0, "\(key)")
    }
  }

  @Test func transportIsMeasuredWithoutCompiler() throws {
    let place = try Place()
    let run = try Self.bench(
      ["transport", "--quick", "--json", "transport.json", "--plot", "transport.png"],
      settings: ["PATH=/nonexistent"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    for title in [
      "one way, spinning", "one way, the reader sleeps", "frames per second on this machine",
      "frames per second over tcp loopback", "what publishing costs the sim's thread",
    ] {
      #expect(run.text.contains("\n\(title) "), "\(run.text)")
    }
    #expect(run.text.contains("\ngoal "), "\(run.text)")
    #expect(run.text.contains("left out: no g++ on PATH"))
    #expect(run.text.contains("left out: iceoryx2"))
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    try Self.expectSchema("transport", place.files + "/transport.json")
    let report = try Self.report(place.files + "/transport.json")
    let rows = try #require(report["rows"] as? [[String: Any]])
    #expect(rows.count > 40)
    // Two rounds of a twentieth of the messages, at each reader.
    for (key, count) in [
      ("spin/reader/64", 2000), ("spin/subscription/16777216", 40), ("futex/subscription", 100),
      ("announcement/subscription", 100), ("rate/handed/window/1", 100_000),
      ("rate/copied/window/3", 60_000), ("rate/copied/free/3", 60_000), ("remote/4096", 10_000),
      ("cost/4096/futex/3/unpaced", 1500), ("cost/4096/spin/0/paced", 0),
    ] {
      let row = try #require(rows.first { $0["key"] as? String == key }, "\(key)")
      let (received, missed) = (row["received"] as? Int ?? -1, row["missed"] as? Int ?? -1)
      #expect(received + missed == count, "\(key): \(received) and \(missed)")
      if count > 0 { #expect(row["per_second"] as? Double ?? 0 > 0, "\(key)") }
    }
    #expect(number("round_count", in: report) == 2)
    #expect((report["missing"] as? [String])?.count == 2)
    #expect(report["compiler"] == nil)
    let counterNs = try #require(report["counter_ns"] as? Double)
    #expect(counterNs >= 0)
    for row in rows { try Self.expectAsked(row) }
    for row in rows {
      let key = row["key"] as? String ?? ""
      #expect(row["failure"] == nil, "\(key): \(row["failure"] ?? "")")
      #expect(row["subject"] as? String == "ours", "\(key)")
      // Two rounds, of which everything arrived where the writer waits.
      #expect((row["p50_rounds_ns"] as? [Double])?.count == 2, "\(key)")
      let isFree = key.contains("free") || key.hasPrefix("cost")
      if !isFree { #expect(row["missed"] as? Int == 0, "\(key)") }
      if row["reader_count"] as? Int != 0 { #expect(row["received"] as? Int ?? 0 > 0, "\(key)") }
      let isTimed = !["rate", "remote"].contains(row["group"] as? String)
      if isTimed {
        let parts = ["p50_ns", "p90_ns", "p99_ns", "max_ns"].compactMap { row[$0] as? Double }
        try #require(parts.count == 4, "\(key): \(parts)")
        #expect(parts == parts.sorted(), "\(key): \(parts)")
        #expect(parts[0] > 0, "\(key): \(parts)")
      }
    }
    let goals = try #require(report["goals"] as? [[String: Any]])
    #expect(goals.contains { $0["measured"] == nil }, "without limits there are no ratios")
    let picture = try #require(
      FileManager.default.contents(atPath: place.files + "/transport.png"))
    #expect(picture.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/g++")))
  func limitsOfTransportAreMeasured() throws {
    let place = try Place()
    let run = try Program.run(
      "bench",
      ["transport", "--quick", "--groups", "wake,rate,remote", "--json", "transport.json"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    try Self.expectSchema("transport", place.files + "/transport.json")
    let report = try Self.report(place.files + "/transport.json")
    let rows = try #require(report["rows"] as? [[String: Any]])
    // A row whose program did something else than its label says has failed.
    for row in rows {
      #expect(row["failure"] == nil, "\(row["key"] ?? ""): \(row["failure"] ?? "")")
      if row["group"] as? String == "wake" {
        let (slept, received) = (row["slept"] as? Int ?? 0, row["received"] as? Int ?? 0)
        #expect(slept >= received / 4, "\(row["key"] ?? ""): \(slept) of \(received)")
      }
    }
    for key in ["futex", "eventfd", "pipe", "socket", "ring/handed/window/3", "throughput/4096"] {
      let row = try #require(rows.first { $0["key"] as? String == key }, "\(key): \(run.text)")
      #expect(row["failure"] == nil, "\(key): \(row["failure"] ?? "")")
      #expect(row["received"] as? Int ?? 0 > 0, "\(key)")
    }
    let goals = try #require(report["goals"] as? [[String: Any]])
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
      "bench", ["startup", "--entities", "25,2000", "--rounds", "1", "--json", "startup.json"],
      in: place)
    #expect(run.code == 0, "\(run.errorText)")
    try Self.expectSchema("startup", place.files + "/startup.json")
    let rows = Self.words(run.text).filter { ["25", "2,000"].contains($0.first) }
    try #require(rows.count == 2, "\(run.text)")
    for row in rows {
      let seconds = row.dropFirst().compactMap(Double.init)
      try #require(seconds.count == 4, "\(row)")
      #expect(seconds[0] > 0 && seconds[0] <= seconds[1] && seconds[1] <= seconds[2], "\(row)")
      #expect(seconds[0] <= seconds[3], "\(row)")
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
      ["run", "flags", "--rounds", "1", "--round-ms", "1", "--json", "study.json"], in: place)
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

  /// Each row has its programs, and each stage of a frame comes after the one before.
  @Test func pipelinesAreMeasured() throws {
    let place = try Place()
    let run = try Self.bench(
      [
        "pipeline", "--scenes", "stress", "--entities", "2000", "--duration", "1", "--json",
        "pipeline.json",
      ], in: place)
    #expect(run.code == 0, "\(run.text)\(run.errorText)")
    #expect(run.text.contains("\nstress, 2,000 entities: frames of "), "\(run.text)")
    #expect(
      run.text.hasSuffix("goals: 0 reached, 0 missed, 5 not measured\n"), "\(run.text)")
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    try Self.expectSchema("pipeline", place.files + "/pipeline.json")
    let report = try Self.report(place.files + "/pipeline.json")
    #expect(report["duration_s"] as? Double == 1)
    let rows = try #require(report["rows"] as? [[String: Any]])
    #expect(
      rows.map { ($0["programs"] as? [[String: Any]] ?? []).map { $0["program"] as? String } }
        == [
          ["sim"], ["sim", "reader"], ["sim", "renderer"], ["sim", "logger"],
          ["sim", "renderer", "logger"],
        ])
    for row in rows {
      #expect(number("entities", in: row) == 2000)
      #expect(number("threads", in: row) == 1)
      let programs = row["programs"] as? [[String: Any]] ?? []
      for program in programs { try Self.expectSense(ofProgram: program) }
    }
  }

  /// Sixty frames were published, and used or missed; every figure is one of a program that ran.
  private static func expectSense(ofProgram program: [String: Any]) throws {
    let name = program["program"] as? String ?? ""
    let frames = try #require(number("frames", in: program), "\(name)")
    #expect(frames + (number("missed", in: program) ?? 0) == 60, "\(name)")
    // A renderer for which a busy machine has no time draws one picture, the last.
    #expect(frames > 0, "\(name)")
    let stages = try #require(program["stages"] as? [[String: Any]], "\(name)")
    let means = stages.compactMap { stage -> Int? in
      let since = stage["since_due"] as? [String: Any] ?? [:]
      #expect(number("count", in: since) == frames, "\(name)")
      return number("mean_ns", in: since)
    }
    #expect(means.count == (name == "sim" ? 3 : 2), "\(name)")
    #expect(means == means.sorted() && means[0] > 0, "\(name): \(means)")
    let cost = try #require(program["cost"] as? [String: Any], "\(name)")
    let seconds = (cost["user_s"] as? Double ?? 0) + (cost["system_s"] as? Double ?? 0)
    #expect(seconds > 0, "\(name)")
    // A ring of 2000 entities, and the program itself: more than a megabyte, and less than a thousand.
    let bytes = number("resident_max_bytes", in: cost) ?? 0
    #expect(bytes > 1 << 20 && bytes < 1000 << 20, "\(name): \(bytes)")
  }

  @Test func subscribersAreMeasured() throws {
    let place = try Place()
    let run = try Self.bench(
      ["subscribers", "--quick", "--json", "subscribers.json"], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    for line in [
      "stress, 10000 entities, alone and with logger and renderer\n",
      "\nlogger and two subscribers stopped for 2 s\n", "\n8 subscribers for 3 s: ", "\ngoal ",
      "  tick p99 with logger and renderer, by without ",
    ] {
      #expect(run.text.contains(line), "\(line): \(run.text)")
    }
    try Self.expectSchema("subscribers", place.files + "/subscribers.json")
    let report = try Self.report(place.files + "/subscribers.json")
    let churn = try #require(report["churn"] as? [String: Any])
    #expect(churn["torn"] as? Int == 0)
    #expect(churn["whole"] as? Int ?? 0 > 0)
    #expect(churn["killed"] as? Int ?? 0 >= 8)
    let before = try #require(churn["before"] as? [String: Any])
    let after = try #require(churn["after"] as? [String: Any])
    #expect(before["descriptors"] as? Int == after["descriptors"] as? Int)
    #expect((report["goals"] as? [Any])?.count == 8)
    // Sixty ticks in each second of a run; one is as long as its subscribers need to come and go.
    func frames(_ figures: Any?) -> Int? { (figures as? [String: Any])?["frames"] as? Int }
    #expect(number("entities", in: report) == 10_000)
    let pairs = try #require(report["pairs"] as? [[String: Any]])
    #expect(pairs.count == 1)
    #expect(frames(pairs.first?["alone"]) == 60)
    #expect(frames(pairs.first?["attached"]) == 60)
    let stop = try #require(report["stop"] as? [String: Any])
    #expect(number("seconds", in: stop) == 2)
    #expect(frames(stop["sim"]) == 60 * (2 + 3))
    #expect(frames(stop["undisturbed"]) == 60 * (2 + 3))
    #expect(number("seconds", in: churn) == 3)
    #expect(number("subscribers", in: churn) == 8)
    #expect(frames(churn["sim"]) == 60 * (3 + 6))
    #expect(frames(churn["alone"]) == 60 * 3)
    // All eight at the end, and at least one before.
    #expect(churn["killed"] as? Int ?? 0 >= 9)
    #expect(churn["joined"] as? Int ?? 0 >= 2)
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
      "bench", ["transport", "--quick", "--json", "/nonexistent/transport.json"], in: Place())
    #expect(run.code == 74, "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("/nonexistent/transport.json"))
  }
}
