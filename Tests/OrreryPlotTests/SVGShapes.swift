// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryPlot
import Testing

/// What a plot's SVG file draws, in its order.
struct SVGShapes {
  /// A path, filled or stroked.
  struct Shape: CustomStringConvertible {
    /// Red, green and blue, a byte each.
    let color: UInt32
    let isFilled: Bool
    /// 0 if nothing of it is seen, 1 if nothing is seen through it.
    let opacity: Double
    /// Of a stroked path.
    let width: Double
    /// 0 if the line is whole.
    let dash: Double
    /// Ends of its lines and curves.
    let points: [PlotPoint]
    /// Whether it has curves: a letter or a disc.
    let hasCurves: Bool

    var left: Double { points.map(\.x).min() ?? .nan }
    var right: Double { points.map(\.x).max() ?? .nan }
    var top: Double { points.map(\.y).min() ?? .nan }
    var bottom: Double { points.map(\.y).max() ?? .nan }

    var description: String {
      "\(isFilled ? "area" : "line") \(String(color, radix: 16)) (\(left), \(top)) to (\(right), \(bottom))"
    }

    /// Whether its box has these sides, to a tenth of a pixel.
    func spans(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Bool {
      zip([self.left, self.top, self.right, self.bottom], [left, top, right, bottom])
        .allSatisfy { abs($0 - $1) < 0.1 }
    }
  }

  let shapes: [Shape]

  /// What cuts shapes off, as lines; what cuts nothing off is not in the file.
  let clips: [Shape]

  /// Draws a motion.
  init(_ motion: String, size: String = "960x600") throws {
    let plot = try MotionPlot(motion)
    let pixels = try #require(PictureSize(size))
    try self.init(writing: { path in
      try PlotFile.write(plot, path: path, format: .svg, size: pixels)
    })
  }

  /// Reads the file that is written at a path.
  init(writing write: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.path + "/plot-\(UUID().uuidString).svg"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(path)
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    shapes = lines.filter { $0.hasPrefix("<path") }.map(Self.shape)
    clips = zip(lines, lines.dropFirst()).filter { $0.0.contains("<clipPath") }
      .map { Self.shape($0.1) }
  }

  /// Lines of a color.
  func lines(_ color: UInt32) -> [Shape] { shapes.filter { !$0.isFilled && $0.color == color } }

  /// Areas without curves of a color.
  func areas(_ color: UInt32) -> [Shape] {
    shapes.filter { $0.isFilled && !$0.hasCurves && $0.color == color }
  }

  /// Discs and texts of a color.
  func round(_ color: UInt32) -> [Shape] {
    shapes.filter { $0.isFilled && $0.hasCurves && $0.color == color }
  }

  private static func shape(_ line: Substring) -> Shape {
    let isFilled = line.contains("stroke:none")
    let color = numbers(after: isFilled ? "fill:rgb(" : "stroke:rgb(", in: line).prefix(3)
    let path = line.components(separatedBy: " d=\"").dropFirst().first ?? ""
    var (points, hasCurves) = ([PlotPoint](), false)
    var numbers: [Double] = []
    for word in path.split(whereSeparator: { " \"/>".contains($0) }) {
      if let number = Double(word) {
        numbers.append(number)
        continue
      }
      points += Self.end(of: numbers)
      numbers = []
      hasCurves = hasCurves || word == "C"
    }
    points += Self.end(of: numbers)
    return Shape(
      color: color.reduce(0) { $0 << 8 | UInt32(($1 * 2.55).rounded()) }, isFilled: isFilled,
      opacity: self.numbers(after: isFilled ? "fill-opacity:" : "stroke-opacity:", in: line).first
        ?? 1,
      width: self.numbers(after: "stroke-width:", in: line).first ?? 0,
      dash: self.numbers(after: "stroke-dasharray:", in: line).first ?? 0, points: points,
      hasCurves: hasCurves)
  }

  private static func end(of numbers: [Double]) -> [PlotPoint] {
    numbers.count < 2
      ? [] : [PlotPoint(x: numbers[numbers.count - 2], y: numbers[numbers.count - 1])]
  }

  private static func numbers(after name: String, in line: Substring) -> [Double] {
    guard let start = line.range(of: name) else { return [] }
    let rest = line[start.upperBound...].prefix { "0123456789.,%".contains($0) }
    return rest.split(separator: ",").compactMap { Double($0.filter { $0 != "%" }) }
  }
}
