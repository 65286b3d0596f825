// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// An amount of memory, as typed: `512M`, `1.5G`, `2GiB` or a number of bytes.
package struct ByteCount: Equatable, Sendable {
  /// The amount in bytes.
  package let bytes: UInt64
  /// The word, to pass on to another program.
  package let argument: String

  /// A default, and how it is typed.
  package init(_ bytes: UInt64, argument: String) {
    (self.bytes, self.argument) = (bytes, argument)
  }
}

extension ByteCount: CustomStringConvertible {
  package var description: String { argument }
}

extension ByteCount: ExpressibleByArgument {
  /// Reads a number above 0 with K, M, G or T (powers of 1000), or KiB, MiB, GiB or TiB (of 1024).
  package init?(argument: String) {
    let digits = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let number = Double(digits), number > 0,
      let factor = Self.factors[String(argument.dropFirst(digits.count))]
    else { return nil }
    let bytes = (number * factor).rounded(.down)
    guard bytes >= 1, bytes <= Self.bytesMax else { return nil }
    (self.bytes, self.argument) = (UInt64(bytes), argument)
  }

  private static let factors: [String: Double] = [
    "": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "KiB": 0x1p10, "MiB": 0x1p20, "GiB": 0x1p30,
    "TiB": 0x1p40,
  ]

  /// More than any machine has.
  private static let bytesMax = 0x1p52
}
