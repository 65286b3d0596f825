// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrrerySceneBuilder

/// A name with its arguments, matched to one of the signatures that it may be called with.
///
/// Labelled arguments may come in any order.
struct NotationCall {
  /// The call's name, for messages.
  let name: String

  /// Where the name begins, in characters from 1.
  let column: Int

  /// Index of the matching signature among those of the initialiser.
  let signatureIndex: Int

  private let arguments: [String: NotationArgument]

  /// Finds the first signature that the arguments match.
  ///
  /// - Parameters:
  ///   - link: The name, without parentheses or with arguments.
  ///   - signatures: As ``NotationSignature`` reads them.
  /// - Throws: `duplicateLabel`, `unknownLabel`, `wrongArguments`.
  init(_ link: NotationLink, _ signatures: String...) throws(NotationError) {
    try self.init(link, signatures: signatures)
  }

  init(_ link: NotationLink, signatures texts: [String]) throws(NotationError) {
    let signatures = texts.map(NotationSignature.init)
    let given = link.arguments ?? []
    name = link.name
    column = link.column
    var labels: Set<String> = []
    for argument in given {
      guard let label = argument.label else { continue }
      if !labels.insert(label).inserted {
        throw NotationError(column: argument.column, .duplicateLabel(label))
      }
      if !signatures.contains(where: { $0.hasLabel(label) }) {
        let labelled = signatures.flatMap { $0.parameters.filter(\.isLabelled) }
        let known = Set(labelled.map(\.name)).sorted()
        throw NotationError(
          column: argument.column,
          .unknownLabel(
            found: label, call: link.name, nearest: NearestName.find(label, among: known),
            signatures: signatures.map { $0.shown(link.name) }))
      }
    }
    for (index, signature) in signatures.enumerated() {
      guard let matched = signature.match(given) else { continue }
      signatureIndex = index
      arguments = matched
      for argument in given where !argument.shares.isEmpty {
        throw NotationError(
          column: argument.column,
          .unexpected(found: "a percentage", expected: "a value without one"))
      }
      return
    }
    throw NotationError(
      column: link.column,
      .wrongArguments(call: link.name, signatures: signatures.map { $0.shown(link.name) }))
  }

  /// The argument of a parameter, if there is one.
  func node(_ parameter: String) -> NotationNode? { arguments[parameter]?.value }

  /// A number, if there is one.
  func number(_ parameter: String) throws(NotationError) -> Double? {
    guard let node = node(parameter) else { return nil }
    return try node.number(parameter)
  }

  /// A number; `other` if there is none.
  func number(_ parameter: String, else other: Double) throws(NotationError) -> Double {
    try number(parameter) ?? other
  }

  /// A number greater than 0; `other` if there is none.
  func positive(_ parameter: String, else other: Double) throws(NotationError) -> Double {
    guard let node = node(parameter) else { return other }
    let number = try node.number(parameter)
    guard number > 0 else {
      throw NotationError(
        column: node.column,
        .outOfRange(what: parameter, found: SceneNumber.text(number), expected: "more than 0"))
    }
    return number
  }

  /// A whole number in a range.
  func count(_ parameter: String, in range: ClosedRange<Int>) throws(NotationError) -> Int {
    guard let node = node(parameter) else { return range.lowerBound }
    let number = try node.number(parameter)
    guard let count = Int(exactly: number), range.contains(count) else {
      throw NotationError(
        column: node.column,
        .outOfRange(
          what: parameter, found: SceneNumber.text(number),
          expected: "whole numbers \(range.lowerBound)...\(range.upperBound)"))
    }
    return count
  }

  /// `true` or `false`; `other` if there is none.
  func bool(_ parameter: String, else other: Bool) throws(NotationError) -> Bool {
    guard let node = node(parameter) else { return other }
    return try node.word("truth value", [("true", true), ("false", false)])
  }
}

extension NotationNode {
  /// A number; `what` names it in the error.
  func number(_ what: String) throws(NotationError) -> Double {
    if case .number(let number) = content { return number }
    throw NotationError(
      column: column, .unexpected(found: shown, expected: "a number for \(what)"))
  }

  /// A string.
  func string(_ what: String) throws(NotationError) -> String {
    if case .string(let string) = content { return string }
    throw NotationError(
      column: column, .unexpected(found: shown, expected: "a string in \"\" for \(what)"))
  }

  /// The names of a chain, without a leading type name as in `Animation.linear`.
  ///
  /// - Parameters:
  ///   - what: What the chain should be, for the error.
  ///   - types: Names of types, without arguments.
  /// - Returns: At least one name.
  /// - Throws: `unexpected` if this is not a chain.
  func chain(_ what: String, of types: [String]) throws(NotationError) -> [NotationLink] {
    guard case .chain(let links) = content else {
      throw NotationError(column: column, .unexpected(found: shown, expected: what))
    }
    if links.count > 1, let first = links.first, first.arguments == nil,
      types.contains(first.name)
    {
      return Array(links.dropFirst())
    }
    return links
  }

  /// One of several words.
  ///
  /// - Parameters:
  ///   - kind: What the words name, for the error.
  ///   - words: Each with its value.
  ///   - types: Names of types that may stand before the word.
  /// - Returns: The word's value.
  /// - Throws: `unknownName`, `unexpected`.
  func word<Value>(
    _ kind: String, _ words: [(String, Value)], of types: [String] = []
  ) throws(NotationError) -> Value {
    let links = try chain("a \(kind)", of: types)
    if links.count == 1, let link = links.first, link.arguments == nil,
      let value = words.first(where: { $0.0 == link.name })?.1
    {
      return value
    }
    let link = links.first { link in !words.contains { $0.0 == link.name } }
    if let link { throw link.unknown(kind, among: words.map(\.0)) }
    throw NotationError(
      column: column,
      .unexpected(
        found: "more than a name", expected: words.map(\.0).joined(separator: " or ")))
  }

  var isNil: Bool {
    guard case .chain(let links) = content else { return false }
    return links.count == 1 && links.first?.name == "nil" && links.first?.arguments == nil
  }
}

extension NotationLink {
  /// The error for an unknown name.
  func unknown(_ kind: String, among known: [String]) -> NotationError {
    NotationError(
      column: column,
      .unknownName(
        found: name, kind: kind, nearest: NearestName.find(name, among: known), known: known))
  }
}
