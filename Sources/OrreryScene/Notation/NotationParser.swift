// SPDX-License-Identifier: Apache-2.0

/// Parses a text as an expression.
///
///     node     = number | string | list | chain
///     list     = "[" [ node { "," node } ] "]"
///     chain    = [ "." ] link { "." link }
///     link     = name [ "(" [ argument { "," argument } ] ")" ]
///     argument = [ name ":" ] node { number "%" } | number "%" { number "%" } node
struct NotationParser {
  /// Bytes of UTF-8 that an expression may have.
  static let bytesMax = 16_384

  /// Levels of nested parentheses and brackets.
  static let depthMax = 64

  /// Names in one chain; an animation or a transition nests one level for each modifier.
  static let linksMax = 64

  private var scanner: NotationScanner
  private var token = NotationToken.end
  private var column = 1
  private var depth = 0

  /// Reads a whole text.
  static func parse(_ text: String) throws(NotationError) -> NotationNode {
    let bytes = text.utf8.count
    guard bytes <= bytesMax else {
      throw NotationError(column: 1, .tooLong(bytes: bytes, limit: bytesMax))
    }
    var parser = NotationParser(scanner: NotationScanner(text))
    try parser.advance()
    let node = try parser.node()
    guard parser.token == .end else { throw parser.unexpected("the end") }
    return node
  }

  private init(scanner: NotationScanner) { self.scanner = scanner }

  private mutating func advance() throws(NotationError) {
    (token, column) = try scanner.next()
  }

  private func unexpected(_ expected: String) -> NotationError {
    NotationError(column: column, .unexpected(found: token.shown, expected: expected))
  }

  /// Enters the parenthesis or bracket that is the current token.
  private mutating func enter() throws(NotationError) {
    depth += 1
    guard depth <= Self.depthMax else {
      throw NotationError(column: column, .tooDeep(limit: Self.depthMax))
    }
    try advance()
  }

  private mutating func node() throws(NotationError) -> NotationNode {
    let start = column
    switch token {
    case .number(let number):
      try advance()
      return NotationNode(column: start, content: .number(number))
    case .string(let string):
      try advance()
      return NotationNode(column: start, content: .string(string))
    case .mark("["): return NotationNode(column: start, content: .list(try list()))
    case .mark("."):
      try advance()
      return NotationNode(column: start, content: .chain(try chain()))
    case .name: return NotationNode(column: start, content: .chain(try chain()))
    default: throw unexpected("a name, a number, a string or \"[\"")
    }
  }

  private mutating func list() throws(NotationError) -> [NotationNode] {
    try enter()
    defer { depth -= 1 }
    var nodes: [NotationNode] = []
    while token != .mark("]") {
      if !nodes.isEmpty { try skip(",", expected: "\",\" or \"]\"") }
      nodes.append(try node())
    }
    try advance()
    return nodes
  }

  private mutating func chain() throws(NotationError) -> [NotationLink] {
    var links = [try link()]
    while token == .mark(".") {
      guard links.count < Self.linksMax else {
        throw NotationError(column: column, .tooManyLinks(limit: Self.linksMax))
      }
      try advance()
      links.append(try link())
    }
    return links
  }

  private mutating func link() throws(NotationError) -> NotationLink {
    let start = column
    guard case .name(let name) = token else { throw unexpected("a name") }
    try advance()
    guard token == .mark("(") else {
      return NotationLink(name: name, column: start, arguments: nil)
    }
    try enter()
    defer { depth -= 1 }
    var arguments: [NotationArgument] = []
    while token != .mark(")") {
      if !arguments.isEmpty { try skip(",", expected: "\",\" or \")\"") }
      arguments.append(try argument())
    }
    try advance()
    return NotationLink(name: name, column: start, arguments: arguments)
  }

  private mutating func argument() throws(NotationError) -> NotationArgument {
    let start = column
    var shares = try shares()
    var value = try node()
    var label: String?
    if token == .mark(":"), shares.isEmpty, case .chain(let links) = value.content,
      links.count == 1, let link = links.first, link.arguments == nil
    {
      label = link.name
      try advance()
      value = try node()
    }
    shares += try self.shares()
    return NotationArgument(label: label, column: start, value: value, shares: shares)
  }

  private mutating func shares() throws(NotationError) -> [Double] {
    var shares: [Double] = []
    while case .share(let share) = token {
      shares.append(share)
      try advance()
    }
    return shares
  }

  private mutating func skip(_ mark: Unicode.Scalar, expected: String) throws(NotationError) {
    guard token == .mark(mark) else { throw unexpected(expected) }
    try advance()
  }
}
