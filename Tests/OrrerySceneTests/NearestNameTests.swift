// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import Testing

/// Goal: a slip of the finger is recognised, and nothing else is.
@Suite struct NearestNameTests {
  private let known = ["speed", "spacing", "flag-width", "name", "to"]

  @Test(
    arguments: [
      ("sped", "speed"), ("psace", nil), ("spacign", "spacing"), ("flag_width", "flag-width"),
      ("flagWidth", "flag-width"), ("nmae", "name"), ("NAME", "name"), ("xyzzy", nil), ("", nil),
      ("too", "to"),
    ] as [(String, String?)])
  func nearestIsFound(name: String, nearest: String?) {
    #expect(NearestName.find(name, among: known) == nearest)
  }

  @Test func longNamesAreNotCompared() {
    #expect(NearestName.find(String(repeating: "a", count: 10_000), among: known) == nil)
  }
}
