// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OrreryBase

/// A private directory for the runs of one test, removed with everything in it.
package final class TemporaryBase: Sendable {
  package let path: String

  /// Makes one under /tmp.
  ///
  /// - Throws: `SystemCallError`.
  package init() throws {
    var template = Array("/tmp/orrery-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SystemCallError(call: "mkdtemp", path: "/tmp", errno: errno)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
