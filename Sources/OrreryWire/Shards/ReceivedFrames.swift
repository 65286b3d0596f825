// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// The frames of a shard that came by message and wait for the parts of other shards.
///
/// The received messages themselves are kept, as many as `bytesMax` and the two limits of their count allow. One thread
/// at a time uses it.
package final class ReceivedFrames: ShardFrames {
  package let layout: FrameLayout
  package let generation: UInt64
  package let delivery: Delivery
  package let slotCount: UInt64

  /// The first run's: it has the scene.
  private let run: any FrameSource

  /// By rising numbers, and when each came.
  private var waiting: [(frame: ReceivedFrame, cameNs: UInt64)] = []

  /// Every frame up to this one came, or never will.
  package private(set) var published: UInt64

  /// Every frame up to this one was used or given up.
  private var released: UInt64

  /// Frames kept, at most.
  private let countMax: Int

  /// Twice what ZeroMQ itself may keep of a connection.
  private static let bytesMax: UInt64 = 64 << 20

  /// Most frames that are kept, however small: two seconds at 500 Hz.
  private static let framesMax: UInt64 = 1000

  /// Fewest frames that there is room for, however large: an eighth of a second at 60 Hz.
  private static let framesMin: UInt64 = 8

  /// A queue without frames.
  ///
  /// - Parameters:
  ///   - run: Of which frames will come.
  ///   - joinedAfter: The frame before the first.
  init(_ run: RemoteSource, joinedAfter: UInt64) {
    (layout, generation, delivery) = (run.layout, run.generation, run.delivery)
    (slotCount, self.run) = (run.slotCount, run)
    (published, released) = (joinedAfter, joinedAfter)
    let fitting = Self.bytesMax / max(run.layout.frameBytes, 1)
    countMax = Int(min(max(fitting, Self.framesMin), Self.framesMax))
  }

  package var staticPart: UnsafeRawBufferPointer { run.staticPart }

  package var overwrittenAfter: UInt64? { nil }

  /// Nil: a frame that was used is gone.
  package var frames: (any FrameRing)? { nil }

  /// Whether there is no room for another frame.
  var isFull: Bool { waiting.count >= countMax }

  /// Adds a frame; the oldest gives way if there is no room.
  ///
  /// - Parameters:
  ///   - frame: Later than all others.
  ///   - nowNs: The time.
  func add(_ frame: ReceivedFrame, nowNs: UInt64) {
    let sequence = frame.view.sequence
    precondition(sequence > published, "frame \(sequence) after \(published)")
    published = sequence
    guard sequence > released else { return }
    if isFull { waiting.removeFirst() }
    waiting.append((frame, nowNs))
  }

  /// Records that no more frames come up to this one.
  func skip(through sequence: UInt64) { published = max(published, sequence) }

  /// Forgets the frames up to this one.
  func release(through sequence: UInt64) {
    released = max(released, sequence)
    waiting.removeFirst(waiting.prefix { $0.frame.view.sequence <= sequence }.count)
  }

  /// Finds a frame; one that never came is `lapped`.
  package func acquire(_ sequence: UInt64) -> FrameAcquisition {
    guard sequence <= published else { return .notYet }
    let next = waiting.first { $0.frame.view.sequence >= sequence }
    guard let next, next.frame.view.sequence == sequence else {
      return .lapped(oldest: next?.frame.view.sequence ?? published + 1)
    }
    return .frame(next.frame.view)
  }

  /// Always true: nothing overwrites a received frame.
  package func isWhole(_ view: FrameView) -> Bool { true }

  /// When its message was taken; 0 if it is not here.
  package func cameNs(_ view: FrameView) -> UInt64 {
    waiting.first { $0.frame.view.sequence == view.sequence }?.cameNs ?? 0
  }

  /// By the wall clock, since another machine dated the frames.
  package func dateNs(monotonicNs: UInt64) -> UInt64 {
    Clock.wallNs() &- Clock.monotonicNs() &+ monotonicNs
  }
}
