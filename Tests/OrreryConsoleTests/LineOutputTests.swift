// SPDX-License-Identifier: Apache-2.0

import OrreryConsole
import Testing

/// Lines go out in large pieces, until nobody reads.
@Suite struct LineOutputTests {
  @Test func linesGoOutTogether() {
    var pieces: [String] = []
    let output = LineOutput { bytes in
      pieces.append(String(decoding: bytes, as: UTF8.self))
      return true
    }
    output.write("a")
    output.write("b")
    #expect(pieces == [])
    output.flush()
    #expect(pieces == ["a\nb\n"])
    output.flush()
    #expect(pieces == ["a\nb\n", ""])
    #expect(output.isWanted)
  }

  @Test func whoeverHasHadEnoughStaysSo() {
    var answers = [false, true]
    let output = LineOutput { _ in answers.removeFirst() }
    output.flush()
    #expect(!output.isWanted)
    output.flush()
    #expect(!output.isWanted)
  }

  @Test func longOutputGoesOutOnTheWay() {
    var sizes: [Int] = []
    let output = LineOutput { bytes in
      sizes.append(bytes.count)
      return true
    }
    let line = String(repeating: "x", count: 1023)
    for _ in 0..<64 { output.write(line) }
    #expect(sizes == [], "64 KiB are kept")
    output.write("")
    #expect(sizes == [65_537])
  }
}
