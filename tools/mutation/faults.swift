// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A place in a source file and what a slip could make of it.
///
/// `after` is Swift that does what `before` did unless the fault is switched on; it says `FAULT` where the
/// switch stands.
struct Fault: Encodable {
  let file: String
  /// In bytes of the file.
  let start: Int
  let end: Int
  let line: Int
  let kind: String
  /// What changes into what, for people.
  let change: String
  let after: String
}

/// Finds the faults of one file.
final class FaultFinder: SyntaxVisitor {
  private(set) var faults: [Fault] = []
  private let file: String
  private let converter: SourceLocationConverter

  init(file: String, tree: Syntax) {
    self.file = file
    converter = SourceLocationConverter(fileName: file, tree: tree)
    super.init(viewMode: .sourceAccurate)
  }

  private func add(
    _ node: some SyntaxProtocol, through last: (any SyntaxProtocol)? = nil, _ kind: String,
    _ change: String, _ after: String
  ) {
    let start = node.positionAfterSkippingLeadingTrivia
    let end = (last ?? node).endPositionBeforeTrailingTrivia
    let words = change.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    faults.append(
      Fault(
        file: file, start: start.utf8Offset, end: end.utf8Offset,
        line: converter.location(for: start).line, kind: kind, change: words, after: after))
  }

  // MARK: - Where nothing is changed

  override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ExpressionPatternSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  /// Raw values have to be literals.
  override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  /// Types have no values.
  override func visit(_ node: TypeAnnotationSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  /// A loop over a literal is unrolled; with a switch in the literal the optimiser has been seen not to end.
  override func visit(_ node: ForStmtSyntax) -> SyntaxVisitorContinueKind {
    guard node.sequence.trimmedDescription.contains("[") else { return .visitChildren }
    if let condition = node.whereClause { walk(condition) }
    walk(node.body)
    return .skipChildren
  }

  // MARK: - Operators

  private static let comparisons = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", ".<": ".<=", ".<=": ".<",
    ".>": ".>=", ".>=": ".>", ".==": ".!=", ".!=": ".==", "===": "!==", "!==": "===",
  ]
  private static let others = [
    "&&": "||", "||": "&&", "+": "-", "-": "+", "&+": "&-", "&-": "&+", "*": "+", "&*": "&+",
    "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&<<": "&>>", "&>>": "&<<", "&": "|", "|": "&",
  ]

