// SPDX-License-Identifier: Apache-2.0

/// Where pictures go; nil is not wanted.
package struct PictureOutputs {
  /// One picture: the last, or that of time `at`.
  package let png: String?
  /// Scene time in seconds of the picture in `png`.
  package let at: Double?
  /// A directory for every picture.
  package let frames: String?
  /// A video of all pictures.
  package let video: String?

  /// Paths, each nil where its picture is not wanted.
  package init(png: String?, at: Double?, frames: String?, video: String?) {
    (self.png, self.at, self.frames, self.video) = (png, at, frames, video)
  }
}
