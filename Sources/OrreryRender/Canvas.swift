// SPDX-License-Identifier: Apache-2.0

import CCairo

/// Draws shapes and text into a part of a `PixelBuffer`, with Cairo.
final class Canvas {
  /// The longest side that Cairo draws on.
  static let sideLimit = 32_767

  /// The C canvas, valid for the lifetime of this object.
  private let handle: OpaquePointer

  /// The pixels are drawn into, so they must live as long.
  private let buffer: PixelBuffer

  /// - Parameters:
  ///   - buffer: Where to draw.
  ///   - columns: The part of the buffer to draw on; its first column becomes x = 0.
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
      handle, Int32(area.left), Int32(area.top), Int32(max(0, area.right - area.left)),
      Int32(max(0, area.bottom - area.top)))
  }

  /// Makes elements' points land on pixels as `placement` says.
  func place(_ placement: Placement) {
    canvas_set_transform(
      handle, placement.xx, placement.yx, -placement.yx, placement.xx, placement.x, placement.y)
  }

  /// Composes what `body` draws and shows it with an opacity.
  func group(opacity: Double, _ body: () -> Void) {
    if opacity >= 1 { return body() }
    canvas_begin_group(handle)
    body()
    canvas_end_group(handle, opacity)
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
    }
  }

  /// Whether everything was drawn.
  var succeeded: Bool { canvas_succeeded(handle) }
}

/// Where an element's points land: turned, scaled, then moved.
///
///     pixel x = xx * x - yx * y + x0
///     pixel y = yx * x + xx * y + y0
struct Placement {
  /// Scale times the cosine of the rotation.
  let xx: Double

  /// Scale times the sine of the rotation; positive is clockwise, because y grows downward.
  let yx: Double

  /// Where the origin lands, in pixels.
  let x: Double

  /// Where the origin lands, in pixels.
  let y: Double

  /// The pixels that a rectangle of points touches.
  func bounds(of box: Bounds) -> Bounds {
    let corners = [
      (box.left, box.top), (box.right, box.top), (box.left, box.bottom), (box.right, box.bottom),
    ].map { (xx * $0.0 - yx * $0.1 + x, yx * $0.0 + xx * $0.1 + y) }
    let first = corners[0]
    return corners.dropFirst().reduce(
      Bounds(left: first.0, top: first.1, right: first.0, bottom: first.1)
    ) { $0.union(Bounds(left: $1.0, top: $1.1, right: $1.0, bottom: $1.1)) }
  }
}
