// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Discs, lines, rectangles and texts of an SVG file as cairo writes it: colours in hexadecimal, places in pixels.
struct SVGShapes {
  /// A filled circle.
  struct Disc: Equatable {
    let color: String
    let x: Double
    let y: Double
    let radius: Double
  }

  /// A stroke through points.
  struct Line: Equatable {
    let color: String
    let width: Double
    let points: [[Double]]
  }

  /// What a filled rectangle or the letters of a text cover.
  struct Box: Equatable {
    let color: String
    let left: Double
    let top: Double
    let right: Double
    let bottom: Double

    /// Around points, of which even numbers are to the right and odd ones downward.
    init(_ color: String, _ numbers: [Double]) {
      let xs = stride(from: 0, to: numbers.count - 1, by: 2).map { numbers[$0] }
      let ys = stride(from: 1, to: numbers.count, by: 2).map { numbers[$0] }
      self.color = color
      (left, right) = (xs.min() ?? 0, xs.max() ?? 0)
      (top, bottom) = (ys.min() ?? 0, ys.max() ?? 0)
    }

    /// Whether it covers more of another than letters reach beyond their line.
    func covers(_ other: Box, by most: Double = 3) -> Bool {
      min(right, other.right) - max(left, other.left) > most
        && min(bottom, other.bottom) - max(top, other.top) > most
    }
  }

  private(set) var discs: [Disc] = []
  private(set) var lines: [Line] = []
  private(set) var areas: [Box] = []

  /// In the order in which they were painted.
  private(set) var texts: [Box] = []

  /// Reads what is painted by paths of its own, as letters are.
  init(_ text: String) {
    for piece in text.split(separator: "<path ").dropFirst() {
      let path = piece.firstRange(of: "/>").map { piece[..<$0.lowerBound] } ?? piece
      guard let data = Self.attribute("d=\"", of: path, end: "\""),
        let style = Self.attribute("rgb(", of: path, end: ")")
      else { continue }
      let color = style.split(separator: ",").map { part in
        let value = Int(((Double(part.dropLast()) ?? 0) * 2.55).rounded())
        return (value < 16 ? "0" : "") + String(value, radix: 16)
      }.joined()
      let numbers = data.split(separator: " ").compactMap { Double($0) }
      if path.hasPrefix("style=\"fill:none") {
        let points = stride(from: 0, to: numbers.count - 1, by: 2).map {
          [numbers[$0], numbers[$0 + 1]]
        }
        let width = Self.attribute("stroke-width:", of: path, end: ";").flatMap { Double($0) }
        lines.append(Line(color: color, width: width ?? 0, points: points))
      } else if data.split(separator: " ").count(where: { $0 == "C" }) == 4, numbers.count == 26 {
        // From the right over the bottom to the left.
        let radius = (numbers[0] - numbers[12]) / 2
        discs.append(Disc(color: color, x: numbers[0] - radius, y: numbers[1], radius: radius))
      } else if numbers.count == 10, !data.contains("C") {
        areas.append(Box(color, numbers))
      } else {
        texts.append(Box(color, numbers))
      }
    }
  }

  private static func attribute(
    _ start: String, of path: Substring, end: Character
  ) -> Substring? {
    path.firstRange(of: start).map { path[$0.upperBound...].prefix { $0 != end } }
  }
}
