// SPDX-License-Identifier: Apache-2.0

import OrreryFrame

/// The layout that all frames of a trace share, found in one of them and demanded of the others.
///
/// A frame that Orrery recorded has its columns at the offsets of `FrameLayout`, so that they can be used in place.
/// Other encodings of the same message are refused: then an offset is a number to trust, and every frame costs a
/// comparison of its columns' heads.
package final class FrameShape {
  /// Where columns lie.
  package let layout: FrameLayout

  /// The run that frames are of.
  package let generation: UInt64

  /// A frame of this layout with all values 0.
  private let template: UnsafeMutableRawBufferPointer

  /// The bytes of a frame that are the same in all frames, but for the first seven numbers.
  private let constants: [Range<Int>]

  /// The shape of frames with these columns.
  package init(_ layout: FrameLayout, generation: UInt64) {
    self.layout = layout
    self.generation = generation
    // The values are never touched, so this costs no memory.
    template = .allocate(byteCount: max(Int(layout.frameBytes), 1), alignment: 64)
    var (end, constants) = (FrameField.allBytes, [Range<Int>]())
    for column in layout.columns {
      constants.append(end..<Int(column.valuesOffset))
      end = Int(column.valuesOffset + column.valuesBytes)
    }
    self.constants = constants
    if let base = template.baseAddress {
      for range in constants {
        (base + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
      }
      layout.writeConstantPart(to: base, generation: generation)
    }
  }

  deinit { template.deallocate() }

  /// The shape of a frame; nil if it is not a frame of `FrameLayout`.
  ///
  /// - Parameter frame: The whole message.
  package convenience init?(of frame: UnsafeRawBufferPointer) {
    guard let map = try? FrameMap(frame), let layout = map.layout,
      layout.layoutHash == map.number(.layoutHash, in: frame)
    else { return nil }
    self.init(layout, generation: map.number(.generation, in: frame))
    guard fits(frame) else { return nil }
  }

  /// Whether a message is a frame of this shape and run.
  package func fits(_ frame: UnsafeRawBufferPointer) -> Bool {
    guard UInt64(frame.count) == layout.frameBytes, let base = frame.baseAddress,
      let own = template.baseAddress, FrameField.haveSameConstants(base, own)
    else { return false }
    return constants.allSatisfy { range in
      UnsafeRawBufferPointer(rebasing: frame[range])
        .elementsEqual(UnsafeRawBufferPointer(rebasing: template[range]))
    }
  }

  /// Writes what all frames share.
  package func writeConstantPart(to frame: UnsafeMutableRawPointer) {
    layout.writeConstantPart(to: frame, generation: generation)
  }
}
