// SPDX-License-Identifier: Apache-2.0

/// Finds the locations of a scene's values: in a file, or in Swift.
package struct SceneLocations: Sendable {
  /// The file; nil for a scene that was built in Swift.
  private let source: Source?

  private struct Source: Sendable {
    let file: String
    let text: String
  }

  /// The folder of the file; nil is the current one.
  var folder: String? {
    guard let slash = source?.file.lastIndex(of: "/") else { return nil }
    return source.map { String($0.file[...slash]) }
  }

  /// A scene that was built in Swift.
  package static let built = SceneLocations(source: nil)

  /// A scene that was read from valid TOML.
  ///
  /// - Parameters:
  ///   - file: The file's name, for messages.
  ///   - text: The file's text.
  package init(file: String, text: String) {
    source = Source(file: file, text: text)
  }

  private init(source: Source?) {
    self.source = source
  }

  /// The error for all these faults, in the order of the file.
  ///
  /// The text is searched now, not when it is read: only an error needs locations.
  package func error(_ faults: FaultList) -> SceneError {
    var problems: [SceneProblem]
    if let source {
      problems = Self.locate(faults.entries, in: source)
    } else {
      problems = faults.entries.map {
        SceneProblem(location: .built, key: $0.path.swiftPath, fault: $0.fault)
      }
    }
    problems = Array(problems.prefix(SceneError.problemsMax))
    return .invalid(problems, total: faults.total)
  }

  private static func locate(_ entries: [FaultList.Entry], in source: Source) -> [SceneProblem] {
    let bytes = Array(source.text.utf8)
    let wanted = entries.flatMap { entry in spellings(of: entry.path).flatMap(\.prefixes) }
    var scanner = TOMLScanner(bytes, wanted: Set(wanted))
    // The TOML parser has accepted this text, so the scanner refuses nothing.
    try? scanner.scan()
    let located = entries.map { entry in
      let (path, offset) = find(entry, with: scanner)
      return (offset: offset, path: path, fault: entry.fault)
    }
    // `sorted` keeps the order of equal elements.
    return located.sorted { $0.offset < $1.offset }.prefix(SceneError.problemsMax).map {
      let position = TextPosition(ofByte: $0.offset, in: bytes)
      let location = SceneProblem.Location.file(
        source.file, line: position.line, column: position.column)
      return SceneProblem(location: location, key: $0.path.lastKey, fault: $0.fault)
    }
  }

  /// The offset of a value, of its key if the key itself is wrong, or else of the innermost table
  /// or array around it.
  private static func find(
    _ entry: FaultList.Entry, with scanner: TOMLScanner
  ) -> (path: ScenePath, offset: Int) {
    let path =
      spellings(of: entry.path).first { scanner.valueOffsets[$0] != nil } ?? entry.path
    if isAboutKey(entry), let offset = scanner.keyOffsets[path] { return (path, offset) }
    if let offset = scanner.valueOffsets[path] { return (path, offset) }
    for around in path.prefixes {
      if let offset = scanner.keyOffsets[around] ?? scanner.valueOffsets[around] {
        return (path, offset)
      }
    }
    return (path, 0)
  }

  /// Whether the key is wrong and not its value; view names are keys in a command's `set` table.
  private static func isAboutKey(_ entry: FaultList.Entry) -> Bool {
    switch entry.fault {
    case .unknownKey: true
    case .unknownName, .onlyToggled:
      entry.path.elements.count == 4 && entry.path.elements[2] == .key("set")
    default: false
    }
  }

  /// All paths under which a file may have a value.
  ///
  /// A row's currencies may be written as cells, a view's only element in an `elements` list, and a
  /// spring by other parameters.
  private static func spellings(of path: ScenePath) -> [ScenePath] {
    if path.elements.count > 2, case .key(let key) = path.elements[2],
      SceneDecoder.elementKeys.contains(key)
    {
      let (head, tail) = (path.elements[..<2], path.elements[2...])
      return [path, ScenePath(head + [.key("elements"), .index(0)] + tail)]
    }
    if path.elements.contains(.key("spring")) {
      let others = [("response", "duration"), ("damping-ratio", "bounce")]
      return others.reduce(into: [path]) { paths, names in
        let other = path.elements.map { $0 == .key(names.0) ? .key(names.1) : $0 }
        if other != path.elements { paths.append(ScenePath(other)) }
      }
    }
    guard let index = path.elements.firstIndex(of: .key("currencies")) else { return [path] }
    var cells = path
    cells.elements[index] = .key("cells")
    if path.elements.count > index + 1 { cells = cells.key("currency") }
    return [path, cells]
  }
}
