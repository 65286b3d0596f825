// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryScene
import Testing

import OrreryPlot

/// Goal: pictures and tables show the whole motion, whatever the motion is.
///
/// Method: what is to be drawn as numbers; files by their first bytes and their text.
@Suite struct PlotTests {
  @Test func springIsMarkedWhereItTurnsRespondsAndSettles() throws {
    let plot = try MotionPlot("spring(duration: 0.5, bounce: 0.3)")
    #expect(plot.marks.map(\.kind) == [.overshoot, .logicallyComplete, .end])
    #expect(plot.marks.map(\.text) == ["+4.6 % at 0.3501 s", "response 0.5 s", "settled 0.863 s"])
    #expect(plot.duration > 0.863)
    #expect(plot.duration < 1)
    #expect(plot.subtitle.contains("damping ratio 0.7"))
  }

  @Test func animationIsMarkedAtItsLegsAndItsEnd() throws {
    let plot = try MotionPlot("linear(duration: 1).repeatCount(3).delay(0.5)")
    #expect(plot.marks.map(\.time) == [1.5, 2.5, 3.5])
    #expect(plot.marks.map(\.kind) == [.leg, .leg, .end])
    let endless = try MotionPlot("linear(duration: 1).repeatForever()")
    #expect(endless.duration == 4)
    #expect(endless.subtitle == "never logically complete · never removed")
  }

  @Test func whatNeverMovesIsShownForASecond() throws {
    for text in ["linear.speed(0)", "linear(duration: 0)", "spring(duration: 0)"] {
      let plot = try MotionPlot(text)
      #expect(plot.duration == 1, "\(text)")
      #expect(!plot.table().contains("NaN"), "\(text)")
    }
  }

  @Test func tableHasARowForEachTime() throws {
    let rows = try MotionPlot("steps(2, jump-end)").table(rowCount: 3).split(separator: "\n")
    #expect(
      rows.suffix(3).map { $0.split(separator: " ").joined(separator: " ") }
        == ["0.000 0.000000 0.000000", "0.500 0.500000 0.000000", "1.000 1.000000 0.000000"])
    let spring = try MotionPlot("bouncy").table()
    #expect(spring.contains("  -0."))
  }

  @Test func ticksAreRoundNumbers() {
    #expect(
      PlotAxis(from: -0.01, to: 1.05, tickMax: 6, isRounded: true).ticks.map {
        ($0 * 10).rounded() / 10
      } == [-0.2, 0, 0.2, 0.4, 0.6, 0.8, 1, 1.2])
    let plain = PlotAxis(from: 0, to: 0.932, tickMax: 10, isRounded: false)
    #expect(plain.upper == 0.932)
    #expect(plain.ticks.map(plain.text) == (0...9).map { $0 == 0 ? "0" : "0.\($0)" })
    for (low, high) in [(1.0, 1.0), (.nan, 1), (0, .infinity), (-1e308, 1e308), (3, 2)] {
      let axis = PlotAxis(from: low, to: high, tickMax: 5, isRounded: true)
      #expect(axis.upper > axis.lower, "\(low) \(high)")
    }
  }

  @Test func straightLinesLoseTheirPoints() {
    let line = (0...100).map { PlotPoint(x: Double($0), y: $0 <= 50 ? 0 : Double($0) - 50) }
    let kept = PlotPoint.straightened(line, tolerance: 0.01)
    #expect(kept.count < 8)
    #expect(kept.contains(PlotPoint(x: 50, y: 0)))
    #expect(kept.first == line.first)
    #expect(kept.last == line.last)
  }

  @Test func areasGrowOnEachSide() {
    let area = PlotArea(left: 1, top: 2, right: 30, bottom: 40)
    #expect(area.outset(5) == PlotArea(left: -4, top: -3, right: 35, bottom: 45))
    #expect(area.overlaps(PlotArea(left: 29, top: 39, right: 50, bottom: 50)))
    #expect(!area.overlaps(PlotArea(left: 30, top: 2, right: 50, bottom: 40)))
    #expect(!area.overlaps(PlotArea(left: 1, top: 40, right: 30, bottom: 41)))
    #expect(area.width == 29)
    #expect(area.height == 38)
  }

  /// A line passes through an area if a part of it is inside; along a side or to a corner is outside.
  @Test(
    arguments: [
      ([(0, 0), (10, 10)], true), ([(0, 5), (3, 5)], false), ([(5, 0), (5, 20)], true),
      ([(5, 5), (6, 6)], true), ([(4, 0), (4, 20)], false), ([(0, 8), (20, 8)], false),
      ([(0, 8), (4, 4)], false), ([(0, 9), (9, 0)], true), ([(0, 7), (7, 0)], false),
      ([(0, 0), (0, 6), (20, 6)], true), ([(0, 0), (0, 20), (20, 20)], false), ([(5, 5)], false),
      ([(100, 100), (9, 9)], false),
    ] as [([(Double, Double)], Bool)])
  func lineCrossesAnArea(line: [(Double, Double)], crosses: Bool) {
    let area = PlotArea(left: 4, top: 4, right: 8, bottom: 8)
    let points = line.map { PlotPoint(x: $0.0, y: $0.1) }
    #expect(area.isCrossed(by: points) == crosses)
    #expect(area.isCrossed(by: points.reversed()) == crosses)
  }

  @Test(arguments: [
    "spring(duration: 0.5, bounce: 0.3)", "circularEaseIn", "linear(1e300, -1e300)",
    "linear.speed(0)", "easeIn(duration: 1e-300).repeatForever()",
    "interpolatingSpring(stiffness: 1e9, damping: 0, initialVelocity: 1e9)",
    "bezier(0, 1e200, 1, -1e200)", "easeIn(duration: 1e11).delay(1e3)",
  ])
  func everyMotionIsDrawn(text: String) throws {
    let folder = FileManager.default.temporaryDirectory.path
    for (format, size) in [(PlotFile.Format.png, "960x600"), (.svg, "320x200"), (.png, "1x1")] {
      let path = "\(folder)/plot-\(UUID().uuidString).\(format.rawValue)"
      defer { try? FileManager.default.removeItem(atPath: path) }
      let pixels = try #require(PictureSize(size))
      try PlotFile.write(MotionPlot(text), path: path, format: format, size: pixels)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(bytes.count > 60)
      #expect(bytes.starts(with: format == .png ? Data([0x89, 0x50]) : Data("<?xml".utf8)))
      if format == .svg {
        let svg = String(decoding: bytes, as: UTF8.self)
        #expect(svg.contains("width=\"320\""))
        // White paper below all else.
        #expect(
          svg.contains(
            "<rect x=\"0\" y=\"0\" width=\"320\" height=\"200\" style=\"fill:rgb(100%,100%,100%)"))
        #expect(svg.hasSuffix("</svg>\n"))
        #expect(!svg.contains("nan"))
        #expect(!svg.contains("inf"))
      }
    }
  }

  @Test func whatCannotBeWrittenIsTold() throws {
    let plot = try MotionPlot("easeIn")
    let size = try #require(PictureSize("16x16"))
    let error = #expect(throws: PlotError.self) {
      try PlotFile.write(plot, path: "/nowhere/at/all.png", format: .png, size: size)
    }
    #expect(error.map { "\($0)" } == "/nowhere/at/all.png: open: No such file or directory")
    #expect(throws: NotationError.self) { try MotionPlot("easIn") }
    #expect(PlotFile.Format(path: "a.SVG") == .svg)
    #expect(PlotFile.Format(path: "a.gif") == nil)
  }
}
