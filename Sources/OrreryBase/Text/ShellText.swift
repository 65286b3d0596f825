// SPDX-License-Identifier: Apache-2.0

/// Words as shells read them.
package enum ShellText {
  /// A word in single quotes, in which nothing has a meaning but the quote itself.
  package static func quoted(_ word: String) -> String {
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }
}
