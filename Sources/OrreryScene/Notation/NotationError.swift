// SPDX-License-Identifier: Apache-2.0

/// Why a text is not a valid expression, and where.
package struct NotationError: Error, Equatable, Sendable {
  /// Where the fault is, in characters (Unicode scalars) from 1.
  package let column: Int

  /// What is wrong.
  package let fault: NotationFault

  package init(column: Int, _ fault: NotationFault) {
    self.column = column
    self.fault = fault
  }
}

/// What can be wrong with an expression.
package enum NotationFault: Equatable, Sendable {
  /// More bytes of UTF-8 than the limit.
  case tooLong(bytes: Int, limit: Int)
  /// Parentheses and brackets nest deeper than the limit.
  case tooDeep(limit: Int)
  /// More names in one chain, `a.b.c`, than the limit.
  case tooManyLinks(limit: Int)
  /// Something that may not stand here.
  case unexpected(found: String, expected: String)
  /// An unknown name, and the known name nearest to it.
  case unknownName(found: String, kind: String, nearest: String?, known: [String])
  /// A label that no signature of the call has.
  case unknownLabel(found: String, call: String, nearest: String?, signatures: [String])
  /// A label used twice.
  case duplicateLabel(String)
  /// Arguments that do not belong together, are too many or too few.
  case wrongArguments(call: String, signatures: [String])
  /// A number, or a list, outside its range.
  case outOfRange(what: String, found: String, expected: String)
}

extension NotationError: CustomStringConvertible {
  /// The column, and what is wrong: `column 3: easIn is not a known curve; …`.
  package var description: String { "column \(column): \(fault)" }
}

extension NotationFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .tooLong(let bytes, let limit): "\(bytes) bytes of UTF-8, more than \(limit)"
    case .tooDeep(let limit): "nests deeper than \(limit) levels"
    case .tooManyLinks(let limit): "more than \(limit) names follow each other with a point"
    case .unexpected(let found, let expected): "found \(found), expected \(expected)"
    case .unknownName(let found, let kind, let nearest, let known):
      "\(found) is not a known \(kind); "
        + (nearest.map { "did you mean \($0)? " } ?? "")
        + "known: \(known.joined(separator: ", "))"
    case .unknownLabel(let found, let call, let nearest, let signatures):
      "\(call) has no argument \(found)\(nearest.map { "; did you mean \($0)?" } ?? ";")"
        + " allowed: \(signatures.joined(separator: ", or "))"
    case .duplicateLabel(let label): "the argument \(label) stands twice"
    case .wrongArguments(let call, let signatures):
      "\(call) does not take these arguments; allowed: \(signatures.joined(separator: ", or "))"
    case .outOfRange(let what, let found, let expected):
      "\(what) \(found) is out of range; allowed: \(expected)"
    }
  }
}
