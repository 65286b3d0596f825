// SPDX-License-Identifier: Apache-2.0

/// The first byte of an MCAP record: its kind.
///
/// 0 is invalid, 0x10 to 0x7F belong to future versions of MCAP and 0x80 to 0xFF are private; readers
/// skip both.
package enum TraceOpcode: UInt8, Sendable {
  case header = 0x01
  case footer = 0x02
  case schema = 0x03
  case channel = 0x04
  case message = 0x05
  case chunk = 0x06
  case messageIndex = 0x07
  case chunkIndex = 0x08
  case attachment = 0x09
  case attachmentIndex = 0x0A
  case statistics = 0x0B
  case metadata = 0x0C
  case metadataIndex = 0x0D
  case summaryOffset = 0x0E
  case dataEnd = 0x0F
}

/// Sizes and bytes that the MCAP specification fixes.
enum TraceFormat {
  /// First and last bytes of a file; the fifth after the first is the major version, "0".
  static let magic: [UInt8] = [0x89, 0x4D, 0x43, 0x41, 0x50, 0x30, 0x0D, 0x0A]

  /// A private record that fills the room of a file that is being written; readers skip it.
  static let roomOpcode: UInt8 = 0x80

  /// Begin of the name of the library in files of Orrery's.
  private static let ownLibrary = "orrery "

  /// Whether Orrery wrote a file, by the library in its header.
  static func isOwn(_ library: String) -> Bool { library.hasPrefix(ownLibrary) }

  /// Known faults of other programs' writers: a chunk without messages whose first time is the largest number, and one
  /// whose first time is not that of its message of time 0.
  static let emptyChunkNote = "a chunk without messages has times"
  static let timeZeroNote = "a chunk's first time leaves out its message of time 0"

  /// Whether a chunk has the times that such a writer leaves in one without messages.
  static func hasTimesOfNone(_ startNs: UInt64, _ endNs: UInt64) -> Bool {
    startNs == .max && endNs == 0
  }
}
