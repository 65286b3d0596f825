// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrreryBase
import OrreryDocument
import OrrerySceneBuilder
import OrreryWire

/// A request as it was written on the command line.
package struct ControlWords {
  /// The requested action.
  package let verb: ControlVerb
  /// Its arguments, as sent to the sim.
  package private(set) var fields: [String: DocumentValue]

  /// The verbs for people; programs use the others among themselves.
  private static let verbs = ControlVerb.allCases.filter { !$0.isOfSubscribers }

  /// The names of the verbs for people.
  package static var verbNames: [String] { verbs.map(\.rawValue) }

  /// What other tools call the verbs.
  private static let otherNames = [
    "show": "toggle", "hide": "toggle", "tap": "toggle", "open": "toggle", "close": "toggle",
    "play": "resume", "continue": "resume", "go": "resume", "goto": "seek", "jump": "seek",
    "next": "step", "stop": "quit", "end": "quit", "exit": "quit", "kill": "quit", "rate": "speed",
    "status": "stats", "info": "stats", "list": "stats", "change": "set",
  ]

  /// Reads the verb and its arguments.
  ///
  /// - Parameter words: The words after the run's name.
  /// - Throws: `ValidationError`.
  package init(_ words: [String]) throws {
    let known = Self.verbNames.joined(separator: ", ")
    guard let name = words.first else {
      throw ValidationError("a run's name and a verb are needed: \(known)")
    }
    guard let verb = Self.verbs.first(where: { $0.rawValue == name }) else {
      let nearest =
        Self.otherNames[name] ?? NearestName.find(name, among: Self.verbNames)
      let hint = nearest.map { "did you mean \($0)? " } ?? ""
      throw ValidationError("'\(name)' is not a verb; \(hint)known: \(known)")
    }
    self.verb = verb
    fields = [:]
    let arguments = Array(words.dropFirst())
    guard let field = verb.argument else {
      if let more = arguments.first { throw ValidationError("\(verb) takes no '\(more)'") }
      return
    }
    switch field.form {
    case .count: fields[field.name] = try readOne(arguments, Self.count)
    case .number: fields[field.name] = try readOne(arguments, Self.number)
    case .views: fields[field.name] = .table(try Self.views(arguments))
    case .names:
      guard !arguments.isEmpty else { throw ValidationError("\(verb) needs a name") }
      fields[field.name] = .array(DocumentArray(arguments.map(DocumentValue.string)))
    case .unwritten, .option: break
    }
  }

  /// Adds the value of an option as a field.
  ///
  /// - Parameters:
  ///   - name: The field.
  ///   - option: The option; nil: it is called as the field.
  ///   - value: Nil if the option was not given.
  /// - Throws: `ValidationError` if the verb has no such field.
  package mutating func add(
    _ name: String, option: String? = nil, _ value: DocumentValue?
  ) throws {
    guard let value else { return }
    guard verb.field(name)?.form == .option else {
      throw ValidationError("--\(option ?? name) does not go with \(verb)")
    }
    fields[name] = value
  }

  /// Refuses a request that lacks an argument.
  ///
  /// The sim checks ranges.
  package func check() throws {
    if verb == .seek, (fields["tick"] == nil) == (fields["seconds"] == nil) {
      throw ValidationError("seek needs a tick or --at")
    }
    if verb == .speed, fields["factor"] == nil { throw ValidationError("speed needs a factor") }
  }

  private func readOne(
    _ arguments: [String], _ read: (String) -> DocumentValue?
  ) throws -> DocumentValue? {
    guard let text = arguments.first else { return nil }
    guard arguments.count == 1, let value = read(text) else {
      let text = arguments.joined(separator: " ")
      let isTime = verb == .seek && Double(text) != nil
      let wanted =
        isTime ? "a tick is wanted, from 0; for seconds there is --at" : "one number is wanted"
      throw ValidationError("\(verb) '\(text)': \(wanted)")
    }
    return value
  }

  private static func count(_ text: String) -> DocumentValue? {
    Int64(text).flatMap { $0 >= 0 ? .integer($0) : nil }
  }

  private static func number(_ text: String) -> DocumentValue? {
    Double(text).flatMap { $0.isFinite ? .number($0) : nil }
  }

  /// Reads names of views, each followed by its settings, such as `Mars.panel x=12`.
  private static func views(_ words: [String]) throws -> DocumentTable {
    var views: [String: [String: DocumentValue]] = [:]
    var view: String?
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        view = word
        views[word, default: [:]].merge([:]) { $1 }
        continue
      }
      guard let view else {
        throw ValidationError("set '\(word)': a view's name comes first")
      }
      guard let value = number(String(parts[1])) else {
        let known = ViewProperty.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("set '\(word)': a number is wanted, such as x=12; of \(known)")
      }
      guard views[view]?.updateValue(value, forKey: String(parts[0])) == nil else {
        throw ValidationError("set '\(word)': \(view) has \(parts[0]) twice")
      }
    }
    guard !views.isEmpty, views.allSatisfy({ !$0.value.isEmpty }) else {
      throw ValidationError("set needs a view and what to set of it, such as Mars.panel x=12")
    }
    return DocumentTable(views.mapValues { .table(DocumentTable($0)) })
  }
}
