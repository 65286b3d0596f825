// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Discs and lines of an SVG file as cairo writes it: colours in hexadecimal, places in pixels.
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
    let points: [[Double]]
  }

  private(set) var discs: [Disc] = []
  private(set) var lines: [Line] = []

  /// Reads what is painted by paths of its own; letters are no part of it.
  init(_ text: String) {
    for path in text.split(separator: "<path ").dropFirst() {
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
        lines.append(Line(color: color, points: points))
      } else if data.split(separator: " ").count(where: { $0 == "C" }) == 4, numbers.count == 26 {
        // From the right over the bottom to the left.
        let radius = (numbers[0] - numbers[12]) / 2
        discs.append(Disc(color: color, x: numbers[0] - radius, y: numbers[1], radius: radius))
      }
    }
  }

  private static func attribute(
    _ start: String, of path: Substring, end: Character
  ) -> Substring? {
    path.firstRange(of: start).map { path[$0.upperBound...].prefix { $0 != end } }
  }
}
