// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import OrrerySim

/// Whole numbers separated by commas.
package struct NumberList: ExpressibleByArgument {
  /// The numbers in their order.
  package let numbers: [Int]

  /// As typed on the command line.
  package var defaultValueDescription: String { numbers.map(String.init).joined(separator: ",") }

  /// Reads a word of the command line; nil if a part is not a number above 0.
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    guard !parts.isEmpty, parts.allSatisfy({ $0.map { $0 > 0 } ?? false }) else { return nil }
    numbers = parts.compactMap { $0 }
  }

  /// Creates a list of these numbers.
  package init(_ numbers: [Int]) { self.numbers = numbers }
}

/// Words of one vocabulary, separated by commas.
package struct WordList<Word>: ExpressibleByArgument, Sendable
where Word: RawRepresentable & Sendable, Word.RawValue == String {
  /// The words in their order.
  package let all: [Word]

  /// Reads a word of the command line; nil if a part is not in the vocabulary.
  package init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    all = parts.compactMap { Word(rawValue: String($0)) }
    guard !all.isEmpty, all.count == parts.count else { return nil }
  }

  /// Creates a list of these words.
  package init(_ all: [Word]) { self.all = all }

  /// As typed on the command line.
  package var defaultValueDescription: String { all.map(\.rawValue).joined(separator: ",") }
}
