// SPDX-License-Identifier: Apache-2.0

import CCairo
import OrreryBase

extension ScenePainter {
  /// Writes the picture as a PNG file.
  ///
  /// - Parameter path: The file; it is replaced if it exists.
  /// - Throws: `RenderError.file` with the path and the errno.
  package func writePNG(path: String) throws(RenderError) {
    try PartialFile.writePicture(path, RenderError.file) { (file) throws(RenderError) in
      canvas_write_png(pictureStart, Int32(width), Int32(height), Int32(stride), file)
    }
  }
}
