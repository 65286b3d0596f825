// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase

/// A folder for all files of started programs, their runtime directory too; removed with its owner.
final class ProgramFolder {
  let url: URL

  /// - Parameter area: The area of the bench.
  /// - Throws: `Failure` if it cannot be made.
  init(_ area: String) throws(Failure) {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "orrery-\(area)-\(getpid())")
    do {
      try FileManager.default.createDirectory(
        at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw Failure(.unavailable, "\(url.path): \(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in it.
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}
