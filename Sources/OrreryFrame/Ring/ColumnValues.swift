// SPDX-License-Identifier: Apache-2.0

extension FrameLayout.Column {
  /// The values of this column in a frame of its layout.
  ///
  /// - Precondition: They are floats.
  package func values(in frame: UnsafeRawBufferPointer) -> UnsafeBufferPointer<Float> {
    values(in: FrameView(sequence: 0, bytes: frame))
  }

  /// The same in a frame that may lie in pieces, but not within a column.
  package func values(in frame: FrameView) -> UnsafeBufferPointer<Float> {
    precondition(description.format == .float32, "a column of \(description.format)")
    return slice(of: frame).assumingMemoryBound(to: Float.self)
  }

  /// The values of this column in a frame of its layout, in multiples of its unit.
  ///
  /// - Precondition: They are 16-bit numbers.
  package func multiples(in frame: UnsafeRawBufferPointer) -> UnsafeBufferPointer<Int16> {
    multiples(in: FrameView(sequence: 0, bytes: frame))
  }

  /// The same in a frame that may lie in pieces, but not within a column.
  package func multiples(in frame: FrameView) -> UnsafeBufferPointer<Int16> {
    precondition(description.format != .float32, "a column of \(description.format)")
    return slice(of: frame).assumingMemoryBound(to: Int16.self)
  }

  private func slice(of frame: FrameView) -> UnsafeRawBufferPointer {
    frame.slice(Int(valuesOffset)..<Int(valuesOffset + valuesBytes))
  }
}

/// Reads columns as floats, whatever their stored format.
///
/// Floats are used in place. 16-bit values are converted into memory that is kept from frame to frame,
/// one buffer for each such column: 2 bytes read and 4 written for each value.
package final class FloatColumns {
  private let columns: [FrameLayout.Column]

  /// Converted values of 16-bit columns; empty for columns of floats.
  private let converted: [UnsafeMutableBufferPointer<Float>]

  /// Allocates a buffer for each column that needs one.
  package init(_ layout: FrameLayout) {
    columns = layout.columns
    converted = layout.columns.map { column in
      let isStored = column.description.format == .float32
      return .allocate(capacity: isStored ? 0 : Int(column.description.valueCount))
    }
  }

  deinit { for buffer in converted { buffer.deallocate() } }

  /// The values of a column.
  ///
  /// - Parameters:
  ///   - index: Index of the column in the layout.
  ///   - frame: A frame of that layout.
  /// - Returns: Values that stay valid until the next call for the same column, and as long as the
  ///   frame's memory.
  package func values(
    _ index: Int, in frame: UnsafeRawBufferPointer
  ) -> UnsafeBufferPointer<Float> {
    values(index, in: FrameView(sequence: 0, bytes: frame))
  }

  /// The same in a frame that may lie in pieces, but not within a column.
  package func values(_ index: Int, in frame: FrameView) -> UnsafeBufferPointer<Float> {
    let column = columns[index]
    guard case .fixed16(let unit) = column.description.format else {
      return column.values(in: frame)
    }
    let buffer = converted[index]
    let multiples = column.multiples(in: frame)
    if let source = multiples.baseAddress, let target = buffer.baseAddress {
      Self.convert(source, unit: unit, count: multiples.count, to: target)
    }
    return UnsafeBufferPointer(buffer)
  }

  /// Exact: a product of a 16-bit number and a power of two is a float.
  private static func convert(
    _ source: UnsafePointer<Int16>, unit: Float, count: Int, to target: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      (target + index).initialize(to: Float(Int16(littleEndian: source[index])) * unit)
    }
  }
}
