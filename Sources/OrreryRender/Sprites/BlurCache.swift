// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Sprites drawn in advance and blurred, kept for the radii at which they were drawn.
///
/// Radii are a twelfth of a doubling apart, which is not seen: an animated blur is drawn a few dozen
/// times and then comes from here. When memory runs short, everything is forgotten.
final class BlurCache {
  /// Pixels; with less, a sprite looks sharp.
  static let radiusLeast = 0.2

  /// Pixels; what is blurred more is drawn with this.
  ///
  /// It is a wash of colour then, and what has to be
  /// blurred at its full size would take a second for each doubling from here.
  static let radiusMax = 128.0

  private static let stepsPerOctave = 12.0

  /// Bytes for all, and for one image.
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
  ///   - radius: In pixels where the sprite is not scaled; at least `radiusLeast`.
  ///   - scale: Pixels per point.
  /// - Returns: Nil if the sprite shows nothing.
  func images(_ sprite: Sprite, radius: Double, scale: Double) -> SpriteImages? {
    guard let bounds = sprite.bounds else { return nil }
    let doublings = log2(min(radius, Self.radiusMax) / Self.radiusLeast)
    let step = Int((doublings * Self.stepsPerOctave).rounded())
    let key = Key(sprite: sprite.index, step: step)
    if let found = images[key] { return found }
    if budget.bytesLeft < Self.limits.image {
      images = [:]
      budget = Self.makeBudget()
    }
    let pixels = Self.radiusLeast * exp2(Double(step) / Self.stepsPerOctave)
    let made = SpriteImages(
      elements: sprite.elements, bounds: bounds, tiling: sprite.tiling, scale: scale,
      blur: pixels / scale, budget: budget)
    images[key] = made
    return made
  }
}
