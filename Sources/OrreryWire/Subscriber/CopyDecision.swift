// SPDX-License-Identifier: Apache-2.0

/// Decides whether a subscriber copies a frame before it uses it.
///
/// In live delivery the sim overwrites a frame some ticks after it. Whoever uses frames in place for longer than that
/// never gets a whole one. A copy takes milliseconds, and is used for as long as need be. So once a frame was overwritten
/// during its use, or a use took more than a quarter of the time until that happens, all later frames are copied first.
package struct CopyDecision: Sendable {
  /// Whether the next frame is to be copied.
  package private(set) var copies = false

  /// Ticks after which a frame is overwritten; nil: not during its use.
  private let overwrittenAfter: UInt64?

  private var last: (sequence: UInt64, publishedNs: UInt64)?

  /// The shortest time between two frames so far, in nanoseconds.
  private var tickNs: UInt64 = .max

  /// Begins without copies.
  ///
  /// - Parameter overwrittenAfter: As a `FrameSource` says.
  package init(overwrittenAfter: UInt64?) { self.overwrittenAfter = overwrittenAfter }

  /// Takes account of a frame that was used in place.
  ///
  /// - Parameters:
  ///   - sequence: The frame's number.
  ///   - publishedNs: When it was published.
  ///   - useNs: How long it was used; not asked for where nothing is overwritten.
  ///   - isWhole: Whether it was still whole afterwards.
  package mutating func use(
    sequence: UInt64, publishedNs: UInt64, useNs: @autoclosure () -> UInt64, isWhole: Bool
  ) {
    guard let overwrittenAfter else { return }
    guard isWhole else {
      // Nor is its date its own.
      copies = true
      return
    }
    if let last, sequence > last.sequence, publishedNs > last.publishedNs {
      tickNs = min(tickNs, (publishedNs - last.publishedNs) / (sequence - last.sequence))
    }
    last = (sequence, publishedNs)
    let lastsNs = tickNs.multipliedReportingOverflow(by: overwrittenAfter)
    if !lastsNs.overflow, useNs() > lastsNs.partialValue / 4 { copies = true }
  }
}
