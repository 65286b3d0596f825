// SPDX-License-Identifier: Apache-2.0

/// The periods in points with which a sprite's elements are repeated; 0: not on this axis.
struct Tiling: Equatable {
  let x: Double
  let y: Double

  /// Whether the elements are repeated on either axis.
  var repeats: Bool { x > 0 || y > 0 }
}

/// Draws a sprite's elements directly, with Cairo: right for every scale and rotation, but slow.
enum ElementPainter {
  /// Repetitions of a sprite that may overlap, and repetitions drawn on one axis.
  static let copyMax = 4096

  /// Repetitions drawn on both axes together.
  private static let copiesTogetherMax = 1 << 16

  /// - Parameters:
  ///   - elements: What to draw.
  ///   - bounds: Rectangle around all elements, in points.
  ///   - tiling: How they are repeated.
  ///   - transform: From the sprite's points to the canvas.
  ///   - canvas: The canvas to draw on.
  ///   - part: The wanted pixels; elements outside are skipped.
  static func draw(
    _ elements: [DrawnElement], bounds: Bounds, tiling: Tiling, _ transform: SimilarityTransform,
    on canvas: Canvas, part: Bounds
  ) {
    let (columns, rows) = copies(bounds, tiling, transform, part)
    // Draw all copies of one element before the next element: a lower element of one copy must not
    // hide the overhang of another copy.
    for element in elements {
      var (element, columns, rows) = (element, columns, rows)
      if case .box(var box, cornerRadius: 0, let color) = element {
        // Adjacent boxes would show a line where they meet inside a pixel: draw them as one.
        if tiling.x > 0, box.right - box.left >= tiling.x, !columns.isEmpty {
          box.left += Double(columns.lowerBound) * tiling.x
          box.right += Double(columns.upperBound - 1) * tiling.x
          columns = 0..<1
        }
        if tiling.y > 0, box.bottom - box.top >= tiling.y, !rows.isEmpty {
          box.top += Double(rows.lowerBound) * tiling.y
          box.bottom += Double(rows.upperBound - 1) * tiling.y
          rows = 0..<1
        }
        element = .box(box, cornerRadius: 0, color: color)
      }
      let drawCopies = {
        for row in rows {
          for column in columns {
            let shiftX = Double(column) * tiling.x
            let shiftY = Double(row) * tiling.y
            let shifted = transform.after(SimilarityTransform(xx: 1, yx: 0, x: shiftX, y: shiftY))
            let box = shifted.bounds(of: element.bounds)
            // One pixel more: glyphs may be drawn slightly beyond their ink.
            guard box.left - 1 < part.right, box.right + 1 > part.left, box.top - 1 < part.bottom,
              box.bottom + 1 > part.top
            else { continue }
            canvas.setTransform(shifted)
            canvas.draw(element)
          }
        }
      }
      if isMosaic(element, tiling) { canvas.sum(drawCopies) } else { drawCopies() }
    }
  }

  /// Whether an element is a picture or gradient whose copies meet but do not overlap.
  private static func isMosaic(_ element: DrawnElement, _ tiling: Tiling) -> Bool {
    let box: Bounds
    switch element {
    case .image(_, let bounds), .gradient(let bounds, _, _): box = bounds
    case .disc, .box, .text, .picture: return false
    }
    let tolerance = 1e-9
    let (width, height) = (box.right - box.left, box.bottom - box.top)
    let meets =
      tiling.x > 0 && width >= tiling.x * (1 - tolerance)
      || tiling.y > 0 && height >= tiling.y * (1 - tolerance)
    let overlaps =
      tiling.x > 0 && width > tiling.x * (1 + tolerance)
      || tiling.y > 0 && height > tiling.y * (1 + tolerance)
    return meets && !overlaps
  }

  /// The repetitions that reach into `part`.
  private static func copies(
    _ bounds: Bounds, _ tiling: Tiling, _ transform: SimilarityTransform, _ part: Bounds
  ) -> (columns: Range<Int>, rows: Range<Int>) {
    if !tiling.repeats { return (0..<1, 0..<1) }
    // `inverse` takes `part` back to the sprite's points.
    let square = transform.square
    let inverse = SimilarityTransform(
      xx: transform.xx / square, yx: -transform.yx / square,
      x: -(transform.xx * transform.x + transform.yx * transform.y) / square,
      y: (transform.yx * transform.x - transform.xx * transform.y) / square)
    let seen = inverse.bounds(of: part)
    let columns = copies(
      period: tiling.x, from: seen.left - bounds.right, to: seen.right - bounds.left,
      limit: copyMax)
    let rows = copies(
      period: tiling.y, from: seen.top - bounds.bottom, to: seen.bottom - bounds.top,
      limit: min(copyMax, copiesTogetherMax / max(columns.count, 1)))
    return (columns, rows)
  }

  private static func copies(
    period: Double, from: Double, to: Double, limit: Int
  ) -> Range<Int> {
    if period == 0 { return 0..<1 }
    let first = (from / period).rounded(.down)
    let last = (to / period).rounded(.up)
    guard abs(first) < 1e15, abs(last) < 1e15, last >= first else { return 0..<0 }
    return Int(first)..<min(Int(last) + 1, Int(first) + limit)
  }
}
