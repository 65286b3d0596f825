// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How many times longer than by default random tests run: `ORRERY_TEST_EFFORT`.
package let testEffort =
  ProcessInfo.processInfo.environment["ORRERY_TEST_EFFORT"].flatMap(Int.init) ?? 1

/// Whether a sanitizer watches, which keeps memory of its own for all that is used: `ORRERY_SANITIZER`.
package let isSanitized = ProcessInfo.processInfo.environment["ORRERY_SANITIZER"] != nil
