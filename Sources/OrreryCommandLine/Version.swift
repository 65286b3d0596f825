// SPDX-License-Identifier: Apache-2.0

import CVersion

/// The version of all programs.
package enum Version {
  /// The line that `--version` prints, as `orrery 0.1.0 (commit 0123456789ab, Swift 6.3.1, baseline avx2
  /// avx512)`.
  package static var text: String {
    "orrery \(number) (commit \(builtOf), "
      + "Swift \(String(cString: version_swift())), \(instructionSets))"
  }

  /// The commit that the programs were built of, with a plus if files were changed; nil if the build did not know it.
  package static var commit: String? { builtOf == "unknown" ? nil : builtOf }

  private static var builtOf: String { String(cString: version_commit()) }

  private static let number = "0.1.0"

  /// The instruction sets for which kernels are built.
  ///
  /// The machine may have fewer: `sim` and `bench` choose among those that it has.
  private static var instructionSets: String {
    #if arch(x86_64)
      "baseline avx2 avx512"
    #else
      "baseline"
    #endif
  }
}
