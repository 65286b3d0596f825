// SPDX-License-Identifier: Apache-2.0

/// Names that options had in an earlier version: they go on working, with a line on standard error that has the new one.
package struct OldOptions {
  /// An option under its old name.
  private struct Old: Sendable {
    let name: String
    /// The value with which it was written; nil: any, which stays as it is, or none.
    var value: String?
    /// The ending of the value with which it was written; nil: any.
    var ending: String?
    /// What is written now; nil: nothing.
    let new: String?
  }

  private static let delivery = [
    Old(name: "--delivery", value: "lockstep", new: "--lockstep"),
    Old(name: "--delivery", value: "live", new: nil),
  ]
  private static let column = [Old(name: "--column", new: "--columns")]
  private static let output = [Old(name: "--output", new: "--format")]
  private static let short = Old(name: "--short", new: "--quick")
  private static let seconds = Old(name: "--seconds", new: "--duration")
  private static let from = Old(name: "--from", new: "--from-frame")
  /// Without a file it prints the result.
  private static let json = Old(name: "--json", ending: ".json", new: "--out")

  /// By command, as messages name it.
  private static let table: [String: [Old]] = [
    "orrery run": output + [Old(name: "--record-entities", new: "--record-entity")],
    "orrery control": [Old(name: "--seconds", new: "--at")],
    "orrery renderer": [from], "orrery sim": output + delivery,
    "orrery logger": [Old(name: "--entities", new: "--entity"), from],
    "orrery trace play": delivery + [Old(name: "--rate", new: "--speed")],
    "orrery trace plot": column, "orrery trace export": column,
    "orrery bench study": [short, json], "orrery bench run": [seconds, json],
    "orrery bench capacity": [seconds, json, Old(name: "--from", new: "--first")],
    "orrery bench save": [Old(name: "--to", new: "--results")],
    "orrery bench history": [Old(name: "--from", new: "--results")],
    "orrery bench kernels": [seconds, json],
    "orrery bench report": [Old(name: "--output", new: "--out")],
    "orrery bench tick": [json], "orrery bench draw": [json], "orrery bench startup": [json],
    "orrery bench pipeline": [json], "orrery bench views": [short, json],
    "orrery bench transport": [short, json], "orrery bench subscribers": [short, seconds, json],
    "orrery bench record": [short, seconds, json],
  ]

  /// The words with new names.
  package let words: [String]

  /// A sentence for each word that has another name now.
  package let notes: [String]

  /// Gives the options of a command their new names.
  ///
  /// - Parameters:
  ///   - words: A command line.
  ///   - command: The command that it runs, as `orrery trace play`.
  package init(_ words: [String], of command: String) {
    let known = Self.table[command] ?? []
    var (renamed, notes): ([String], [String]) = ([], [])
    var index = words.startIndex
    while index < words.endIndex, words[index] != "--" {
      let parts = words[index].split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value =
        parts.count > 1 ? String(parts[1]) : words.dropFirst(index + 1).first
      let old = known.first { old in
        parts.first.map(String.init) == old.name && (old.value == nil || old.value == value)
          && (old.ending.map { value?.hasSuffix($0) == true } ?? true)
      }
      defer { index += old?.value != nil && parts.count == 1 ? 2 : 1 }
      guard let old else {
        renamed.append(words[index])
        continue
      }
      let written = [old.name, old.value].compactMap { $0 }.joined(separator: " ")
      notes.append("\(written) is \(old.new ?? "the default, and has no option") now")
      guard let new = old.new else { continue }
      renamed.append(parts.count > 1 && old.value == nil ? "\(new)=\(parts[1])" : new)
    }
    self.words = renamed + words[index...]
    self.notes = notes
  }
}
