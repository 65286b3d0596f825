// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryDocument
import OrreryScene

/// A plan of `bench run` and `bench sweep`: settings, and the grid of those that vary.
///
///     name = "threads"
///
///     [run]                     # the same in every case
///     scene = "stress"
///     rounds = 8
///
///     [grid]                    # every combination is a case; the last key varies fastest
///     entities = [10_000, 100_000]
///     threads = [1, 2]
package struct SweepPlan: Equatable, Sendable {
  /// The name of the study.
  package let name: String
  /// The settings of all cases, by their number.
  package let cases: [SweepCase]
  /// The keys that vary, in their order.
  package let varied: [CaseSettings.Key]

  /// Cases of a plan, at most.
  package static let casesMax = 100_000
  private static let bytesMax = 1 << 20
  private static let depthMax = 8

  /// Reads a plan.
  ///
  /// - Throws: `Failure` for the first fault, with file, line, column and key.
  package static func read(_ path: String) throws(Failure) -> SweepPlan {
    let data = try WholeFile.read(path, bytesMax: bytesMax)
    guard let text = String(validating: data, as: UTF8.self) else {
      throw Failure(.badData, "\(path): not UTF-8")
    }
    return try parse(text, file: path)
  }

  /// Parses a plan's text.
  package static func parse(_ text: String, file: String) throws(Failure) -> SweepPlan {
    let bytes = Array(text.utf8)
    let table: DocumentTable
    do throws(DocumentError) {
      table = try TOMLParser.parse(text, depthMax: depthMax)
    } catch {
      throw Failure(.badData, message(file, error.offset, bytes, error.reason))
    }
    if table.has("content") {
      throw Failure(
        .badData,
        "\(file): a scene, and no plan; a plan has the line scene = \"\(file)\" under [run]")
    }
    let reader = Reader(file: file, bytes: bytes, table: table)
    try reader.allow(["name", "run", "grid"], in: table, at: DocumentPath())
    var settings = CaseSettings()
    try reader.each("run") { key, value, path throws(Failure) in
      try reader.set(&settings, key, value, path)
    }
    var varied: [(CaseSettings.Key, [(DocumentValue, DocumentPath)])] = []
    try reader.each("grid") { key, value, path throws(Failure) in
      guard let values = value.array, !values.isEmpty else {
        throw reader.failure(
          path, "needs an array with at least one value: an empty grid has no case")
      }
      varied.append((key, values.enumerated().map { ($1, path.index($0)) }))
    }
    let count = varied.reduce(1) { count, axis in
      count > casesMax ? count : count * axis.1.count
    }
    guard count <= casesMax else {
      throw reader.failure(DocumentPath().key("grid"), "has more than \(casesMax) cases")
    }
    var cases: [SweepCase] = []
    for number in 0..<count {
      var (one, rest, words) = (settings, number, [String]())
      for (key, values) in varied.reversed() {
        let (value, path) = values[rest % values.count]
        rest /= values.count
        try reader.set(&one, key, value, path)
        words.append("\(key.rawValue)=\(value.string ?? JSONWriter.text(value, .answer))")
      }
      cases.append(SweepCase(number: number, words: words.reversed(), settings: one))
    }
    let name = table["name"]?.string ?? SceneFile.name(ofFile: file)
    if let value = table["name"], value.string?.isEmpty != false {
      throw reader.failure(DocumentPath().key("name"), "is not a text")
    }
    return SweepPlan(name: name, cases: cases, varied: varied.map(\.0))
  }

  /// A message with file, line and column.
  package static func message(
    _ file: String, _ offset: Int, _ bytes: [UInt8], _ reason: String
  ) -> String {
    let position = TextPosition(ofByte: offset, in: bytes)
    return "\(file):\(position.line):\(position.column): \(reason)"
  }
}

/// One combination of a plan's grid.
package struct SweepCase: Equatable, Sendable {
  /// Its number, from 0, which names its file.
  package let number: Int
  /// What is its own: each `key=value`.
  package let words: [String]
  /// All settings.
  package let settings: CaseSettings

  /// The name of its result in the sweep's folder.
  package var file: String {
    "case-" + String(number).alignedRight(6, filler: "0") + ".json"
  }

  /// A hash of all settings, and of the bytes of its scene if that is a file: 16 hexadecimal digits.
  package var hash: String {
    var hash = StableHash()
    hash.combine(bytes: "\(settings)".utf8)
    if SceneSource.isPath(settings.scene) {
      hash.combine(bytes: FileManager.default.contents(atPath: settings.scene) ?? Data())
    }
    return hexadecimal(hash.value)
  }

  /// The title of its result.
  package func title(of plan: SweepPlan) -> String {
    "\(plan.name), case \(number): \(words.isEmpty ? "all" : words.joined(separator: " "))"
  }
}

/// Reads a plan's tables; keeps the positions of their values for messages.
private struct Reader {
  let file: String
  let bytes: [UInt8]
  let table: DocumentTable

  /// A failure of a value: file, line, column, key and reason.
  func failure(_ path: DocumentPath, _ reason: String, ofKey: Bool = false) -> Failure {
    let offsets = table.offsets(at: path)
    let offset = offsets.map { ofKey ? $0.key : $0.value } ?? 0
    return Failure(
      .badData, SweepPlan.message(file, offset, bytes, "\(path.text): \(reason)"))
  }

  func allow(_ known: [String], in table: DocumentTable, at path: DocumentPath) throws(Failure) {
    guard let key = table.members.map(\.key).first(where: { !known.contains($0) }) else { return }
    let question = NearestName.question(key, among: known)
    let rest = question.isEmpty ? "; there are \(known.joined(separator: ", "))" : question
    throw failure(path.key(key), "no such key\(rest)", ofKey: true)
  }

  /// Calls `body` with each key and value of a table; a missing table has none.
  func each(
    _ name: String,
    _ body: (CaseSettings.Key, DocumentValue, DocumentPath) throws(Failure) -> Void
  ) throws(Failure) {
    guard let value = table[name] else { return }
    let path = DocumentPath().key(name)
    guard let members = value.table else { throw failure(path, "is not a table") }
    try allow(CaseSettings.Key.allCases.map(\.rawValue), in: members, at: path)
    for member in members.members {
      guard let key = CaseSettings.Key(rawValue: member.key) else { continue }
      try body(key, member.value, path.key(member.key))
    }
  }

  func set(
    _ settings: inout CaseSettings, _ key: CaseSettings.Key, _ value: DocumentValue,
    _ path: DocumentPath
  ) throws(Failure) {
    do throws(CaseSettings.Fault) {
      try settings.set(key, value)
    } catch {
      throw failure(path, error.reason)
    }
  }
}
