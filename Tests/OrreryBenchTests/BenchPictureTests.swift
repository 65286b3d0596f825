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
    // The largest is memory: a second-level cache that is the largest would have two roofs in one place.
    for (bytes, rate) in [(32 << 10, 20e9), (512 << 10, 8e9), (256 << 20, 3e9)] {
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
    #expect(shapes.lines.count { $0.color == "7c6f9f" } == 3 * counts.count, "three roofs each")
    #expect(shapes.lines.count { $0.color == "a8aebd" } == 2 * counts.count, "two kinds each")
    #expect(Set(shapes.discs.map { ($0.radius * 10).rounded() / 10 }) == [5.5, 6, 7])
    for (color, width) in [("7c6f9f", 2.0), ("a8aebd", 1.5), ("e3e6ee", 1)] {
      #expect(shapes.lines.allSatisfy { $0.color != color || $0.width == width }, "\(color)")
    }
    let backgrounds = shapes.areas.filter { $0.right - $0.left > 600 }
    #expect(backgrounds.count == counts.count)
    for (area, panel) in zip(backgrounds, panels) {
      #expect(isNear([area.left, area.top, area.right, area.bottom], panel), "\(area)")
      #expect(area.color == "f7f8fb")
    }
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
        #expect(found.count == 1, "\(roof.name)")
      }
      #expect(data.roofs.count == 3)
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

  /// A text whose line begins at a place; letters stand on the line, but for tails of so many pixels at most.
  private func begins(
    _ text: SVGShapes.Box, _ x: Double, _ y: Double, tail: Double = 0.6
  ) -> Bool {
    (-0.6...2.6).contains(text.left - x) && (-0.6...tail).contains(text.bottom - y)
  }

  /// Titles, the legend and the axes of one panel, in the order in which they are painted.
  @Test func rooflineSaysWhatItShows() throws {
    let report = kernels(counts: [1000])
    let shapes = try shapes { try Roofline.write(report, path: $0, format: .svg) }
    let data = RooflineData(report, count: 1000)
    let panel = (left: 90.0, top: 172.0, right: 1100.0, bottom: 800.0)
    let byteCount = Int(log2(data.xs.upperBound / data.xs.lowerBound).rounded()) + 1
    let rates = (-4...3).flatMap { power in
      [1.0, 2, 5].map { $0 * pow(10, Double(power)) }
    }.filter { data.ys.contains($0) }
    // Title, facts, four of the legend and the panel's name, then the axes, and names of roofs and kinds.
    let fixed = 7 + byteCount + 1 + rates.count + 1
    try #require(shapes.texts.count >= fixed + 3 + 2, "\(shapes.texts.count)")
    let texts = shapes.texts
    #expect(begins(texts[0], 40, 50), "\(texts[0])")
    #expect(begins(texts[1], 40, 78, tail: 4), "\(texts[1])")
    #expect(texts[1].color == "5f6779")
    let legend = shapes.discs.filter { $0.radius > 5.8 && $0.radius < 6.5 }
    try #require(legend.count == 4)
    #expect(isNear([legend[0].x, legend[0].y], [46, 102]))
    for index in 0..<4 {
      let text = texts[2 + index]
      #expect(begins(text, legend[index].x + 12, 107, tail: 4), "\(text)")
      #expect(text.color == "1d2330")
      #expect(legend[index].y == legend[0].y)
      #expect(legend[index].color == hexadecimal(RooflineData.Series.allCases[index].color))
      if index < 3 { #expect(abs(legend[index + 1].x - text.right - 34) < 2.5, "\(text)") }
    }
    #expect(begins(texts[6], panel.left, panel.top - 14, tail: 4), "\(texts[6])")
    // Of 16 and 13 pixels: 100 and 287 wide, and more than a thirtieth wider where letters are bold.
    #expect(texts[6].right - panel.left > 103, "\(texts[6])")
    for index in 0..<byteCount {
      let text = texts[7 + index]
      let bytes = data.xs.lowerBound * pow(2, Double(index))
      let digits = bytes < 10 ? 1.0 : 2
      let x = panel.left + (panel.right - panel.left) * data.x(bytes)
      #expect(begins(text, x - 4 * digits, panel.bottom + 20), "\(bytes): \(text)")
      #expect(text.color == "5f6779")
    }
    let across = texts[7 + byteCount]
    #expect(begins(across, panel.left, panel.bottom + 42, tail: 4), "\(across)")
    #expect(across.right - panel.left < 290, "\(across)")
    for (index, rate) in rates.enumerated() {
      let text = texts[8 + byteCount + index]
      let characters = rate < 0.1 ? 4.0 : rate < 1 ? 3 : 1
      let y = panel.bottom - (panel.bottom - panel.top) * data.y(rate)
      #expect(begins(text, panel.left - 12 - 8 * characters, y + 5), "\(rate): \(text)")
    }
    let unit = texts[fixed - 1]
    #expect(abs(unit.right - panel.right) < 2.6, "\(unit)")
    #expect(abs(unit.bottom - (panel.top - 14)) < 0.6, "\(unit)")
    #expect(texts[fixed...].count { $0.color == "7c6f9f" } == 3, "a name for each roof")
  }

  /// Whether a line through two points has a point in a box; tried every half pixel.
  private func crosses(_ line: SVGShapes.Line, _ box: SVGShapes.Box) -> Bool {
    zip(line.points, line.points.dropFirst()).contains { start, end in
      let count = Int(2 * max(abs(end[0] - start[0]), abs(end[1] - start[1]))) + 1
      return (0...count).contains { step in
        let share = Double(step) / Double(count)
        let x = start[0] + (end[0] - start[0]) * share
        let y = start[1] + (end[1] - start[1]) * share
        return x > box.left && x < box.right && y > box.top && y < box.bottom
      }
    }
  }

  /// No line runs through a roof's name, and its own roof is the nearest, a few pixels away.
  ///
  /// Method: roofs at several distances from each other and from dots of all kinds.
  @Test(arguments: [(20e9, 8e9, 3e9), (24e9, 12e9, 6e9), (60e9, 5e9, 1e9)], [1, 4])
  func namesOfRoofsAreBesideTheirLines(rates: (Double, Double, Double), spread: Double) throws {
    var report = HandMade.kernelReport()
    for (index, kind) in KernelKind.allCases.enumerated() {
      let ns = 1 + Double(index) / spread
      report.add(
        kind,
        [
          HandMade.kernel(.peer, family: "peer", ns: [ns]), HandMade.kernel(.ours, ns: [ns / 2]),
          HandMade.kernel(
            .ours, tile: 8, traffic: Traffic(reads: 1, updates: 0, writes: 4), ns: [ns / 4]),
        ]
      ) { _ in nil }
    }
    for (bytes, rate) in [(32 << 10, rates.0), (512 << 10, rates.1), (256 << 20, rates.2)] {
      report.bandwidths.append(
        .init(
          isa: "avx2", stream: "copy", isNonTemporal: false, threads: 1, workingSetBytes: bytes,
          bytesPerSecond: rate))
    }
    let shapes = try shapes { try Roofline.write(report, path: $0, format: .svg) }
    let roofs = shapes.lines.filter { $0.color == "7c6f9f" }
    let kinds = shapes.lines.filter { $0.color == "a8aebd" }
    let names = shapes.texts.filter { $0.color == "7c6f9f" }
    try #require(roofs.count == 3)
    try #require(names.count == 3)
    for (index, name) in names.enumerated() {
      #expect(!(roofs + kinds).contains { crosses($0, name) }, "\(name)")
      func distance(_ roof: SVGShapes.Line) -> Double {
        let (start, end) = (roof.points[0], roof.points[1])
        let slope = (end[1] - start[1]) / (end[0] - start[0])
        let y = { start[1] + ($0 - start[0]) * slope }
        return min(abs(y(name.left) - name.bottom), abs(y(name.right) - name.top))
      }
      #expect(distance(roofs[index]) < 14, "\(name)")
      let others = roofs.indices.filter { $0 != index }.map { distance(roofs[$0]) }
      #expect(others.allSatisfy { $0 > distance(roofs[index]) }, "\(name)")
      // Its ground hides the grid, and nothing else.
      let ground = shapes.areas.filter { $0.right - $0.left < 600 && $0.covers(name) }
      #expect(ground.count == 1)
      #expect(!(roofs + kinds).contains { line in ground.contains { crosses(line, $0) } })
    }
    // A kind's name hides what would run through it: its kind's line, or for want of room a roof.
    let colors = Set(RooflineData.Series.allCases.map { hexadecimal($0.color) })
    for name in shapes.texts where colors.contains(name.color) && name.top > 172 {
      #expect(shapes.areas.contains { $0.right - $0.left < 600 && $0.covers(name) }, "\(name)")
    }
  }

  /// However near dots are, no name is over another one, over a dot, or outside the panel.
  @Test func namesOfKindsCoverNothing() throws {
    var report = HandMade.kernelReport()
    for (index, kind) in KernelKind.allCases.enumerated() {
      report.add(
        kind,
        [
          HandMade.kernel(.peer, family: "peer", ns: [4 + Double(index) / 16]),
          HandMade.kernel(.ours, ns: [4 + Double(index) / 16]),
        ]
      ) { _ in nil }
    }
    let shapes = try shapes { try Roofline.write(report, path: $0, format: .svg) }
    let dots = shapes.discs.filter { $0.radius < 5.8 }
    #expect(dots.count == 2 * KernelKind.allCases.count)
    let colors = Set(RooflineData.Series.allCases.map { hexadecimal($0.color) })
    let names = shapes.texts.filter { colors.contains($0.color) }
    #expect(names.count >= 3, "there is room for some")
    #expect(names.count <= dots.count)
    for (index, name) in names.enumerated() {
      let isInside =
        name.left > 90 && name.right < 1100 && name.top > 172 - 3 && name.bottom < 800 + 3
      #expect(isInside, "\(name)")
      let other = names.dropFirst(index + 1).first { $0.covers(name) }
      #expect(other == nil, "\(name)")
      let dot = dots.first {
        SVGShapes.Box("", [$0.x - 7, $0.y - 7, $0.x + 7, $0.y + 7]).covers(name)
      }
      #expect(dot == nil, "\(name)")
    }
  }

  /// A name stands at the first of eleven positions around its dot that is free, or nowhere.
  ///
  /// Method: dots that cover one position each and none after it, one more in each picture.
  @Test func nameStandsAtTheFirstFreePosition() throws {
    // NotoSans-Regular, 1000 units per em: o 605, r 413, b 615, i 258, t 361.
    let width = 12.5 * 2.252
    // From the dot to the left end of the name's line.
    let positions: [[Double]] = [
      [11, 4.5], [-11 - width, 4.5], [-width / 2, -12], [-width / 2, 22], [9, -8], [9, 17],
      [-9 - width, -8], [-9 - width, 17], [16, -20], [16, 28], [-16 - width, -20],
    ]
    // From the dot to the one that covers this position.
    let covers: [[Double]] = [
      [width + 18, 0], [-width - 18, 0], [0, -18], [0, 18], [25, -7], [25, 7], [-25, -7],
      [-25, 7], [30, -25], [30, 25], [-30, -25],
    ]
    let rates = log(324.0)
    var bearing: [Double] = []
    for taken in 0...positions.count {
      var report = HandMade.kernelReport()
      func add(_ kind: KernelKind, _ subject: StudyRow.Subject, _ number: Int, _ at: [Double]) {
        let row = HandMade.kernel(
          subject, tile: number == 0 ? 1 : 8, isFixed: number == 2,
          traffic: Traffic(reads: at[0], updates: 0, writes: 0), ns: [at[1]])
        report.add(kind, [row]) { _ in nil }
      }
      add(.orbit, .peer, 0, [8, 2])
      // With these two the axes are 1 to 32 bytes, of 1010 pixels, and a 36th to 9, of 628.
      var others: [[Double]] = [[1.4, 20], [24, 0.2]]
      for cover in covers.prefix(taken) {
        let bytes: Double = 8 * exp2(cover[0] * 5 / 1010)
        let ns: Double = 2 * exp(cover[1] * rates / 628)
        others.append([bytes, ns])
      }
      for (index, other) in others.enumerated() {
        add(KernelKind.allCases[1 + index / 3], .ours, index % 3, other)
      }
      let data = RooflineData(report, count: 1000)
      try #require(data.xs == 1...32)
      try #require(isNear([data.ys.lowerBound, data.ys.upperBound], [1 / 36.0, 9]))
      let shapes = try shapes { try Roofline.write(report, path: $0, format: .svg) }
      let dots = shapes.discs.filter { $0.radius < 5.8 }
      try #require(dots.count == 3 + taken)
      for (dot, cover) in zip(dots.dropFirst(3), covers) {
        let distance = [dot.x - dots[0].x, dot.y - dots[0].y]
        #expect(zip(distance, cover).allSatisfy { abs($0 - $1) < 0.2 }, "\(distance), \(cover)")
      }
      let names = shapes.texts.filter { $0.color == hexadecimal(RooflineData.Series.peer.color) }
      try #require(names.count == (taken < positions.count ? 1 : 0), "\(taken) are taken")
      guard let name = names.first else { continue }
      let position = positions[taken]
      let found = [name.left - dots[0].x - position[0], name.bottom - dots[0].y - position[1]]
      // Where the letters themselves begin and end is the same everywhere.
      if taken == 0 { bearing = found }
      #expect(begins(name, dots[0].x + position[0], dots[0].y + position[1]), "\(name)")
      #expect(zip(found, bearing).allSatisfy { abs($0 - $1) < 0.05 }, "\(taken): \(found)")
    }
  }

  /// Dots that stand at the edges have their names beside them on the inner side.
  @Test func namesAtTheEdgesAreInsideThePanel() throws {
    var report = HandMade.kernelReport()
    for (kind, bytes) in [(KernelKind.orbit, 1.0), (.marquee, 0x1p24 / 1.31)] {
      let traffic = Traffic(reads: bytes, updates: 0, writes: 0)
      report.add(kind, [HandMade.kernel(.ours, traffic: traffic, ns: [4])]) { _ in nil }
    }
    let shapes = try shapes { try Roofline.write(report, path: $0, format: .svg) }
    let colors = Set(RooflineData.Series.allCases.map { hexadecimal($0.color) })
    let names = shapes.texts.filter { colors.contains($0.color) && $0.top < 800 && $0.top > 169 }
    #expect(names.count == 2)
    for name in names {
      #expect(name.left > 90, "\(name)")
      #expect(name.right < 1100, "\(name)")
    }
  }

  @Test func nothingIsDrawnOfNumbersWithoutRows() throws {
    let report = HandMade.kernelReport()
    let shapes = try shapes { try Roofline.write(report, path: $0, format: .svg) }
    #expect(shapes.discs.count == 4, "the legend")
    #expect(shapes.lines.isEmpty)
    #expect(shapes.texts.count == 6)
  }

  @Test func latenciesAreLinesFromTheirMedianToTheirP99() throws {
    var report = TransportReport()
    for (key, group, subject, p50, p99) in [
      ("line", .spin, .limit, 150, 400), ("peer", .spin, .peer, 700, 900),
      ("ours", .wake, .ours, 9000, 30_000),
    ] as [(String, TransportRow.Group, StudyRow.Subject, Double, Double)] {
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
      #expect(found.first?.width == 3, "\(row.key)")
      #expect(isNear([dots[index].radius], [5.5]), "\(row.key)")
    }
    let grid = shapes.lines.filter { $0.color == "e3e6ee" }
    #expect(grid.count == scale.powers.count)
    for (line, power) in zip(grid, scale.powers) {
      let x = scale.x(pow(10, Double(power)))
      // Seven rows and titles below a head, and some room.
      #expect(isNear(line.points[0] + line.points[1], [x, 130, x, 352]), "\(power): \(line)")
      #expect(line.width == 1, "\(power)")
    }
    let legend = shapes.discs.filter { $0.radius > 5.8 }
    #expect(isNear(legend.flatMap { [$0.x, $0.y] }, [46, 102, 160, 102, 265, 102]), "\(legend)")
    #expect(legend.map { String($0.color.prefix(4)) } == ["1d4e", "d946", "5f67"])
    #expect(isNear(legend.map(\.radius), [6, 6, 6]), "\(legend)")
    let texts = shapes.texts
    let first = 5 + scale.powers.count
    try #require(texts.count == first + 5, "\(texts.count)")
    #expect(begins(texts[0], 40, 50, tail: 8), "\(texts[0])")
    #expect(begins(texts[1], 40, 78, tail: 5), "\(texts[1])")
    #expect(texts[1].color == "5f6779")
    for (text, disc) in zip(texts[2...4], legend) {
      #expect(begins(text, disc.x + 12, 107, tail: 5), "\(text)")
    }
    for (text, power) in zip(texts[5..<first], scale.powers) {
      #expect(begins(text, scale.x(pow(10, Double(power))) - 16, 124, tail: 4), "\(text)")
      #expect(text.color == "5f6779")
    }
    // A group's title, its rows, and after a free row the next one's.
    let places: [(x: Double, y: Double, tail: Double)] = [
      (40, 168, 5), (52, 194, 0.6), (52, 220, 5), (40, 272, 5), (52, 298, 0.6),
    ]
    for (text, place) in zip(texts[first...], places) {
      #expect(begins(text, place.x, place.y, tail: place.tail), "\(text)")
      #expect(text.color == "1d2330")
    }
  }
}
