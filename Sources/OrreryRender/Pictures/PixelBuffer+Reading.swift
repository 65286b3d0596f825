// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

extension PixelBuffer {
  /// Reads a PNG file.
  ///
  /// - Parameter path: The file; nothing in it is trusted.
  /// - Throws: `RenderError`: `file`, `picture`, `outOfMemory`.
  package convenience init(pngFile path: String) throws(RenderError) {
    let picture: PNGPicture
    let bytes = try Self.read(path)
    do throws(ImageError) {
      picture = try PNGPicture(bytes)
    } catch {
      throw .picture(path: path, error)
    }
    try self.init(width: picture.width, height: picture.height)
    let canvas = try Canvas(self, columns: 0..<width)
    canvas.setTransform(SimilarityTransform(xx: 1, yx: 0, x: 0, y: 0))
    canvas.draw(
      .image(picture, Bounds(left: 0, top: 0, right: Double(width), bottom: Double(height))))
    guard canvas.succeeded else { throw .outOfMemory(bytes: width * height * 4) }
  }

  /// The bytes of a file, up to one more than an image may have.
  private static func read(_ path: String) throws(RenderError) -> [UInt8] {
    do throws(SystemCallError) {
      let file = FileDescriptor(
        owning: try systemCall("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
      var bytes: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 1 << 20)
      while bytes.count <= LayoutImages.byteMax {
        let count = try systemCall("read", path) { Glibc.read(file.number, &room, room.count) }
        if count == 0 { break }
        bytes += room[..<count]
      }
      return bytes
    } catch {
      throw .file(error)
    }
  }
}
