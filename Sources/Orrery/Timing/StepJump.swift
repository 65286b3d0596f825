// SPDX-License-Identifier: Apache-2.0

/// Where equal steps jump, besides the boundaries of their intervals; CSS's step position.
///
///     steps(2, …)    jumpStart    jumpEnd    jumpNone    jumpBoth
///     [0, 0.5)       0.5          0          0           1/3
///     [0.5, 1)       1            0.5        1           2/3
///     1              1            1          1           1
public enum StepJump: String, CaseIterable, Hashable, Sendable {
  /// At the very start, not at the very end.
  case jumpStart

  /// At the very end, not at the very start; CSS's default.
  case jumpEnd

  /// At neither end: the first interval has the output 0, the last one 1.
  case jumpNone

  /// At both ends.
  case jumpBoth

  /// CSS's other name for ``jumpStart``.
  public static let start = jumpStart

  /// CSS's other name for ``jumpEnd``.
  public static let end = jumpEnd

  /// Fewest intervals: without jumps at the ends, one interval would have no jump at all.
  var countMin: Int { self == .jumpNone ? 2 : 1 }

  var jumpsAtStart: Bool { self == .jumpStart || self == .jumpBoth }

  /// Number of all jumps of `count` intervals.
  func jumpCount(_ count: Int) -> Double {
    switch self {
    case .jumpStart, .jumpEnd: Double(count)
    case .jumpNone: Double(count) - 1
    case .jumpBoth: Double(count) + 1
    }
  }
}
