// SPDX-License-Identifier: Apache-2.0

/// When a frame passed a program: a line of the file of `--frame-times`.
///
/// Times are nanoseconds of the monotonic clock, which is the same for all processes of a machine.
package protocol FrameTimes {
  /// Names of the columns: the file's first line.
  static var columns: [String] { get }

  /// Calls `body` with each cell, in the order of the columns; nil is an empty cell.
  func forEachCell(_ body: (UInt64?) -> Void)

  /// Reads a line; nil if a cell is missing or empty that must not be, or if there are too many.
  ///
  /// - Parameter cells: In the order of the columns; nil: an empty cell.
  init?(cells: [UInt64?])
}

/// When a frame passed the sim.
package struct SimFrameTimes: FrameTimes, Equatable, Sendable {
  /// Number of the frame.
  package var sequence: UInt64
  /// The tick that it shows.
  package var tick: UInt64
  /// When the tick was due; nil if it was due at no time, as with `--unpaced`.
  package var dueNs: UInt64?
  /// When the frame had its turn; blocks of it may have been computed before.
  package var begunNs: UInt64
  /// When all its values were in the ring.
  package var computedNs: UInt64
  /// When readers could see it and its announcement was on its way.
  package var publishedNs: UInt64

  package static let columns = [
    "sequence", "tick", "due_ns", "begun_ns", "computed_ns", "published_ns",
  ]

  package init(
    sequence: UInt64, tick: UInt64, dueNs: UInt64?, begunNs: UInt64, computedNs: UInt64,
    publishedNs: UInt64
  ) {
    (self.sequence, self.tick, self.dueNs) = (sequence, tick, dueNs)
    (self.begunNs, self.computedNs, self.publishedNs) = (begunNs, computedNs, publishedNs)
  }

  package init?(cells: [UInt64?]) {
    guard cells.count == Self.columns.count, let sequence = cells[0], let tick = cells[1],
      let begunNs = cells[3], let computedNs = cells[4], let publishedNs = cells[5]
    else { return nil }
    self.init(
      sequence: sequence, tick: tick, dueNs: cells[2], begunNs: begunNs, computedNs: computedNs,
      publishedNs: publishedNs)
  }

  /// Calls `body` with each cell, in the order of the columns.
  package func forEachCell(_ body: (UInt64?) -> Void) {
    body(sequence)
    body(tick)
    body(dueNs)
    body(begunNs)
    body(computedNs)
    body(publishedNs)
  }
}

/// When a frame passed a subscriber that used it whole.
package struct SubscriberFrameTimes: FrameTimes, Equatable, Sendable {
  /// Number of the frame.
  package var sequence: UInt64
  /// When it was found, and its use began.
  package var foundNs: UInt64
  /// When its use was over: drawn and given to the encoder, or recorded.
  package var doneNs: UInt64

  package static let columns = ["sequence", "found_ns", "done_ns"]

  package init(sequence: UInt64, foundNs: UInt64, doneNs: UInt64) {
    (self.sequence, self.foundNs, self.doneNs) = (sequence, foundNs, doneNs)
  }

  package init?(cells: [UInt64?]) {
    guard cells.count == Self.columns.count, let sequence = cells[0], let foundNs = cells[1],
      let doneNs = cells[2]
    else { return nil }
    self.init(sequence: sequence, foundNs: foundNs, doneNs: doneNs)
  }

  /// Calls `body` with each cell, in the order of the columns.
  package func forEachCell(_ body: (UInt64?) -> Void) {
    body(sequence)
    body(foundNs)
    body(doneNs)
  }
}
