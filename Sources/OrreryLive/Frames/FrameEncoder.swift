// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryFrame
import OrreryMessages

/// Encodes frames as pages read them: once for all pages.
///
///     0   u32  version          24  u64  scene time in ns
///     4   u32  columns          32  u64  published, ns since 1970
///     8   u64  sequence         40  u32  number of the run, from 1
///     16  u64  tick             44  u32  1: values are as they were published; 2: see `FrameDelta`
///     48  for each column: u32 batch, u32 first entity, u32 field, u32 values, u32 offset, f32 unit
///         the columns' values, each at a multiple of 8 bytes
///
/// All is little-endian. A unit of 0 means floats; otherwise the values are 16-bit numbers in multiples of the unit, and
/// −32768 is none.
package struct FrameEncoder {
  /// Whether frames are so small that floats cost nothing: they are sent as they are.
  package let isSmall: Bool

  private let layout: FrameLayout
  private let runNumber: UInt32
  private var columns: [FixedColumn]

  /// Buffers that are used again once all sockets have let go of them.
  private var buffers: [ByteBuffer]
  private var nextBuffer = 0

  /// Version of the encoding.
  package static let version: UInt32 = 1

  /// Bytes before the heads of the columns, and of one of these.
  package static let headBytes = 48
  package static let columnBytes = 24

  /// Frames up to this size are small.
  private static let smallBytes: UInt64 = 64 << 10

  /// An encoder for the frames of a run.
  ///
  /// - Parameters:
  ///   - layout: The layout of every frame.
  ///   - extent: The larger side of the picture, in points.
  ///   - runNumber: Number of the run among those that were followed, from 1.
  package init(_ layout: FrameLayout, extent: Float, runNumber: UInt32) {
    self.layout = layout
    self.runNumber = runNumber
    isSmall = layout.frameBytes <= Self.smallBytes
    columns = layout.columns.map { column in
      let isPosition = [Orrery_Field.x, .y].contains {
        $0.rawValue == Int(column.description.field)
      }
      return FixedColumn(expected: isPosition && extent.isFinite ? extent * 1.25 : 1)
    }
    buffers = Array(repeating: ByteBuffer(), count: Self.bufferCount)
  }

  private static let bufferCount = 4

  /// Encodes a frame; whether it was whole is for the caller to ask afterwards.
  ///
  /// - Parameters:
  ///   - frame: A frame of the layout.
  ///   - isExact: Whether values are sent as they were published, whatever that costs.
  /// - Returns: The bytes.
  package mutating func encode(_ frame: FrameView, isExact: Bool) -> ByteBuffer {
    let isExact = isExact || isSmall
    var end = Self.headBytes + layout.columns.count * Self.columnBytes
    let offsets = layout.columns.map { column in
      end = (end + 7) & ~7
      defer { end += valueBytes(column, isExact) * Int(column.description.valueCount) }
      return end
    }
    nextBuffer = (nextBuffer + 1) % buffers.count
    // Takes the buffer out, so that its memory has one owner if no socket has it.
    var buffer = ByteBuffer()
    swap(&buffer, &buffers[nextBuffer])
    buffer.clear(minimumCapacity: end)
    writeHead(of: frame, isExact, to: &buffer)
    for (index, column) in layout.columns.enumerated() {
      writeHead(
        of: column, offset: offsets[index], unit: unit(of: index, isExact), to: &buffer)
    }
    for (index, column) in layout.columns.enumerated() {
      buffer.writeRepeatingByte(0, count: offsets[index] - buffer.writerIndex)
      write(column, index, of: frame, isExact, to: &buffer)
      // It may have grown.
      buffer.setInteger(
        unit(of: index, isExact).bitPattern,
        at: Self.headBytes + index * Self.columnBytes + 20, endianness: .little)
    }
    buffers[nextBuffer] = buffer
    return buffer
  }

  private func valueBytes(_ column: FrameLayout.Column, _ isExact: Bool) -> Int {
    isExact ? Int(column.description.format.valueBytes) : 2
  }

  /// The unit of a column as it is sent; 0 for floats.
  private func unit(of index: Int, _ isExact: Bool) -> Float {
    let format = layout.columns[index].description.format
    return format != .float32 || isExact ? format.unit : columns[index].unit
  }

  private func writeHead(of frame: FrameView, _ isExact: Bool, to buffer: inout ByteBuffer) {
    let stamp = frame.stamp()
    buffer.writeInteger(Self.version, endianness: .little)
    buffer.writeInteger(UInt32(layout.columns.count), endianness: .little)
    for number in [frame.sequence, stamp.tick, stamp.simTimeNs, stamp.publishTimeNs] {
      buffer.writeInteger(number, endianness: .little)
    }
    buffer.writeInteger(runNumber, endianness: .little)
    buffer.writeInteger(UInt32(isExact ? 1 : 0), endianness: .little)
  }

  private func writeHead(
    of column: FrameLayout.Column, offset: Int, unit: Float, to buffer: inout ByteBuffer
  ) {
    let description = column.description
    for number in [
      description.batch, description.firstEntity, description.field, description.valueCount,
      UInt32(offset), unit.bitPattern,
    ] {
      buffer.writeInteger(number, endianness: .little)
    }
  }

  private mutating func write(
    _ column: FrameLayout.Column, _ index: Int, of frame: FrameView, _ isExact: Bool,
    to buffer: inout ByteBuffer
  ) {
    guard column.description.format == .float32 else {
      buffer.writeBytes(UnsafeRawBufferPointer(column.multiples(in: frame)))
      return
    }
    let values = column.values(in: frame)
    guard !isExact else {
      buffer.writeBytes(UnsafeRawBufferPointer(values))
      return
    }
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: values.count * 2) { room in
      if let target = room.baseAddress?.bindMemory(to: Int16.self, capacity: values.count) {
        columns[index].write(values, to: target)
      }
      return values.count * 2
    }
  }
}
