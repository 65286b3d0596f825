// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Lets this process open so many files, if it may not open more already.
///
/// - Throws: `SystemCallError` if the system does not allow that.
package func allowDescriptors(_ count: UInt) throws(SystemCallError) {
  let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  var limit = rlimit()
  try systemCall("getrlimit", "descriptors") { getrlimit(kind, &limit) }
  guard limit.rlim_cur < count else { return }
  limit.rlim_cur = count
  try systemCall("setrlimit", "descriptors") { setrlimit(kind, &limit) }
}
