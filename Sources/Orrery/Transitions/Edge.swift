// SPDX-License-Identifier: Apache-2.0

/// One side of a rectangle.
public enum Edge: Int8, CaseIterable, Hashable, Sendable {
  /// The upper side.
  case top
  /// The side where lines begin: left where they run from left to right.
  case leading
  /// The lower side.
  case bottom
  /// The side where lines end.
  case trailing
}
