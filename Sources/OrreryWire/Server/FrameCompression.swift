// SPDX-License-Identifier: Apache-2.0

import CCompression

/// Compression of frames with LZ4, for links that are slower than the encoder.
enum FrameCompression {
  /// Encodes a frame into memory of its own; nil if LZ4 fails.
  static func encode(_ frame: UnsafeRawBufferPointer, window: SendWindow) -> MessagePart? {
    var preferences = LZ4F_preferences_t()
    preferences.frameInfo.contentSize = UInt64(frame.count)
    let capacity = LZ4F_compressFrameBound(frame.count, &preferences)
    return MessagePart(capacity: capacity, window: window) { memory in
      let count = LZ4F_compressFrame(
        memory.baseAddress, memory.count, frame.baseAddress, frame.count, &preferences)
      return LZ4F_isError(count) == 0 ? count : nil
    }
  }

  /// Decodes a frame that fills the given memory exactly.
  ///
  /// - Returns: False if the bytes are not one LZ4 frame of that length.
  static func decode(
    _ encoded: UnsafeRawBufferPointer, into frame: UnsafeMutableRawBufferPointer
  ) -> Bool {
    var context: OpaquePointer?
    guard LZ4F_isError(LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))) == 0
    else { return false }
    defer { LZ4F_freeDecompressionContext(context) }
    var (read, written) = (0, 0)
    while read < encoded.count {
      var (sourceBytes, targetBytes) = (encoded.count - read, frame.count - written)
      let hint = LZ4F_decompress(
        context, frame.baseAddress.map { $0 + written }, &targetBytes,
        encoded.baseAddress.map { $0 + read }, &sourceBytes, nil)
      guard LZ4F_isError(hint) == 0, sourceBytes > 0 || targetBytes > 0 else { return false }
      read += sourceBytes
      written += targetBytes
      if hint == 0 { return read == encoded.count && written == frame.count }
    }
    return false
  }

  /// The first four bytes of an LZ4 frame.
  static let magic: [UInt8] = [0x04, 0x22, 0x4d, 0x18]
}
