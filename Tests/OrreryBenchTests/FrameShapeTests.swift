// SPDX-License-Identifier: Apache-2.0

import OrreryBench
import Testing

/// Frames are as large as a row says, and all their values are written.
@Suite struct FrameShapeTests {
  @Test(arguments: [256, 4 << 10, 64 << 10, 1 << 20])
  func frameHasTheBytesThatWereAskedFor(bytes: Int) throws {
    let shape = try FrameShape(bytes: bytes)
    #expect(Int(shape.layout.frameBytes) <= bytes)
    #expect(Int(shape.layout.frameBytes) > bytes - 64, "less at most a line")
    #expect(shape.values.bytes >= bytes / 2)
    #expect(shape.values.offset + shape.values.bytes <= Int(shape.layout.frameBytes))
    #expect(shape.layout.columns.count == 1)
  }

  @Test(arguments: [63, 64, 255]) func smallFrameIsItsHeadAlone(bytes: Int) throws {
    let shape = try FrameShape(bytes: bytes)
    #expect(shape.layout.columns.isEmpty)
    #expect(shape.values.bytes == 0)
    #expect(shape.values.offset == 0)
  }

  @Test(arguments: [false, true]) func everyValueIsWrittenAndNothingElse(streams: Bool) throws {
    var shape = try FrameShape(bytes: 4096)
    shape.streams = streams
    let frame = UnsafeMutableRawBufferPointer.allocate(byteCount: 8192, alignment: 64)
    defer { frame.deallocate() }
    let base = try #require(frame.baseAddress)
    for number in [UInt64(5), 66] {
      frame.initializeMemory(as: UInt8.self, repeating: 0xff)
      shape.fill(base, number)
      let values = shape.values.offset..<shape.values.offset + shape.values.bytes
      let first = frame.indices.first { index in
        frame[index] != (values.contains(index) ? UInt8(number % 64) : 0xff)
      }
      #expect(first == nil, "number \(number): byte \(first ?? 0)")
    }
  }
}
