// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// Memory for a few frames of one layout, which are made there.
package final class ReplayFrames {
  /// The frames' layout and run.
  package let template: FrameTemplate

  /// Frames that fit.
  package let count: Int

  private let memory: UnsafeMutableRawPointer
  private let stride: Int

  /// Bytes of memory that frames may take together, beyond the two that there always are.
  private static let byteCountMax: UInt64 = 64 << 20

  /// Makes room for frames.
  ///
  /// - Parameters:
  ///   - template: Their layout.
  ///   - wanted: Frames to make room for; fewer, but at least two, where these would take too much memory.
  package init(_ template: FrameTemplate, wanted: Int) {
    self.template = template
    let bytes = max(template.layout.frameBytes, 1).roundedUp(toMultipleOf: 4096)
    count = max(2, min(wanted, Int(Self.byteCountMax / bytes)))
    // Two frames side by side must not share cache sets.
    stride = Int(bytes) + 320
    memory = .allocate(byteCount: stride * count, alignment: 4096)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: stride * count)
    for index in 0..<count { template.write(to: frame(index)) }
  }

  deinit { memory.deallocate() }

  /// Where a frame begins, at a multiple of 64.
  package func frame(_ index: Int) -> UnsafeMutableRawPointer {
    precondition((0..<count).contains(index), "frame \(index) of \(count)")
    return memory + index * stride
  }

  /// The bytes of a frame.
  package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: frame(index), count: Int(template.layout.frameBytes))
  }

  /// Where a column's values of a frame lie.
  package func values(_ index: Int, column: Int) -> UnsafeMutableRawPointer {
    frame(index) + Int(template.layout.columns[column].valuesOffset)
  }
}
