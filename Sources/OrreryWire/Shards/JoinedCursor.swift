// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// Where a subscriber of a run that several shards make is, and what it has of its frames and of each shard's parts.
///
/// As `FrameCursor`, it has no clock and no connection: the fault simulator drives the same code. Invariant:
/// of each shard, received + missed is the number of frames received.
package struct JoinedCursor {
  private var cursor: FrameCursor

  /// By the shards' indexes.
  package private(set) var shards: [ShardAccount]

  /// A subscriber that has nothing yet.
  ///
  /// - Parameters:
  ///   - shardCount: Shards of the run.
  ///   - joinedAfter: Sequence before the first frame that is wanted.
  ///   - reading: Which frames are wanted from there on.
  package init(shardCount: Int, joinedAfter: UInt64, reading: Reading) {
    cursor = FrameCursor(joinedAfter: joinedAfter, reading: reading)
    shards = (0..<shardCount).map { ShardAccount(Shard($0, of: shardCount)) }
  }

  /// Which frames are wanted.
  package var reading: Reading { cursor.reading }

  /// Frames received and missed so far.
  package var losses: Losses { cursor.losses }

  /// Looks for the frame that is wanted next; see `FrameCursor.find`.
  package mutating func find(in source: JoinedSource) -> Finding? { cursor.find(in: source) }

  /// Records a frame that was found: if it was whole, for each shard whether its part was there.
  ///
  /// - Parameters:
  ///   - view: The frame.
  ///   - isWhole: Result of `FrameSource.isWhole` after the frame was read.
  ///   - missing: The shards whose part did not come, in rising order.
  /// - Returns: `.frame` or `.missed`.
  package mutating func record(
    _ view: FrameView, isWhole: Bool, missing: [Int]
  ) -> SubscriptionEvent {
    if isWhole {
      var missing = missing[...]
      for shard in shards.indices {
        if missing.first == shard {
          missing.removeFirst()
          shards[shard].missed += 1
        } else {
          shards[shard].received += 1
        }
      }
    }
    return cursor.record(view.sequence, isWhole: isWhole)
  }

  /// Whether a shard has a part of a frame that was neither received nor missed yet.
  ///
  /// The ring of a shard that has died is kept until then, although the shard may have come back.
  package func needs(_ frames: any ShardFrames) -> Bool { losses.last < frames.published }
}
