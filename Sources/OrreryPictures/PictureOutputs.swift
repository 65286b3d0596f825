// SPDX-License-Identifier: Apache-2.0

/// The files to write pictures to; nil: not wanted.
package struct PictureOutputs {
  /// A PNG file of one picture: the last, or the one at time `at`.
  package let png: String?
  /// Scene time in seconds of the picture in `png`.
  package let at: Double?
  /// A directory for every picture.
  package let frames: String?
  /// A video of all pictures.
  package let video: String?

  /// Creates outputs from paths; a nil path is not written.
  package init(png: String?, at: Double?, frames: String?, video: String?) {
    (self.png, self.at, self.frames, self.video) = (png, at, frames, video)
  }
}
