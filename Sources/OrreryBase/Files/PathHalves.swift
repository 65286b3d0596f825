// SPDX-License-Identifier: Apache-2.0

/// A path before and from the dot of its ending: `demo/out.mcap` is `demo/out` and `.mcap`.
package struct PathHalves {
  /// What stands before the ending.
  package let stem: Substring

  /// The ending with its dot; empty if the file's name has none.
  package let ending: Substring

  /// Divides a path.
  ///
  /// - Parameters:
  ///   - path: The path of a file.
  ///   - mayBeNameless: Whether a name that begins with its only dot is an ending, as `.gif` of a video; otherwise it
  ///     is the name of a hidden file.
  package init(_ path: String, mayBeNameless: Bool = false) {
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".").flatMap { mayBeNameless || $0 > name ? $0 : nil }
    (stem, ending) = (path[..<(dot ?? path.endIndex)], path[(dot ?? path.endIndex)...])
  }

  /// The path with a mark before its ending, as `demo/out-2.mcap`.
  package func joined(by mark: String) -> String { "\(stem)\(mark)\(ending)" }
}
