// SPDX-License-Identifier: Apache-2.0

/// Physical memory of a sim, in bytes.
package struct MemoryReport: Codable, Equatable, Sendable {
  /// Estimated before the sim allocated its memory, including what it used then.
  package var estimatedBytes: UInt64
  /// The most that it ever used.
  package var residentMaxBytes: UInt64

  package init(estimatedBytes: UInt64, residentMaxBytes: UInt64) {
    self.estimatedBytes = estimatedBytes
    self.residentMaxBytes = residentMaxBytes
  }
}
