// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBench
import TestSupport
import Testing

/// Plots of the bench have a dot for each figure, where its axes put it, and lines where they belong.
///
/// Method: reports by hand, drawn as SVG, whose discs and strokes are read back.
@Suite struct BenchPictureTests {
  private func shapes(_ draw: (String) throws -> Void) throws -> SVGShapes {
    let base = try TemporaryBase()
    try draw(base.path + "/plot.svg")
    let data = try Data(contentsOf: URL(fileURLWithPath: base.path + "/plot.svg"))
    return SVGShapes(String(decoding: data, as: UTF8.self))
  }

  private func hexadecimal(_ color: UInt32) -> String {
    let text = String(color >> 8, radix: 16)
    return String(repeating: "0", count: 6 - text.count) + text
  }

  private func isNear(_ found: [Double], _ expected: [Double]) -> Bool {
    found.count == expected.count
      && zip(found, expected).allSatisfy { abs($0 - $1) < 0.02 }
  }

  private func kernels(counts: [Int]) -> KernelReport {
    var report = HandMade.kernelReport()
    for count in counts {
      for (kind, ns) in [(.orbit, 4), (.spring, 6)] as [(KernelKind, Double)] {
        report.add(
          kind,
          [
            HandMade.kernel(.peer, family: "peer", count: count, ns: [ns]),
            HandMade.kernel(.ours, count: count, ns: [ns / 2]),
            HandMade.kernel(
              .ours, count: count, tile: 8, traffic: Traffic(reads: 1, updates: 0, writes: 4),
              ns: [ns / 4]),
          ]
        ) { _ in nil }
      }
    }
    for (bytes, rate) in [(32 << 10, 20e9), (512 << 10, 8e9)] {
      report.bandwidths.append(
        .init(
          isa: "avx2", stream: "copy", isNonTemporal: false, threads: 1, workingSetBytes: bytes,
          bytesPerSecond: rate))
    }
    return report
  }

  /// Sides of the panel of each number of entities, as the picture's size gives them.
  @Test(arguments: [
    ([1000], [[90.0, 172, 1100, 800]]),
    ([1000, 2000], [[90.0, 172, 850, 780], [900, 172, 1660, 780]]),
    (
      [10, 20, 30],
      [[90.0, 172, 850, 635], [900, 172, 1660, 635], [90, 737, 850, 1200]]
    ),
  ])
  func rooflineHasADotForEachSeriesAndARoofForEachLevel(
    counts: [Int], panels: [[Double]]
  ) throws {
    let report = kernels(counts: counts)
    let shapes = try shapes { try Roofline.write(report, path: $0, format: .svg) }
    let dots = shapes.discs.filter { $0.radius < 5.8 }
    var next = 0
    #expect(dots.count == 6 * counts.count)
    #expect(shapes.discs.count { $0.radius > 6.5 } == dots.count, "each on a white one")
    #expect(shapes.discs.count { $0.radius > 5.8 && $0.radius < 6.5 } == 4, "the legend")
    for (count, panel) in zip(counts, panels) {
      let data = RooflineData(report, count: count)
      let x = { panel[0] + (panel[2] - panel[0]) * data.x($0) }
      let y = { panel[3] - (panel[3] - panel[1]) * data.y($0) }
      for dot in data.dots {
        try #require(next < dots.count)
        let found = dots[next]
        next += 1
        #expect(found.color == hexadecimal(dot.series.color), "\(dot.kind) \(dot.series)")
        #expect(isNear([found.x, found.y], [x(dot.bytes), y(dot.rate)]), "\(dot) \(found)")
      }
      for kind in ["orbit", "spring"] {
        let points = data.dots.filter { $0.kind == kind }.map { [x($0.bytes), y($0.rate)] }
        let found = shapes.lines.filter { line in
          line.color == "a8aebd" && zip(line.points, points).allSatisfy(isNear)
        }
        #expect(found.count == 1, "\(kind): from the peer to our tiles")
      }
      for roof in data.roofs {
        let ends = [data.xs.lowerBound, data.xs.upperBound].map {
          [x($0), y(roof.bytesPerNs / $0)]
        }
        let found = shapes.lines.filter { line in
          line.color == "7c6f9f" && zip(line.points, ends).allSatisfy(isNear)
        }
        #expect(!found.isEmpty, "\(roof.name)")
      }
      // Powers of two across, and one, two and five of each power of ten up.
      let grid = shapes.lines.filter { $0.color == "e3e6ee" }
      let upright = grid.filter { line in
        isNear([line.points[0][1], line.points[1][1]], [panel[1], panel[3]])
          && line.points[0][0] >= panel[0] - 1 && line.points[0][0] <= panel[2] + 1
      }
      #expect(upright.count == Int(log2(data.xs.upperBound / data.xs.lowerBound).rounded()) + 1)
      let level = grid.filter { line in
        isNear([line.points[0][0], line.points[1][0]], [panel[0], panel[2]])
          && line.points[0][1] >= panel[1] && line.points[0][1] <= panel[3]
      }
      let rates = (-4...3).flatMap { power in
        [1.0, 2, 5].map { $0 * pow(10, Double(power)) }
      }.filter { data.ys.contains($0) }
      #expect(level.count == rates.count, "\(rates)")
    }
  }

  @Test func latenciesAreLinesFromTheirMedianToTheirP99() throws {
    var report = HandMade.transportReport()
    for (key, group, subject, p50, p99) in [
      ("line", .spin, .limit, 150, 400), ("peer", .spin, .peer, 700, 900),
      ("ours", .wake, .ours, 9000, 30_000),
    ] as [(String, TransportRow.Group, TransportRow.Subject, Double, Double)] {
      let row = HandMade.transport(key, group, subject)
      var answer = HandMade.answer(slept: group == .wake ? 10 : 0)
      (answer.p50, answer.p99) = (p50, p99)
      row.take(answer)
      report.add(row)
    }
    let shapes = try shapes { try TransportPlot.write(report, path: $0, format: .svg) }
    let scale = LatencyScale(report.rows, left: 360, right: 1040)
    let colors = ["5f6779", "d946ef", "1d4ed8"]
    // Two rows below the title of their group, then a row's height and the next title.
    let heights: [Double] = [189, 215, 293]
    let dots = shapes.discs.filter { $0.radius < 5.8 }
    try #require(dots.count == 3)
    #expect(shapes.discs.count == 6, "three in the legend")
    for (index, row) in report.rows.enumerated() {
      let (x50, x99) = (scale.x(row.p50), scale.x(row.p99))
      #expect(dots[index].color.prefix(4) == colors[index].prefix(4), "\(row.key)")
      #expect(isNear([dots[index].x, dots[index].y], [x50, heights[index]]), "\(row.key)")
      let ends = [[x50, heights[index]], [x99, heights[index]]]
      let found = shapes.lines.filter { line in
        line.color == dots[index].color && zip(line.points, ends).allSatisfy(isNear)
      }
      #expect(found.count == 1, "\(row.key)")
    }
    let grid = shapes.lines.filter { $0.color == "e3e6ee" }
    #expect(grid.count == scale.powers.count)
    for (line, power) in zip(grid, scale.powers) {
      #expect(isNear([line.points[0][0]], [scale.x(pow(10, Double(power)))]), "\(power)")
    }
  }
}
