// SPDX-License-Identifier: Apache-2.0

/// What a browser must know to see a run and to steer it: 128 random bits, drawn when the program starts.
///
/// It stands in the address that is printed, and nowhere else: not in arguments, which other users can list, and not in a
/// log. The first request exchanges it for a cookie.
package struct AccessToken: Sendable {
  /// 32 hexadecimal digits.
  package let text: String

  /// Draws a token from the system's generator.
  package init() {
    var generator = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    text = String((0..<32).map { _ in digits[Int(generator.next(upperBound: UInt8(16)))] })
  }

  /// Whether a text is this token.
  ///
  /// It takes the same time wherever the first wrong digit stands, so that time does not tell digits one by one.
  package func matches(_ other: some StringProtocol) -> Bool {
    let (own, given) = (Array(text.utf8), Array(other.utf8))
    guard own.count == given.count else { return false }
    var difference: UInt8 = 0
    for index in own.indices { difference |= own[index] ^ given[index] }
    return difference == 0
  }
}
