// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Something that has happened on another thread.
package final class Flag: Sendable {
  private let value = Atomic(false)

  /// Something that has not happened yet.
  package init() {}

  /// Now it has.
  package func set() { value.store(true, ordering: .releasing) }

  /// Whether it has.
  package var isSet: Bool { value.load(ordering: .acquiring) }
}
