// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase
import TestSupport
import Testing

/// Goal: with `--log-format json`, each line of the log is an object that says whose it is.
///
/// Method: a whole run, sims of shards and programs that fail; every line of standard error is read.
@Suite struct LogProcessTests {
  /// The log's lines among those of standard error, all of which are JSON.
  private static func reports(_ text: String) throws -> [LogReport] {
    let schema = try Repository.schema("log")
    return try text.split(separator: "\n").compactMap { line in
      let data = Data(line.utf8)
      let object = try #require(
        try? JSONSerialization.jsonObject(with: data) as? [String: Any], "\(line)")
      guard object["schema"] as? String == LogReport.schema else { return nil }
      #expect(try schema.faults(of: data) == [], "\(line)")
      let report: LogReport = try #require(ReportLine.decode(line))
      return report
    }
  }

  @Test func linesOfAWholeRunNameItAndItsGeneration() throws {
    let place = try Place()
    try place.write("a file that was there", to: "flags.png")
    let run = try Program.run(
      "/usr/bin/env",
      [
        "ORRERY_LOG=info", Program.directory + "/orrery", "run", "flags", "--duration", "0.5",
        "--size", "64x36", "--log-format", "json", "--progress", "none",
      ], in: place)
    #expect(run.code == 0, "\(run.errorText)")
    let reports = try Self.reports(run.errorText)
    #expect(Set(reports.map(\.program)).isSuperset(of: ["orrery run", "sim"]))
    let replaced = try #require(reports.first { $0.text.hasPrefix("replaces ") })
    #expect(replaced.level == "notice" && replaced.run == nil)
    let ofSim = reports.filter { $0.program == "sim" }
    #expect(ofSim.contains { $0.text.contains("logger") && $0.level == "info" }, "\(ofSim)")
    #expect(Set(ofSim.map(\.run)) == ["flags"])
    #expect(Set(ofSim.map(\.generation)).count == 1 && ofSim.first?.generation != nil)
    #expect(Set(reports.map(\.processID)).count >= 2)
  }

  @Test func linesOfShardsHaveTheirNumber() throws {
    let place = try Place()
    let sims = try (0..<2).map { index in
      try Program(
        "sim",
        [
          "stress", "--entities", "2000", "--run", "parts", "--shard", "\(index)/2", "--ticks",
          "30", "--listen", "tcp://127.0.0.1:0", "--json", "--log-format", "json",
        ], in: place)
    }
    for (index, sim) in sims.enumerated() {
      #expect(sim.wait() == 0, "\(sim.errorText)")
      let reports = try Self.reports(sim.errorText)
      #expect(reports.contains { $0.text.hasPrefix("listens at ") }, "\(sim.errorText)")
      #expect(reports.allSatisfy { $0.run == "parts" && $0.shard == "\(index)/2" })
    }
  }

  @Test func failuresAreLinesToo() throws {
    let place = try Place()
    let logger = try Program.run(
      "logger",
      ["--run", "none", "--out", "a.mcap", "--wait", "0", "--log-format", "json"], in: place)
    #expect(logger.code == 69)
    let report = try #require(try Self.reports(logger.errorText).first, "\(logger.errorText)")
    #expect(report.level == "error" && report.program == "logger" && report.run == "none")
    #expect(report.generation == nil && report.text.contains("none"), "\(report)")
    let usual = try Program.run(
      "logger", ["--run", "none", "--out", "a.mcap", "--wait", "0"], in: place)
    #expect(usual.errorText == "orrery logger: \(report.text)\n")
  }
}
