// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Blurred images of sprites, kept by sprite and radius.
///
/// Radii are rounded to twelfths of a doubling, which is invisible: an animated blur is drawn a few dozen
/// times and then read from here. When memory runs short, all images are discarded.
final class BlurCache {
  /// Pixels; with a smaller radius, a sprite looks sharp.
  static let radiusMin = 0.2

  /// Pixels; a larger radius is drawn as this one.
  ///
  /// Beyond it, no shape can be recognised. A sprite that must be blurred at its full size would take a
  /// second for each doubling from here.
  static let radiusMax = 128.0

  private static let stepsPerOctave = 12.0

  /// Bytes of all images, and of one image.
  private static let limits = (together: 1 << 28, image: 1 << 26)

  private struct Key: Hashable {
    let sprite: Int
    let step: Int
  }

  private var images: [Key: SpriteImages] = [:]
  private var budget = BlurCache.makeBudget()

  private static func makeBudget() -> ImageBudget {
    ImageBudget(bytes: limits.together, imageMax: limits.image)
  }

  /// - Parameters:
  ///   - sprite: What to blur.
  ///   - radius: Pixels, for the sprite before its own scale; at least `radiusMin`.
  ///   - scale: Pixels per point.
  /// - Returns: Nil if the sprite shows nothing.
  func images(_ sprite: Sprite, radius: Double, scale: Double) -> SpriteImages? {
    guard let bounds = sprite.bounds else { return nil }
    let doublings = log2(min(radius, Self.radiusMax) / Self.radiusMin)
    let step = Int((doublings * Self.stepsPerOctave).rounded())
    let key = Key(sprite: sprite.index, step: step)
    if let found = images[key] { return found }
    if budget.bytesLeft < Self.limits.image {
      images = [:]
      budget = Self.makeBudget()
    }
    let pixels = Self.radiusMin * exp2(Double(step) / Self.stepsPerOctave)
    let made = SpriteImages(
      elements: sprite.elements, bounds: bounds, tiling: sprite.tiling, scale: scale,
      blur: pixels / scale, budget: budget)
    images[key] = made
    return made
  }
}
