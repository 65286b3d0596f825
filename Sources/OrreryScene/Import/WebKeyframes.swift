// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// The keyframes of an animation of a web page, by the property of CSS that they animate.
struct WebKeyframes {
  /// The value of a property at an offset, as values of a view.
  struct Key {
    let offset: Double
    let value: [ViewProperty: Double]
    /// To the next key.
    var easing: UnitCurve
  }

  /// From offset 0 to offset 1.
  private(set) var tracks: [String: [Key]] = [:]

  /// The properties that a view has, too, in the order in which CSS applies them.
  static let properties = ["opacity", "translate", "rotate", "scale", "transform", "filter"]

  /// What a keyframe has beside properties.
  private static let others: Set = ["offset", "computedOffset", "easing", "composite"]

  /// Reads an animation's `keyframes`: a list of them, or a list of values for each property.
  ///
  /// - Parameters:
  ///   - animation: A description of it.
  ///   - path: Where it is.
  ///   - size: Of the element, in points; percentages of a translation need it.
  ///   - leftOut: Counts what a view has not.
  /// - Throws: `ImportError` at the first thing that is wrong.
  init(
    _ animation: DocumentTable, at path: DocumentPath, size: CGSize?, _ leftOut: inout LeftOut
  ) throws(ImportError) {
    let path = path.key("keyframes")
    let most = Int(SceneLimits.keyframes.range.upperBound)
    var lists: [(property: String, entries: [Entry])] = []
    if let entries = animation["keyframes"]?.array {
      lists = try Self.list(entries, at: path, &leftOut)
    } else if let table = animation["keyframes"]?.table {
      lists = try Self.columns(table, at: path, &leftOut)
    } else {
      throw ImportError(path: path, reason: "no list of keyframes")
    }
    for (property, entries) in lists {
      guard Self.properties.contains(property) else {
        leftOut.add("track of " + (Self.isName(property) ? property : "another property"))
        continue
      }
      guard entries.count <= most else {
        throw ImportError(path: path, reason: "\(entries.count) keyframes, more than \(most)")
      }
      var values = WebValues(size: size)
      var keys: [Key] = []
      for entry in entries {
        let value = try values.value(of: property, entry.value, at: entry.path)
        for moved in ViewProperty.allCases {
          guard let number = value[moved],
            let reason = ImportedText.fault(of: number, for: moved)
          else { continue }
          throw ImportError(path: entry.path, reason: reason)
        }
        keys.append(Key(offset: entry.offset, value: value, easing: entry.easing))
      }
      values.count(in: &leftOut)
      // What the first and the last keyframe leave open is the element's own value.
      var own: [ViewProperty: Double] = [:]
      for (key, _) in keys.first?.value ?? [:] { own[key] = key.defaultValue }
      if keys[0].offset > 0 { keys.insert(Key(offset: 0, value: own, easing: .linear), at: 0) }
      if keys[keys.count - 1].offset < 1 {
        keys.append(Key(offset: 1, value: own, easing: .linear))
      }
      tracks[property] = keys
    }
  }

  /// A value of a property of CSS in a keyframe.
  private struct Entry {
    var offset: Double
    let value: DocumentValue
    let easing: UnitCurve
    let path: DocumentPath
  }

  /// Reads a list of keyframes, each with some properties.
  private static func list(
    _ values: [DocumentValue], at path: DocumentPath, _ leftOut: inout LeftOut
  ) throws(ImportError) -> [(String, [Entry])] {
    var (offsets, tables): ([Double?], [DocumentTable]) = ([], [])
    for (index, value) in values.enumerated() {
      guard let table = value.table else {
        throw ImportError(path: path.index(index), reason: "no keyframe")
      }
      tables.append(table)
      offsets.append(try offset(table["offset"], at: path.index(index).key("offset")))
      composite(table["composite"], &leftOut)
    }
    let places = try computed(offsets, at: path)
    var (order, entries): ([String], [String: [Entry]]) = ([], [:])
    for (index, table) in tables.enumerated() {
      let path = path.index(index)
      let easing = try easing(table["easing"], at: path.key("easing"))
      for (property, value) in table.members.map({ ($0.key, $0.value) })
      where !others.contains(property) {
        if entries[property] == nil { order.append(property) }
        entries[property, default: []].append(
          Entry(offset: places[index], value: value, easing: easing, path: path.key(property)))
      }
    }
    return order.map { ($0, entries[$0] ?? []) }
  }

