// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Curves made of quarters of circles.
///
/// Arguments are in [0, 1].
enum CircularCurve: Hashable, Sendable {
  case easeIn, easeOut, easeInOut

  /// The inverse of `easeInOut`: fast, slow, fast.
  case easeOutIn

  /// 1 - x² is written as (1 - x)(1 + x), and so on: no digits cancel near the ends.
  func value(at x: Double) -> Double {
    switch self {
    case .easeIn: x * x / (1 + ((1 - x) * (1 + x)).squareRoot())
    case .easeOut: (x * (2 - x)).squareRoot()
    case .easeInOut:
      x < 0.5
        ? Self.easeIn.value(at: 2 * x) / 2 : 0.5 + Self.easeOut.value(at: 2 * x - 1) / 2
    case .easeOutIn:
      x < 0.5
        ? Self.easeOut.value(at: 2 * x) / 2 : 0.5 + Self.easeIn.value(at: 2 * x - 1) / 2
    }
  }

  func velocity(at x: Double) -> Double {
    switch self {
    case .easeIn: x / ((1 - x) * (1 + x)).squareRoot()
    case .easeOut: (1 - x) / (x * (2 - x)).squareRoot()
    case .easeInOut:
      x < 0.5 ? Self.easeIn.velocity(at: 2 * x) : Self.easeOut.velocity(at: 2 * x - 1)
    case .easeOutIn:
      x < 0.5 ? Self.easeOut.velocity(at: 2 * x) : Self.easeIn.velocity(at: 2 * x - 1)
    }
  }

  var inverse: CircularCurve {
    switch self {
    case .easeIn: .easeOut
    case .easeOut: .easeIn
    case .easeInOut: .easeOutIn
    case .easeOutIn: .easeInOut
    }
  }
}
