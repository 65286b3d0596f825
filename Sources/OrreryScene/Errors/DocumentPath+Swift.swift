// SPDX-License-Identifier: Apache-2.0

import OrreryDocument

extension DocumentPath {
  /// The whole path in Swift's spelling, for scenes that were built in Swift: `content[0].flagWidth`.
  package var swiftPath: String {
    text { key in
      let words = key.split(separator: "-")
      return words.dropFirst().reduce(words.first.map(String.init) ?? key) { name, word in
        name + word.prefix(1).uppercased() + word.dropFirst()
      }
    }
  }
}
