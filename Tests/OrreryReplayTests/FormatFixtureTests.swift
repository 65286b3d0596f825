// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryReplay
import OrreryTrace
import TestSupport
import Testing

/// Goal: a trace of each version of the format stays readable, and what it holds is what its scene still gives.
///
/// Method: `Tests/Fixtures` has files that a logger of each version wrote, in each mode, and what one left that was
/// killed. They are read in every way, their frames are simulated again, and hashes are compared with constants.
@Suite struct FormatFixtureTests {
  /// A file, how many frames it has, and the hash of the last one.
  struct Fixture: Sendable, CustomTestStringConvertible {
    let name: String
    let frames: UInt64
    let lastHash: UInt64

    var testDescription: String { name }
  }

  static let whole = [
    Fixture(name: "trace-0.1/full.mcap", frames: 10, lastHash: 0x5cf1_4ce4_d7fb_3174),
    Fixture(name: "trace-0.1/delta.mcap", frames: 10, lastHash: 0x5cf1_4ce4_d7fb_3174),
    Fixture(name: "trace-0.1/quantised.mcap", frames: 10, lastHash: 0x5cf1_4ce4_d7fb_3174),
    Fixture(name: "trace-0.1/digest.mcap", frames: 30, lastHash: 0xe40b_f4f1_e50a_36f1),
    Fixture(name: "trace-0.1/predicted.mcap", frames: 10, lastHash: 0x5cf1_4ce4_d7fb_3174),
  ]

  private static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Repository.data("Tests/Fixtures/" + name))
  }

  private static func put(_ bytes: [UInt8], _ base: TemporaryBase) throws -> String {
    let path = base.path + "/trace.mcap"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  @Test(arguments: whole)
  func filesOfEachVersionAreWholeAndTheirFramesProved(fixture: Fixture) throws {
    let bytes = try Self.bytes(fixture.name)
    let reader = try TraceReader(bytes: bytes)
    #expect(try reader.readToEnd() == .whole)
    let salvage = TraceSalvage(bytes: bytes)
    var salvaged: UInt64 = 0
    try salvage.run { if case .message = $0 { salvaged += 1 } }
    #expect(salvage.losses.isEmpty)
    #expect(salvaged == reader.statistics.messageCount)
    let base = try TemporaryBase()
    let archive = try FrameArchive(paths: [Self.put(bytes, base)])
    #expect(archive.span?.last.tick == fixture.frames)
    #expect(archive.span?.last.stamp.stateHash == fixture.lastHash)
    var check = try ContentCheck(archive)
    let report = try check.run()
    #expect(report.provable && report.isEqual, "\(report.difference ?? "")")
    #expect(report.frames == fixture.frames)
  }

  /// The same run in every mode gives the same values.
  @Test func frameIsTheSameInEveryMode() throws {
    let bases = try (0..<4).map { _ in try TemporaryBase() }
    let archives = try zip([0, 1, 3, 4], bases).map { index, base in
      try FrameArchive(paths: [Self.put(Self.bytes(Self.whole[index].name), base)])
    }
    let values = try archives.map { archive in
      let frame = try #require(try archive.frame(showing: 10))
      let columns = archive.template.layout.columns.map(ColumnReader.init)
      return try archive.bytes(of: frame).withUnsafeBytes { bytes in
        columns.flatMap { column in
          column.entities.map { entity in
            bytes.baseAddress.map { column.value(entity, in: $0).bitPattern } ?? 0
          }
        }
      }
    }
    #expect(values[0].count > 20)
    #expect(values[0] == values[1])
    #expect(values[0] == values[2])
    #expect(values[0] == values[3])
    #expect(values[0].first == Float(1.3574139).bitPattern)
  }

  /// Of a file that a killed logger left: its two ends; what is between them are zeros, room for more.
  @Test func fileOfAKilledLoggerOpensAndIsRecovered() throws {
    let (head, tail) = (
      try Self.bytes("trace-0.1/killed.head"), try Self.bytes("trace-0.1/killed.tail")
    )
    let bytes = head + [UInt8](repeating: 0, count: 67_219_456 - head.count - tail.count) + tail
    let salvage = TraceSalvage(bytes: bytes)
    var topics: [String: Int] = [:]
    try salvage.run {
      if case .message(let message) = $0 { topics[message.topic, default: 0] += 1 }
    }
    #expect(salvage.losses.isEmpty)
    #expect(topics["/orrery/frames"] == 6)
    #expect(topics.values.reduce(0, +) == 12)
    let base = try TemporaryBase()
    let archive = try FrameArchive(paths: [Self.put(bytes, base)])
    var check = try ContentCheck(archive)
    let report = try check.run()
    #expect(report.provable && report.isEqual, "\(report.difference ?? "")")
    #expect(report.frames == 6)
    #expect(report.values == 0 || report.values > 100)
    // By its summary, without a look at the room.
    let file = try TraceArchiveFile(path: archive.path)
    #expect(file.hasSummary)
    #expect(file.statistics.messageCount == 12)
  }
}
