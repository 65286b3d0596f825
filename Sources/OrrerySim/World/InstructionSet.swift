// SPDX-License-Identifier: Apache-2.0

import CKernelTable
import OrreryKernels

#if arch(x86_64)
  import OrreryKernelsAVX2
  import OrreryKernelsAVX512
#endif

/// The instruction sets that the kernels were compiled for.
package enum InstructionSet: String, CaseIterable, Sendable {
  /// The set that every machine of the architecture has: SSE2, or NEON.
  case baseline
  /// x86-64-v3.
  case avx2
  /// x86-64-v4, with 512-bit registers.
  case avx512

  /// Whether this machine and this build have it.
  package var isSupported: Bool { kernel_processor_level() >= level }

  /// The level of x86-64 that it needs; 0 for the baseline.
  package var level: CInt {
    switch self {
    case .baseline: 0
    case .avx2: 3
    case .avx512: 4
    }
  }

  /// The best one that this machine has.
  package static var best: InstructionSet {
    allCases.last { $0.isSupported } ?? .baseline
  }

  /// Its kernels.
  ///
  /// - Precondition: `isSupported`.
  package func kernels() -> kernel_table {
    precondition(isSupported, "this machine has no \(rawValue)")
    #if arch(x86_64)
      switch self {
      case .baseline: return OrreryKernels.makeKernelTable()
      case .avx2: return OrreryKernelsAVX2.makeKernelTable()
      case .avx512: return OrreryKernelsAVX512.makeKernelTable()
      }
    #else
      return OrreryKernels.makeKernelTable()
    #endif
  }
}
