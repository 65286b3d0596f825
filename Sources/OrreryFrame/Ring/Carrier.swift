// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// The kind of file that holds a ring; its bytes are the same in both.
package enum Carrier: Equatable, Sendable {
  /// A sealed memory file without a name, handed over on the join socket. It is freed with its last
  /// user and not limited by /dev/shm, and no reader can write to it or truncate it.
  case memory
  /// A file in /dev/shm, for tools that map a path. Only this user can open it, and every process
  /// that can open it may truncate it.
  case named(String)

  /// A carrier with a name.
  ///
  /// - Parameter name: 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit.
  /// - Throws: `FrameError.badSegmentName`.
  package init(name: String) throws(FrameError) {
    guard RunDirectory.isName(name) else { throw .badSegmentName(name) }
    self = .named(name)
  }

  /// The file's name in /dev/shm; nil if it has none.
  package var segment: String? {
    if case .named(let name) = self { name } else { nil }
  }

  /// Path of the file with a name.
  package static func path(of name: String) -> String { "/dev/shm/" + name }

  /// The number in a `join_reply`.
  var code: UInt32 { UInt32(self == .memory ? CARRIER_MEMORY : CARRIER_NAMED) }
}
