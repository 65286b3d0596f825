// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// Makes a scene of samples: a table of times and values that another tool, or a device, has written.
///
///     time,entity,property,value                   a line for each value
///     time,entity,x,opacity                        or a column for each property
///     {"time": 0, "entity": "card", "x": 12.5}     or an object in each line (NDJSON)
///
/// Each entity becomes a view that plays its samples once, with straight lines between them, and then stays. Before its
/// first sample a property has that value. Values are in the units of a scene file.
struct SampleImport {
  /// A value of a property at a time in seconds, from a line of the text.
  private struct Sample {
    let time: Double
    let value: Double
    let line: Int
  }

  /// What a line is about.
  private struct Key: Hashable {
    let entity: String
    let property: ViewProperty
  }

  /// Where the columns are.
  private struct Columns {
    var time = 0
    /// Seconds in a unit of the time.
    var unit = 1.0
    var entity: Int?
    var property: Int?
    var value: Int?
    var wide: [(column: Int, property: ViewProperty)] = []
    var count = 0
  }

  /// Of the files; a table in Parquet is read as the CSV that Python makes of it.
  static let endings = [".csv", ".ndjson", ".jsonl", ".parquet"]

  /// The name of the view where no column names one.
  private static let onlyName = "samples"

  /// Whether a text is a table of samples, and no scene: by its file's ending, or by its first line.
  static func isSamples(_ text: String, file: String) -> Bool {
    if endings.contains(where: file.hasSuffix) { return true }
    let first = String(String.UnicodeScalarView(text.unicodeScalars.prefix { $0 != "\n" }))
    if let table = try? object(first, line: 1) {
      return (try? columns(table.members.map(\.key))) != nil
    }
    return (try? columns(cells(first, line: 1))) != nil
  }

  /// Makes a scene.
  ///
  /// - Parameters:
  ///   - text: A text for which `isSamples` is true.
  ///   - name: The scene's name.
  /// - Returns: The scene; its names are not checked yet.
  /// - Throws: `SampleFault` at the first line that is wrong.
  static func scene(_ text: String, name: String) throws(SampleFault) -> Scene {
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    guard let head = lines.first else { throw SampleFault(line: 1, reason: "no samples") }
    // A table of JSON has its columns in each line.
    let isJSON = head.drop { $0.isWhitespace || $0 == "\u{feff}" }.first == "{"
    let common = isJSON ? Columns() : try columns(cells(String(head), line: 1))
    var (entities, known): ([String], Set<String>) = ([], [])
    var samples: [Key: [Sample]] = [:]
    for (index, text) in lines.enumerated().dropFirst(isJSON ? 0 : 1)
    where !text.allSatisfy(\.isWhitespace) {
      let line = index + 1
      let (columns, cells) =
        isJSON
        ? try objectCells(String(text), line: line) : (common, try cells(String(text), line: line))
      guard cells.count == columns.count else {
        throw SampleFault(
          line: line, reason: "\(cells.count) columns, where the first line has \(columns.count)")
      }
      let time = try number(cells[columns.time], "time", line: line) * columns.unit
      guard SceneLimits.time.range.contains(time) else {
        throw SampleFault(
          line: line, reason: "time \(SceneNumber.text(time)): from 0 to 1000000 seconds")
      }
      let entity = columns.entity.map { cells[$0] } ?? onlyName
      guard !entity.isEmpty else { throw SampleFault(line: line, reason: "an entity has no name") }
      if known.insert(entity).inserted {
        entities.append(entity)
        guard entities.count <= entitiesMax else {
          throw SampleFault(line: line, reason: "more than \(entitiesMax) entities")
        }
      }
      for (property, cell) in try values(cells, columns, line: line) {
        let value = try number(cell, property.rawValue, line: line)
        if let reason = ImportedText.fault(of: value, for: property) {
          throw SampleFault(line: line, reason: reason)
        }
        samples[Key(entity: entity, property: property), default: []].append(
          Sample(time: time, value: value, line: line))
      }
    }
    guard !entities.isEmpty else { throw SampleFault(line: 2, reason: "no samples") }
    var scene = Scene(name, size: CGSize(width: 1280, height: 720)) {}
    scene.content = []
    for entity in entities {
      var view = AnimatedView(
        entity, .box(width: 40, height: 40, cornerRadius: 6, color: .blue))
      for property in ViewProperty.allCases {
        guard let own = samples[Key(entity: entity, property: property)] else { continue }
        try add(own, of: property, to: &view)
      }
      scene.content.append(.view(view))
    }
    return scene
  }

  /// More are no recording of a hand, and each is looked for by its name.
  private static let entitiesMax = 1000

