// SPDX-License-Identifier: Apache-2.0

/// The specs of one batch's entities, by index: listed, made on demand, or runs of both.
///
/// A spec made on demand is a pure function of its index, so any thread may ask for any of them in
/// any order, and a million of them take no memory.
package struct Specs<Spec: Sendable>: Sendable {
  /// Number of entities in the batch.
  package let count: Int

  /// Index of the first of them in the scene's batch: not 0 in a shard.
  package let first: Int

  /// Runs of entities, in order; none is empty.
  private let parts: [Part]

  /// One run of entities, with functions that make one spec or many.
  private struct Part: Sendable {
    let first: Int
    let count: Int
    /// The functions' index of the run's first spec.
    var offset = 0
    let make: @Sendable (Int) -> Spec
    let fill: @Sendable (Range<Int>, UnsafeMutablePointer<Spec>) -> Void

    /// The same run, starting at another entity.
    func moved(to first: Int) -> Part {
      Part(first: first, count: count, offset: offset, make: make, fill: fill)
    }

    /// The part of this run in a range of entities; nil if there is none.
    func slice(_ range: Range<Int>) -> Part? {
      let kept = range.clamped(to: first..<first + count)
      guard !kept.isEmpty else { return nil }
      return Part(
        first: kept.lowerBound, count: kept.count, offset: offset + kept.lowerBound - first,
        make: make, fill: fill)
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
    first = 0
    // This loop knows the type of its specs; a loop in a batch would look the type up for each spec.
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
    first = 0
    self.parts = parts
  }

  private init(count: Int, first: Int, parts: [Part]) {
    (self.count, self.first, self.parts) = (count, first, parts)
  }

  /// Some of the specs, which keep their indexes in the scene's batch.
  ///
  /// - Parameter range: Indexes in `0..<count`.
  /// - Returns: Specs that are counted from 0 again.
  package func slice(_ range: Range<Int>) -> Specs<Spec> {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count) specs")
    if range == 0..<count { return self }
    return Specs(
      count: range.count, first: first + range.lowerBound,
      parts: parts.compactMap { $0.slice(range) }.map { $0.moved(to: $0.first - range.lowerBound) })
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
    return parts[low].make(index - parts[low].first + parts[low].offset)
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
    let end = min(start + length - first % length, parts[part].count)
    let offset = parts[part].offset
    parts[part].fill(start + offset..<end + offset, specs)
    return end - start
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
