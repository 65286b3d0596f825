// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The processors of this machine.
package enum Processors {
  /// Processors that this process may run on; at least 1.
  package static var count: Int { Int(linux_processor_count()) }
}
