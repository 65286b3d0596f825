// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Writes what changed between two encoded frames of 16-bit numbers, where that takes at most half of the bytes.
///
/// Script reads a changed value in 5 ns, and a whole one in none: where everything moves (`stress` with a million), frames
/// of two thirds of the bytes were drawn 30 ms later.
///
/// The head and the heads of columns are the frame's own, see `FrameEncoder`; 2 in the head's last word says that these are
/// changes. Behind the heads is the u64 sequence of the frame that they begin from. A column has a byte for each 256 of
/// its values: how many bytes each of their changes takes, 0, 1 or 2. The changes follow, without gaps. They are
/// differences that wrap around at 16 bits, so that nothing is lost.
package struct FrameDelta {
  /// Values that share a width: one that moves far costs 256 bytes more, and a byte for 256 costs nothing.
  package static let blockValues = 256

  /// What says in the head that a frame has changes.
  package static let flag: UInt32 = 2

  /// Buffers that are used again once all sockets have let go of them.
  private var buffers = Array(repeating: ByteBuffer(), count: 4)
  private var nextBuffer = 0

  /// Has encoded nothing yet.
  package init() {}

  /// Encodes the changes from a frame to a later one.
  ///
  /// - Parameters:
  ///   - frame: A frame that `FrameEncoder` has encoded, all of it in 16-bit numbers.
  ///   - base: An earlier one of the same run.
  /// - Returns: The changes; nil if they take more than half of the bytes, or the unit of a column has grown.
  package mutating func encode(_ frame: ByteBuffer, since base: ByteBuffer) -> ByteBuffer? {
    nextBuffer = (nextBuffer + 1) % buffers.count
    var buffer = ByteBuffer()
    swap(&buffer, &buffers[nextBuffer])
    defer { buffers[nextBuffer] = buffer }
    buffer.clear(minimumCapacity: frame.readableBytes)
    let bytesMax = frame.readableBytes / 2
    let isLess = frame.withUnsafeReadableBytes { new in
      base.withUnsafeReadableBytes { old in
        Self.write(new, since: old, to: &buffer, bytesMax: bytesMax)
      }
    }
    return isLess ? buffer : nil
  }

  private static func write(
    _ new: UnsafeRawBufferPointer, since old: UnsafeRawBufferPointer, to buffer: inout ByteBuffer,
    bytesMax: Int
  ) -> Bool {
    guard new.count == old.count else { return false }
    let columnCount = Int(word(new, 4))
    let headBytes = FrameEncoder.headBytes + columnCount * FrameEncoder.columnBytes
    buffer.writeBytes(new[..<headBytes])
    buffer.setInteger(flag, at: FrameEncoder.headBytes - 4, endianness: .little)
    buffer.writeBytes(old[8..<16])
    for index in 0..<columnCount {
      let head = FrameEncoder.headBytes + index * FrameEncoder.columnBytes
      let (count, offset) = (Int(word(new, head + 12)), Int(word(new, head + 16)))
      guard word(new, head + 20) == word(old, head + 20) else { return false }
      buffer.setInteger(UInt32(buffer.writerIndex), at: head + 16, endianness: .little)
      let values = offset..<offset + 2 * count
      let isWritten = new[values].withMemoryRebound(to: Int16.self) { new in
        old[values].withMemoryRebound(to: Int16.self) { old in
          write(new, since: old, to: &buffer, bytesMax: bytesMax)
        }
      }
      guard isWritten else { return false }
    }
    return true
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }

  /// Writes the changes of a column.
  ///
  /// - Returns: False if the frame would have more than `bytesMax` then.
  private static func write(
    _ new: UnsafeBufferPointer<Int16>, since old: UnsafeBufferPointer<Int16>,
    to buffer: inout ByteBuffer, bytesMax: Int
  ) -> Bool {
    let blockCount = (new.count + blockValues - 1) / blockValues
    guard buffer.writerIndex + blockCount <= bytesMax else { return false }
    let widthsIndex = buffer.writerIndex
    buffer.writeRepeatingByte(0, count: blockCount)
    for block in 0..<blockCount {
      let range = block * blockValues..<min((block + 1) * blockValues, new.count)
      let width = width(new, old, range)
      guard width > 0 else { continue }
      guard buffer.writerIndex + width * range.count <= bytesMax else { return false }
      buffer.setInteger(UInt8(width), at: widthsIndex + block)
      buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 2 * blockValues) { room in
        write(new, old, range, width: width, to: room)
        return width * range.count
      }
    }
    return true
  }

  /// Bytes that each change of a block takes, by the bits of all changes, without a branch; those of a negative one are
  /// turned around.
  private static func width(
    _ new: UnsafeBufferPointer<Int16>, _ old: UnsafeBufferPointer<Int16>, _ range: Range<Int>
  ) -> Int {
    var (changed, bits) = (Int16(0), Int16(0))
    for index in range {
      let change = new[index] &- old[index]
      changed |= change
      bits |= change ^ (change >> 15)
    }
    return changed == 0 ? 0 : bits < 128 ? 1 : 2
  }

  private static func write(
    _ new: UnsafeBufferPointer<Int16>, _ old: UnsafeBufferPointer<Int16>, _ range: Range<Int>,
    width: Int, to room: UnsafeMutableRawBufferPointer
  ) {
    if width == 1 {
      for index in range {
        room[index - range.lowerBound] = UInt8(truncatingIfNeeded: new[index] &- old[index])
      }
    } else {
      for index in range {
        let change = (new[index] &- old[index]).littleEndian
        room.storeBytes(
          of: change, toByteOffset: 2 * (index - range.lowerBound), as: Int16.self)
      }
    }
  }
}
