// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryBench
import Testing

/// Goal: a file of `--frame-times` is read line by line, and a line that is not right is named.
@Suite struct FrameTimesTextTests {
  private static func subscriber(_ text: String) throws(Failure) -> [SubscriberFrameTimes] {
    try FrameTimesText.parse(text, file: "a.csv")
  }

  @Test func linesAreReadInTheirOrder() throws {
    #expect(
      try Self.subscriber("sequence,found_ns,done_ns\n2,30,40\n1,5,6\n") == [
        SubscriberFrameTimes(sequence: 2, foundNs: 30, doneNs: 40),
        SubscriberFrameTimes(sequence: 1, foundNs: 5, doneNs: 6),
      ])
    #expect(try Self.subscriber("sequence,found_ns,done_ns\n") == [])
    let sim: [SimFrameTimes] = try FrameTimesText.parse(
      "sequence,tick,due_ns,begun_ns,computed_ns,published_ns\n1,2,3,4,5,6\n2,3,,5,6,7\n",
      file: "b.csv")
    #expect(
      sim == [
        SimFrameTimes(
          sequence: 1, tick: 2, dueNs: 3, begunNs: 4, computedNs: 5, publishedNs: 6),
        SimFrameTimes(
          sequence: 2, tick: 3, dueNs: nil, begunNs: 5, computedNs: 6, publishedNs: 7),
      ])
  }

  private static let columns = "sequence,found_ns,done_ns\n"

  @Test(arguments: [
    ("", "a.csv, line 1: '' instead of"),
    ("sequence,found_ns,done_ns", "a.csv: the last line has no end"),
    (columns + "1,2,3\n1,2", "a.csv: the last line has no end"),
    ("sequence,found_ns\n", "a.csv, line 1: 'sequence,found_ns' instead of"),
    (columns + "1,2,3\n1,2\n", "a.csv, line 3: '1,2' has no 'sequence,found_ns,done_ns'"),
    (columns + "1,2,3,4\n", "a.csv, line 2: '1,2,3,4' has no"),
    (columns + "1,,3\n", "a.csv, line 2: '1,,3' has no"),
    (columns + "1,x,3\n", "a.csv, line 2: '1,x,3' has no"),
    (columns + "1,-2,3\n", "a.csv, line 2: '1,-2,3' has no"),
    (columns + "\n", "a.csv, line 2: '' has no"),
  ])
  func lineThatIsNotRightIsNamed(text: String, says: String) {
    let failure = #expect(throws: Failure.self) { try Self.subscriber(text) }
    #expect(failure?.status == .badData)
    #expect(failure?.description.hasPrefix(says) == true, "\(failure as Any)")
  }
}
