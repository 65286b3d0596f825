// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `bench kernels` works wherever Orrery does, and its peers compute what Orrery computes: short runs, whose
/// times say nothing.
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
}
