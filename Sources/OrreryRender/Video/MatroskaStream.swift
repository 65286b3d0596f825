// SPDX-License-Identifier: Apache-2.0

/// The bytes around raw pictures that tell an encoder the time of each.
///
/// A minimal Matroska stream (RFC 9559) of one uncompressed video track: header, segment of unknown
/// length, track, and then one cluster for each picture with its time in microseconds. Plain raw
/// video has no times: the picture before a gap would have to be encoded again for each missed
/// frame.
struct MatroskaStream {
  /// The bytes before the first picture.
  let head: [UInt8]

  private let pictureBytes: Int

  /// Unit of times in the stream: one microsecond.
  private static let timestampScaleNs: UInt64 = 1000

  init(width: Int, height: Int) {
    pictureBytes = width * height * 4
    let header = Self.element(
      [0x1a, 0x45, 0xdf, 0xa3],
      Self.element([0x42, 0x82], Array("matroska".utf8))
        + Self.element([0x42, 0x87], number: 4) + Self.element([0x42, 0x85], number: 2))
    let info = Self.element(
      [0x15, 0x49, 0xa9, 0x66],
      Self.element([0x2a, 0xd7, 0xb1], number: Self.timestampScaleNs)
        + Self.element([0x4d, 0x80], Array("orrery".utf8))
        + Self.element([0x57, 0x41], Array("orrery".utf8)))
    let picture =
      Self.element([0xb0], number: UInt64(width)) + Self.element([0xba], number: UInt64(height))
      + Self.element([0x2e, 0xb5, 0x24], Array("BGRA".utf8))
    let track =
      Self.element([0xd7], number: 1) + Self.element([0x73, 0xc5], number: 1)
      + Self.element([0x83], number: 1) + Self.element([0x86], Array("V_UNCOMPRESSED".utf8))
      + Self.element([0xe0], picture)
    let tracks = Self.element([0x16, 0x54, 0xae, 0x6b], Self.element([0xae], track))
    let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0x01] + [UInt8](repeating: 0xff, count: 7)
    head = header + segment + info + tracks
  }

  /// The bytes before a picture.
  ///
  /// - Parameter timeNs: Time at which to show the picture, from the start of the video.
  /// - Returns: The head of a cluster, to be followed by the picture's bytes.
  func clusterHead(timeNs: UInt64) -> [UInt8] {
    let time = Self.element([0xe7], number: timeNs / Self.timestampScaleNs)
    // Track 1, no offset from the cluster's time, decodable by itself.
    let blockFields: [UInt8] = [0x81, 0, 0, 0x80]
    let blockHead = [0xa3] + Self.length(blockFields.count + pictureBytes) + blockFields
    return [0x1f, 0x43, 0xb6, 0x75]
      + Self.length(time.count + blockHead.count + pictureBytes) + time + blockHead
  }

  private static func element(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
    id + length(content.count) + content
  }

  private static func element(_ id: [UInt8], number: UInt64) -> [UInt8] {
    element(id, (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) })
  }

  /// A length in its longest form, eight bytes.
  private static func length(_ count: Int) -> [UInt8] {
    [0x01]
      + (0..<7).map { UInt8(truncatingIfNeeded: UInt64(count) >> (48 - 8 * UInt64($0))) }
  }
}
