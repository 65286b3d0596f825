// SPDX-License-Identifier: Apache-2.0

import OrreryBase

/// The entities that `--entity` of `orrery sample`, `logger` and others is asked for, as `0, 3-7 Mars.header Mars`.
///
/// Commas and spaces separate numbers, ranges of numbers and names. A name may have spaces itself:
/// the most words that are a name are taken as one, and a whole argument that is a name is that
/// name, whatever is in it. Digits are always a number.
package struct EntityList {
  /// What was asked for, in that order; ranges may overlap.
  private var asked: [Range<Int>] = []

  private let names: EntityNames
  private let option: String
  private let entityCount: Int

  /// Reads the values of `--entity`.
  ///
  /// - Parameters:
  ///   - arguments: The values, as the shell separated them; none means all entities.
  ///   - names: The scene's names.
  ///   - entityCount: Number of the scene's entities.
  ///   - option: What the user wrote before them, for messages.
  /// - Throws: `Failure`: a name or a number that the scene does not have, or a range that ends
  ///   before it begins.
  package init(
    _ arguments: [String], names: EntityNames, entityCount: Int, option: String = "--entity"
  ) throws(Failure) {
    (self.names, self.entityCount, self.option) = (names, entityCount, option)
    guard !arguments.isEmpty else {
      asked = [0..<entityCount]
      return
    }
    for argument in arguments { try add(argument: argument) }
    if asked.isEmpty {
      throw failure(arguments.joined(separator: " "), "it names no entity")
    }
  }

  /// Numbers of the entities, in the order in which they were first asked for; each once.
  ///
  /// - Complexity: O(n) in their count.
  package var numbers: [Int] {
    if asked.count == 1 { return Array(asked[0]) }
    var seen: Set<Int> = []
    return asked.joined().filter { seen.insert($0).inserted }
  }

  /// The entities as ranges that neither touch nor overlap, by rising numbers.
  ///
  /// - Complexity: O(n log n) in the count of ranges that were asked for.
  package var ranges: [Range<Int>] {
    var merged: [Range<Int>] = []
    for range in asked.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = merged.last, range.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    return merged
  }

  private mutating func add(argument: String) throws(Failure) {
    if let range = try numbers(argument) { return add(range) }
    if addName(argument) { return }
    for part in argument.split(separator: ",") {
      let words = part.split(separator: " ").map(String.init)
      var next = 0
      while next < words.count { next += try add(wordsOf: words[next...]) }
    }
  }

  /// Adds the entity or the entities that the first words stand for.
  ///
  /// - Parameter words: At least one word.
  /// - Returns: Count of the words that were used.
  /// - Throws: `Failure`: no entity is called like the first word, or the number is out of range.
  private mutating func add(wordsOf words: ArraySlice<String>) throws(Failure) -> Int {
    var count = min(words.count, max(names.wordsMax, 1))
    while count > 1 {
      if addName(words.prefix(count).joined(separator: " ")) { return count }
      count -= 1
    }
    let word = words[words.startIndex]
    if let range = try numbers(word) {
      add(range)
      return 1
    }
    if addName(word) { return 1 }
    let written = words.joined(separator: " ")
    if let nearest = names.nearest(to: written) {
      throw failure(written, "the scene has no such entity; did you mean \(nearest)?")
    }
    let nearest = names.nearest(to: word).map { "; did you mean \($0)?" } ?? ""
    let hint = names.isEmpty ? ", and none with a name; 0 is the first one" : nearest
    throw failure(word, "the scene has no such entity\(hint)")
  }

  /// Adds the entities with a name.
  ///
  /// - Returns: Whether there are any.
  private mutating func addName(_ name: String) -> Bool {
    let found = names.entities(named: name)
    for range in found { add(range) }
    return !found.isEmpty
  }

  private mutating func add(_ range: Range<Int>) {
    asked.append(range)
  }

  /// Reads `3` or `3-7`.
  ///
  /// - Returns: Nil if the word is neither.
  /// - Throws: `Failure`: no such numbers.
  private func numbers(_ word: String) throws(Failure) -> Range<Int>? {
    let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard ends.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
      return nil
    }
    // A number too long for an Int is out of range, too.
    let bounds = ends.map { Int($0) ?? .max }
    guard let first = bounds.first, let last = bounds.last else { return nil }
    guard first <= last else {
      throw failure(word, "the range ends before it begins")
    }
    guard last < entityCount else {
      let known = entityCount == 0 ? "no entities" : "entities 0 to \(entityCount - 1)"
      throw failure(word, "the scene has \(known)")
    }
    return first..<last + 1
  }

  private func failure(_ written: String, _ reason: String) -> Failure {
    Failure(.usage, "\(option) \(written): \(reason)")
  }
}
