// SPDX-License-Identifier: Apache-2.0

import OrreryScene

/// A part of a burst: members that are alike, in one block of views and one channel; see `Director+Bursts.swift`.
struct BurstPart {
  /// Index of its first member in the burst, and how many it may have.
  var first = 0
  var countMax = 0

  /// Members that are alike, and have been examined.
  var count = 0

  var block = 0
  var channel = ViewChannel.away

  /// The value before its first change and the new one, and whether all members have them.
  var from = 0.0
  var to = 0.0
  var hasOneStart = true
  var hasOneGoal = true

  /// Whether its changes make a cohort, and then which.
  var isCohort = false
  var cohort = CohortPool.none

  /// The number of its first change.
  var change: UInt64 = 0

  /// The lanes of its members, in rising order, and their further data; each has room for the members of a block.
  ///
  /// Of a cohort with one goal, only the first ones are there.
  let lanes: UnsafeMutablePointer<LaneChange>
  let members: UnsafeMutablePointer<BurstMember>

  init(capacity: Int) {
    lanes = .allocate(capacity: capacity)
    members = .allocate(capacity: capacity)
  }

  /// The lane of its last member, and whether there is no other between that and the first one's.
  var lastLane: Int { Int(lanes[count - 1].lane) }
  var isGapless: Bool { count > 0 && lastLane - Int(lanes[0].lane) == count - 1 }

  /// Frees its memory.
  func deallocate() {
    lanes.deallocate()
    members.deallocate()
  }

  /// Adds a member that has been examined.
  @inline(__always)
  mutating func append(_ lane: LaneChange, _ member: BurstMember) {
    (lanes + count).initialize(to: lane)
    (members + count).initialize(to: member)
    count += 1
  }
}

/// Whether some elements have the same bits: all are compared, so that the processor can compare many at once.
@inline(__always)
func areEqual<Element, Bits: FixedWidthInteger>(
  _ elements: UnsafePointer<Element>, count: Int, _ bits: (Element) -> Bits
) -> Bool {
  guard count > 1 else { return true }
  var difference: Bits = 0
  let first = bits(elements[0])
  for index in 1..<count { difference |= bits(elements[index]) ^ first }
  return difference == 0
}

/// What is known of a member besides its lane.
struct BurstMember: BitwiseCopyable {
  var episode = EpisodePool.none
  var group = CompletionGroups.none

  /// Of `away`: whether the view is to be shown.
  var isShown = true
}

/// What all members of a burst have in common.
struct BurstCommon {
  let context: Director.Context

  /// How changes move; nil for ends.
  var shared: SharedAnimation.Address?

  /// When commands run next; nil if they do not.
  var next: Double?

  /// Of commands: how often each has run, and the series that the first one is in.
  var runCount: UInt64 = 0
  var series: CommandSeries?
}

/// The parts that are examined and done at the same time.
final class BurstParts {
  let parts: UnsafeMutableBufferPointer<BurstPart>

  /// Does numbered pieces of work, on one or several threads; returns when all are done.
  let share: (_ count: Int, _ body: (Int) -> Void) -> Void

  init(
    _ plan: ViewsPlan, count: Int, share: @escaping (_ count: Int, _ body: (Int) -> Void) -> Void
  ) {
    parts = .allocate(capacity: count)
    let capacity = min(plan.views.count, Blocks.entityCount)
    for index in 0..<count {
      parts.initializeElement(at: index, to: BurstPart(capacity: capacity))
    }
    self.share = share
  }

  deinit {
    for part in parts { part.deallocate() }
    parts.deallocate()
  }
}