  override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
    guard let sign = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
      return .visitChildren
    }
    let (left, right) = (node.leftOperand.trimmedDescription, node.rightOperand.trimmedDescription)
    let change = { (to: String) in "\(left) \(sign) \(right)  →  \(left) \(to) \(right)" }
    if let other = Self.comparisons[sign] {
      add(
        node, "comparison", change(other),
        "(FAULT ? (\(left) \(other) \(right)) : (\(left) \(sign) \(right)))")
    } else if let other = Self.others[sign] {
      let kind = ["&&", "||"].contains(sign) ? "condition" : "operator"
      add(
        node, kind, change(other),
        "(FAULT ? (\(left) \(other) \(right)) : (\(left) \(sign) \(right)))")
    } else if sign == "..<" || sign == "..." {
      add(
        node.rightOperand, "off by one", "\(left)\(sign)\(right)  →  \(left)\(sign)\(right) - 1",
        "(FAULT ? (\(right)) - 1 : (\(right)))")
    }
    return .visitChildren
  }

  // MARK: - Conditions

  private func negate(_ condition: ExprSyntax) {
    if let infix = condition.as(InfixOperatorExprSyntax.self),
      let sign = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text,
      Self.comparisons[sign] != nil
    {
      return
    }
    let text = condition.trimmedDescription
    add(condition, "negated", "\(text)  →  !(\(text))", "((\(text)) != FAULT)")
  }

  override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
    if case .expression(let condition) = node.condition { negate(condition) }
    return .visitChildren
  }

  override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
    negate(node.condition)
    return .visitChildren
  }

  // MARK: - Constants

  override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.literal.text.replacingOccurrences(of: "_", with: "")
    let radix = ["0x": 16, "0b": 2, "0o": 8][text.prefix(2)] ?? 10
    guard let value = UInt64(radix == 10 ? text[...] : text.dropFirst(2), radix: radix) else {
      return .skipChildren
    }
    // One way or the other, by where it stands.
    let isLess = value > 0 && (node.position.utf8Offset % 2 == 0 || value == .max)
    let other = isLess ? value - 1 : value + 1
    add(
      node, "constant", "\(node.literal.text)  →  \(other)",
      "(FAULT ? \(other) : \(node.literal.text))")
    return .skipChildren
  }

  override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let text = node.literal.text
    guard let value = Double(text.replacingOccurrences(of: "_", with: "")) else {
      return .skipChildren
    }
    let other = value == 0 ? 1 : value * 2
    guard other.isFinite else { return .skipChildren }
    add(node, "constant", "\(text)  →  \(other)", "(FAULT ? \(other) : \(text))")
    return .skipChildren
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
    let isTrue = node.literal.text == "true"
    add(
      node, "constant", isTrue ? "true  →  false" : "false  →  true",
      isTrue ? "(!FAULT)" : "(FAULT)")
    return .skipChildren
  }

  // MARK: - Statements and arguments

  private static let neverDropped: Set = [
    "preconditionFailure", "fatalError", "assert", "assertionFailure", "super.init", "self.init",
  ]

  override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
    guard case .expr(let expression) = node.item else { return .visitChildren }
    var inner = expression
    while true {
      if let tried = inner.as(TryExprSyntax.self) {
        inner = tried.expression
      } else if let awaited = inner.as(AwaitExprSyntax.self) {
        inner = awaited.expression
      } else {
        break
      }
    }
    let text = expression.trimmedDescription
    let siblings = node.parent?.as(CodeBlockItemListSyntax.self)?.count ?? 1
    var isStatement = false
    if let call = inner.as(FunctionCallExprSyntax.self) {
      let name = call.calledExpression.trimmedDescription
      // A lone call may be what its function returns.
      isStatement = siblings > 1 && !Self.neverDropped.contains(name)
    } else if let infix = inner.as(InfixOperatorExprSyntax.self) {
      let sign = infix.operator.trimmedDescription
      isStatement = sign.hasSuffix("=") && Self.comparisons[sign] == nil
    }
    if isStatement {
      add(expression, "dropped", "\(text)  →  (nothing)", "if !FAULT { \(text) }")
    }
    return .visitChildren
  }

  private static func isPlain(_ expression: ExprSyntax) -> Bool {
    !expression.is(ClosureExprSyntax.self) && !expression.is(InOutExprSyntax.self)
      && !expression.is(DiscardAssignmentExprSyntax.self)
      && expression.trimmedDescription.count < 60
  }

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let name = node.calledExpression.trimmedDescription
    if ["preconditionFailure", "fatalError", "assert", "assertionFailure"].contains(name) {
      return .skipChildren
    }
    if name == "precondition" {
      // What it says when it fails is for people only.
      if let first = node.arguments.first { walk(first.expression) }
      return .skipChildren
    }
    let arguments = Array(node.arguments)
    if let other = [
      "min": "max", "max": "min", "Swift.min": "Swift.max", "Swift.max": "Swift.min",
    ][name],
      arguments.count == 2
    {
      let words = node.arguments.trimmedDescription
      add(
        node, "operator", "\(name)(\(words))  →  \(other)(\(words))",
        "(FAULT ? \(other)(\(words)) : \(name)(\(words)))")
      return .visitChildren
    }
    for (first, second) in zip(arguments, arguments.dropFirst())
    where Self.isPlain(first.expression) && Self.isPlain(second.expression) {
      let (x, y) = (first.expression.trimmedDescription, second.expression.trimmedDescription)
      if x == y { continue }
      let label = second.label.map { "\($0.text): " } ?? ""
      add(
        first.expression, through: second.expression, "swapped",
        "\(name)(…\(x), \(y)…)  →  \(name)(…\(y), \(x)…)",
        "(FAULT ? (\(y)) : (\(x))), \(label)(FAULT ? (\(x)) : (\(y)))")
    }
    return .visitChildren
  }
}

var all: [Fault] = []
for path in CommandLine.arguments.dropFirst() {
  let source = try String(contentsOfFile: path, encoding: .utf8)
  let tree = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
  let finder = FaultFinder(file: path, tree: tree)
  finder.walk(tree)
  all += finder.faults
}
print(String(decoding: try JSONEncoder().encode(all), as: UTF8.self))
