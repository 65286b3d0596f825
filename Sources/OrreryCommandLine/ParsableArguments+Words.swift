// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

extension ParsableArguments {
  /// The words that give another program these arguments.
  ///
  /// An argument that is as it is by default is left out. Each option must have the name of its property.
  package var words: [String] {
    let usual = (try? Self.parse([])).map(Self.parts) ?? []
    return Self.parts(self).enumerated().flatMap { index, words in
      usual.indices.contains(index) && usual[index] == words ? [] : words
    }
  }

  /// The words of each option, argument and group, in the order of their declarations.
  private static func parts(_ arguments: Self) -> [[String]] {
    Mirror(reflecting: arguments).children.map { label, value in
      (value as? any PassedOn)?.words(Self.option(label ?? "")) ?? []
    }
  }

  /// The option of a property wrapper: `--stall-limit` for `_stallLimit`.
  private static func option(_ label: String) -> String {
    label.dropFirst().reduce(into: "--") { name, letter in
      name += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
    }
  }
}

/// A property wrapper whose value can be written as words again.
private protocol PassedOn {
  func words(_ option: String) -> [String]
}

extension Option: PassedOn {
  fileprivate func words(_ option: String) -> [String] {
    texts(wrappedValue).flatMap { [option, $0] }
  }
}

extension Argument: PassedOn {
  fileprivate func words(_ option: String) -> [String] { texts(wrappedValue) }
}

extension Flag: PassedOn {
  fileprivate func words(_ option: String) -> [String] {
    wrappedValue as? Bool == true ? [option] : []
  }
}

extension OptionGroup: PassedOn {
  fileprivate func words(_ option: String) -> [String] { wrappedValue.words }
}

/// A value as it is typed; none for nil, and one for each element of an array.
private func texts(_ value: Any) -> [String] {
  let mirror = Mirror(reflecting: value)
  switch mirror.displayStyle {
  case .optional, .collection: return mirror.children.flatMap { texts($0.value) }
  default: return [(value as? any RawRepresentable).map { "\($0.rawValue)" } ?? "\(value)"]
  }
}
