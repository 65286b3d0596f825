// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import TestSupport
import Testing

/// Goal: the file of `--frame-times` has each frame's line, and a failed write is reported once, at the end.
///
/// Method: files in a folder of their own, and a device that is always full.
@Suite struct FrameTimesFileTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test func eachFrameHasALine() throws {
    let path = try TemporaryBase()
    let sim = try FrameTimesFile<SimFrameTimes>(path: path.path + "/sim")
    sim.write(
      SimFrameTimes(
        sequence: 1, tick: 20, dueNs: 300, begunNs: 4_000, computedNs: 50_000,
        publishedNs: 600_000))
    sim.write(
      SimFrameTimes(
        sequence: .max, tick: 0, dueNs: nil, begunNs: 1, computedNs: 2, publishedNs: 3))
    #expect(sim.finish() == nil)
    #expect(
      try Self.text(path.path + "/sim") == """
        sequence,tick,due_ns,begun_ns,computed_ns,published_ns
        1,20,300,4000,50000,600000
        18446744073709551615,0,,1,2,3

        """)
    let subscriber = try FrameTimesFile<SubscriberFrameTimes>(path: path.path + "/subscriber")
    subscriber.write(SubscriberFrameTimes(sequence: 7, foundNs: 80, doneNs: 900))
    #expect(subscriber.finish() == nil)
    #expect(
      try Self.text(path.path + "/subscriber") == "sequence,found_ns,done_ns\n7,80,900\n")
  }

  @Test func digitsAreThoseOfAString() {
    var random = SystemRandomNumberGenerator()
    var numbers: [UInt64] = [0, 9, 10, 99, 100, 101, 999, 1000, .max]
    for bits in 1...64 as ClosedRange<UInt64> {
      numbers.append(random.next() >> (64 - bits))
    }
    for number in numbers {
      let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
        digits.baseAddress.map { start in
          let count = DecimalDigits.write(number, to: start)
          return String(decoding: digits[..<count], as: UTF8.self)
        }
      }
      #expect(text == "\(number)")
    }
  }

  /// Until 64 KiB have come together, or until the end: an earlier file stays as it was.
  @Test func linesAreKeptAndNoneIsLost() throws {
    let base = try TemporaryBase()
    let path = base.path + "/times"
    let old = String(repeating: "old\n", count: 100_000)
    try old.write(toFile: path, atomically: false, encoding: .utf8)
    let file = try FrameTimesFile<SubscriberFrameTimes>(path: path)
    var expected = "sequence,found_ns,done_ns\n"
    var sequence: UInt64 = 0
    while expected.utf8.count < 200_000 {
      let wasKept = expected.utf8.count < 64 << 10
      if wasKept { #expect(try Self.text(path) == old) }
      sequence += 1
      file.write(SubscriberFrameTimes(sequence: sequence, foundNs: 10, doneNs: 11))
      expected += "\(sequence),10,11\n"
      if wasKept, expected.utf8.count >= 64 << 10 { #expect(try Self.text(path) == expected) }
    }
    #expect(try Self.text(path) != expected, "the last lines are kept until the end")
    #expect(file.finish() == nil)
    #expect(try Self.text(path) == expected)
  }

  @Test func fileWithoutFramesHasItsColumns() throws {
    let base = try TemporaryBase()
    let path = base.path + "/times"
    #expect(try FrameTimesFile<SubscriberFrameTimes>(path: path).finish() == nil)
    #expect(try Self.text(path) == "sequence,found_ns,done_ns\n")
  }

  @Test func fileThatCannotBeOpenedIsNamed() throws {
    let failure = #expect(throws: Failure.self) {
      _ = try FrameTimesFile<SimFrameTimes>(path: "/nonexistent/times")
    }
    #expect(failure?.status == .inputOutput)
    #expect(failure?.description == "/nonexistent/times: open: No such file or directory")
  }

  /// Nothing is thrown at a frame: the program goes on.
  @Test func fullDiskIsReportedAtTheEnd() throws {
    let file = try FrameTimesFile<SubscriberFrameTimes>(path: "/dev/full")
    for sequence in 1...10_000 as ClosedRange<UInt64> {
      file.write(SubscriberFrameTimes(sequence: sequence, foundNs: 1, doneNs: 2))
    }
    for _ in 0..<2 {
      let failure = try #require(file.finish())
      #expect(failure.status == .inputOutput)
      #expect(failure.description == "/dev/full: write: No space left on device")
    }
    #expect(try FrameTimesFile<SimFrameTimes>(path: "/dev/null").finish() == nil)
  }

  private static func cells(_ times: some FrameTimes) -> [UInt64?] {
    var cells: [UInt64?] = []
    times.forEachCell { cells.append($0) }
    return cells
  }

  @Test(arguments: [nil, 3] as [UInt64?]) func timesAreReadAsTheyWereWritten(due: UInt64?) {
    let sim: [UInt64?] = [1, 2, due, 4, 5, 6]
    #expect(SimFrameTimes(cells: sim).map { Self.cells($0) } == sim)
    #expect(SubscriberFrameTimes(cells: [1, 2, 3]).map { Self.cells($0) } == [1, 2, 3])
    #expect(SimFrameTimes.columns.count == 6)
    #expect(SubscriberFrameTimes.columns.count == 3)
  }

  @Test func missingCellsAreNoTimes() {
    for index in [0, 1, 3, 4, 5] {
      var cells: [UInt64?] = [1, 2, 3, 4, 5, 6]
      cells[index] = nil
      #expect(SimFrameTimes(cells: cells) == nil, "\(index)")
    }
    for index in 0..<3 {
      var cells: [UInt64?] = [1, 2, 3]
      cells[index] = nil
      #expect(SubscriberFrameTimes(cells: cells) == nil, "\(index)")
    }
    for count in [0, 2, 4, 5, 7] {
      let cells = [UInt64?](repeating: 1, count: count)
      #expect(SimFrameTimes(cells: cells) == nil)
      #expect(SubscriberFrameTimes(cells: cells) == nil)
    }
  }
}
