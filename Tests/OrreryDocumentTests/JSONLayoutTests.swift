// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import Testing

/// Goal: JSON for people is the same JSON, in lines that fit.
///
/// Method: known texts, and reading what was written.
@Suite struct JSONLayoutTests {
  private func value(_ text: String) throws -> DocumentValue {
    try JSONParser.parse(Array(text.utf8))
  }

  @Test func whatFitsIsOneLine() throws {
    let text = #"{"a": [1, -0.5, true, null, "x\"\n"], "b": {}, "c": [], "d": {"e": []}}"#
    #expect(JSONLayout.text(try value(text)) == text)
  }

  @Test func whatDoesNotFitHasALineForEachValue() throws {
    let long = String(repeating: "x", count: 90)
    let short = String(repeating: "y", count: 80)
    let text = "{\"a\": [\"\(long)\", 1], \"b\": {\"c\": \"\(short)\"}}"
    #expect(
      JSONLayout.text(try value(text)) == """
        {
          "a": [
            "\(long)",
            1
          ],
          "b": {"c": "\(short)"}
        }
        """)
  }

  /// A line of a hundred columns fits, and the comma behind it counts.
  @Test(arguments: [(81, 1), (82, 4), (88, 4), (89, 6)])
  func hundredColumnsFit(length: Int, lines: Int) throws {
    let text = "{\"k\": [\"\(String(repeating: "ä", count: length))\"], \"l\": 1}"
    let written = JSONLayout.text(try value(text))
    #expect(written.split(separator: "\n").count == lines, "\(written)")
    #expect(try value(written) == (try value(text)))
  }
}
