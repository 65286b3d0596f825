// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// A client asks for the run to be steered: `PlaybackControlRequest`.
///
///     0  u8   opcode, 3          6   u8   1: it seeks
///     1  u8   0 plays, 1 pauses  7   u64  where to, ns since 1970
///     2  f32  speed              15  u32  bytes of the ID, which follows
///
/// All is little-endian.
package struct PlaybackRequest: Equatable, Sendable {
  static let opcode: UInt8 = 3

  /// Whether the run is to go on; otherwise it pauses.
  package let plays: Bool
  /// Times the speed of the day.
  package let speed: Float
  /// Where to go, in nanoseconds since 1970; nil: on from here.
  package let seekNs: UInt64?
  /// Chosen by the client; the answer carries it.
  package let id: String

  /// The longest ID that is read.
  private static let idBytesMax = 256

  /// Reads a request, with its opcode; nil if it is none.
  package init?(_ bytes: [UInt8]) {
    var buffer = ByteBuffer(bytes: bytes)
    guard buffer.readInteger(as: UInt8.self) == Self.opcode,
      let command = buffer.readInteger(as: UInt8.self), command <= 1,
      let speed = buffer.readInteger(endianness: .little, as: UInt32.self).map(
        Float.init(bitPattern:)),
      speed.isFinite,
      let seeks = buffer.readInteger(as: UInt8.self),
      let seekNs = buffer.readInteger(endianness: .little, as: UInt64.self),
      let idBytes = buffer.readInteger(endianness: .little, as: UInt32.self),
      idBytes <= Self.idBytesMax, idBytes == buffer.readableBytes,
      let id = String(validating: buffer.readableBytesView, as: UTF8.self)
    else { return nil }
    (plays, self.speed, self.id) = (command == 0, speed, id)
    self.seekNs = seeks == 0 ? nil : seekNs
  }
}

/// How the run goes: `PlaybackState`.
///
///     0  u8   opcode, 5                    14  u8   1: a seek led here
///     1  u8   0 plays, 1 paused, 3 ended   15  u32  bytes of the request's ID, which follows; 0: it was
///     2  u64  time, ns since 1970              somebody else's
///     10 f32  speed
package struct PlaybackState: Equatable, Sendable {
  /// Whether it goes on.
  package enum Status: UInt8, Sendable {
    case playing = 0
    case paused = 1
    case ended = 3
  }

  /// Whether it goes on.
  package var status = Status.playing
  /// Times the speed of the day.
  package var speed: Float = 1

  /// The state of a run that plays.
  package init() {}

  /// The message.
  ///
  /// - Parameters:
  ///   - timeNs: Where the run is, in nanoseconds since 1970.
  ///   - didSeek: Whether a seek led there.
  ///   - id: Of the request that this answers; empty: of none.
  /// - Returns: The bytes.
  package func bytes(timeNs: UInt64, didSeek: Bool = false, answers id: String = "") -> ByteBuffer {
    var bytes = ByteBuffer()
    bytes.writeInteger(UInt8(5))
    bytes.writeInteger(status.rawValue)
    bytes.writeInteger(timeNs, endianness: .little)
    bytes.writeInteger(speed.bitPattern, endianness: .little)
    bytes.writeInteger(UInt8(didSeek ? 1 : 0))
    bytes.writeInteger(UInt32(id.utf8.count), endianness: .little)
    bytes.writeString(id)
    return bytes
  }
}
