// SPDX-License-Identifier: Apache-2.0

/// How messages are handed over: each program reports its word in its answers.
///
/// Labels are made from it. A row whose program answers with another word fails. The C++ and Python
/// programs of bench/peers use the same words.
package enum HandoverWay: String, Codable, CaseIterable, Sendable {
  /// A reader polls the frame or the message.
  case spin
  /// A cache line that a reader polls; `swapped` exchanges the processors of writer and reader.
  case line
  case swapped
  /// Ways in which the kernel wakes a waiter.
  case futex
  case eventfd
  case pipe
  case socket
  /// An announcement of Orrery.
  case announcement
  /// Ways in which iceoryx and iceoryx2 wake a waiter.
  case waitset
  case listener
  /// Sockets of libzmq.
  case request
  case pair
  case push
  case pushInPlace = "push in place"
  /// A ring whose writer waits for readers of the slot to overwrite (window), or never (free).
  case handedWindow = "handed window"
  case handedFree = "handed free"
  case copiedWindow = "copied window"
  case copiedFree = "copied free"
  /// A connection to another machine, simulated by TCP loopback.
  case wire

  /// The label in the table.
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

  /// Whether the writer of a ring never waits.
  package var isFree: Bool { self == .handedFree || self == .copiedFree }

  /// The way of a ring.
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
