// SPDX-License-Identifier: Apache-2.0

/// The specs of one batch's entities, by number: listed one by one, made on demand, or both in
/// turn.
///
/// A generated spec is a pure function of its number, so any thread may ask for any of them in any
/// order, and a million of them take no memory.
package struct Specs<Spec: Sendable>: Sendable {
  /// Entities in the batch.
  package let count: Int

  /// Runs of entities, in order; none is empty.
  private let parts: [Part]

  /// One run of entities and how to get the spec of each.
  private struct Part: Sendable {
    let first: Int
    let count: Int
    let make: @Sendable (Int) -> Spec
  }

  /// Specs written out one by one.
  package init(_ listed: [Spec]) {
    self.init(count: listed.count) { listed[$0] }
  }

  /// Specs that are made when asked for.
  ///
  /// - Parameters:
  ///   - count: How many there are; 0 or more.
  ///   - make: Gives the spec of an entity from its number in `0..<count`; the same one every time.
  package init(count: Int, make: @escaping @Sendable (Int) -> Spec) {
    precondition(count >= 0, "\(count) specs")
    self.count = count
    parts = count == 0 ? [] : [Part(first: 0, count: count, make: make)]
  }

  /// Several runs of specs, one after the other.
  package init(joining runs: [Specs<Spec>]) {
    var (parts, count) = ([Part](), 0)
    for part in runs.flatMap(\.parts) {
      parts.append(Part(first: count, count: part.count, make: part.make))
      count += part.count
    }
    self.count = count
    self.parts = parts
  }

  /// The spec of the entity with this number in the batch.
  ///
  /// - Complexity: O(log n) in the number of runs.
  package subscript(index: Int) -> Spec {
    precondition(index >= 0 && index < count, "spec \(index) of \(count)")
    var (low, high) = (0, parts.count - 1)
    while low < high {
      let middle = (low + high + 1) / 2
      if parts[middle].first <= index { low = middle } else { high = middle - 1 }
    }
    return parts[low].make(index - parts[low].first)
  }
}
