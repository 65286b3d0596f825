// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// Reads the values of one property of CSS in all its keyframes, as values of a view, and counts what a view has not.
struct WebValues {
  /// Of the element, in points.
  let size: CGSize?

  private var leftOut: [String: String] = [:]
  /// The names of the functions of each value so far, but `none`.
  private var lists: [[String]] = []

  init(size: CGSize?) { self.size = size }

  /// Counts each kind of thing once for the property.
  func count(in all: inout LeftOut) {
    for (name, instead) in leftOut.sorted(by: { $0.key < $1.key }) { all.add(name, instead) }
    let longest = lists.max { $0.count < $1.count } ?? []
    if lists.contains(where: { !longest.starts(with: $0) }) {
      all.add("transform whose functions change", "by its parts")
    }
  }

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - property: One of `WebKeyframes.properties`.
  ///   - value: A text, or a number.
  ///   - path: Where it is.
  /// - Returns: Values of a view.
  /// - Throws: `ImportError` if it is no value of the property.
  mutating func value(
    of property: String, _ value: DocumentValue, at path: DocumentPath
  ) throws(ImportError) -> [ViewProperty: Double] {
    let text = value.string ?? value.number.map { SceneNumber.text($0) } ?? ""
    guard let result = text.utf8.count <= Self.bytesMax ? read(property, text) : nil else {
      throw ImportError(path: path, reason: "no value of \(property)")
    }
    return result
  }

  /// Longer values are no transforms of a hand.
  private static let bytesMax = 10_000

  private mutating func read(_ property: String, _ text: String) -> [ViewProperty: Double]? {
    let isNone = text == "none"
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    switch property {
    case "opacity":
      let share = Self.share(text)
      return share.map { [.opacity: min(max($0, 0), 1)] }
    case "translate":
      if isNone { return [.x: 0, .y: 0] }
      guard (1...3).contains(words.count) else { return nil }
      return offset(words).map { [.x: $0.x, .y: $0.y] }
    case "rotate":
      if isNone { return [.rotation: 0] }
      guard let turn = words.last.flatMap(Self.angle) else { return nil }
      switch words.dropLast() {
      case [], ["z"], ["0", "0", "1"]: return [.rotation: turn]
      default:
        leftOut["rotation in space"] = "none"
        return [.rotation: 0]
      }
    case "scale":
      if isNone { return [.scale: 1] }
      return factor(words).map { [.scale: $0] }
    case "filter":
      if isNone { return [.blur: 0] }
      guard let functions = Self.functions(text) else { return nil }
      var blur = 0.0
      for (name, arguments) in functions {
        if name == "blur" {
          guard let radius = arguments.isEmpty ? 0 : Self.pixels(arguments[0]) else { return nil }
          blur += radius
        } else {
          leftOut["filter \(name)"] = ""
        }
      }
      return [.blur: blur]
    default:
      return transform(isNone ? "" : text)
    }
  }

  /// The functions of a transform, from the left to the right, as one translation, rotation and scale.
  private mutating func transform(_ text: String) -> [ViewProperty: Double]? {
    guard let functions = Self.functions(text) else { return nil }
    if !functions.isEmpty { lists.append(functions.map(\.name)) }
    var (x, y, turn, scale) = (0.0, 0.0, 0.0, 1.0)
    func move(_ by: (x: Double, y: Double)) {
      if by != (0, 0), turn != 0 || scale != 1 {
        leftOut["translation after a rotation or a scale"] = "on a straight line"
      }
      x += scale * (by.x * cos(turn) - by.y * sin(turn))
      y += scale * (by.x * sin(turn) + by.y * cos(turn))
    }
    for (name, arguments) in functions {
      switch name {
      case "translate", "translate3d":
        guard let by = offset(arguments) else { return nil }
        move(by)
      case "translateX":
        guard arguments.count == 1, let by = offset(arguments) else { return nil }
        move(by)
      case "translateY":
        guard arguments.count == 1, let by = offset(["0"] + arguments) else { return nil }
        move(by)
      case "translateZ": leftOut["translation in space"] = "flat"
      case "rotate", "rotateZ":
        guard arguments.count == 1, let by = Self.angle(arguments[0]) else { return nil }
        turn += by
      case "scale", "scale3d":
        guard let by = factor(arguments) else { return nil }
        scale *= by
      case "scaleX", "scaleY":
        guard arguments.count == 1, let by = Self.share(arguments[0]) else { return nil }
        scale *= mean(by, 1)
      case "matrix":
        let numbers = arguments.compactMap(Self.number)
        guard numbers.count == 6, arguments.count == 6 else { return nil }
        move((numbers[4], numbers[5]))
        turn += atan2(numbers[1], numbers[0])
        scale *= mean(hypot(numbers[0], numbers[1]), hypot(numbers[2], numbers[3]))
        if abs(numbers[0] * numbers[2] + numbers[1] * numbers[3]) > 1e-6 { leftOut["skew"] = "" }
      case "skew", "skewX", "skewY": leftOut["skew"] = ""
      case "rotateX", "rotateY", "rotate3d", "matrix3d", "perspective", "scaleZ":
        leftOut["\(name)"] = ""
      default: return nil
      }
    }
    return [.x: x, .y: y, .rotation: turn, .scale: scale]
  }

