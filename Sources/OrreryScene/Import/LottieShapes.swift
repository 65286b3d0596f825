// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// The shapes of a Lottie layer as boxes and discs: each shape, or the bounds of its path.
struct LottieShapes {
  private(set) var leftOut: LeftOut

  init(_ leftOut: LeftOut) { self.leftOut = leftOut }

  /// Levels of groups in each other.
  private static let depthMax = 32

  /// The elements of a list of shapes in the layer's coordinates, the lowest first.
  mutating func elements(
    _ shapes: [DocumentValue], at path: DocumentPath
  ) throws(ImportError) -> [ViewElement] {
    try elements(shapes, at: path, .identity, paint: nil, depth: 0)
  }

  private mutating func elements(
    _ shapes: [DocumentValue], at path: DocumentPath, _ transform: CGAffineTransform,
    paint outer: Color?, depth: Int
  ) throws(ImportError) -> [ViewElement] {
    guard depth < Self.depthMax else {
      throw ImportError(path: path, reason: "more than \(Self.depthMax) groups in each other")
    }
    var (transform, paint, opacity) = (transform, Color?.none, 1.0)
    for shape in shapes.compactMap(\.table) where shape["hd"]?.bool != true {
      switch shape["ty"]?.string ?? "" {
      case "tr":
        let own = try self.transform(shape, at: path)
        transform = own.matrix.concatenating(transform)
        opacity = own.opacity
      case "fl" where paint == nil: paint = try self.paint(shape, at: path)
      case "gf", "gs":
        leftOut.add("gradient", "its first color")
        if paint == nil { paint = gradient(shape) }
      case "tm": leftOut.add("trimmed path", "whole")
      case "rp": leftOut.add("repeater", "once")
      case "mm", "rd", "pb", "zz", "op", "tw": leftOut.add("path modifier")
      default: break
      }
    }
    if paint == nil,
      let stroke = shapes.compactMap(\.table).first(where: { $0["ty"]?.string == "st" })
    {
      leftOut.add("outline", "filled")
      paint = try self.paint(stroke, at: path)
    }
    let color = (paint ?? outer ?? .clear).opacity(opacity)
    var found: [ViewElement] = []
    for (index, shape) in shapes.enumerated().reversed() {
      let path = path.index(index)
      guard let table = shape.table, table["hd"]?.bool != true else { continue }
      switch table["ty"]?.string ?? "" {
      case "gr":
        found += try elements(
          table["it"]?.array ?? [], at: path.key("it"), transform, paint: paint ?? outer,
          depth: depth + 1)
      case "rc", "el", "sh", "sr":
        guard color.rgba & 0xff != 0, let element = try element(table, at: path, transform, color)
        else { continue }
        found.append(element)
      default: break
      }
    }
    return found
  }

  /// A shape as a box or a disc.
  private mutating func element(
    _ table: DocumentTable, at path: DocumentPath, _ transform: CGAffineTransform, _ color: Color
  ) throws(ImportError) -> ViewElement? {
    let kind = table["ty"]?.string ?? ""
    let scale = abs(transform.a * transform.d - transform.b * transform.c).squareRoot()
    let isTurned = transform.b != 0 || transform.c != 0
    if kind == "sh" || kind == "sr" {
      leftOut.add(kind == "sh" ? "path" : "star", "the box of its bounds")
    }
    if kind == "rc", isTurned { leftOut.add("turned rectangle", "the box of its bounds") }
    guard var bounds = try bounds(table, kind, at: path) else { return nil }
    bounds = bounds.applying(transform)
    let side = SceneLimits.elementSide.range
    let (width, height) = (
      min(max(bounds.width, side.lowerBound), side.upperBound),
      min(max(bounds.height, side.lowerBound), side.upperBound)
    )
    var radius = 0.0
    if kind == "rc", let value = table["r"] {
      radius = max(try read(value, at: path.key("r")).first(0, else: 0) * scale, 0)
    }
    if kind == "el" { radius = min(width, height) / 2 }
    let isDisc = kind == "el" && abs(width - height) < 1e-6
    let element: ViewElement =
      isDisc
      ? .disc(radius: width / 2, color: color)
      : .box(
        width: width, height: height,
        cornerRadius: min(radius, SceneLimits.cornerRadius.range.upperBound), color: color)
    return element.offset(x: bounds.midX, y: bounds.midY)
  }

