// SPDX-License-Identifier: Apache-2.0

/// How the records of a chunk are stored.
package enum TraceCompression: String, Sendable, CaseIterable {
  /// As they are.
  case none

  /// LZ4 frame format, fastest level.
  case lz4

  /// Zstandard, level 1.
  case zstd

  /// The name that a chunk carries, as registered for MCAP.
  var mcapName: String { self == .none ? "" : rawValue }

  /// Bytes of the longest name.
  static let nameBytesMax = 4

  /// The compression of a chunk that carries `mcapName`; nil if we cannot read it.
  init?(mcapName: String) {
    switch mcapName {
    case "": self = .none
    case "lz4": self = .lz4
    case "zstd": self = .zstd
    default: return nil
    }
  }
}
