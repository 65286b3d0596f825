// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Files that a program is going to write.
package enum OutputPaths {
  /// A file, and what stands for it in a message: an option, or a program.
  package typealias Output = (name: String, path: String)

  /// Why outputs cannot be written: one is another of them, or an input, whose content would be lost.
  ///
  /// Pipes and devices may stand more than once.
  ///
  /// - Parameters:
  ///   - outputs: The files; none needs to exist.
  ///   - inputs: Paths that are read; one that does not exist is no file, but a name, say.
  /// - Returns: A line without its end; nil: they can be written.
  package static func clash(_ outputs: [Output], inputs: [String] = []) -> String? {
    var known: [(place: Place, text: String)] = inputs.compactMap { path in
      access(path, F_OK) == 0 ? Place(path).map { ($0, "is also an input") } : nil
    }
    for output in outputs {
      guard let place = Place(output.path) else { continue }
      if let other = known.first(where: { $0.place == place }) {
        return "\(output.name) \(output.path): \(other.text)"
      }
      known.append((place, "is also the file of \(output.name)"))
    }
    return nil
  }

  /// Where a file is or will be; nil for what is no plain file.
  private struct Place: Equatable {
    private let path: String
    private let identity: FileIdentity?

    init?(_ path: String) {
      var status = stat()
      let exists = stat(path, &status) == 0
      guard !exists || status.st_mode & S_IFMT == S_IFREG else { return nil }
      identity = exists ? try? FileIdentity(path: path) : nil
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { String(path[...$0]) } ?? "."
      let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
      guard !exists, let found = realpath(folder, nil) else {
        self.path = path
        return
      }
      defer { free(found) }
      self.path = String(cString: found) + "/" + name
    }

    /// The same name, or one file with two names.
    static func == (a: Place, b: Place) -> Bool {
      a.identity == nil && b.identity == nil ? a.path == b.path : a.identity == b.identity
    }
  }
}
