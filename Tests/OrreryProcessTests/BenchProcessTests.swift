// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `bench` works wherever Orrery does, and its peers do what Orrery does: short runs, whose times say
/// nothing.
@Suite(.timeLimit(.minutes(10))) struct BenchProcessTests {
  /// The kernels' rows of a report.
  private static func rows(_ path: String) throws -> [[String: Any]] {
    let data = try #require(FileManager.default.contents(atPath: path))
    let report = try #require(
      try JSONSerialization.jsonObject(with: data) as? [String: Any])
    return try #require(report["rows"] as? [[String: Any]])
  }

  @Test func kernelsAreMeasuredWithoutCompiler() throws {
    let place = try Place()
    let run = try Program.run(
      "/usr/bin/env",
      [
        "PATH=/nonexistent", Program.directory + "/bench", "kernels", "--entities", "1000",
        "--quick", "--json", "kernels.json", "--plot", "roofline.png",
      ], in: place, seconds: 300)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("left out: no g++ on PATH"))
    #expect(!run.text.contains("DIFFERENT"), "\(run.text)")
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    let rows = try Self.rows(place.files + "/kernels.json")
    for kind in ["orbit", "marquee", "flow", "tween", "spring", "mixed"] {
      let hashes = rows.filter {
        $0["kind"] as? String == kind && $0["isFixed"] as? Bool == false
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
    let run = try Program.run(
      "bench", ["kernels", "--entities", "1000", "--quick", "--json", "kernels.json"], in: place,
      seconds: 500)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(!run.text.contains("wrong, not timed"), "\(run.text)")
    let rows = try Self.rows(place.files + "/kernels.json")
    let families = Set(rows.compactMap { $0["family"] as? String })
    for family in ["C++ arrays", "entity-component arrays", "Swift, array of objects"] {
      #expect(families.contains(family), "\(run.text)")
    }
    let limits = rows.filter { $0["subject"] as? String == "ours" }.compactMap { $0["ofLimit"] }
    #expect(!limits.isEmpty)
  }

  /// A report of the bench, as it wrote it.
  private static func report(_ path: String) throws -> [String: Any] {
    let data = try #require(FileManager.default.contents(atPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func transportIsMeasuredWithoutCompiler() throws {
    let place = try Place()
    let run = try Program.run(
      "/usr/bin/env",
      [
        "PATH=/nonexistent", Program.directory + "/bench", "transport", "--short", "--json",
        "transport.json", "--plot", "transport.png",
      ], in: place, seconds: 500)
    #expect(run.code == 0, "\(run.errorText)")
    #expect(run.text.contains("left out: no g++ on PATH"))
    #expect(run.text.contains("left out: iceoryx2"))
    #expect(run.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(run.text)")
    let report = try Self.report(place.files + "/transport.json")
    let rows = try #require(report["rows"] as? [[String: Any]])
    #expect(rows.count > 40)
    for row in rows {
      let key = row["key"] as? String ?? ""
      #expect(row["failure"] == nil, "\(key): \(row["failure"] ?? "")")
      #expect(row["subject"] as? String == "ours", "\(key)")
      // Two rounds, of which everything arrived where the writer waits.
      #expect((row["p50Rounds"] as? [Double])?.count == 2, "\(key)")
      let isFree = key.contains("free") || key.hasPrefix("cost")
      if !isFree { #expect(row["missed"] as? Int == 0, "\(key)") }
      if row["readerCount"] as? Int != 0 { #expect(row["received"] as? Int ?? 0 > 0, "\(key)") }
      let isTimed = !["rate", "remote"].contains(row["group"] as? String)
      if isTimed {
        let parts = ["p50", "p90", "p99", "max"].compactMap { row[$0] as? Double }
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
      ["transport", "--short", "--groups", "wake,rate,remote", "--json", "transport.json"],
      in: place, seconds: 500)
    #expect(run.code == 0, "\(run.errorText)")
    let report = try Self.report(place.files + "/transport.json")
    let rows = try #require(report["rows"] as? [[String: Any]])
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

  @Test func subscribersAreMeasured() throws {
    let place = try Place()
    let run = try Program.run(
      "bench", ["subscribers", "--short", "--json", "subscribers.json"], in: place, seconds: 300)
    #expect(run.code == 0, "\(run.errorText)")
    let report = try Self.report(place.files + "/subscribers.json")
    let churn = try #require(report["churn"] as? [String: Any])
    #expect(churn["torn"] as? Int == 0)
    #expect(churn["whole"] as? Int ?? 0 > 0)
    #expect(churn["killed"] as? Int ?? 0 >= 8)
    let before = try #require(churn["before"] as? [String: Any])
    let after = try #require(churn["after"] as? [String: Any])
    #expect(before["descriptors"] as? Int == after["descriptors"] as? Int)
    #expect((report["goals"] as? [Any])?.count == 8)
  }

  @Test(arguments: [
    ["transport", "--rounds", "0"], ["transport", "--groups", "spin,unknown"],
    ["transport", "--plot", "plot.txt"], ["subscribers", "--entities", "0"],
    ["subscribers", "--seconds", "1,2"], ["subscribers", "--subscribers", "1000"],
    ["transport-part", "{}"], ["transport-part", #"{"measure":"latency","frameBytes":1}"#],
  ])
  func wrongArgumentsOfTransportAreRefused(arguments: [String]) throws {
    let run = try Program.run("bench", arguments, in: Place())
    #expect(run.code == 64, "\(run.text)\(run.errorText)")
  }

  @Test func benchSaysThatAFileCannotBeWritten() throws {
    let run = try Program.run(
      "bench", ["transport", "--short", "--json", "/nonexistent/transport.json"], in: Place())
    #expect(run.code == 74, "\(run.text)\(run.errorText)")
    #expect(run.errorText.contains("/nonexistent/transport.json"))
  }
}
