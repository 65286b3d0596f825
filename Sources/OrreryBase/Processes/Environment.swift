// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Variables of this process's environment.
package enum Environment {
  /// The value of a variable; nil if it is not set, or empty.
  package static func value(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
