// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How many times longer than by default random tests run: `ORRERY_TEST_EFFORT`.
package let testEffort =
  ProcessInfo.processInfo.environment["ORRERY_TEST_EFFORT"].flatMap(Int.init) ?? 1
