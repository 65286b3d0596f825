// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// Where a ring lives; its bytes are the same in both.
package enum Carrier: Equatable, Sendable {
  /// A sealed memory file without a name: handed over on the join socket, gone with its last user, not
  /// bounded by /dev/shm, and no reader can write to it or truncate it.
  case memory
  /// A file in /dev/shm, for tools that map a path. Only this user can open it, and whoever can may truncate it.
  case named(String)

  /// A carrier with a name.
  ///
  /// - Parameter name: 1 to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit.
  /// - Throws: `FrameError.badSegmentName`.
  package init(name: String) throws(FrameError) {
    guard RunDirectory.isName(name) else { throw .badSegmentName(name) }
    self = .named(name)
  }

  /// The file of a name.
  package static func path(of name: String) -> String { "/dev/shm/" + name }

  /// As a `join_reply` says it.
  var code: UInt32 { UInt32(self == .memory ? CARRIER_MEMORY : CARRIER_NAMED) }
}
