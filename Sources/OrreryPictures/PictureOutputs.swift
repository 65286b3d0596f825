// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase

/// The files to write pictures to, nil where none is wanted; and whether all frames are drawn.
package struct PictureOutputs {
  /// A PNG file of one picture: the last, or the one at time `at`.
  package let png: String?
  /// Scene time in seconds of the picture in `png`.
  package let at: Double?
  /// A directory for every picture.
  package let frames: String?
  /// A video of all pictures.
  package let video: String?
  /// Whether each frame is drawn; it is if `frames` or `video` wants all pictures.
  package let drawsEvery: Bool

  /// Creates outputs from paths; a nil path is not written.
  ///
  /// - Parameters:
  ///   - png: A PNG file of one picture.
  ///   - at: Scene time in seconds of that picture; nil: the last one.
  ///   - frames: A directory for every picture.
  ///   - video: A video of all pictures.
  ///   - drawsEvery: Whether each frame is drawn even if no output wants its picture.
  package init(
    png: String?, at: Double?, frames: String?, video: String?, drawsEvery: Bool = false
  ) {
    (self.png, self.at, self.frames, self.video) = (png, at, frames, video)
    self.drawsEvery = drawsEvery || frames != nil || video != nil
  }

  /// Checks that nothing would be written over.
  ///
  /// A directory may be there if it holds no picture.
  ///
  /// - Throws: `Failure` with the first file or directory that is in use.
  package func checkUnused() throws(Failure) {
    for path in [png, video].compactMap({ $0 }) where Self.exists(path) {
      throw Failure(.inputOutput, "\(path): is there already; --force replaces it")
    }
    if let frames, Self.holdsPictures(frames) {
      throw Failure(.inputOutput, "\(frames): holds pictures already; --force writes over them")
    }
  }

  /// Whether a path has a file, or a symbolic link that leads nowhere.
  private static func exists(_ path: String) -> Bool {
    var facts = stat()
    return lstat(path, &facts) == 0
  }

  /// Whether a directory has a file whose name ends in `.png`.
  private static func holdsPictures(_ path: String) -> Bool {
    guard let directory = opendir(path) else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { bytes in
        bytes.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasSuffix(".png") { return true }
    }
    return false
  }
}