  private mutating func bounds(
    _ table: DocumentTable, _ kind: String, at path: DocumentPath
  ) throws(ImportError) -> CGRect? {
    switch kind {
    case "rc", "el":
      guard let size = table["s"], let place = table["p"] else { return nil }
      let (sides, center) = (
        try read(size, at: path.key("s")), try read(place, at: path.key("p"))
      )
      let (width, height) = (abs(sides.first(0, else: 0)), abs(sides.first(1, else: 0)))
      return CGRect(
        x: center.first(0, else: 0) - width / 2, y: center.first(1, else: 0) - height / 2,
        width: width, height: height)
    case "sr":
      guard let place = table["p"], let outer = table["or"] else { return nil }
      let (center, radius) = (
        try read(place, at: path.key("p")),
        abs(try read(outer, at: path.key("or")).first(0, else: 0))
      )
      return CGRect(
        x: center.first(0, else: 0) - radius, y: center.first(1, else: 0) - radius,
        width: 2 * radius, height: 2 * radius)
    default: return pathBounds(table)
    }
  }

  /// The bounds of a path's curves.
  private mutating func pathBounds(_ table: DocumentTable) -> CGRect? {
    guard let property = table["ks"]?.table, let content = property["k"] else { return nil }
    if property["a"]?.number == 1 { leftOut.add("shape that changes", "as at the start") }
    let path = content.table ?? content.array?.first?.table?["s"]?.array?.first?.table
    func points(_ key: String) -> [CGPoint] {
      (path?[key]?.array ?? []).compactMap { point in
        let numbers = point.array?.compactMap(\.number) ?? []
        return numbers.count >= 2 ? CGPoint(x: numbers[0], y: numbers[1]) : nil
      }
    }
    let (vertices, into, out) = (points("v"), points("i"), points("o"))
    guard let first = vertices.first, into.count == vertices.count, out.count == vertices.count
    else {
      return nil
    }
    var (low, high) = (first, first)
    func include(_ point: CGPoint) {
      low = CGPoint(x: min(low.x, point.x), y: min(low.y, point.y))
      high = CGPoint(x: max(high.x, point.x), y: max(high.y, point.y))
    }
    let isClosed = path?["c"]?.bool == true
    for index in vertices.indices where isClosed || index + 1 < vertices.count {
      let next = (index + 1) % vertices.count
      let (a, d) = (vertices[index], vertices[next])
      let points: [[Double]] = [
        [a.x, a.y], [a.x + out[index].x, a.y + out[index].y],
        [d.x + into[next].x, d.y + into[next].y], [d.x, d.y],
      ]
      for step in 0...32 {
        let point = LottiePath.curve(points, Double(step) / 32)
        include(CGPoint(x: point[0], y: point[1]))
      }
    }
    return CGRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }

  /// A property of a shape, at the start.
  private mutating func read(
    _ value: DocumentValue, at path: DocumentPath
  ) throws(ImportError) -> LottieProperty {
    let property = try LottieProperty(value, at: path)
    if property.isAnimated { leftOut.add("shape that changes", "as at the start") }
    if property.hasExpression { leftOut.add("expression", "its keyframes instead") }
    return property
  }

  /// The transform of a group, at the start.
  private mutating func transform(
    _ table: DocumentTable, at path: DocumentPath
  ) throws(ImportError) -> (matrix: CGAffineTransform, opacity: Double) {
    func numbers(_ key: String, _ missing: [Double]) throws(ImportError) -> [Double] {
      guard let value = table[key] else { return missing }
      let property = try read(value, at: path.key(key))
      return missing.indices.map { property.first($0, else: missing[$0]) }
    }
    let (place, anchor) = (try numbers("p", [0, 0]), try numbers("a", [0, 0]))
    let (size, turn) = (try numbers("s", [100, 100]), try numbers("r", [0])[0])
    let matrix = CGAffineTransform(translationX: place[0], y: place[1])
      .rotated(by: turn * .pi / 180).scaledBy(x: size[0] / 100, y: size[1] / 100)
      .translatedBy(x: -anchor[0], y: -anchor[1])
    return (matrix, try numbers("o", [100])[0] / 100)
  }

  private mutating func paint(
    _ table: DocumentTable, at path: DocumentPath
  ) throws(ImportError) -> Color? {
    guard let value = table["c"] else { return nil }
    let color = try read(value, at: path)
    let opacity = try table["o"].map { (value) throws(ImportError) in
      try read(value, at: path).first(0, else: 100) / 100
    }
    return Self.color(color.keys[0].value, opacity: opacity ?? 1)
  }

  /// The first color of a gradient.
  private func gradient(_ table: DocumentTable) -> Color? {
    let numbers = table["g"]?.table?["k"]?.table?["k"]?.array?.compactMap(\.number) ?? []
    return numbers.count >= 4 ? Self.color(Array(numbers[1...3]), opacity: 1) : nil
  }

  /// A color of the file: three parts from 0 to 1, or to 255 in files of the older form.
  static func color(_ parts: [Double], opacity: Double) -> Color {
    guard parts.count >= 3 else { return .black }
    let whole = parts[..<3].contains { $0 > 1 } ? 255.0 : 1
    return Color(
      red: parts[0] / whole, green: parts[1] / whole, blue: parts[2] / whole, opacity: opacity)
  }
}