  /// Reads an object with the values of each property; offsets and easings are common to all.
  private static func columns(
    _ table: DocumentTable, at path: DocumentPath, _ leftOut: inout LeftOut
  ) throws(ImportError) -> [(String, [Entry])] {
    func elements(_ key: String) -> [DocumentValue] {
      guard let value = table[key] else { return [] }
      return value.array ?? [value]
    }
    var (offsets, easings): ([Double?], [UnitCurve]) = ([], [])
    for value in elements("offset") {
      offsets.append(try offset(value, at: path.key("offset")))
    }
    for value in elements("easing") {
      easings.append(try easing(value, at: path.key("easing")))
    }
    for value in elements("composite") { composite(value, &leftOut) }
    var lists: [(String, [Entry])] = []
    for property in table.members.map(\.key) where !others.contains(property) {
      let values = elements(property)
      guard !values.isEmpty else { continue }
      let given = values.indices.map { offsets.indices.contains($0) ? offsets[$0] : nil }
      let places = try computed(given, at: path.key(property))
      lists.append(
        (
          property,
          values.indices.map {
            Entry(
              offset: places[$0], value: values[$0],
              easing: easings.isEmpty ? .linear : easings[$0 % easings.count],
              path: path.key(property).index($0))
          }
        ))
    }
    return lists
  }

  private static func offset(
    _ value: DocumentValue?, at path: DocumentPath
  ) throws(ImportError) -> Double? {
    guard let value, value != .null else { return nil }
    guard let number = value.number, (0...1).contains(number) else {
      throw ImportError(path: path, reason: "no number from 0 to 1")
    }
    return number
  }

  /// Spaces keyframes without an offset evenly between their neighbours; the last is at 1, the first of several at 0.
  private static func computed(
    _ given: [Double?], at path: DocumentPath
  ) throws(ImportError) -> [Double] {
    var offsets = given
    if let last = offsets.indices.last { offsets[last] = offsets[last] ?? 1 }
    if offsets.count > 1 { offsets[0] = offsets[0] ?? 0 }
    var places: [Double] = []
    for (index, offset) in offsets.enumerated() {
      guard let end = offset else { continue }
      let (start, known) = (places.last ?? end, places.count)
      guard end >= start else {
        throw ImportError(path: path.index(index), reason: "an offset before the one before it")
      }
      while places.count < index {
        places.append(
          start + (end - start) * Double(places.count - known + 1) / Double(index - known + 1))
      }
      places.append(end)
    }
    return places
  }

  /// Counts a mode that adds to what is below.
  private static func composite(_ value: DocumentValue?, _ leftOut: inout LeftOut) {
    if value?.string == "add" || value?.string == "accumulate" {
      leftOut.add("composite mode", "its values instead of the others")
    }
  }

  /// A curve of CSS.
  static func easing(
    _ value: DocumentValue?, at path: DocumentPath
  ) throws(ImportError) -> UnitCurve {
    guard let value else { return .linear }
    let text = value.string ?? ""
    let name = text.prefix { $0 != "(" }
    let names = [
      "linear", "ease", "ease-in", "ease-out", "ease-in-out", "cubic-bezier", "steps", "step-start",
      "step-end",
    ]
    guard names.contains(String(name)) else {
      throw ImportError(path: path, reason: "none of CSS's easings")
    }
    do throws(NotationError) {
      return try Notation.curve(text)
    } catch {
      throw ImportError(path: path, reason: "\(error)")
    }
  }

  /// Whether a text can stand in a message.
  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 40
      && text.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "-") }
  }
}
