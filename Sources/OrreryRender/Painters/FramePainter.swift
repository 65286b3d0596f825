// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

/// Draws frames of one scene into a picture that it owns.
package protocol FramePainter: AnyObject {
  /// The picture, which the next `draw` changes.
  var picture: PixelBuffer { get }

  /// What every frame is drawn on.
  var background: PixelBuffer { get }

  /// Draws a frame.
  ///
  /// - Parameter values: Returns the values of a batch's field in the order of its entities, or nil
  ///   if the field has its default. The memory must stay valid until `draw` returns.
  func draw(values: (_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>?)
}

extension FramePainter {
  /// Pixels in a row of the picture.
  package var width: Int { picture.width }

  /// Rows of the picture.
  package var height: Int { picture.height }

  /// Writes the picture as a PNG file; it is replaced if it exists.
  package func writePNG(path: String) throws(RenderError) { try picture.writePNG(path: path) }
}

/// How frames are drawn.
package enum PictureLook: Sendable {
  /// As the scene says.
  case scene
  /// As the count of entities at each pixel.
  case density

  /// A painter of this look.
  ///
  /// - Throws: `RenderError`: `pictureSize`, `outOfMemory`, or a fault of the layout.
  package func painter(
    layout: Orrery_SceneLayout, width: Int, height: Int
  ) throws(RenderError) -> any FramePainter {
    switch self {
    case .scene: try ScenePainter(layout: layout, width: width, height: height)
    case .density: try DensityPainter(layout: layout, width: width, height: height)
    }
  }
}
