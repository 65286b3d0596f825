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

extension RunKey {
  /// What a key of a terminal does; nil: nothing.
  init?(_ key: TerminalKey) {
    switch key {
    case .up: self = .seek(seconds: 10)
    case .down: self = .seek(seconds: -10)
    case .right: self = .seek(seconds: 1)
    case .left: self = .seek(seconds: -1)
    case .enter: return nil
    case .character(let byte):
      switch byte {
      case UInt8(ascii: " "): self = .pause
      case UInt8(ascii: "."): self = .step
      case UInt8(ascii: "+"), UInt8(ascii: "="): self = .faster
      case UInt8(ascii: "-"): self = .slower
      case UInt8(ascii: "q"): self = .end
      default: self = .other
      }
    }
  }
}

/// A key of a terminal.
package enum TerminalKey: Equatable, Sendable {
  case up
  case down
  case right
  case left
  case enter
  /// A character of ASCII that is seen, or a blank.
  case character(UInt8)
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
  /// - Returns: What the keys that are complete with them do to a run.
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [RunKey] {
    typed(bytes).compactMap { RunKey($0) }
  }

  /// Reads bytes.
  ///
  /// - Parameter bytes: The bytes of one read, in their order.
  /// - Returns: The keys that are complete with them.
  package mutating func typed(_ bytes: some Sequence<UInt8>) -> [TerminalKey] {
    bytes.compactMap { take($0) }
  }

  private mutating func take(_ byte: UInt8) -> TerminalKey? {
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

  private static func plain(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case 0x0a, 0x0d: .enter
    case 0x20...0x7e: .character(byte)
    default: nil
    }
  }

  private static func arrow(_ byte: UInt8) -> TerminalKey? {
    switch byte {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    default: nil
    }
  }
}
