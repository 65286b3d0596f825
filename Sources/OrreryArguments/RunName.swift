// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// Chooses the name of a run of `orrery run`.
package struct RunName {
  /// The name as it was given; nil: chosen by the scene's name.
  private let given: String?

  /// The scene's name, as far as a run may have it.
  private let plain: String

  /// Directory of all runs.
  private let base: String

  /// Where the search for a free name goes on.
  private var number = 1

  /// Looks for a name in the directory of all runs.
  ///
  /// - Parameters:
  ///   - given: The name of `--run`; nil if there is none.
  ///   - scene: The scene's name.
  ///   - base: The directory of all runs.
  package init(given: String?, scene: String, base: String = RunDirectory.base()) {
    self.given = given
    self.base = base
    let allowed = scene.unicodeScalars.filter { scalar in
      scalar.isASCII && (Self.isPlain(scalar) || "-_.".unicodeScalars.contains(scalar))
    }
    let name = String(String.UnicodeScalarView(allowed.drop { !Self.isPlain($0) }.prefix(40)))
    plain = name.isEmpty ? "scene" : name
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
  }

  /// Whether the name may be another one than the last that was returned.
  package var isFree: Bool { given == nil }

  /// The next name that no live sim has: the given one; or SCENE, SCENE-2, SCENE-3 and so on.
  ///
  /// A name is free at that moment only. If another sim takes it first, call this again.
  ///
  /// - Returns: The name.
  /// - Throws: `Failure` if the name is given and taken, or if it is unusable.
  package mutating func next() throws(Failure) -> String {
    try Failure.of {
      if let given {
        let directory = try RunDirectory(name: given, base: base)
        guard let holder = directory.holder else { return given }
        throw RunDirectoryError.taken(name: given, by: holder)
      }
      while true {
        defer { number += 1 }
        let name = number == 1 ? plain : "\(plain)-\(number)"
        if try RunDirectory(name: name, base: base).holder == nil { return name }
      }
    }
  }
}
