// SPDX-License-Identifier: Apache-2.0

/// The way in which lines run, and with them which side is leading.
public enum LayoutDirection: CaseIterable, Hashable, Sendable {
  /// Leading is left.
  case leftToRight
  /// Leading is right.
  case rightToLeft
}
