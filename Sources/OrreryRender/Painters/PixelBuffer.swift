// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Premultiplied pixels in rows without gaps: as a number 0xAARRGGBB, in memory B, G, R, A.
final class PixelBuffer {
  /// Pixels in a row.
  let width: Int

  /// Rows.
  let height: Int

  /// `width * height` pixels, valid for the lifetime of this object; transparent at first.
  let pixels: UnsafeMutablePointer<UInt32>

  /// - Parameters:
  ///   - width: Above 0.
  ///   - height: Above 0.
  /// - Throws: `outOfMemory`.
  init(width: Int, height: Int) throws(RenderError) {
    precondition(width > 0 && height > 0, "\(width)x\(height) pixels")
    guard let memory = calloc(height, width * 4) else {
      throw .outOfMemory(bytes: width * height * 4)
    }
    self.width = width
    self.height = height
    pixels = memory.bindMemory(to: UInt32.self, capacity: width * height)
  }

  deinit { free(pixels) }

  /// All bytes, for writing them out.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: pixels, count: width * height * 4)
  }

  /// All pixels as a rectangle.
  var area: PixelRectangle { PixelRectangle(left: 0, top: 0, right: width, bottom: height) }

  /// Sets every pixel to `pixel`.
  func fill(_ pixel: UInt32) { pixels.update(repeating: pixel, count: width * height) }

  /// Copies all pixels of a buffer of the same size.
  func copy(from other: PixelBuffer) {
    precondition(width == other.width && height == other.height)
    memcpy(pixels, other.pixels, width * height * 4)
  }
}

/// A colour 0xRRGGBBAA as a premultiplied pixel.
func premultiplied(_ color: UInt32) -> UInt32 {
  let alpha = color & 255
  func part(_ shift: UInt32) -> UInt32 { ((color >> shift & 255) * alpha + 127) / 255 }
  return alpha << 24 | part(24) << 16 | part(16) << 8 | part(8)
}
