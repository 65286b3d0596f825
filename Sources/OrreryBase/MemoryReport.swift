// SPDX-License-Identifier: Apache-2.0

/// Physical memory of a sim.
package struct MemoryReport: Codable, Equatable, Sendable {
  /// What it worked out before it took any, with what it held then.
  package var estimatedBytes: UInt64
  /// The most that it ever held.
  package var residentBytesMost: UInt64

  package init(estimatedBytes: UInt64, residentBytesMost: UInt64) {
    self.estimatedBytes = estimatedBytes
    self.residentBytesMost = residentBytesMost
  }
}
