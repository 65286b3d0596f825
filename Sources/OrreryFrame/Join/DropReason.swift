// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// Why a sim dropped a subscriber while the run goes on.
package enum DropReason: Equatable, Sendable, CustomStringConvertible {
  /// A run in lockstep waited for it for longer than the stall limit.
  case stalled
  /// It sent an impossible message.
  case brokeProtocol
  /// The reason in the words of a sim on another machine.
  case remote(String)
  /// A number that this program does not know.
  case other(UInt32)

  init(_ number: UInt32) {
    self =
      switch number {
      case UInt32(NOTICE_STALLED): .stalled
      case UInt32(NOTICE_BROKE_PROTOCOL): .brokeProtocol
      default: .other(number)
      }
  }

  package var description: String {
    switch self {
    case .stalled: "the run waited for this subscriber for longer than the sim's --stall-limit"
    case .brokeProtocol: "the sim could not make sense of what this subscriber said"
    case .remote(let reason): reason
    case .other(let number): "reason \(number)"
    }
  }
}
