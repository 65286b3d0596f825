// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The permissions that this process takes away from every file that it makes.
package func processMask() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("Umask:") } ?? "Umask: 0"
  return Int(line.drop { !$0.isNumber }, radix: 8) ?? 0
}
