// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages

/// The frames of all shards of a scene as one run's: joined by their numbers, in place.
///
/// Nothing is copied: a joined frame's heads lie here and its values in the shards' rings, or in messages that came from
/// other machines. The values of a shard whose part does not come are NaN, of which nothing is drawn. One thread at a
/// time uses it.
package final class JoinedSource: FrameSource, FrameRing {
  package var layout: FrameLayout { template.layout }
  package var generation: UInt64 { template.generation }
  package let delivery: Delivery

  /// How long a frame's part may come after the first, in nanoseconds; ignored in lockstep, where nothing is
  /// overwritten.
  private let leadNs: UInt64

  /// The monotonic clock.
  private let clock: () -> UInt64

  /// For each column of the layout, the slices that make it.
  private let slices: [[JoinedLayout.Slice]]

  /// The shards' frames, by index.
  private var shards: [JoinedShard]

  /// The heads of joined frames.
  private let template: FrameTemplate

  /// Pieces of a joined frame.
  private let pieceCount: Int

  /// The values of a shard that is missing.
  private let missing: UnsafeMutableRawBufferPointer

  private let staticMemory: UnsafeMutableRawBufferPointer

  /// The frame that was found last: its number, and each shard's part of it.
  private var found: (sequence: UInt64, parts: [FrameView?]) = (0, [])

  /// A shard's frames, and whether more may still come.
  struct JoinedShard {
    var frames: any ShardFrames
    /// The first frame that is wanted of it: those before are another process's.
    var first: UInt64
    /// False after its sim has died or ended, or while it cannot be heard.
    var isAlive = true
    /// Whether a frame that is lapped was there, and this subscriber too slow for it.
    let isOverwritten: Bool

    init(_ frames: any ShardFrames, first: UInt64) {
      (self.frames, self.first) = (frames, first)
      isOverwritten = frames.overwrittenAfter != nil
    }
  }

  /// Joins the frames of all shards.
  ///
  /// - Parameters:
  ///   - name: The run's name.
  ///   - frames: By the shards' indexes.
  ///   - merges: Whether the slices of a batch become one batch: see `JoinedLayout`.
  ///   - leadNs: How long a frame's part may come after the first.
  ///   - clock: The monotonic clock; a simulation has its own.
  /// - Throws: `WireError`: they are not all shards of one scene.
  package init(
    name: String, _ frames: [any ShardFrames], merges: Bool, leadNs: UInt64,
    clock: @escaping () -> UInt64 = Clock.monotonicNs
  ) throws(WireError) {
    let parts = try frames.map { (shard) throws(WireError) -> JoinedLayout.Part in
      (shard.layout, try shard.sceneLayout(of: "a shard"))
    }
    for (index, shard) in frames.enumerated() where shard.delivery != frames[0].delivery {
      throw .badMessage("shards 0 and \(index) do not have the same delivery")
    }
    let joined = try JoinedLayout(name: name, parts, merges: merges)
    slices = joined.slices
    pieceCount = slices.reduce(1) { $0 + $1.count + 1 }
    self.leadNs = leadNs
    self.clock = clock
    // Events are the first shard's, which has all views.
    template = FrameTemplate(joined.layout, generation: frames[0].generation)
    delivery = frames[0].delivery
    shards = frames.map { JoinedShard($0, first: 1) }
    let longest = joined.slices.joined().map { Int($0.column.valuesBytes) }.max() ?? 0
    guard let missing = malloc(max(longest, 1)) else {
      throw .noMemory(frameBytes: joined.layout.frameBytes)
    }
    // All bits set: a NaN.
    memset(missing, 0xff, longest)
    self.missing = UnsafeMutableRawBufferPointer(start: missing, count: longest)
    staticMemory = .allocate(byteCount: joined.staticPart.count, alignment: 8)
    staticMemory.copyBytes(from: joined.staticPart)
  }

  deinit {
    free(missing.baseAddress)
    staticMemory.deallocate()
  }

  package var staticPart: UnsafeRawBufferPointer { UnsafeRawBufferPointer(staticMemory) }

  package var overwrittenAfter: UInt64? {
    shards.compactMap(\.frames.overwrittenAfter).min()
  }

  /// Nil if some shard's frames go when they were used.
  package var frames: (any FrameRing)? {
    shards.allSatisfy { $0.frames.frames != nil } ? self : nil
  }

  /// The newest frame of which all living shards have their part, or should have it by now.
  package var published: UInt64 {
    var waited = shards.filter(\.isAlive)
    let newest = shards.map(\.frames.published).max() ?? 0
    while let slowest = waited.map(\.frames.published).min(), slowest < newest {
      guard isOverdue(slowest + 1) else { return slowest }
      waited.removeAll { $0.frames.published == slowest }
    }
    return newest
  }

  /// Whether a frame of some shard came so long ago that no part is waited for.
  private func isOverdue(_ sequence: UInt64) -> Bool {
    if delivery == .lockstep { return false }
    for shard in shards where shard.frames.published >= sequence {
      guard case .frame(let view) = shard.frames.acquire(sequence) else { return true }
      return isOverdue(view, shard.frames)
    }
    return false
  }

  private func isOverdue(_ view: FrameView, _ frames: any ShardFrames) -> Bool {
    let ageNs = clock() &- frames.cameNs(view)
    // One that came an instant ago may seem to come from the future.
    return Int64(bitPattern: ageNs) > 0 && ageNs > leadNs
  }

  /// Finds the parts of a frame.
  package func acquire(_ sequence: UInt64) -> FrameAcquisition {
    var parts = [FrameView?](repeating: nil, count: shards.count)
    var (isAwaited, isOverdue, lapped) = (false, false, UInt64(0))
    for (index, shard) in shards.enumerated() where sequence >= shard.first {
      switch shard.frames.acquire(sequence) {
      case .frame(let view):
        parts[index] = view
        isOverdue = isOverdue || (delivery == .live && self.isOverdue(view, shard.frames))
      case .notYet: isAwaited = isAwaited || shard.isAlive
      case .lapped(let oldest) where shard.isAlive && shard.isOverwritten:
        lapped = max(lapped, oldest)
      case .lapped: break
      }
    }
    if lapped > 0 { return .lapped(oldest: max(lapped, sequence + 1)) }
    guard let first = parts.lazy.compactMap({ $0 }).first, !isAwaited || isOverdue else {
      // Of shards that all have gone, nothing is left; of some, another may have begun later.
      let isLost = !isAwaited && shards.contains { $0.frames.published >= sequence }
      return isLost ? .lapped(oldest: sequence + 1) : .notYet
    }
    let tick = first.stamp().tick
    // A shard that shows another tick has been told something that the others have not.
    for index in parts.indices where parts[index]?.stamp().tick != tick { parts[index] = nil }
    found = (sequence, parts)
    return .frame(compose(sequence, parts, first.stamp()))
  }

  private func compose(
    _ sequence: UInt64, _ parts: [FrameView?], _ first: FrameStamp
  ) -> FrameView {
    var stamp = first
    stamp.stateHash = 0
    for case let part? in parts {
      let own = part.stamp()
      stamp.stateHash &+= own.stateHash
      stamp.publishTimeNs = max(stamp.publishTimeNs, own.publishTimeNs)
    }
    return template.compose(sequence: sequence, stamp, pieceCount: pieceCount) { column, pieces in
      for slice in slices[column] {
        let range =
          Int(slice.column.valuesOffset)..<Int(slice.column.valuesOffset + slice.column.valuesBytes)
        if let part = parts[slice.shard] {
          pieces.append(UnsafeRawBufferPointer(rebasing: part.bytes[range]))
        } else {
          pieces.append(UnsafeRawBufferPointer(rebasing: missing[0..<range.count]))
        }
      }
    }
  }

  /// Whether all parts that the frame was composed of are still whole.
  package func isWhole(_ view: FrameView) -> Bool {
    guard view.sequence == found.sequence else { return false }
    return zip(shards, found.parts).allSatisfy { shard, part in
      part.map { shard.frames.isWhole($0) } ?? true
    }
  }

  /// The shards whose part of the frame that was found last did not come.
  package func missingShards(of view: FrameView) -> [Int] {
    guard view.sequence == found.sequence else { return [] }
    return found.parts.indices.filter { found.parts[$0] == nil }
  }

  // MARK: Shards that come and go

  /// A shard.
  subscript(shard: Int) -> JoinedShard { shards[shard] }

  /// Records that no frame of a shard comes any more, or for now.
  package func hasGone(_ shard: Int) { shards[shard].isAlive = false }

  /// Takes the frames of a shard that was started again, or is heard again.
  ///
  /// - Parameters:
  ///   - shard: Index of the shard.
  ///   - frames: Its frames.
  ///   - sequence: The frame before the first one that is wanted from it.
  /// - Returns: False if they are not of the same layout.
  package func hasReturned(
    _ shard: Int, _ frames: any ShardFrames, after sequence: UInt64
  ) -> Bool {
    guard frames.canFollow(shards[shard].frames) else { return false }
    shards[shard] = JoinedShard(frames, first: sequence + 1)
    return true
  }
}