  /// One factor for both axes.
  private mutating func mean(_ x: Double, _ y: Double) -> Double {
    guard x != y else { return x }
    leftOut["scale that differs between x and y"] = "the mean of both"
    return (x * y).magnitude.squareRoot()
  }

  private mutating func factor(_ words: [String]) -> Double? {
    let numbers = words.compactMap(Self.share)
    guard numbers.count == words.count, (1...3).contains(numbers.count) else { return nil }
    return mean(numbers[0], numbers.count > 1 ? numbers[1] : numbers[0])
  }

  /// A translation in the plane; percentages are of the element.
  private mutating func offset(_ words: [String]) -> (x: Double, y: Double)? {
    guard (1...3).contains(words.count) else { return nil }
    if words.count == 3, Self.pixels(words[2]) != 0 { leftOut["translation in space"] = "flat" }
    var lengths: [Double] = []
    for (word, side) in zip(words.prefix(2), [size?.width, size?.height]) {
      if let length = Self.pixels(word) {
        lengths.append(length)
      } else if word.hasSuffix("%"), let share = Self.share(word) {
        if side == nil { leftOut["translation in % of an element without a rect"] = "none" }
        lengths.append(share * (side ?? 0))
      } else if let unit = Self.unit(word), Self.units.contains(unit) {
        leftOut["length in \(unit)"] = "none"
        lengths.append(0)
      } else {
        return nil
      }
    }
    return (lengths[0], lengths.count > 1 ? lengths[1] : 0)
  }

  /// Units of length that depend on fonts or windows.
  private static let units: Set = ["em", "rem", "vw", "vh", "vmin", "vmax", "ch", "lh"]

  private static func unit(_ word: String) -> String? {
    let unit = String(word.drop { !$0.isLetter })
    return number(String(word.dropLast(unit.count))) == nil ? nil : unit
  }

  /// `12px`, or 0.
  private static func pixels(_ word: String) -> Double? {
    if word.hasSuffix("px") { return number(String(word.dropLast(2))) }
    return number(word) == 0 ? 0 : nil
  }

  /// `0.5`, or `50%`.
  private static func share(_ word: String) -> Double? {
    word.hasSuffix("%") ? number(String(word.dropLast())).map { $0 / 100 } : number(word)
  }

  /// In radians.
  private static func angle(_ word: String) -> Double? {
    let units = [
      ("deg", Double.pi / 180), ("grad", Double.pi / 200), ("rad", 1), ("turn", 2 * Double.pi),
    ]
    for (unit, radians) in units where word.hasSuffix(unit) {
      return number(String(word.dropLast(unit.count))).map { $0 * radians }
    }
    return number(word) == 0 ? 0 : nil
  }

  /// Swift also reads names and hexadecimal digits.
  private static func number(_ word: String) -> Double? {
    guard word.allSatisfy({ "0123456789.+-eE".contains($0) }), let number = Double(word),
      number.isFinite
    else { return nil }
    return number
  }

  /// `name(one, two) other(three)`; nil if it is none.
  private static func functions(_ text: String) -> [(name: String, arguments: [String])]? {
    var (functions, rest): ([(String, [String])], Substring) = ([], text[...])
    while true {
      rest = rest.drop(while: \.isWhitespace)
      if rest.isEmpty { return functions }
      let name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      rest = rest[name.endIndex...]
      guard !name.isEmpty, name.utf8.count <= 20, rest.first == "(",
        let end = rest.firstIndex(of: ")")
      else { return nil }
      let inner = rest[rest.index(after: rest.startIndex)..<end]
      functions.append(
        (String(name), inner.split { $0 == "," || $0.isWhitespace }.map(String.init)))
      rest = rest[rest.index(after: end)...]
    }
  }
}
