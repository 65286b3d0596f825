// SPDX-License-Identifier: Apache-2.0

import CCairo

/// Draws shapes and text into a part of a `PixelBuffer`, with Cairo.
final class Canvas {
  /// Pixels of the longest side of a Cairo surface.
  static let sideMax = 32_767

  /// The C canvas, valid for the lifetime of this object.
  private let handle: OpaquePointer

  /// The pixels that the C canvas draws into; kept alive with it.
  private let buffer: PixelBuffer

  /// - Parameters:
  ///   - buffer: The pixels to draw on.
  ///   - columns: The columns of the buffer to draw on; the first one becomes x = 0.
  /// - Throws: `outOfMemory`.
  init(_ buffer: PixelBuffer, columns: Range<Int>) throws(RenderError) {
    let handle = canvas_create(
      buffer.pixels + columns.lowerBound, Int32(columns.count), Int32(buffer.height),
      Int32(buffer.width * 4))
    guard let handle else { throw .outOfMemory(bytes: columns.count * buffer.height * 4) }
    self.handle = handle
    self.buffer = buffer
  }

  deinit { canvas_destroy(handle) }

  /// Draws nothing outside this rectangle from now on.
  func clip(_ area: PixelRectangle) {
    canvas_clip(
      handle, Int32(area.left), Int32(area.top), Int32(area.width), Int32(area.height))
  }

  /// Draws nothing outside this rectangle of points from now on.
  func clip(_ box: Bounds, _ transform: SimilarityTransform) {
    setTransform(transform)
    canvas_clip_box(handle, box.left, box.top, box.right - box.left, box.bottom - box.top)
  }

  /// Sets the transform from elements' points to pixels.
  func setTransform(_ transform: SimilarityTransform) {
    canvas_set_transform(
      handle, transform.xx, transform.yx, -transform.yx, transform.xx, transform.x, transform.y)
  }

  /// Composes the drawing of `body` and shows it with an opacity.
  func group(opacity: Double, _ body: () -> Void) {
    if opacity >= 1 { return body() }
    canvas_begin_group(handle)
    body()
    canvas_end_group(handle, opacity)
  }

  /// Adds up the coverage of shapes drawn by `body`: shapes that meet inside a pixel fill it.
  func sum(_ body: () -> Void) {
    canvas_begin_sum(handle)
    body()
    canvas_end_group(handle, 1)
  }

  /// Draws one element.
  func draw(_ element: DrawnElement) {
    switch element {
    case .disc(let x, let y, let radius, let color):
      canvas_disc(handle, x, y, radius, color)
    case .box(let box, let cornerRadius, let color):
      canvas_box(
        handle, box.left, box.top, box.right - box.left, box.bottom - box.top, cornerRadius, color)
    case .text(let line, let x, let y, let scale, let color):
      canvas_text(handle, line.handle, x, y, scale, color)
    case .picture(let picture, let box):
      canvas_picture(
        handle, picture.handle, box.left, box.top, box.right - box.left, box.bottom - box.top)
    case .image(let picture, let box):
      canvas_png(
        handle, picture.handle, box.left, box.top, box.right - box.left, box.bottom - box.top)
    case .gradient(let box, let colors, let angle):
      colors.withUnsafeBufferPointer { colors in
        guard let start = colors.baseAddress else { return }
        canvas_gradient(
          handle, box.left, box.top, box.right - box.left, box.bottom - box.top, start,
          Int32(colors.count), angle)
      }
    }
  }

  /// Whether everything was drawn.
  var succeeded: Bool { canvas_succeeded(handle) }
}
