// SPDX-License-Identifier: Apache-2.0

/// Where two lists first differ, for a report; nil if they are equal.
///
/// Of long lists, to say both would drown what is wrong with them: `#expect(firstDifference(…) == nil)`.
///
/// - Parameters:
///   - found: What came out.
///   - expected: What should have.
/// - Returns: Such as `at 17: 3, expected 4`.
package func firstDifference<Element: Equatable>(
  _ found: some Sequence<Element>, _ expected: some Sequence<Element>
) -> String? {
  var (others, index) = (expected.makeIterator(), 0)
  for element in found {
    guard let other = others.next() else { return "at \(index): \(element), expected the end" }
    if element != other { return "at \(index): \(element), expected \(other)" }
    index += 1
  }
  return others.next().map { "at \(index): the end, expected \($0)" }
}
