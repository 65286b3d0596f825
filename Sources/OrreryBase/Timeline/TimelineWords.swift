// SPDX-License-Identifier: Apache-2.0

/// What a program does with a frame, one after the other; each is a slice of its timeline.
///
/// A number is an interned name's: the order here is no format, as each part of a file has its names.
package enum TimelinePhase: UInt8, CaseIterable, Sendable {
  /// Nothing of what follows; the writer fills gaps with it.
  case wait
  /// Commands are performed between two ticks.
  case commands
  /// The events of views that are due are handled.
  case events
  /// The values of a tick are computed.
  case compute
  /// A frame and its announcement are published.
  case publish
  /// What happened to views is handed to the thread that sends it.
  case send
  /// A frame that was published is found: from its publication, or since there was time for it.
  case find
  /// A frame is copied, or read by a program that does nothing else.
  case read
  case draw
  /// A picture, or a frame for pages, is encoded and handed on.
  case encode
  /// A frame is written into the trace.
  case write
  /// A tick that began after the next one was due; what it did lies in it.
  case late
  /// A frame whose work took longer than a tick; what was done lies in it.
  case overBudget

  /// The slice's name.
  package var name: String { self == .overBudget ? "over budget" : "\(self)" }
}

/// What a number beside a slice means.
package enum TimelineNote: UInt8, CaseIterable, Sendable {
  /// Number of the frame; the same in all programs.
  case frame
  case tick
  /// Time from the moment when the tick was due to its start.
  case lateNs
  case entities
  case frameBytes
  /// Entities by kind: a text that each part of a file has once.
  case kinds
  /// Events of views that were recorded.
  case events
  /// Changes of views by commands.
  case changes
  /// Animations that began at rest, took over, ended and were ended early.
  case begun
  case retargeted
  case ended
  case cut
  /// Transactions whose animations were complete.
  case completed
  /// From the publication of a frame to the start of its use.
  case ageNs
  /// Frames that were missed before this one.
  case missed
  /// Bytes by which the file grew.
  case fileBytes
  /// 1: the frame was overwritten while it was used, and counts as missed.
  case overwritten
  /// Frames that the timeline has not, as there was no room for them.
  case leftOut

  /// The name of the number.
  package var name: String { ReportKey.document("\(self)") }
}
