// SPDX-License-Identifier: Apache-2.0

/// How messages are handed over, in the word that every program puts into its answers.
///
/// Labels are made from it, and a row whose program answers with another word is not a figure but a failure.
/// The C++ and Python of bench/peers name their ways in the same words.
package enum HandoverWay: String, Codable, CaseIterable, Sendable {
  /// A reader looks at the frame or the message again and again.
  case spin
  /// A cache line that a reader looks at; swapped, on the two processors the other way round.
  case line
  case swapped
  /// What the kernel wakes a sleeper by.
  case futex
  case eventfd
  case pipe
  case socket
  /// A message of Orrery's announcer.
  case announcement
  /// What iceoryx and iceoryx2 wake a sleeper by.
  case waitset
  case listener
  /// Sockets of libzmq.
  case request
  case pair
  case push
  case pushInPlace = "push in place"
  /// A ring whose writer waits for what it would overwrite, or never does.
  case handedWindow = "handed window"
  case handedFree = "handed free"
  case copiedWindow = "copied window"
  case copiedFree = "copied free"
  /// A connection to another machine, as it were.
  case wire

  /// In words of the table.
  package var label: String {
    switch self {
    case .spin, .futex, .eventfd, .pipe, .announcement, .waitset, .listener, .wire: rawValue
    case .line: "a cache line"
    case .swapped: "a cache line, the other way"
    case .socket: "Unix socket"
    case .request: "REQ and REP"
    case .pair: "PAIR"
    case .push: "PUSH and PULL"
    case .pushInPlace: "PUSH and PULL, in place"
    case .handedWindow, .handedFree: "handed over"
    case .copiedWindow, .copiedFree: "copied"
    }
  }

  /// Whether the writer of a ring goes on whatever readers do.
  package var isFree: Bool { self == .handedFree || self == .copiedFree }

  /// A ring's way.
  package init(copies: Bool, isFree: Bool) {
    self =
      switch (copies, isFree) {
      case (false, false): .handedWindow
      case (false, true): .handedFree
      case (true, false): .copiedWindow
      case (true, true): .copiedFree
      }
  }
}
