// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

/// Finds the locations of a scene's values: in a file, or in Swift.
package struct SceneLocations: Sendable {
  /// The file; nil for a scene that was built in Swift.
  private let source: Source?

  private struct Source: Sendable {
    let file: String
    let text: String

    var format: SceneFormat { SceneFormat(of: text, file: file) }
  }

  /// The folder of the file; nil is the current one.
  var folder: String? {
    guard let slash = source?.file.lastIndex(of: "/") else { return nil }
    return source.map { String($0.file[...slash]) }
  }

  /// A scene that was built in Swift.
  package static let built = SceneLocations(source: nil)

  /// A scene that was read from valid TOML or JSON.
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
  /// The text is parsed again, not kept as a document: only an error needs locations.
  package func error(_ faults: FaultList) -> SceneError {
    guard let source else {
      let problems = faults.entries.map {
        SceneProblem(location: .built, key: $0.path.swiftPath, fault: $0.fault)
      }
      return .invalid(problems, total: faults.total)
    }
    let problems = Self.locate(faults.entries, in: source)
    // Faults of further copies are one thing to mend, however many there are.
    let hasCopies = problems.count < faults.entries.count
    return .invalid(problems, total: hasCopies ? problems.count : faults.total)
  }

  private static func locate(_ entries: [FaultList.Entry], in source: Source) -> [SceneProblem] {
    // The text was parsed before, so this fails for no text.
    let parsed = (try? source.format.parse(source.text)) ?? DocumentTable()
    let document = SceneRepeats.writtenOut(parsed, faults: FaultList())
    // The first entry with a fault at each offset: only copies of an entry share one.
    var owners: [Int: ArraySlice<DocumentPath.Element>] = [:]
    let located = entries.compactMap {
      entry -> (offset: Int, path: DocumentPath, fault: SceneFault)? in
      // Only the file itself has the keys of a `repeat`.
      let isRepeat = entry.path.elements.dropFirst(2).first == .key(SceneRepeats.key)
      let (path, offset) = find(entry, in: isRepeat ? parsed : document)
      let owner = entry.path.elements.prefix(2)
      if owner.count == 2 {
        guard owners[offset, default: owner] == owner else { return nil }
        owners[offset] = owner
      }
      return (offset, path, entry.fault)
    }
    var positions = TextPositionFinder(Array(source.text.utf8))
    // `sorted` keeps the order of equal elements.
    return located.sorted { $0.offset < $1.offset }.map {
      let position = positions.position(ofByte: $0.offset)
      let location = SceneProblem.Location.file(
        source.file, line: position.line, column: position.column)
      return SceneProblem(location: location, key: $0.path.lastKey, fault: $0.fault)
    }
  }

  /// The offset of a value, or of its key if the key itself is wrong; if there is neither, that of the
  /// innermost table or array around it.
  private static func find(
    _ entry: FaultList.Entry, in document: DocumentTable
  ) -> (path: DocumentPath, offset: Int) {
    for path in spellings(of: entry.path) {
      guard let offsets = document.offsets(at: path) else { continue }
      return (path, isAboutKey(entry) ? offsets.key : offsets.value)
    }
    let around = entry.path.prefixes.lazy.compactMap(document.offsets(at:)).first
    return (entry.path, around?.key ?? 0)
  }

  /// Whether the key is wrong, not its value; names of views are keys in a command's `set` table.
  private static func isAboutKey(_ entry: FaultList.Entry) -> Bool {
    switch entry.fault {
    case .unknownKey, .foreignKey: true
    case .unknownName, .onlyToggled:
      entry.path.elements.count == 4 && entry.path.elements[2] == .key("set")
    default: false
    }
  }

  /// All paths under which a file may have a value.
  ///
  /// A row's currencies may be written as cells, a view's only element in an `elements` list, and a
  /// spring by other parameters.
  private static func spellings(of path: DocumentPath) -> [DocumentPath] {
    if path.elements.count > 2, case .key(let key) = path.elements[2],
      SceneDecoder.elementKeys.contains(key)
    {
      let (head, tail) = (path.elements[..<2], path.elements[2...])
      return [path, DocumentPath(head + [.key("elements"), .index(0)] + tail)]
    }
    if path.elements.contains(.key("spring")) {
      let others = [("response", "duration"), ("damping-ratio", "bounce")]
      return others.reduce(into: [path]) { paths, names in
        let other = path.elements.map { $0 == .key(names.0) ? .key(names.1) : $0 }
        if other != path.elements { paths.append(DocumentPath(other)) }
      }
    }
    guard let index = path.elements.firstIndex(of: .key("currencies")) else { return [path] }
    var cells = path
    cells.elements[index] = .key("cells")
    if path.elements.count > index + 1 { cells = cells.key("currency") }
    return [path, cells]
  }
}
