// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A folder of a test's own, removed with what is in it.
final class Folder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/orrery-fault-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw SystemCallError(call: "mkdtemp", path: "/tmp", errno: errno)
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
