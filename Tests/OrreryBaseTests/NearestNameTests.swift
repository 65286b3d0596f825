// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import Testing

/// Goal: a slip of the finger is recognised, and nothing else is.
@Suite struct NearestNameTests {
  private let known = ["speed", "spacing", "flag-width", "name", "to"]

  @Test(
    arguments: [
      ("sped", "speed"), ("psace", nil), ("spacign", "spacing"), ("flag_width", "flag-width"),
      ("flagWidth", "flag-width"), ("nmae", "name"), ("NAME", "name"), ("xyzzy", nil), ("", nil),
      ("too", "to"), ("speedup", "speed"), ("speeding", nil),
    ] as [(String, String?)])
  func nearestIsFound(name: String, nearest: String?) {
    #expect(NearestName.find(name, among: known) == nearest)
  }

  /// Letters that changed places with their neighbour count as one slip, at the start and at the end too.
  @Test(
    arguments: [
      ("ot", "to"), ("psac", "spac"), ("spca", "spac"), ("pasc", nil), ("spack", "spac"),
      ("pac", "spac"), ("sqac", "spac"), ("SPAC", "spac"),
    ] as [(String, String?)])
  func swappedLettersAreOneSlip(name: String, nearest: String?) {
    #expect(NearestName.find(name, among: ["to", "spac"]) == nearest)
  }

  /// Of names that are equally near, the first in the order of the alphabet.
  @Test func tiesAreBrokenByTheAlphabet() {
    #expect(NearestName.find("rat", among: ["hat", "bat", "cat"]) == "bat")
    #expect(NearestName.find("rat", among: []) == nil)
  }

  /// Three letters are the beginning of a name; of several, the shortest is meant.
  @Test(
    arguments: [
      ("dur", "duration"), ("DURA", "duration"), ("du", nil), ("out", "out"), ("outp", "out"),
      ("com", "comfortable"), ("rum", "run"), ("lumns", nil),
    ] as [(String, String?)])
  func beginningIsRecognised(name: String, nearest: String?) {
    let known = ["duration", "run", "out", "output", "comfortable", "command-line"]
    #expect(NearestName.find(name, among: known) == nearest)
  }

  @Test func questionNamesTheNearest() {
    #expect(NearestName.question("sped", among: known) == "; did you mean speed?")
    #expect(NearestName.question("xyzzy", among: known) == "")
  }

  @Test func longNamesAreNotCompared() {
    #expect(NearestName.find(String(repeating: "a", count: 10_000), among: known) == nil)
  }

  @Test func aHundredLettersAreCompared() {
    let known = [String(repeating: "a", count: 99)]
    #expect(NearestName.find(String(repeating: "a", count: 100), among: known) == known[0])
    #expect(NearestName.find(String(repeating: "a", count: 101), among: known) == nil)
  }

  /// A third of the letters may differ, of short names one.
  @Test(
    arguments: [("abcxyz", nil), ("abcdxy", "abcdef"), ("abcdfe", "abcdef"), ("xbcdef", "abcdef")]
      as [(String, String?)])
  func aThirdOfTheLettersMayDiffer(name: String, nearest: String?) {
    #expect(NearestName.find(name, among: ["abcdef"]) == nearest)
  }
}
