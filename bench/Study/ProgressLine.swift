// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// A line on standard error that says what is measured; nothing where that is no terminal.
package struct ProgressLine {
  private let isTerminal = isatty(STDERR_FILENO) == 1

  package init() {}

  /// Shows some words in place of the last.
  package func show(_ words: String) {
    if isTerminal { Standard.error("\r\u{1b}[K\(words.prefix(78))") }
  }

  /// Removes the line.
  package func clear() { if isTerminal { Standard.error("\r\u{1b}[K") } }
}
