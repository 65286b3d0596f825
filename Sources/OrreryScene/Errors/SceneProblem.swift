// SPDX-License-Identifier: Apache-2.0

/// One fault of a scene and its location.
package struct SceneProblem: Equatable, Sendable {
  /// Where the fault is.
  package let location: Location

  /// The key, in the spelling of its location.
  package let key: String

  /// What is wrong.
  package let fault: SceneFault

  package init(location: Location, key: String, fault: SceneFault) {
    (self.location, self.key, self.fault) = (location, key, fault)
  }

  /// Whether the scene may be right but this machine lacks a font or a file.
  var isOfMachine: Bool {
    if case .unavailable = fault { return true }
    return false
  }

  /// Where a value was written.
  package enum Location: Equatable, Sendable {
    /// In a file: line and column from 1, the column in characters (Unicode scalars).
    case file(String, line: Int, column: Int)
    /// In Swift: the key is the whole path to the value.
    case built
    /// On the command line: the key is the option.
    case option
  }
}

extension SceneProblem: CustomStringConvertible {
  /// `flags.toml:12:9: speed: -3 is out of range 0...100000 points per second`.
  package var description: String {
    let tail = key.isEmpty ? "\(fault)" : "\(key): \(fault)"
    switch location {
    case .file(let file, let line, let column): return "\(file):\(line):\(column): \(tail)"
    case .built, .option: return tail
    }
  }
}
