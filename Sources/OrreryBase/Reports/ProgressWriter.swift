// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How progress is asked for: the values of `--progress`.
package enum ProgressMode: String, CaseIterable, Sendable {
  /// A line that is rewritten on a terminal, nothing elsewhere.
  case auto
  /// A line every second.
  case plain
  /// A line of JSON four times a second.
  case json
  case none

  /// Reads a value of `--progress`.
  ///
  /// - Throws: `Failure` for another word.
  package init(argument: String) throws(Failure) {
    guard let mode = Self(rawValue: argument) else {
      let known = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.usage, "use one of \(known)")
    }
    self = mode
  }

  /// How progress is shown.
  ///
  /// - Parameters:
  ///   - isTerminal: Whether standard error can rewrite a line.
  ///   - isForPrograms: Whether a program reads the output.
  /// - Returns: The style.
  package func style(
    isTerminal: Bool = ProgressWriter.isOnTerminal, isForPrograms: Bool = false
  ) -> ProgressWriter.Style {
    switch self {
    case .auto: isTerminal && !isForPrograms ? .line : .none
    case .plain: .plain
    case .json: .json
    case .none: .none
    }
  }
}

/// Writes progress on standard error: one line that is rewritten, or lines.
package struct ProgressWriter {
  /// How progress is shown.
  package enum Style: Sendable {
    case line
    case plain
    case json
    case none
  }

  /// How progress is shown.
  package let style: Style
  private let clock: () -> UInt64
  private let columns: () -> Int
  private let write: (String) -> Void
  private var shownNs: UInt64?
  private var isLineOpen = false

  /// Creates a writer that has shown nothing yet.
  ///
  /// - Parameters:
  ///   - style: How to show progress.
  ///   - clock: Nanoseconds that never go back.
  ///   - columns: Width of the terminal in characters; a longer line is cut.
  ///   - write: Takes the text to show.
  package init(
    _ style: Style, clock: @escaping () -> UInt64 = Clock.monotonicNs,
    columns: @escaping () -> Int = { Self.terminalColumns },
    write: @escaping (String) -> Void = Standard.error
  ) {
    (self.style, self.clock, self.columns, self.write) = (style, clock, columns, write)
  }

  /// Whether standard error is a terminal that can rewrite a line.
  package static var isOnTerminal: Bool {
    let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
    return isatty(STDERR_FILENO) == 1 && !isDumb
  }

  /// Width of the terminal on standard error; 80 if it does not say.
  package static var terminalColumns: Int { columns(of: STDERR_FILENO) ?? 80 }

  /// Width of the terminal that a descriptor leads to; nil if it is none, or does not say.
  package static func columns(of descriptor: CInt) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Least time between two reports: ten a second on a terminal, one a second as lines.
  private var intervalNs: UInt64 {
    switch style {
    case .line: 100_000_000
    case .plain: 1_000_000_000
    case .json: 250_000_000
    case .none: .max
    }
  }

  /// Shows the progress, unless the last report is too recent.
  ///
  /// - Parameters:
  ///   - isUrgent: Whether it is shown in any case.
  ///   - text: The report for people, given the characters that fit in a line.
  ///   - json: The report as one line of JSON.
  package mutating func show(
    isUrgent: Bool = false, text: (_ columns: Int) -> String, json: () -> String
  ) {
    let now = clock()
    if style == .none { return }
    if !isUrgent, let shownNs, now < shownNs + intervalNs { return }
    shownNs = now
    switch style {
    case .line:
      let fitting = max(columns() - 1, 1)
      write("\r\u{1b}[K\(text(fitting).prefix(fitting))")
      isLineOpen = true
    case .plain: write(text(.max) + "\n")
    case .json: write(json() + "\n")
    case .none: break
    }
  }

  /// Writes a message on a line of its own, in every style: as JSON among lines of JSON, else as the log is.
  package mutating func note(_ text: String) {
    let line =
      style == .json
      ? NoteReport(text: text).line
      : StandardErrorLog.line(.notice, text, by: "orrery", forPeople: text)
    write((isLineOpen ? "\r\u{1b}[K" : "") + line + "\n")
    isLineOpen = false
  }

  /// Ends the rewritten line, so that it stays on the screen.
  package mutating func close() {
    if isLineOpen { write("\n") }
    isLineOpen = false
  }
}
