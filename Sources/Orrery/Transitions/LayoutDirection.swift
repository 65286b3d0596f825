// SPDX-License-Identifier: Apache-2.0

/// The direction of lines, which decides which side is leading.
public enum LayoutDirection: CaseIterable, Hashable, Sendable {
  /// Leading is left.
  case leftToRight
  /// Leading is right.
  case rightToLeft
}
