// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc
import OrreryBase

/// Other programs in this program's directory.
package enum Sibling {
  /// Becomes the program of this name; returns if there is none.
  package static func replaceThisProcess(with name: String, arguments: [String]) {
    guard let path = path(name) else { return }
    ChildProcess.withCStrings([name] + arguments) { _ = execv(path, $0) }
  }

  /// What a program of this name prints on standard output; nil if there is none, or it fails.
  package static func output(of name: String, arguments: [String]) -> String? {
    guard let path = path(name), let run = try? ChildProcess.run(path, arguments) else {
      return nil
    }
    return run.hasSucceeded ? run.text : nil
  }

  /// The path of a program in `directory`.
  ///
  /// Nil if it cannot be executed, or if its name has other characters than a to z and "-".
  package static func path(_ name: String, in directory: String? = Self.directory) -> String? {
    let isPlain = !name.isEmpty && name.utf8.allSatisfy { (97...122).contains($0) || $0 == 45 }
    guard isPlain, let directory else { return nil }
    let path = directory + "/" + name
    return access(path, X_OK) == 0 ? path : nil
  }

  /// The directory of this program's file; nil if the system does not report it.
  package static let directory: String? = {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = linux_program_path(&bytes, bytes.count)
    guard count > 0 else { return nil }
    let path = String(
      decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { String(path[..<$0]) }
  }()
}
