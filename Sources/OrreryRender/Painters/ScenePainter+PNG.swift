// SPDX-License-Identifier: Apache-2.0

import CCairo
import Glibc
import OrreryBase

extension ScenePainter {
  /// Writes the picture as a PNG file.
  ///
  /// Writes a new file beside `path`, and renames it once it is complete: a reader finds the old
  /// file, none, or the whole new one.
  ///
  /// - Parameter path: The file; it is replaced if it exists.
  /// - Throws: `RenderError.file` with the path and the errno.
  package func writePNG(path: String) throws(RenderError) {
    do {
      try writePNGFile(path)
    } catch {
      throw .file(error)
    }
  }

  private func writePNGFile(_ path: String) throws(SystemCallError) {
    let partial = "\(path).\(getpid()).partial"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
    let number = try systemCall("open", path) { open(partial, flags, 0o666) }
    let file = FileDescriptor(owning: number)
    let failure = canvas_write_png(
      pictureStart, Int32(width), Int32(height),
      Int32(stride), file.number)
    if failure != 0 {
      unlink(partial)
      throw SystemCallError(call: "write", path: path, errno: failure)
    }
    do {
      try systemCall("rename", path) { rename(partial, path) }
    } catch {
      unlink(partial)
      throw error
    }
  }
}
