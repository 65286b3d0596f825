// SPDX-License-Identifier: Apache-2.0

import OrreryTrace

/// What is wanted of one message.
package enum TraceMessagePart: Equatable {
  /// All of it.
  case whole
  /// Nothing.
  case none
  /// A part, with a number and bytes of its own.
  case changed(sequence: UInt64, bytes: [UInt8])
}

/// A part of a trace's time, and where in the scene's time messages stand.
///
/// The commands on traces know scene time from what a trace's frames say; the tools here need only this of it.
package protocol TraceTimeline {
  /// Log times, in nanoseconds since 1970, outside of which nothing is wanted.
  var logTimes: ClosedRange<UInt64> { get }

  /// What is wanted of a message in these log times.
  func part(of message: TraceArchiveMessage) -> TraceMessagePart

  /// What is wanted of a message before these log times, so that the part can be replayed: changes to the run.
  func preamble(of message: TraceArchiveMessage) -> TraceMessagePart

  /// The tick, and the scene time in seconds, that a message says; nil if it says none.
  func sceneTime(of message: TraceArchiveMessage) -> (tick: UInt64, seconds: Double)?
}
