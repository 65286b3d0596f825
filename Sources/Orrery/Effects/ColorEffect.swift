// SPDX-License-Identifier: Apache-2.0

/// A change of colours by one number, which can be animated.
struct ColorEffect: Hashable, Sendable {
  var kind: Kind

  /// A number, for `hueRotation` radians.
  var amount: Double

  enum Kind: Hashable, Sendable {
    case brightness, contrast, saturation, grayscale, hueRotation
  }

  init(_ kind: Kind, _ amount: Double) { (self.kind, self.amount) = (kind, amount) }

  /// The effect of this kind that changes nothing.
  var neutral: ColorEffect {
    switch kind {
    case .brightness, .grayscale, .hueRotation: ColorEffect(kind, 0)
    case .contrast, .saturation: ColorEffect(kind, 1)
    }
  }

  var matrix: ColorMatrix {
    if self == neutral { return ColorMatrix() }
    return switch kind {
    case .brightness: ColorMatrix(brightness: amount)
    case .contrast: ColorMatrix(contrast: amount)
    case .saturation: ColorMatrix(saturation: amount)
    case .grayscale: ColorMatrix(grayscale: amount)
    case .hueRotation: ColorMatrix(hueRotation: Angle(radians: amount))
    }
  }
}
