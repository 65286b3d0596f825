// SPDX-License-Identifier: Apache-2.0

/// Pictures of several times over each other: the older one is, the fainter it is.
package enum OnionSkin {
  /// Opacity of the oldest picture.
  private static let faintest = 0.25

  /// Puts what moves in each picture over the pictures before it.
  ///
  /// What stands still is what most of the pictures show at a pixel, and the background where none is in the majority.
  ///
  /// - Parameters:
  ///   - pictures: Of the background's size, the oldest first.
  ///   - background: What all of them are drawn on.
  /// - Returns: One picture.
  /// - Throws: `RenderError.outOfMemory`.
  package static func compose(
    _ pictures: [PixelBuffer], on background: PixelBuffer
  ) throws(RenderError) -> PixelBuffer {
    let result = try PixelBuffer(width: background.width, height: background.height)
    result.copy(from: background)
    let weights = pictures.indices.map { index in
      let age = Double(pictures.count - 1 - index) / Double(max(pictures.count - 1, 1))
      return UInt32((256 * (1 - age * (1 - faintest))).rounded())
    }
    let sources = pictures.map(\.pixels)
    var values = [UInt32](repeating: 0, count: pictures.count)
    for place in 0..<result.width * result.height {
      for (index, source) in sources.enumerated() { values[index] = source[place] }
      let still = mostFrequent(values, or: background.pixels[place])
      var pixel = still
      for (value, weight) in zip(values, weights) where value != still {
        pixel = mix(pixel, value, weight)
      }
      result.pixels[place] = pixel
    }
    return result
  }

  /// The value that more than half of all are; else another one.
  private static func mostFrequent(_ values: [UInt32], or other: UInt32) -> UInt32 {
    // A majority outlives being paired with everything else.
    var (candidate, surplus) = (other, 0)
    for value in values {
      if surplus == 0 { candidate = value }
      surplus += value == candidate ? 1 : -1
    }
    return values.count(where: { $0 == candidate }) * 2 > values.count ? candidate : other
  }

  /// The first pixel, with so many 256ths of the second.
  private static func mix(_ first: UInt32, _ second: UInt32, _ weight: UInt32) -> UInt32 {
    var pixel: UInt32 = 0
    for shift in [0, 8, 16, 24] as [UInt32] {
      let sum = (first >> shift & 255) * (256 - weight) + (second >> shift & 255) * weight
      pixel |= ((sum + 128) >> 8) << shift
    }
    return pixel
  }
}
