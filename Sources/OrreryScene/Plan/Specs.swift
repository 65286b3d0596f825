// SPDX-License-Identifier: Apache-2.0

/// The specs of one batch's entities, by index: listed, made on demand, or runs of both.
///
/// A spec made on demand is a pure function of its index, so any thread may ask for any of them in
/// any order, and a million of them take no memory.
package struct Specs<Spec: Sendable>: Sendable {
  /// Number of entities in the batch.
  package let count: Int

  /// Runs of entities, in order; none is empty.
  private let parts: [Part]

  /// One run of entities, with functions that make one spec or many.
  private struct Part: Sendable {
    let first: Int
    let count: Int
    let make: @Sendable (Int) -> Spec
    let fill: @Sendable (Range<Int>, UnsafeMutablePointer<Spec>) -> Void

    /// The same run, starting at another entity.
    func moved(to first: Int) -> Part {
      Part(first: first, count: count, make: make, fill: fill)
    }
  }

  /// Specs from a list.
  package init(_ listed: [Spec]) {
    self.init(count: listed.count) { listed[$0] }
  }

  /// Specs made on demand.
  ///
  /// - Parameters:
  ///   - count: Number of specs; 0 or more.
  ///   - make: Makes the spec of an entity from its index in `0..<count`; the same one every time.
  package init(count: Int, make: @escaping @Sendable (Int) -> Spec) {
    precondition(count >= 0, "\(count) specs")
    self.count = count
    // A loop here knows the type of its specs; a loop in a batch would look it up for each spec.
    let part = Part(first: 0, count: count, make: make) { entities, specs in
      for entity in entities {
        (specs + (entity - entities.lowerBound)).initialize(to: make(entity))
      }
    }
    parts = count == 0 ? [] : [part]
  }

  /// Several runs of specs, one after the other.
  package init(joining runs: [Specs<Spec>]) {
    var (parts, count) = ([Part](), 0)
    for part in runs.flatMap(\.parts) {
      parts.append(part.moved(to: count))
      count += part.count
    }
    self.count = count
    self.parts = parts
  }

  /// The spec of an entity, by its index in the batch.
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

  /// All specs in order, a run at a time: much faster than one at a time.
  ///
  /// - Parameter length: Specs made at one time, at most; > 0.
  /// - Returns: An iterator over runs. A run begins at every multiple of `length`, and where a part
  ///   from another source begins.
  package func runs(of length: Int) -> SpecRuns<Spec> { SpecRuns(self, length: length) }

  /// Makes the specs of one run, from entity `first` in `part` on.
  ///
  /// - Returns: Number of specs made; 0 after the last entity.
  fileprivate func fill(
    from first: Int, part: inout Int, length: Int, _ specs: UnsafeMutablePointer<Spec>
  ) -> Int {
    if first == count { return 0 }
    if first == parts[part].first + parts[part].count { part += 1 }
    let start = first - parts[part].first
    let range = start..<min(start + length - first % length, parts[part].count)
    parts[part].fill(range, specs)
    return range.count
  }
}

/// Iterates over specs in order, a run at a time, in memory that is reused.
package struct SpecRuns<Spec: Sendable>: ~Copyable {
  private let all: Specs<Spec>
  private let length: Int
  private let specs: UnsafeMutablePointer<Spec>

  /// The entities of the current run, and the index of their part in `all`.
  private var first = 0
  private var count = 0
  private var part = 0

  fileprivate init(_ all: Specs<Spec>, length: Int) {
    self.all = all
    self.length = length
    specs = .allocate(capacity: max(min(length, all.count), 1))
  }

  deinit {
    specs.deinitialize(count: count)
    specs.deallocate()
  }

  /// The next run.
  ///
  /// - Returns: Index of its first entity, and its specs; these are valid until the next call. Nil
  ///   at the end.
  package mutating func next() -> (first: Int, specs: UnsafeBufferPointer<Spec>)? {
    specs.deinitialize(count: count)
    first += count
    count = all.fill(from: first, part: &part, length: length, specs)
    return count == 0 ? nil : (first, UnsafeBufferPointer(start: specs, count: count))
  }
}
