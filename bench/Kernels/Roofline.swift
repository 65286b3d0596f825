// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryPlot
import OrrerySim
import OrreryText

/// A roofline plot of a run: entities that a thread moves in a nanosecond, over bytes per entity.
///
/// Each count of entities has its own panel. Sloping lines are limits of bandwidth, measured for copies in a
/// cache or in memory. A line joins the best peer and Orrery's rows of a kind. A dot further left has fewer
/// bytes; a dot further up is faster.
package enum Roofline {
  /// Draws a report.
  ///
  /// - Throws: `PlotError`.
  package static func write(
    _ report: KernelReport, path: String, format: PlotFile.Format
  ) throws(PlotError) {
    let counts = Set(report.rows.map(\.entities)).sorted()
    let sides = counts.count > 2 ? "1680x1260" : counts.count > 1 ? "1680x840" : "1120x860"
    guard let size = PictureSize(sides) else { return }
    try PlotFile.write(path: path, format: format, size: size) { drawing throws(PlotError) in
      try Painter(report, drawing, size: size).paint(counts)
    }
  }

  private struct Painter {
    private let report: KernelReport
    private let drawing: Drawing
    private let size: PictureSize

    init(_ report: KernelReport, _ drawing: Drawing, size: PictureSize) {
      (self.report, self.drawing, self.size) = (report, drawing, size)
    }

    func paint(_ counts: [Int]) throws(PlotError) {
      let (width, height) = (Double(size.width), Double(size.height))
      drawing.area(PlotArea(left: 0, top: 0, right: width, bottom: height), color: 0xffff_ffff)
      try text("Kernels under their roofs", x: 40, y: 50, points: 24, isBold: true)
      let machine = BenchMachine()
      let facts = [
        machine.processor, "one thread", machine.commit.map { "commit \($0)" },
      ].compactMap { $0 }
      try text(facts.joined(separator: " · "), x: 40, y: 78, points: 14, color: 0x5f67_79ff)
      var x = 40.0
      for series in RooflineData.Series.allCases {
        drawing.disc(PlotPoint(x: x + 6, y: 102), radius: 6, color: series.color)
        let line = try drawing.shape(series.text, font: "Noto Sans 14")
        drawing.text(line, at: PlotPoint(x: x + 18, y: 107), color: 0x1d23_30ff)
        x += line.size.width + 46
      }
      let columns = counts.count > 1 ? 2 : 1
      let rows = (counts.count + columns - 1) / columns
      for (index, count) in counts.enumerated() {
        let (column, row) = (Double(index % columns), Double(index / columns))
        let cell = ((width - 60) / Double(columns), (height - 130) / Double(rows))
        let panel = Panel(
          report, drawing, count: count,
          area: PlotArea(
            left: 90 + column * cell.0, top: 172 + row * cell.1,
            right: 40 + (column + 1) * cell.0, bottom: 70 + (row + 1) * cell.1))
        try panel.paint()
      }
    }

    private func text(
      _ string: String, x: Double, y: Double, points: Int, isBold: Bool = false,
      color: UInt32 = 0x1d23_30ff
    ) throws(PlotError) {
      let font = "Noto Sans \(isBold ? "Semi-Bold " : "")\(points)"
      drawing.text(
        try drawing.shape(string, font: font), at: PlotPoint(x: x, y: y), color: color)
    }
  }

  /// The panel of one count of entities.
  private final class Panel {
    private let drawing: Drawing
    private let count: Int
    private let area: PlotArea

    /// Areas that labels must not cover.
    private var taken: [PlotArea] = []

    /// Lines that the names of roofs must not cover: of all roofs, then of all kinds.
    private var roofs: [[PlotPoint]] = []
    private var kinds: [[PlotPoint]] = []

    private let data: RooflineData
    private var xs: ClosedRange<Double> { data.xs }
    private var ys: ClosedRange<Double> { data.ys }

    init(_ report: KernelReport, _ drawing: Drawing, count: Int, area: PlotArea) {
      (self.drawing, self.count, self.area) = (drawing, count, area)
      data = RooflineData(report, count: count)
    }

    private func x(_ bytes: Double) -> Double { area.left + area.width * data.x(bytes) }

    private func y(_ rate: Double) -> Double { area.bottom - area.height * data.y(rate) }

    func paint() throws(PlotError) {
      drawing.area(area, color: 0xf7f8_fbff)
      try label(
        "\(TextTable.grouped(count)) entities", x: area.left, y: area.top - 14, size: 16,
        color: 0x1d23_30ff, isBold: true)
      guard !data.dots.isEmpty else { return }
      try paintGrid()
      roofs = data.roofs.map { roof in
        [xs.lowerBound, xs.upperBound].map { PlotPoint(x: x($0), y: y(roof.bytesPerNs / $0)) }
      }
      for roof in roofs {
        drawing.clipped(to: area) { drawing.line(roof, width: 2, color: Self.roofColor) }
      }
      kinds = KernelKind.allCases.map(\.rawValue).map { kind in
        data.dots.filter { $0.kind == kind }.map(point)
      }.filter { $0.count > 1 }
      for kind in kinds { drawing.line(kind, width: 1.5, color: 0xa8ae_bdff) }
      for dot in data.dots {
        let point = point(dot)
        drawing.disc(point, radius: 7, color: 0xffff_ffff)
        drawing.disc(point, radius: 5.5, color: dot.series.color)
        taken.append(
          PlotArea(
            left: point.x - 8, top: point.y - 8, right: point.x + 8, bottom: point.y + 8))
      }
      // A kind's name must be at its dot, a roof's may be anywhere along its line: so kinds choose first.
      var names: [Name] = []
      for dot in data.dots {
        if let name = try kindName(dot) { names.append(name) }
      }
      for (roof, line) in zip(data.roofs, roofs) {
        if let name = try roofName(roof.name, along: line) { names.append(name) }
      }
      for name in names {
        drawing.area(name.ground, color: 0xf7f8_fbff)
        drawing.text(name.line, at: name.start, color: name.color)
      }
    }

    private func point(_ dot: RooflineData.Dot) -> PlotPoint {
      PlotPoint(x: x(dot.bytes), y: y(dot.rate))
    }

    private func paintGrid() throws(PlotError) {
      var bytes = xs.lowerBound
      while bytes <= xs.upperBound * 1.001 {
        drawing.line(
          [PlotPoint(x: x(bytes), y: area.top), PlotPoint(x: x(bytes), y: area.bottom)], width: 1,
          color: 0xe3e6_eeff)
        let text = decimal(bytes, places: bytes < 1 ? 1 : 0)
        try label(
          text, x: x(bytes) - 4 * Double(text.count), y: area.bottom + 20, size: 13,
          color: 0x5f67_79ff)
        bytes *= 2
      }
      try label(
        "bytes loaded and stored for an entity and a tick", x: area.left, y: area.bottom + 42,
        size: 13, color: 0x5f67_79ff)
      for power in -4...3 {
        for digit in [1.0, 2, 5] {
          let rate = digit * pow(10, Double(power))
          guard ys.contains(rate) else { continue }
          drawing.line(
            [PlotPoint(x: area.left, y: y(rate)), PlotPoint(x: area.right, y: y(rate))], width: 1,
            color: 0xe3e6_eeff)
          let text = decimal(rate, places: power < 0 ? -power : 0)
          try label(
            text, x: area.left - 12 - 8 * Double(text.count), y: y(rate) + 5, size: 13,
            color: 0x5f67_79ff)
        }
      }
      let unit = try drawing.shape("entities in a nanosecond", font: "Noto Sans 13")
      drawing.text(
        unit, at: PlotPoint(x: area.right - unit.size.width, y: area.top - 14), color: 0x5f67_79ff)
    }

    private static let roofColor: UInt32 = 0x7c6f_9fff

    /// A name that has its position.
    private struct Name {
      let line: ShapedLine
      let start: PlotPoint
      let color: UInt32
      /// Hides lines that would run through the letters: the grid, a kind's line, or a roof if there is no
      /// other room.
      let ground: PlotArea
    }

    /// Finds a position for a roof's name: beside its line, and on no other line.
    ///
    /// Lines fall to the right. So a box is above its line if its left corner is, and below if its right
    /// corner is. The first position from the left that is free is taken, above if there is one.
    private func roofName(_ text: String, along roof: [PlotPoint]) throws(PlotError) -> Name? {
      let line = try drawing.shape(text, font: "Noto Sans 12.5")
      let width = line.size.width
      func y(_ x: Double) -> Double {
        roof[0].y + (x - roof[0].x) * (roof[1].y - roof[0].y) / (roof[1].x - roof[0].x)
      }
      for isAbove in [true, false] {
        for left in stride(from: area.left + 6, to: area.right - width - 6, by: 6) {
          // 17 high, of which 4 are below the letters' line, and 4 off the roof.
          let bottom = isAbove ? y(left) - 4 : y(left + width) + 4 + 17
          let box = PlotArea(left: left, top: bottom - 17, right: left + width, bottom: bottom)
          let ground = box.outset(2)
          guard ground.top > area.top, ground.bottom < area.bottom, !isTaken(ground),
            !(roofs + kinds).contains(where: ground.isCrossed)
          else { continue }
          taken.append(ground)
          return Name(
            line: line, start: PlotPoint(x: left, y: bottom - 4), color: Self.roofColor,
            ground: ground)
        }
      }
      return nil
    }

    /// Finds a position for a kind's name beside a dot, if there is room; a line leads to the
    /// kind's other dots.
    private func kindName(_ dot: RooflineData.Dot) throws(PlotError) -> Name? {
      let line = try drawing.shape(dot.kind, font: "Noto Sans 12.5")
      let point = point(dot)
      let (width, height) = (line.size.width, 15.0)
      let offsets = [
        (11, 4.5), (-11 - width, 4.5), (-width / 2, -12), (-width / 2, 22), (9, -8), (9, 17),
        (-9 - width, -8), (-9 - width, 17), (16, -20), (16, 28), (-16 - width, -20),
      ]
      for mayHideRoof in [false, true] {
        for (dx, dy) in offsets {
          let start = PlotPoint(x: point.x + dx, y: point.y + dy)
          let box = PlotArea(
            left: start.x, top: start.y - height + 3, right: start.x + width, bottom: start.y + 3)
          let isInside =
            box.left > area.left && box.right < area.right && box.top > area.top
            && box.bottom < area.bottom
          guard isInside, !isTaken(box), mayHideRoof || !roofs.contains(where: box.isCrossed)
          else { continue }
          taken.append(box)
          return Name(line: line, start: start, color: dot.series.color, ground: box)
        }
      }
      return nil
    }

    private func isTaken(_ box: PlotArea) -> Bool { taken.contains { $0.overlaps(box) } }

    private func label(
      _ text: String, x: Double, y: Double, size: Int, color: UInt32, isBold: Bool = false
    ) throws(PlotError) {
      let font = "Noto Sans \(isBold ? "Semi-Bold " : "")\(size)"
      drawing.text(try drawing.shape(text, font: font), at: PlotPoint(x: x, y: y), color: color)
    }
  }
}
