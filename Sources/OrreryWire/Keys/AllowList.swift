// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// Public keys of clients that may connect: the `.pub` files of a directory, read anew for each
/// question.
package struct AllowList: Equatable, Sendable {
  let directory: String

  /// Files read; more are ignored.
  private static let filesMax = 1024

  /// The list at one moment.
  package struct Content: Equatable, Sendable {
    /// The public keys that may connect.
    package fileprivate(set) var keys: Set<String> = []

    /// Why some files are skipped: a file that is just being written, or that others may change,
    /// concerns its own client only.
    package fileprivate(set) var skipped: [KeyError] = []

    /// Whether there are more files than are read.
    package fileprivate(set) var isCut = false

    /// A list without keys.
    package init() {}
  }

  /// Reads the list.
  ///
  /// - Returns: The keys, and the files that hold none.
  /// - Throws: `KeyError` when the directory cannot be trusted or read, or when the system is out of
  ///   descriptors or memory: which keys are on the list is not known then.
  package func content() throws(KeyError) -> Content {
    try KeyFile.check(directory, kind: S_IFDIR, isSecret: false)
    let names: [String]
    do throws(SystemCallError) {
      names = try DirectoryListing.names(in: directory, countMax: Self.filesMax + 1) { name in
        name.hasSuffix(".pub") && !name.hasPrefix(".")
      }
    } catch {
      throw .system(error)
    }
    var content = Content()
    content.isCut = names.count > Self.filesMax
    for name in names.prefix(Self.filesMax) {
      do throws(KeyError) {
        content.keys.insert(try KeyFile.read(directory + "/" + name, isSecret: false))
      } catch {
        if error.isShortage { throw error }
        // A file that was removed since the directory was read is off the list.
        if !error.isMissing { content.skipped.append(error) }
      }
    }
    content.skipped.sort { $0.description < $1.description }
    return content
  }
}

extension KeyError {
  /// Whether the file is not there.
  fileprivate var isMissing: Bool {
    if case .system(let error) = self { error.errno == ENOENT } else { false }
  }

  /// Whether this process, not the file, is the cause.
  var isShortage: Bool {
    if case .system(let error) = self { error.isShortage } else { false }
  }
}
