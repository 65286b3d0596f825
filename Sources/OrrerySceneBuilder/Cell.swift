// SPDX-License-Identifier: Apache-2.0

/// One item of a `Row`: a label at its natural width, after a flag or alone.
public enum Cell: Hashable, Sendable {
  /// A currency by its ISO 4217 code: the flag of the region in the code's first two letters, and
  /// the currency's name in the scene's language.
  case currency(String)

  /// A text, after the flag of a region by its ISO 3166 code, such as `EU`, or without a flag.
  case label(String, flag: String? = nil)
}
