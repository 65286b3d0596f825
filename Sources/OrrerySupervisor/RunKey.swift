// SPDX-License-Identifier: Apache-2.0

/// What a key does to a run.
package enum RunKey: Equatable, Sendable {
  /// Space: pauses the run, or resumes it.
  case pause
  /// `.`: publishes one tick.
  case step
  /// `+`: doubles the speed.
  case faster
  /// `-`: halves it.
  case slower
  /// An arrow: goes to a time this many seconds from now.
  case seek(seconds: Double)
  /// `q`: ends the run in order.
  case end
  /// A character that means nothing: the keys are shown.
  case other
  /// No key: asks whether the run is paused, and where it is.
  case look

  /// What the keys are, for the line of progress.
  package static let help = "[space . + - arrows q]"
}

/// Reads keys from the bytes that a terminal sends.
///
/// An arrow is three bytes, which may come in several reads. A sequence that is none of ours is read
/// to its end and does nothing.
package struct KeyParser {
  private enum State {
    case plain
    /// After ESC.
    case escape
    /// After ESC and `[`: parameters until a final byte.
    case sequence
    /// After ESC and `O`: one byte.
    case single
  }

  private var state = State.plain

  /// Whether a sequence has parameters, such as those of Ctrl and an arrow.
  private var hasParameters = false

  /// Waits for the first byte.
  package init() {}

  /// Reads bytes.
  ///
  /// - Parameter bytes: The bytes of one read, in their order.
  /// - Returns: The keys that are complete with them.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [RunKey] {
    bytes.compactMap { take($0) }
  }

  private mutating func take(_ byte: UInt8) -> RunKey? {
    // ESC begins a sequence, wherever it stands.
    if byte == 0x1b {
      state = .escape
      return nil
    }
    switch state {
    case .plain: return Self.plain(byte)
    case .escape:
      (state, hasParameters) = (.plain, false)
      if byte == UInt8(ascii: "[") { state = .sequence }
      if byte == UInt8(ascii: "O") { state = .single }
      return nil
    case .single:
      state = .plain
      return Self.arrow(byte)
    case .sequence:
      guard (0x40...0x7e).contains(byte) else {
        hasParameters = true
        // A control character is no part of a sequence.
        if byte < 0x20 { state = .plain }
        return nil
      }
      state = .plain
      return hasParameters ? nil : Self.arrow(byte)
    }
  }

  private static func plain(_ byte: UInt8) -> RunKey? {
    switch byte {
    case UInt8(ascii: " "): .pause
    case UInt8(ascii: "."): .step
    case UInt8(ascii: "+"), UInt8(ascii: "="): .faster
    case UInt8(ascii: "-"): .slower
    case UInt8(ascii: "q"): .end
    case 0x21...0x7e: .other
    default: nil
    }
  }

  private static func arrow(_ byte: UInt8) -> RunKey? {
    switch byte {
    case UInt8(ascii: "A"): .seek(seconds: 10)
    case UInt8(ascii: "B"): .seek(seconds: -10)
    case UInt8(ascii: "C"): .seek(seconds: 1)
    case UInt8(ascii: "D"): .seek(seconds: -1)
    default: nil
    }
  }
}
