// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages

/// Compares two traces tick by tick: the first difference, and how much differs by kind and column.
///
/// Frames of equal tick are compared. A frame that one of the traces does not have is no difference: it is counted. A run
/// that was sent back has several frames of a tick: the first is compared with the other trace's first, the second with
/// its second, or with its last. Values are compared bit by bit, or with a tolerance; two traces of which one is a digest
/// by their hashes, and with a tolerance by the values that the digest's world computes.
package struct RunDifference {
  /// Where two runs first differ.
  package struct First: Codable, Equatable, Sendable {
    /// The tick.
    package var tick: UInt64
    /// The entity; nil if only hashes were compared.
    package var entity: UInt64?
    /// Its name, if it has one.
    package var name: String?
    /// Its batch's kind.
    package var kind: String?
    /// The field, in lower case.
    package var column: String?
    /// The value in the first trace.
    package var a: Float?
    /// The value in the second trace.
    package var b: Float?
    /// The hash in the first trace.
    package var hashA: String
    /// The hash in the second trace.
    package var hashB: String
  }

  /// What differs in one field of one kind.
  package struct Part: Codable, Equatable, Sendable {
    /// The batch's kind.
    package var kind: String
    /// The field, in lower case.
    package var column: String
    /// Values that were compared.
    package var compared: UInt64 = 0
    /// Values that differ by more than the tolerance.
    package var different: UInt64 = 0
    /// The first tick at which one does.
    package var firstTick: UInt64?
    /// The largest difference.
    package var largest: Float = 0
    /// Its tick.
    package var largestTick: UInt64?
    /// Its entity.
    package var largestEntity: UInt64?
  }

  /// An entity's name in both traces.
  package struct Renamed: Codable, Equatable, Sendable {
    /// The entity.
    package var entity: UInt64
    /// Its name in the first trace; nil: none.
    package var a: String?
    /// Its name in the second trace; nil: none.
    package var b: String?

    package init(entity: UInt64, a: String?, b: String?) {
      (self.entity, self.a, self.b) = (entity, a, b)
    }
  }

  /// The whole comparison.
  package struct Report: Codable, Equatable, Sendable {
    /// Pairs of frames that were compared, each of one tick.
    package var ticks: UInt64 = 0
    /// Of them, those that differ.
    package var differentTicks: UInt64 = 0
    /// Frames of the first trace whose tick the second one does not have.
    package var onlyA: UInt64 = 0
    /// The same of the second trace.
    package var onlyB: UInt64 = 0
    /// Ticks of which a trace has several frames, since its run was sent back; nil if there are none.
    package var repeatedTicks: UInt64?
    /// Entities that only the first trace has; nil: none.
    package var onlyEntitiesA: UInt64?
    /// The same of the second trace.
    package var onlyEntitiesB: UInt64?
    /// The first entity that has another name in the second trace, as the scenes are not the same; nil if there is none.
    package var renamed: Renamed?
    /// How frames were compared: values or hashes.
    package var compared = "values"
    /// Differences up to this are none.
    package var tolerance: Float = 0
    /// The first difference; nil if there is none.
    package var first: First?
    /// By kind and column.
    package var parts: [Part] = []
    /// Columns that only one of the traces has: `a: orbit x`.
    package var unshared: [String] = []

    /// Whether nothing differs.
    package var isEqual: Bool { differentTicks == 0 }
  }

  private let a: FrameArchive
  private let b: FrameArchive
  private let pairs: [Pair]
  private let names: EntityNames
  private var report = Report()

  private struct Pair {
    let a: ColumnReader
    let b: ColumnReader
    let entities: Range<Int>
    let part: Int
  }

  /// Prepares a comparison.
  ///
  /// - Parameters:
  ///   - a: The first trace.
  ///   - b: The second one.
  ///   - tolerance: Values that differ by no more are equal; 0: equal bits.
  /// - Throws: `Failure`: a trace has no frames.
  package init(_ a: FrameArchive, _ b: FrameArchive, tolerance: Float) throws(Failure) {
    (self.a, self.b) = (a, b)
    for archive in [a, b] where archive.span == nil {
      throw Failure(.unmet, "\(archive.path): no frames, so nothing can be compared")
    }
    names = EntityNames(a.scene)
    report.tolerance = tolerance
    if tolerance == 0, a.isDigest || b.isDigest { report.compared = "hashes" }
    var pairs: [Pair] = []
    let others = b.template.layout.columns.map(ColumnReader.init)
    var shared: Set<Int> = []
    for column in a.template.layout.columns.map(ColumnReader.init) {
      var isShared = false
      for (index, other) in others.enumerated()
      where other.description.field == column.description.field
        && other.entities.overlaps(column.entities)
      {
        let entities = column.entities.clamped(to: other.entities)
        let key = Self.key(column, a.scene)
        let part = report.parts.firstIndex { $0.kind == key.kind && $0.column == key.column }
        if part == nil { report.parts.append(Part(kind: key.kind, column: key.column)) }
        pairs.append(
          Pair(a: column, b: other, entities: entities, part: part ?? report.parts.count - 1))
        shared.insert(index)
        isShared = true
      }
      if !isShared { report.unshared.append(Self.text("a", column, a.scene)) }
    }
    for (index, column) in others.enumerated() where !shared.contains(index) {
      report.unshared.append(Self.text("b", column, b.scene))
    }
    self.pairs = pairs
    compareScenes()
  }

  /// Finds what makes the scenes two: entities are compared by their numbers.
  private mutating func compareScenes() {
    let counts = [a, b].map { UInt64($0.entityEnd) }
    if counts[0] > counts[1] { report.onlyEntitiesA = counts[0] - counts[1] }
    if counts[1] > counts[0] { report.onlyEntitiesB = counts[1] - counts[0] }
    let others = EntityNames(b.scene)
    let named = (a.scene.names + b.scene.names).map { Int($0.firstEntity) }.sorted()
    let first = named.first { entity in
      UInt64(entity) < min(counts[0], counts[1])
        && names.name(of: entity) != others.name(of: entity)
    }
    report.renamed = first.map {
      Renamed(entity: UInt64($0), a: names.name(of: $0), b: others.name(of: $0))
    }
  }

  private static func key(
    _ column: ColumnReader, _ scene: Orrery_SceneLayout
  ) -> (kind: String, column: String) {
    let batch = Int(column.description.batch)
    let kind = scene.batches.indices.contains(batch) ? scene.batches[batch].kind : "batch \(batch)"
    return (kind, FieldName.text(column.description.field))
  }

  private static func text(
    _ trace: String, _ column: ColumnReader, _ scene: Orrery_SceneLayout
  ) -> String {
    let key = key(column, scene)
    return "\(trace): \(key.kind) \(key.column)"
  }

  /// Compares all frames.
  ///
  /// - Parameter progress: Called with each tick; true ends the comparison.
  /// - Returns: What differs.
  /// - Throws: `Failure` if a trace is damaged, or if they have no tick in common.
  package mutating func run(
    progress: (_ tick: UInt64) -> Bool = { _ in false }
  ) throws(Failure) -> Report {
    let prepared = report
    if try !compareInOrder(progress) {
      report = prepared
      try compareSorted(progress)
    }
    guard report.ticks > 0 else {
      throw Failure(.unmet, "\(a.path) and \(b.path) have no tick in common")
    }
    report.parts = report.parts.filter { $0.compared > 0 }
    return report
  }

  /// Compares frames as they come, as long as ticks rise in both.
  ///
  /// - Returns: Whether they rose to the end; if not, a run was sent back, and nothing is decided.
  private mutating func compareInOrder(
    _ progress: (_ tick: UInt64) -> Bool
  ) throws(Failure) -> Bool {
    var (nextA, nextB) = (a.span?.first, b.span?.first)
    while nextA != nil || nextB != nil {
      let (tickA, tickB) = (nextA?.tick ?? .max, nextB?.tick ?? .max)
      if let frame = nextA, let other = nextB, tickA == tickB {
        try compare(frame, other)
        if progress(tickA) { return true }
      } else if tickA < tickB {
        report.onlyA += 1
      } else {
        report.onlyB += 1
      }
      if let frame = nextA, tickA <= tickB {
        nextA = try a.frame(from: frame.sequence + 1)
        if let nextA, nextA.tick <= tickA { return false }
      }
      if let other = nextB, tickB <= tickA {
        nextB = try b.frame(from: other.sequence + 1)
        if let nextB, nextB.tick <= tickB { return false }
      }
    }
    return true
  }

  /// Compares frames by rising ticks, in whatever order they were published.
  private mutating func compareSorted(_ progress: (_ tick: UInt64) -> Bool) throws(Failure) {
    let (all, others) = (try Self.sorted(a), try Self.sorted(b))
    var (index, other) = (0, 0)
    while index < all.count || other < others.count {
      let tick = min(
        index < all.count ? all[index].tick : .max, other < others.count ? others[other].tick : .max
      )
      let count = all[index...].prefix { $0.tick == tick }.count
      let otherCount = others[other...].prefix { $0.tick == tick }.count
      if count > 1 || otherCount > 1 { report.repeatedTicks = (report.repeatedTicks ?? 0) + 1 }
      if otherCount == 0 { report.onlyA += UInt64(count) }
      if count == 0 { report.onlyB += UInt64(otherCount) }
      for turn in 0..<(count > 0 && otherCount > 0 ? max(count, otherCount) : 0) {
        let (one, two) = (
          all[index + min(turn, count - 1)], others[other + min(turn, otherCount - 1)]
        )
        guard let frame = try a.frame(from: one.sequence),
          let same = try b.frame(from: two.sequence)
        else { continue }
        try compare(frame, same)
        if progress(tick) { return }
      }
      index += count
      other += otherCount
    }
  }

  /// The frames of a trace by rising ticks; those of one tick in the order in which they were published.
  private static func sorted(
    _ archive: FrameArchive
  ) throws(Failure) -> [(tick: UInt64, sequence: UInt64)] {
    var frames: [(tick: UInt64, sequence: UInt64)] = []
    var next = archive.span?.first
    while let frame = next {
      frames.append((frame.tick, frame.sequence))
      next = try archive.frame(from: frame.sequence + 1)
    }
    return frames.sorted { $0 < $1 }
  }

  private mutating func compare(_ frame: RecordedFrame, _ other: RecordedFrame) throws(Failure) {
    report.ticks += 1
    let (hashA, hashB) = (frame.stamp.stateHash, other.stamp.stateHash)
    if report.compared == "hashes" {
      guard hashA != hashB else { return }
      report.differentTicks += 1
      guard report.first == nil else { return }
      report.first = First(
        tick: frame.tick, hashA: hexadecimal(hashA), hashB: hexadecimal(hashB))
      // The values say where, if both can be had.
      guard let bytesA = try? a.bytes(of: frame), let bytesB = try? b.bytes(of: other) else {
        return
      }
      compareValues(frame, bytesA, bytesB, hashB)
      return
    }
    let bytesA = try a.bytes(of: frame)
    if compareValues(frame, bytesA, try b.bytes(of: other), hashB) { report.differentTicks += 1 }
  }

  /// - Returns: Whether a value differs.
  @discardableResult
  private mutating func compareValues(
    _ frame: RecordedFrame, _ bytesA: UnsafeRawBufferPointer, _ bytesB: UnsafeRawBufferPointer,
    _ hashB: UInt64
  ) -> Bool {
    guard let baseA = bytesA.baseAddress, let baseB = bytesB.baseAddress else { return false }
    var differs = false
    for pair in pairs {
      report.parts[pair.part].compared += UInt64(pair.entities.count)
      if pair.a.description.format == pair.b.description.format {
        let (one, two) = (
          pair.a.bytes(pair.entities, in: bytesA), pair.b.bytes(pair.entities, in: bytesB)
        )
        if let first = one.baseAddress, let second = two.baseAddress,
          memcmp(first, second, one.count) == 0
        {
          continue
        }
      }
      for entity in pair.entities {
        let (one, two) = (pair.a.value(entity, in: baseA), pair.b.value(entity, in: baseB))
        if one.bitPattern == two.bitPattern || one.isNaN && two.isNaN { continue }
        let distance = one.isNaN || two.isNaN ? Float.infinity : abs(one - two)
        // Without a tolerance, -0 and 0 differ too.
        guard distance > report.tolerance || report.tolerance == 0 else { continue }
        differs = true
        add(frame, pair, entity, (one, two), distance, hashB)
      }
    }
    return differs
  }

  private mutating func add(
    _ frame: RecordedFrame, _ pair: Pair, _ entity: Int, _ values: (Float, Float),
    _ distance: Float, _ hashB: UInt64
  ) {
    report.parts[pair.part].different += 1
    if report.parts[pair.part].firstTick == nil { report.parts[pair.part].firstTick = frame.tick }
    if distance > report.parts[pair.part].largest {
      report.parts[pair.part].largest = distance
      report.parts[pair.part].largestTick = frame.tick
      report.parts[pair.part].largestEntity = UInt64(entity)
    }
    let isEarlier = report.first.map { first in
      first.tick == frame.tick && (first.entity.map { UInt64(entity) < $0 } ?? true)
    }
    guard isEarlier ?? true else { return }
    report.first = First(
      tick: frame.tick, entity: UInt64(entity), name: names.name(of: entity),
      kind: report.parts[pair.part].kind, column: report.parts[pair.part].column, a: values.0,
      b: values.1, hashA: hexadecimal(frame.stamp.stateHash), hashB: hexadecimal(hashB))
  }
}
