// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryTrace
import OrreryTraceTools

/// The content part of `orrery trace verify`: simulates a trace's run again, and compares every frame with it.
///
/// Frames whose values are there as they were published are compared bit by bit, and their hash with the one that is
/// computed. Of thinned or rounded frames, and of digests, the hash is compared, which is that of the whole run. Frames
/// without a shard's part (`Loss.shard`) are left out. The cost is that of `sim --unpaced`, and of reading.
package struct ContentCheck {
  /// What was compared.
  package struct Report: Codable, Equatable, Sendable {
    /// Whether the trace has what its frames can be computed from.
    package var provable = true
    /// Why not; nil if it has.
    package var reason: String?
    /// The shard that was simulated; nil: the whole scene.
    package var shard: UInt32?
    /// Frames that were compared.
    package var frames: UInt64 = 0
    /// Values that were compared bit by bit.
    package var values: UInt64 = 0
    /// Frames whose hash or values are others.
    package var different: UInt64 = 0
    /// Frames of which a shard's part is missing; they are not compared.
    package var partial: UInt64 = 0
    /// Changes that were made to the run.
    package var changes: UInt64 = 0
    /// Events that are missing: a change may be among them.
    package var missedEvents: UInt64 = 0
    /// The first frame that differs.
    package var firstSequence: UInt64?
    /// Its tick.
    package var firstTick: UInt64?
    /// The first entity that differs there; nil if only hashes were compared.
    package var firstEntity: UInt64?
    /// In words: what differs there.
    package var difference: String?
    /// Seconds that comparing took.
    package var elapsedSeconds: Double = 0

    package init() {}

    /// Whether nothing that was compared differs.
    package var isEqual: Bool { different == 0 }

    /// Whether the frames are proved: something was compared, and it is equal.
    package var isProof: Bool { provable && isEqual && frames > 0 }
  }

  private let archive: FrameArchive
  private let world: ReplayWorld?
  private var report = Report()
  private var partial: [ClosedRange<UInt64>] = []

  /// Frames that are without a shard's part, in separate pieces, at most.
  private static let partialMax = 1_000_000

  /// Prepares the checks of a trace: one, or one for each shard of a run whose traces are joined.
  ///
  /// - Throws: `Failure` if the trace is damaged.
  package static func checks(of archive: FrameArchive) throws(Failure) -> [ContentCheck] {
    var checks: [ContentCheck] = []
    for part in archive.shards.isEmpty ? [archive] : archive.shards {
      checks.append(try ContentCheck(part))
    }
    return checks
  }

  /// Prepares a check.
  ///
  /// - Throws: `Failure` if the trace is damaged.
  package init(_ archive: FrameArchive) throws(Failure) {
    self.archive = archive
    if archive.scene.hasShard { report.shard = archive.scene.shard.index }
    guard archive.span != nil else {
      world = nil
      return
    }
    if archive.scene.hash == "off" {
      (world, report.provable) = (nil, false)
      report.reason = "the run hashed nothing (--hash off)"
      return
    }
    do throws(Failure) {
      if let own = archive.world { world = own } else { world = try archive.makeWorld() }
    } catch {
      (world, report.provable, report.reason) = (nil, false, error.description)
      return
    }
    report.changes = UInt64(world?.changeCount ?? 0)
    report.missedEvents = world?.missedEventCount ?? 0
    partial = try archive.partialFrames(max: Self.partialMax)
  }

  /// Compares all frames.
  ///
  /// - Parameter progress: Called with each frame's number; true ends the check.
  /// - Returns: What was compared.
  /// - Throws: `Failure` if the trace is damaged.
  package mutating func run(
    progress: (_ sequence: UInt64) -> Bool = { _ in false }
  ) throws(Failure) -> Report {
    let beginNs = Clock.monotonicNs()
    guard let world, let span = archive.span else { return report }
    var next: RecordedFrame? = span.first
    var gap = 0
    while let frame = next {
      while gap < partial.count, partial[gap].upperBound < frame.sequence { gap += 1 }
      if gap < partial.count, partial[gap].contains(frame.sequence) {
        report.partial += 1
      } else {
        try compare(frame, world)
      }
      if progress(frame.sequence) { break }
      next = try archive.frame(from: frame.sequence + 1)
    }
    report.elapsedSeconds = Double(Clock.monotonicNs() - beginNs) / 1e9
    return report
  }

  private mutating func compare(_ frame: RecordedFrame, _ world: ReplayWorld) throws(Failure) {
    report.frames += 1
    let hash = try world.evaluate(frame)
    var difference =
      hash == frame.stamp.stateHash
      ? nil : "hash \(hexadecimal(frame.stamp.stateHash)), computed \(hexadecimal(hash))"
    var entity: UInt64?
    if !archive.isDigest {
      let bytes = try archive.bytes(of: frame)
      if archive.isExact, world.template.layout == archive.template.layout,
        let base = bytes.baseAddress
      {
        for (index, column) in archive.template.layout.columns.enumerated() {
          report.values += UInt64(column.description.valueCount)
          let computed = world.values(column: index)
          let recorded = base + Int(column.valuesOffset)
          guard let other = computed.baseAddress, memcmp(recorded, other, computed.count) != 0,
            entity == nil
          else { continue }
          let size = Int(column.description.format.valueBytes)
          let place = (0..<computed.count).first {
            recorded.load(fromByteOffset: $0, as: UInt8.self) != computed[$0]
          }
          entity = place.map { UInt64($0 / size) + UInt64(column.description.firstEntity) }
          let field = FieldName.text(column.description.field)
          difference = "\(field) of entity \(entity ?? 0)" + (difference.map { "; " + $0 } ?? "")
        }
      }
    }
    guard let difference else { return }
    report.different += 1
    guard report.firstSequence == nil else { return }
    (report.firstSequence, report.firstTick) = (frame.sequence, frame.tick)
    (report.firstEntity, report.difference) = (entity, difference)
  }
}

extension FrameArchive {
  /// A world that computes the frames of this trace.
  ///
  /// - Throws: `Failure`: the trace has no text of its scene, or one that gives other columns.
  package func makeWorld() throws(Failure) -> ReplayWorld {
    try ReplayWorld(
      scene, changes: RunChanges(archive, catalogue, scene, path: path), path: path)
  }

  /// Frames of which a shard's part is missing, by rising numbers.
  func partialFrames(max: Int) throws(Failure) -> [ClosedRange<UInt64>] {
    var found: [ClosedRange<UInt64>] = []
    let messages = archive.messages(of: .loss)
    do {
      while let message = try messages.next() {
        let loss = try Orrery_Loss(serializedBytes: Array(message.bytes))
        guard loss.hasShard, loss.firstSequence <= loss.lastSequence else { continue }
        guard found.count < max else {
          throw Failure(.badData, "\(path): more than \(max) losses of shards")
        }
        found.append(loss.firstSequence...loss.lastSequence)
      }
    } catch {
      throw Failure(reading: "losses", of: path, error)
    }
    return found.sorted { $0.lowerBound < $1.lowerBound }
  }
}
