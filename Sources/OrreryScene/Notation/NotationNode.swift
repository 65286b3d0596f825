// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

/// A part of an expression as written: parsed, but not yet interpreted.
struct NotationNode: Sendable {
  /// Where it begins, in characters from 1.
  let column: Int

  let content: Content

  indirect enum Content: Sendable {
    case number(Double)
    case string(String)
    case list([NotationNode])
    /// Names joined by dots; at least one.
    case chain([NotationLink])
  }

  /// What the node is, for a message.
  var shown: String {
    switch content {
    case .number(let number): SceneNumber.text(number)
    case .string: "a string"
    case .list: "a list"
    case .chain(let links): links.first?.name ?? "nothing"
    }
  }
}

/// One name of a chain, with its arguments.
struct NotationLink: Sendable {
  let name: String

  /// Where the name begins, in characters from 1.
  let column: Int

  /// Nil without parentheses; empty parentheses give an empty array.
  let arguments: [NotationArgument]?
}

/// One argument of a call.
struct NotationArgument: Sendable {
  let label: String?

  /// Where it begins, in characters from 1.
  let column: Int

  let value: NotationNode

  /// Numbers with a percent sign after the value, as shares of 1: `0.5 20% 40%`.
  let shares: [Double]
}
