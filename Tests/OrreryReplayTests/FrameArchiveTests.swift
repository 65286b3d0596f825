// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryReplay
import OrreryTrace
import TestSupport
import Testing

/// Goal: an archive gives the frames that were published, whatever the trace keeps of them, in any order.
///
/// Method: traces of one run in every mode, in small chunks; frames compared byte by byte.
@Suite struct FrameArchiveTests {
  static let changed = [
    RecordedRun.Change(sequence: 10, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#),
    RecordedRun.Change(
      sequence: 22,
      text: #"{"do":"set","views":{"box":{"x":-3}},"animation":"linear(duration: 0.2)"}"#),
  ]

  private func read(_ archive: FrameArchive, _ sequence: UInt64) throws -> [UInt8] {
    let frame = try #require(try archive.frame(from: sequence))
    #expect(frame.sequence == sequence)
    return Array(try archive.bytes(of: frame))
  }

  /// The values of a frame: a digest has no time in the scene and its bytes are otherwise the same.
  private func values(_ bytes: [UInt8]) -> ArraySlice<UInt8> { bytes[FrameField.allBytes...] }

  @Test(arguments: [RecordedRun.Mode.full, .delta, .digest])
  func everyFrameIsThatOfTheRun(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(changes: Self.changed)
    let archive = try FrameArchive(paths: [run.write(mode)])
    #expect(archive.span?.first.sequence == 1)
    #expect(archive.span?.last.sequence == 40)
    // Forward, backward and at random: a digest's world loses changes again.
    for index in Array(0..<40) + (0..<40).reversed() + [3, 30, 8, 39, 21, 22, 9, 10] {
      let frame = run.frames[index]
      let found = try #require(try archive.frame(from: frame.sequence))
      #expect(found.tick == frame.tick)
      #expect(found.stamp.stateHash == frame.hash)
      #expect(
        try values(read(archive, frame.sequence)) == values(frame.bytes), "frame \(index + 1)")
    }
  }

  @Test(arguments: RecordedRun.Mode.allCases)
  func ticksAndMissingFramesAreFound(mode: RecordedRun.Mode) throws {
    let run = try RecordedRun(ticks: Array(101...140))
    let archive = try FrameArchive(paths: [run.write(mode, missing: [12, 13, 14, 40])])
    #expect(try archive.frame(from: 12)?.sequence == 15)
    #expect(try archive.frame(from: 40) == nil)
    #expect(try archive.frame(from: 500) == nil)
    #expect(try archive.frame(showing: 0)?.sequence == 1)
    #expect(try archive.frame(showing: 120)?.sequence == 20)
    #expect(try archive.frame(showing: 112)?.sequence == 15)
    #expect(try archive.frame(showing: 141) == nil)
    #expect(archive.span?.last.tick == 139)
  }

  @Test(arguments: [RecordedRun.Mode.full, .digest])
  func aRunThatWasSentBackHasItsFramesAndChanges(mode: RecordedRun.Mode) throws {
    let ticks: [UInt64] = Array(1...20) + Array(5...15) + Array(100...108)
    // The second one is of a tick that was shown before it was made, and comes again.
    let changes = [
      RecordedRun.Change(
        sequence: 18, text: #"{"do":"set","views":{"box":{"x":40}},"seconds":1.7}"#),
      RecordedRun.Change(
        sequence: 22, text: #"{"do":"set","views":{"box":{"x":-3}},"seconds":0.19}"#),
      RecordedRun.Change(sequence: 25, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#),
    ]
    let run = try RecordedRun(ticks: ticks, changes: changes)
    let archive = try FrameArchive(paths: [run.write(mode)])
    #expect(try archive.frame(showing: 104)?.sequence == 36)
    #expect(try archive.frame(showing: 8)?.sequence == 8)
    #expect(try archive.frame(showing: 50)?.sequence == 32)
    for frame in run.frames + run.frames.reversed() {
      #expect(try values(read(archive, frame.sequence)) == values(frame.bytes))
    }
  }

  /// Two parts of the run begin with the same tick, behind the one that is asked for.
  @Test func aTickBeforeTheRunLeadsToTheFirstFrame() throws {
    let run = try RecordedRun(ticks: Array(5...10) + Array(5...10))
    let archive = try FrameArchive(paths: [run.write(.full)])
    #expect(try archive.frame(showing: 3)?.sequence == 1)
  }

  /// The run was sent back, and the last tick and number add up to the difference of the first ones.
  @Test func ticksBeforeThatOfTheFirstFrameAreFound() throws {
    let run = try RecordedRun(ticks: Array(20...22) + Array(11...13))
    let archive = try FrameArchive(paths: [run.write(.full)])
    #expect(try archive.ticks() == 11...22)
    #expect(try archive.frame(showing: 12)?.sequence == 5)
    #expect(try archive.frame(showing: 15)?.sequence == 1)
    #expect(try archive.frame(showing: 21)?.sequence == 2)
  }

  /// A trace has a change, but none of the frames that would tell since when: it is there from the first frame on.
  @Test func aChangeOfATraceWithoutFramesIsInTheFirstFrame() throws {
    let run = try RecordedRun(
      ticks: [1, 2],
      changes: [
        RecordedRun.Change(sequence: 1, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#)
      ])
    let whole = try FrameArchive(paths: [run.write(.digest)])
    let none = try FrameArchive(paths: [run.write(.digest, "none", missing: [1, 2])])
    let frame = try #require(try whole.frame(from: 1))
    #expect(none.span == nil)
    #expect(try none.makeWorld().evaluate(frame) == run.frames[0].hash)
  }

  /// Frames that are read in their order are there up to one that is damaged.
  @Test(arguments: [11, 13, 21] as [UInt64])
  func damageIsMetWhereTheFrameIsComeTo(damaged: UInt64) throws {
    let run = try RecordedRun()
    let path = try run.write(.full) { bytes, sequence in
      // The tick's highest bit.
      if sequence == damaged { bytes[16] ^= 0x80 }
    }
    let archive = try FrameArchive(paths: [path])
    for sequence in 1..<damaged {
      #expect(try archive.frame(from: sequence)?.sequence == sequence)
    }
    let failure = #expect(throws: Failure.self) { try archive.frame(from: damaged) }
    #expect(failure?.status == .badData)
  }

  /// A tick is shown, and again after a change at its very time.
  @Test func aFrameBeforeAChangeOfItsTickIsWithoutIt() throws {
    let run = try RecordedRun(
      ticks: [8, 9, 10, 10, 11],
      changes: [
        RecordedRun.Change(sequence: 4, text: #"{"do":"set","views":{"box":{"x":12.5}}}"#)
      ])
    #expect(run.frames[2].hash != run.frames[3].hash)
    let archive = try FrameArchive(paths: [run.write(.digest)])
    for frame in run.frames + run.frames.reversed() {
      #expect(try values(read(archive, frame.sequence)) == values(frame.bytes))
    }
  }

  @Test func roundedValuesAreNearTheRuns() throws {
    let run = try RecordedRun()
    let archive = try FrameArchive(paths: [run.write(.quantised)])
    let columns = archive.template.layout.columns.map(ColumnReader.init)
    #expect(columns.count == run.layout.columns.count)
    for frame in run.frames {
      let found = try read(archive, frame.sequence)
      for (column, own) in zip(columns, run.layout.columns.map(ColumnReader.init)) {
        let isNear = found.withUnsafeBytes { one in
          frame.bytes.withUnsafeBytes { two in
            guard let one = one.baseAddress, let two = two.baseAddress else { return false }
            return column.entities.allSatisfy {
              abs(column.value($0, in: one) - own.value($0, in: two)) <= 0.126
            }
          }
        }
        #expect(isNear)
      }
    }
  }

  @Test func aChangedHashIsFoundWhenTheFrameIsAskedFor() throws {
    let run = try RecordedRun()
    let path = try run.write(.digest) { bytes, sequence in
      if sequence == 9 { bytes[9 * 4 + 1] ^= 1 }
    }
    let archive = try FrameArchive(paths: [path])
    _ = try read(archive, 8)
    let failure = #expect(throws: Failure.self) { _ = try read(archive, 9) }
    #expect(failure?.status == .unmet)
    #expect(failure?.description.contains("tick 9") == true)
  }

  @Test func hostileScenesGiveOneLine() throws {
    let run = try RecordedRun(ticks: Array(1...3))
    let faults: [(inout Orrery_SceneLayout) -> Void] = [
      { $0.source = "" }, { $0.source = "size = 3" }, { $0.rateNumerator = 0 },
      { $0.rateDenominator = .max }, { $0.hash = "none" }, { $0.options.output = "x" },
      { $0.options.entities = .max }, { $0.options.entities = 100_000_001 },
      { $0.options.imageNames = ["a"] }, { $0.layoutHash = 1 },
      { ($0.shard.index, $0.shard.count) = (3, 2) }, { $0.locale = "no such" },
      {
        $0.source = RecordedRun.text.replacing(
          "elements = [{ box = [20, 10]",
          with: "elements = [{ image = \"../passwd\", size = [20, 10]")
      },
    ]
    for (index, fault) in faults.enumerated() {
      let path = try run.write(.digest, "fault\(index)", alterScene: fault)
      let failure = #expect(throws: Failure.self, "fault \(index)") {
        _ = try FrameArchive(paths: [path])
      }
      let line = failure?.description ?? ""
      #expect(line.hasPrefix(path), "\(line)")
    }
  }

  @Test func framesOfOtherColumnsAreRefused() throws {
    let run = try RecordedRun(ticks: Array(1...3))
    let path = try run.write(.full) { bytes, sequence in
      // The length of the first column's values.
      if sequence == 2 { bytes[FrameField.allBytes + 2] ^= 1 }
    }
    let archive = try FrameArchive(paths: [path])
    let failure = #expect(throws: Failure.self) { _ = try read(archive, 2) }
    #expect(failure?.status == .badData)
  }

  /// A trace has frames if it has a scene and one of the forms in which frames are recorded.
  @Test(
    arguments: [
      (["/orrery/scene", "/orrery/frames"], true), (["/orrery/digests", "/orrery/scene"], true),
      (["/orrery/scene", "/orrery/log"], false), (["/orrery/frames", "/orrery/deltas"], false),
      (["/orrery/log"], false),
    ] as [([String], Bool)])
  func tracesWithFramesAreTold(topics: [String], hasFrames: Bool) throws {
    let base = try TemporaryBase()
    let path = base.path + "/topics.mcap"
    let writer = try TraceWriter(path: path)
    for topic in topics {
      let channel = try writer.addChannel(
        TraceChannel(schema: nil, topic: topic, messageEncoding: "protobuf"))
      try writer.write(
        TraceMessageHead(channel, sequence: 1, logTimeNs: 1, publishTimeNs: 1), bytes: [1])
    }
    try writer.finish()
    #expect(try FrameArchive.hasFrames(path) == hasFrames)
  }

  @Test func missingFilesAndOtherFilesAreToldApart() throws {
    let run = try RecordedRun(ticks: [1])
    let missing = #expect(throws: Failure.self) { _ = try FrameArchive(paths: ["/no/such.mcap"]) }
    #expect(missing?.status == .unavailable)
    let path = run.base.path + "/text.mcap"
    try Data("text".utf8).write(to: URL(fileURLWithPath: path))
    let other = #expect(throws: Failure.self) { _ = try FrameArchive(paths: [path]) }
    #expect(other?.status == .badData)
    let folder = #expect(throws: Failure.self) { _ = try FrameArchive(paths: [run.base.path]) }
    #expect(folder?.status == .inputOutput)
    #expect(folder?.description == "\(run.base.path): not a regular file")
  }
}
