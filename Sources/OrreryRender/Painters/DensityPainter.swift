// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryMessages

/// Draws how many entities stand at each pixel: the logarithm of their count as a colour, from blue for one to
/// yellow for the most of the frame.
///
/// For crowds, of which a picture of dots shows the last that were drawn. An entity counts where its origin is,
/// whatever its size, unless it is invisible. Fixtures are not drawn.
package final class DensityPainter: FramePainter {
  package let picture: PixelBuffer
  package let background: PixelBuffer
  private let composer: PointComposer
  private let fit: SceneFit
  private let points: UnsafeMutablePointer<ScenePoint>
  private var counts: [UInt32]

  /// Checks the layout.
  ///
  /// - Parameters:
  ///   - layout: The layout from the publisher; nothing in it is trusted.
  ///   - width: Pixels, 1 to `ScenePainter.sideMax`.
  ///   - height: Pixels, 1 to `ScenePainter.sideMax`.
  /// - Throws: `RenderError`: `pictureSize`, `outOfMemory`, or a fault of the layout.
  package init(layout: Orrery_SceneLayout, width: Int, height: Int) throws(RenderError) {
    let sides = 1...ScenePainter.sideMax
    guard sides.contains(width), sides.contains(height) else {
      throw .pictureSize(width: width, height: height, limit: ScenePainter.sideMax)
    }
    composer = try PointComposer(layout, pointsMax: Int(Int32.max))
    picture = try PixelBuffer(width: width, height: height)
    background = try PixelBuffer(width: width, height: height)
    background.fill(Self.none)
    fit = SceneFit(
      sceneWidth: layout.width, sceneHeight: layout.height, width: width, height: height)
    let bytes = max(composer.entityCount, 1) * MemoryLayout<ScenePoint>.stride
    guard MemoryLimit.hasRoom(for: bytes), let room = malloc(bytes) else {
      throw .outOfMemory(bytes: bytes)
    }
    points = room.bindMemory(to: ScenePoint.self, capacity: max(composer.entityCount, 1))
    counts = Array(repeating: 0, count: width * height)
  }

  deinit { free(points) }

  /// Counts the frame's entities, and colours the counts.
  package func draw(
    values: (_ batch: Int, _ field: Orrery_Field) -> UnsafeBufferPointer<Float>?
  ) {
    let count = composer.compose(into: points, values: values)
    for index in counts.indices { counts[index] = 0 }
    let (scale, left, top) = (Float(fit.scale), Float(fit.left), Float(fit.top))
    let (right, bottom) = (Float(picture.width), Float(picture.height))
    for index in 0..<count {
      let x = points[index].x * scale + left
      let y = points[index].y * scale + top
      guard x >= 0, y >= 0, x < right, y < bottom else { continue }
      counts[Int(y) * picture.width + Int(x)] += 1
    }
    let most = counts.max() ?? 0
    // Few different counts come often.
    let known = (0...min(most, 1023)).map { Self.color($0, of: most) }
    for (index, count) in counts.enumerated() {
      picture.pixels[index] =
        count < known.count ? known[Int(count)] : Self.color(count, of: most)
    }
  }

  /// A pixel without an entity.
  private static let none: UInt32 = 0xFF08_0A10

  /// Colours at equal distances of the logarithm, as red, green and blue.
  private static let stops: [SIMD3<Float>] = [
    [64, 72, 176], [44, 120, 196], [36, 160, 150], [110, 205, 95], [253, 231, 60],
  ]

  private static func color(_ count: UInt32, of most: UInt32) -> UInt32 {
    if count == 0 { return none }
    let part = most > 1 ? log(Float(count)) / log(Float(most)) : 1
    let position = part * Float(stops.count - 1)
    let index = min(Int(position), stops.count - 2)
    let color = stops[index] + (stops[index + 1] - stops[index]) * (position - Float(index))
    let bytes = SIMD3<UInt32>(color.rounded(.toNearestOrEven))
    return 0xFF00_0000 | bytes.x << 16 | bytes.y << 8 | bytes.z
  }
}
