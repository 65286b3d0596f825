// SPDX-License-Identifier: Apache-2.0

import CCairo
import CLinux
import Glibc
import OrreryBase

/// Premultiplied pixels in rows without gaps: as a number 0xAARRGGBB, in memory B, G, R, A.
package final class PixelBuffer {
  /// Pixels in a row.
  package let width: Int

  /// Rows.
  package let height: Int

  /// `width * height` pixels, valid for the lifetime of this object; transparent at first.
  package let pixels: UnsafeMutablePointer<UInt32>

  /// - Parameters:
  ///   - width: Above 0.
  ///   - height: Above 0.
  /// - Throws: `outOfMemory`.
  package init(width: Int, height: Int) throws(RenderError) {
    precondition(width > 0 && height > 0, "\(width)x\(height) pixels")
    guard MemoryLimit.hasRoom(for: width * height * 4), let memory = calloc(height, width * 4)
    else {
      throw .outOfMemory(bytes: width * height * 4)
    }
    self.width = width
    self.height = height
    pixels = memory.bindMemory(to: UInt32.self, capacity: width * height)
  }

  deinit { free(pixels) }

  /// All bytes, for writing them out.
  package var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: pixels, count: width * height * 4)
  }

  /// All pixels as a rectangle.
  var area: PixelRectangle { PixelRectangle(left: 0, top: 0, right: width, bottom: height) }

  /// Sets every pixel to `pixel`.
  package func fill(_ pixel: UInt32) { pixels.update(repeating: pixel, count: width * height) }

  /// Copies all pixels of a buffer of the same size.
  package func copy(from other: PixelBuffer) {
    precondition(width == other.width && height == other.height)
    memcpy(pixels, other.pixels, width * height * 4)
  }

  /// Writes the picture as a PNG file.
  ///
  /// - Parameter path: The file; it is replaced if it exists.
  /// - Throws: `RenderError.file` with the path and the errno.
  package func writePNG(path: String) throws(RenderError) {
    try PartialFile.writePicture(path, RenderError.file) { (file) throws(RenderError) in
      writePNG(to: file)
    }
  }

  /// The bytes of a PNG file of the picture.
  ///
  /// - Throws: `RenderError.file` if there is no memory for it.
  package func png() throws(RenderError) -> [UInt8] {
    do throws(SystemCallError) {
      let file = FileDescriptor(
        owning: try systemCall("memfd_create", "picture") { linux_memory_file("orrery-picture") })
      let failure = writePNG(to: file.number)
      if failure != 0 { throw SystemCallError(call: "write", path: "picture", errno: failure) }
      let count = try systemCall("lseek", "picture") { lseek(file.number, 0, SEEK_END) }
      return [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        filled = max(pread(file.number, bytes.baseAddress, count, 0), 0)
      }
    } catch {
      throw .file(error)
    }
  }

  private func writePNG(to file: CInt) -> CInt {
    canvas_write_png(pixels, Int32(width), Int32(height), Int32(width * 4), file)
  }
}

/// A colour 0xRRGGBBAA as a premultiplied pixel.
func premultiplied(_ color: UInt32) -> UInt32 {
  let alpha = color & 255
  func part(_ shift: UInt32) -> UInt32 { ((color >> shift & 255) * alpha + 127) / 255 }
  return alpha << 24 | part(24) << 16 | part(16) << 8 | part(8)
}
