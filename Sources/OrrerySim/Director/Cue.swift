// SPDX-License-Identifier: Apache-2.0

import Orrery

/// An event in a director's queue, without its time.
///
/// Its number in the queue (`CueNumber`) gives its kind, and orders events at the same time. Events of one kind in
/// successive episodes, of changes that are equally far apart, make a run, and so do successive commands.
struct Cue: EventPayload {
  /// Index of the command in `Director.commands`, of the reaction in the plan, or of the motion's episode; or `cohortBit`
  /// and the index of its cohort.
  let index: UInt32

  private static let cohortBit: UInt32 = 1 << 31

  init(index: UInt32) { self.index = index }

  /// The end of all motions of a cohort.
  init(cohort: CohortPool.Index) { index = UInt32(bitPattern: cohort) | Self.cohortBit }

  /// The cohort that ends; nil for all other events of motions.
  var cohort: CohortPool.Index? {
    index & Self.cohortBit > 0 ? CohortPool.Index(bitPattern: index ^ Self.cohortBit) : nil
  }

  static var runStep: UInt64 { CueNumber.step }

  func moved(by places: Int32) -> Cue { Cue(index: index &+ UInt32(bitPattern: places)) }
}

/// The meaning of an event's number in a director's queue; at the same time, lower numbers come first.
enum CueNumber {
  /// A reaction, with or without a delay.
  case reaction
  case command
  /// An event of a motion, which is named by the number of the change that began it. Numbers are never
  /// used again: if the motion is gone, it is not found, and the event has no effect.
  case motion(Kind, change: UInt64)

  /// The kind of a motion's event; for one motion at the same time, the lower number comes first.
  enum Kind: UInt64 {
    /// The motion's segment in its lane ends, and another one follows.
    case segment = 2
    case leg = 3
    case logicalEnd = 4
    case end = 5
    /// The value that was shown at exactly the end is replaced by the target.
    case afterEnd = 6
    /// The remaining motion after an end can no longer be seen.
    case rest = 7
  }

  /// From the number of a change's event to that of the next change's, and from one command to the next.
  static let step: UInt64 = 8

  private static let firstMotion: UInt64 = 1 << 60
  private static let firstCommand: UInt64 = 1 << 62
  private static let firstDelayedReaction: UInt64 = 1 << 63

  @inline(__always)
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

  /// The number of an event of a change's motion.
  static func motion(_ kind: Kind, of change: UInt64) -> UInt64 {
    firstMotion + change << 3 + kind.rawValue
  }

  /// The number of a command of the plan, by its index there; those of tracks come before it at the same time.
  static func command(_ index: Int) -> UInt64 {
    firstCommand + 1 << 50 + UInt64(index) * step
  }

  /// The number of a command of an interrupted track.
  static func command(_ index: Int, ofTrack track: Int) -> UInt64 {
    firstCommand + UInt64(track) << 16 + UInt64(index)
  }

  /// The number of a reaction, from its ordinal.
  static func reaction(_ ordinal: UInt64, isDelayed: Bool) -> UInt64 {
    ordinal + (isDelayed ? firstDelayedReaction : 0)
  }
}
