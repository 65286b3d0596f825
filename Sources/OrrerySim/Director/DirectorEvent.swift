// SPDX-License-Identifier: Apache-2.0

/// Something that happened to a scene's views, with its exact time, which may lie between two ticks.
///
/// 24 bytes: memory is the main cost of recording events.
package struct DirectorEvent: Equatable, Sendable {
  /// Seconds since the scene began.
  package let time: Double

  /// The leg, the completion, or whether a removed animation was finished.
  private let detail: Int
  private let view: UInt32
  private let channel: ViewChannel
  private let tag: Tag

  private enum Tag: UInt8 { case legEnded, logicallyComplete, removed, completed }

  /// The kinds of events, with their details.
  package enum Kind: Equatable, Sendable {
    /// A leg of an animation ended; legs count from 0.
    case legEnded(view: Int, ViewChannel, index: Int)
    /// An animation is logically complete.
    case logicallyComplete(view: Int, ViewChannel)
    /// An animation was removed: it ended, its view was destroyed, or its value was set without one.
    case removed(view: Int, ViewChannel, isFinished: Bool)
    /// All animations of a transaction are complete; the index is one of `ViewsPlan.completions`.
    case completed(Int)
  }

  package init(time: Double, _ kind: Kind) {
    self.time = time
    switch kind {
    case .legEnded(let view, let channel, let index):
      (tag, self.view, self.channel, detail) = (.legEnded, UInt32(view), channel, index)
    case .logicallyComplete(let view, let channel):
      (tag, self.view, self.channel, detail) = (.logicallyComplete, UInt32(view), channel, 0)
    case .removed(let view, let channel, let isFinished):
      (tag, self.view, self.channel, detail) =
        (.removed, UInt32(view), channel, isFinished ? 1 : 0)
    case .completed(let completion):
      (tag, view, channel, detail) = (.completed, 0, .x, completion)
    }
  }

  /// The kind of event, with its details.
  package var kind: Kind {
    switch tag {
    case .legEnded: .legEnded(view: Int(view), channel, index: detail)
    case .logicallyComplete: .logicallyComplete(view: Int(view), channel)
    case .removed: .removed(view: Int(view), channel, isFinished: detail == 1)
    case .completed: .completed(detail)
    }
  }
}