  /// Lets a view play the samples of one property.
  private static func add(
    _ unsorted: [Sample], of property: ViewProperty, to view: inout AnimatedView
  ) throws(SampleFault) {
    let samples = unsorted.sorted { ($0.time, $0.line) < ($1.time, $1.line) }
    let least = SceneLimits.duration.range.lowerBound
    for (one, next) in zip(samples, samples.dropFirst()) where next.time - one.time < least {
      guard next.time == one.time else {
        throw SampleFault(
          line: next.line,
          reason: "less than \(SceneNumber.text(least)) seconds after line \(one.line)")
      }
      throw SampleFault(
        line: next.line,
        reason:
          "a second value of \(property.rawValue) of '\(view.name)' at \(SceneNumber.text(next.time)) s; "
          + "the first is in line \(one.line)")
    }
    guard let first = samples.first else { return }
    view.initial[property] = first.value
    guard samples.contains(where: { $0.value != first.value }) else { return }
    var steps: [KeyframeStep] = []
    // Where a value rests, one keyframe is enough; since when it does, in seconds.
    var rest = 0.0
    for (one, next) in zip(samples, samples.dropFirst()) where next.value != one.value {
      if one.time - rest >= least {
        steps.append(.linear(one.value, duration: one.time - rest))
        rest = one.time
      }
      steps.append(.linear(next.value, duration: next.time - rest))
      rest = next.time
    }
    guard SceneLimits.keyframes.range.contains(Double(steps.count)) else {
      throw SampleFault(
        line: samples[samples.count - 1].line,
        reason:
          "\(property.rawValue) of '\(view.name)' changes \(steps.count) times: at most "
          + "\(Int(SceneLimits.keyframes.range.upperBound))")
    }
    view.keyframes.append(KeyframeLoop(property: property, repeats: false, steps: steps))
  }
}

/// What is wrong with a line of samples.
struct SampleFault: Error {
  let line: Int
  let reason: String
}

// MARK: - Reading

extension SampleImport {
  /// The cells of a line, without quotes.
  private static func cells(_ line: String, line number: Int) throws(SampleFault) -> [String] {
    var (cells, cell, isQuoted) = ([String](), "", false)
    var rest = line.unicodeScalars.drop { $0 == "\u{feff}" }[...]
    while let next = rest.popFirst() {
      switch next {
      case "\"" where isQuoted && rest.first == "\"":
        cell.append("\"")
        rest.removeFirst()
      case "\"": isQuoted.toggle()
      case ",", ";", "\t":
        if isQuoted { fallthrough }
        cells.append(cell)
        cell = ""
      default: cell.unicodeScalars.append(next)
      }
    }
    if isQuoted { throw SampleFault(line: number, reason: "a quote is not closed") }
    return (cells + [cell]).map(trimmed)
  }

  /// The columns and cells of a line that is an object of JSON; values that are null have none.
  private static func objectCells(
    _ line: String, line number: Int
  ) throws(SampleFault) -> (Columns, [String]) {
    let members = try object(line, line: number).members.filter { $0.value != .null }
    var cells: [String] = []
    for member in members {
      guard let cell = member.value.string ?? member.value.number.map({ "\($0)" }) else {
        throw SampleFault(line: number, reason: "'\(member.key)' is neither a text nor a number")
      }
      cells.append(cell)
    }
    return (try columns(members.map(\.key), line: number), cells)
  }

  private static func object(
    _ line: String, line number: Int
  ) throws(SampleFault) -> DocumentTable {
    do throws(DocumentError) {
      return try JSONParser.parseTable(line)
    } catch {
      throw SampleFault(line: number, reason: error.reason)
    }
  }

  private static func trimmed(_ cell: String) -> String {
    let end = cell.lastIndex { !$0.isWhitespace }
    return end.map { String(cell[...$0].drop(while: \.isWhitespace)) } ?? ""
  }

  private static func columns(
    _ head: [String], line: Int = 1
  ) throws(SampleFault) -> Columns {
    var (columns, time): (Columns, Int?) = (Columns(), nil)
    columns.count = head.count
    for (index, name) in head.enumerated() {
      switch name {
      case "time", "time_s", "t": (time, columns.unit) = (index, 1)
      case "time_ms", "t_ms": (time, columns.unit) = (index, 0.001)
      case "entity", "name": columns.entity = index
      case "property": columns.property = index
      case "value": columns.value = index
      default:
        guard let property = ViewProperty(rawValue: name) else {
          throw SampleFault(
            line: line,
            reason:
              "column '\(name)': use time or time_ms, entity, and property and value, or one of "
              + ViewProperty.allCases.map(\.rawValue).joined(separator: ", "))
        }
        columns.wide.append((index, property))
      }
    }
    guard let time else {
      throw SampleFault(line: line, reason: "no column is called time or time_ms")
    }
    columns.time = time
    guard (columns.property != nil) == (columns.value != nil),
      columns.property == nil || columns.wide.isEmpty,
      columns.property != nil || !columns.wide.isEmpty
    else {
      throw SampleFault(
        line: line, reason: "use the columns property and value, or a column for each property")
    }
    return columns
  }

  /// The values of a line; empty cells have none.
  private static func values(
    _ cells: [String], _ columns: Columns, line: Int
  ) throws(SampleFault) -> [(ViewProperty, String)] {
    if let propertyColumn = columns.property, let valueColumn = columns.value {
      guard let property = ViewProperty(rawValue: cells[propertyColumn]) else {
        throw SampleFault(
          line: line,
          reason:
            "property '\(cells[propertyColumn])': use "
            + ViewProperty.allCases.map(\.rawValue).joined(separator: ", "))
      }
      return [(property, cells[valueColumn])]
    }
    return columns.wide.compactMap {
      cells[$0.column].isEmpty ? nil : ($0.property, cells[$0.column])
    }
  }

  private static func number(
    _ cell: String, _ name: String, line: Int
  ) throws(SampleFault) -> Double {
    guard let number = Double(cell), number.isFinite else {
      throw SampleFault(line: line, reason: "\(name) '\(cell)' is no number")
    }
    return number
  }
}
