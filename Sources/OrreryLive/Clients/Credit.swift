// SPDX-License-Identifier: Apache-2.0

/// Which frames a page was sent, and which it has not drawn yet.
///
/// At most two are on their way. So the frames that wait in the kernel and in the browser are two, however slow the page
/// is, and what it shows is at most that old. Always `published == sent + skipped` from the first frame that was sent to
/// the last.
package struct Credit: Equatable, Sendable {
  /// Frames that may be on their way.
  package static let framesMax = 2

  /// Frames that were sent and are not acknowledged, oldest first.
  package private(set) var inFlight: [UInt64] = []

  /// The last frame that was sent; 0: none.
  package private(set) var last: UInt64 = 0

  /// Frames that were sent.
  package private(set) var sentCount: UInt64 = 0

  /// Frames between them that were not sent, because the page was busy.
  package private(set) var skippedCount: UInt64 = 0

  /// A page that was sent nothing.
  package init() {}

  /// Whether a frame may be sent now.
  package var isFree: Bool { inFlight.count < Self.framesMax }

  /// Whether this frame may be sent now, and has not been.
  package func takes(_ sequence: UInt64) -> Bool { isFree && sequence > last }

  /// Records that a frame was sent.
  ///
  /// It is for the caller to ask `takes` first: only the last frame of a run is sent without credit.
  ///
  /// - Precondition: It is newer than the last one.
  package mutating func send(_ sequence: UInt64) {
    precondition(sequence > last, "frame \(sequence) after \(last)")
    if sentCount > 0 { skippedCount += sequence - last - 1 }
    sentCount += 1
    last = sequence
    inFlight.append(sequence)
  }

  /// Takes a page's word that it has drawn this frame, or a newer one in its place.
  ///
  /// - Returns: False if the frame is not in flight: the page breaks the protocol.
  package mutating func acknowledge(_ sequence: UInt64) -> Bool {
    guard let index = inFlight.firstIndex(of: sequence) else { return false }
    inFlight.removeFirst(index + 1)
    return true
  }

  /// Begins again, for another run: its frames have numbers of their own, and what was in flight counts no more.
  package mutating func beginRun() { self = Credit() }
}
