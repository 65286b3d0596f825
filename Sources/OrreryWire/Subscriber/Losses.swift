// SPDX-License-Identifier: Apache-2.0

/// Exact account of the frames that a subscriber received and missed: always
/// `published == received + missed` up to `last`.
package struct Losses: Equatable, Sendable {
  /// Sequence of the frame before the first that this subscriber wants.
  package let joinedAfter: UInt64

  /// Every frame up to this one was received or missed.
  package private(set) var last: UInt64

  /// Frames received.
  package private(set) var receivedCount: UInt64 = 0

  /// Frames missed.
  package private(set) var missedCount: UInt64 = 0

  /// The first gaps, for reports; adjacent gaps are merged.
  package private(set) var gaps: [ClosedRange<UInt64>] = []

  /// Gaps kept; frames of later gaps are only counted.
  package static let gapMax = 1000

  package init(joinedAfter: UInt64) {
    self.joinedAfter = joinedAfter
    last = joinedAfter
  }

  /// Counts the frame after `last` as received.
  package mutating func receive(_ sequence: UInt64) {
    precondition(sequence == last + 1, "received \(sequence) after \(last)")
    last = sequence
    receivedCount += 1
  }

  /// Counts every frame after `last` up to this one as missed.
  package mutating func miss(through sequence: UInt64) {
    precondition(sequence > last, "missed \(sequence) after \(last)")
    let gap = (last + 1)...sequence
    if let previous = gaps.last, previous.upperBound == last {
      gaps[gaps.count - 1] = previous.lowerBound...sequence
    } else if gaps.count < Self.gapMax {
      gaps.append(gap)
    }
    missedCount += UInt64(gap.count)
    last = sequence
  }
}
