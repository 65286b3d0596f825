// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A vector of the plane, as in Core Graphics; Foundation on Linux has none.
///
/// As on a Mac it is not `Animatable`: a file may add that.
public struct CGVector: Hashable, Codable, Sendable {
  /// Points to the right.
  public var dx: CGFloat

  /// Points downward.
  public var dy: CGFloat

  /// The zero vector.
  public init() { self.init(dx: 0, dy: 0) }

  /// Makes a vector.
  public init(dx: CGFloat, dy: CGFloat) { (self.dx, self.dy) = (dx, dy) }

  /// Makes a vector from whole numbers.
  public init(dx: Int, dy: Int) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }

  /// Makes a vector.
  public init(dx: Double, dy: Double) { self.init(dx: CGFloat(dx), dy: CGFloat(dy)) }

  /// The zero vector.
  public static let zero = CGVector()
}

/// Seconds, as in Core Foundation; Foundation on Linux has no such name.
public typealias CFTimeInterval = Double
