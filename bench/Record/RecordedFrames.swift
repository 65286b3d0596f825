// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Frames to be recorded: positions of orbits, two floats for each entity, tick by tick.
package final class RecordedFrames {
  /// Bytes of a frame.
  package let frameBytes: Int
  /// All frames, one after another.
  package let bytes: UnsafeMutableRawBufferPointer
  /// Count of frames.
  package let count: Int

  /// Computes `count` frames of `entities` entities, which are the same each time.
  package init(entities: Int, count: Int) {
    self.count = count
    frameBytes = entities * 8
    bytes = .allocate(byteCount: frameBytes * count, alignment: 4096)
    let values = bytes.bindMemory(to: Float.self)
    for frame in 0..<count {
      for entity in 0..<entities {
        let turns = Float((entity &* 2_654_435_761) & 0xFFFF) / 65_536
        let angle = 2 * Float.pi * (turns + Float(frame) / 240)
        let radius = 10 + Float(entity % 97)
        let first = (frame * entities + entity) * 2
        values[first] = Float(entity % 1920) + radius * cosf(angle)
        values[first + 1] = Float(entity % 1080) + radius * sinf(angle)
      }
    }
  }

  deinit { bytes.deallocate() }

  /// One of the frames; they are taken in turn.
  package subscript(number: Int) -> UnsafeRawBufferPointer {
    let start = number % count * frameBytes
    return UnsafeRawBufferPointer(rebasing: bytes[start..<(start + frameBytes)])
  }
}
