// SPDX-License-Identifier: Apache-2.0

/// What a director's event queue holds: something that is due at a time.
///
/// What it is, its number in the queue says, which orders what is due at one time.
struct Cue: BitwiseCopyable {
  /// Index of the command or reaction in the plan, or of the motion's episode.
  let index: UInt32
}

/// What the number of an event in a director's queue stands for: at one time, lower numbers come first.
enum CueNumber {
  /// The how manieth reaction, without delay or with one.
  case reaction
  case command
  /// The number of the change that began a motion. It is never used again: if it is gone, it is not
  /// found, and the cue passes.
  case motion(Kind, change: UInt64)

  /// What is due; of one motion at one time, the lower number comes first.
  enum Kind: UInt64 {
    /// Lanes have to be told how a motion goes on.
    case piece = 2
    case leg = 3
    case logicalEnd = 4
    case end = 5
    /// What was shown at exactly the end gives way to the target.
    case afterEnd = 6
  }

  private static let firstMotion: UInt64 = 1 << 60
  private static let firstCommand: UInt64 = 1 << 62
  private static let firstDelayedReaction: UInt64 = 1 << 63

  init(_ number: UInt64) {
    if number >= Self.firstMotion, number < Self.firstCommand,
      let kind = Kind(rawValue: number & 7)
    {
      self = .motion(kind, change: (number - Self.firstMotion) >> 3)
    } else {
      let isCommand = number >= Self.firstCommand && number < Self.firstDelayedReaction
      self = isCommand ? .command : .reaction
    }
  }

  /// The number of what a change's motion comes to.
  static func motion(_ kind: Kind, of change: UInt64) -> UInt64 {
    firstMotion + change << 3 + kind.rawValue
  }

  /// The number of a command of the plan.
  static func command(_ index: Int) -> UInt64 { firstCommand + UInt64(index) }

  /// The number of the how manieth reaction.
  static func reaction(_ count: UInt64, isDelayed: Bool) -> UInt64 {
    count + (isDelayed ? firstDelayedReaction : 0)
  }
}
