// SPDX-License-Identifier: Apache-2.0

/// A tool or language that a curve can be written for.
package enum ExportTarget: String, CaseIterable, Sendable {
  /// Declarations of CSS.
  case css
  /// An expression of SwiftUI, or a type of it.
  case swift
  /// An `AnimationSpec` or an `Easing` of Jetpack Compose.
  case kotlin
  /// A `SpringDescription` or a `Curve` of Flutter.
  case dart
  /// Keyframes of one property, for Lottie.
  case lottie
  /// A `CustomEase` or an ease's name of GSAP.
  case gsap
  /// Points with their times: a document of this package.
  case json
}
