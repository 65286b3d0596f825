// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryMessages
import OrreryRecording
import OrreryTrace
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: what a ring is asked for is a whole trace of the last seconds, whatever went before, and its memory has a bound.
///
/// Method: messages with made-up times into a ring; copies of it are written to files and read.
@Suite struct FlightRingTests {
  private static let second: UInt64 = 1_000_000_000

  /// A ring with its beginning, and the channels of frames, deltas and losses.
  private struct Desk {
    let base: TemporaryBase
    let ring: FlightRing
    let frames: TraceChannelID
    var deltas: TraceChannelID?

    init(keptNs: UInt64, bytesMax: Int = 256 << 20, hasDeltas: Bool = false) throws {
      base = try TemporaryBase()
      ring = FlightRing(keptNs: keptNs, bytesMax: bytesMax)
      let scene = try ring.addChannel(.scene)
      frames = try ring.addChannel(.frames)
      if hasDeltas { deltas = try ring.addChannel(.deltas) }
      try ring.addMetadata(name: "orrery.recording", ["mode": "flight"])
      try ring.write(TraceMessageHead(scene, logTimeNs: 1), bytes: [1, 2, 3])
      ring.endBeginning()
    }

    /// Takes a frame, 60 of which are a second.
    @discardableResult
    func take(_ sequence: UInt64, isDelta: Bool = false, bytes: Int = 100) throws -> Bool {
      var message = Orrery_Frame()
      message.sequence = sequence
      message.tick = sequence + 10
      message.stateHash = 0xab
      let head: [UInt8] = try message.serializedBytes()
      let body = head + [UInt8](repeating: 0, count: bytes)
      return try body.withUnsafeBytes { body in
        try ring.write(
          TraceMessageHead(
            isDelta ? deltas ?? frames : frames, sequence: UInt64(sequence),
            logTimeNs: sequence * second / 60, publishTimeNs: sequence), parts: [body],
          isPreamble: false, isIntact: { true })
      }
    }

    /// Writes what there is from a time on, and reads it.
    func read(fromNs: UInt64) throws -> (sequences: [UInt32], reader: TraceReader) {
      let path = base.path + "/\(fromNs).mcap"
      let writer = try TraceWriter(path: path)
      _ = try ring.copy(fromNs: fromNs).write(to: writer, facts: ["kept_for": "test"])
      let reader = try TraceReader(path: path)
      var sequences: [UInt32] = []
      while let message = try reader.nextMessage() {
        if message.topic == "/orrery/scene" {
          #expect(Array(message.bytes) == [1, 2, 3])
        } else {
          sequences.append(message.head.sequence)
        }
      }
      #expect(reader.ending == .whole)
      return (sequences, reader)
    }
  }

  @Test func copyHasTheBeginningAndTheLastSeconds() throws {
    let desk = try Desk(keptNs: 2 * Self.second)
    for sequence in 1...600 { try desk.take(UInt64(sequence)) }
    let (sequences, reader) = try desk.read(fromNs: 8 * Self.second)
    #expect(sequences == Array(480...600))
    #expect(reader.metadata.map(\.name) == ["orrery.recording", "orrery.summary"])
    let summary = reader.metadata.last?.values ?? [:]
    #expect(summary["received"] == "121")
    #expect(summary["joined_after"] == "479")
    #expect(summary["last_tick"] == "610")
    #expect(summary["kept_for"] == "test")
  }

  /// The ring goes on while a copy is written, and nothing of what comes is in the copy.
  @Test func ringGoesOnDuringACopy() throws {
    let desk = try Desk(keptNs: Self.second)
    for sequence in 1...100 { try desk.take(UInt64(sequence)) }
    let copy = desk.ring.copy(fromNs: 0)
    for sequence in 101...200 { try desk.take(UInt64(sequence)) }
    let path = desk.base.path + "/copy.mcap"
    let account = try copy.write(to: try TraceWriter(path: path), facts: [:])
    #expect(account.receivedCount == 100)
    #expect(account.sequences == 1...100)
    #expect(try desk.read(fromNs: 0).sequences.last == 200)
  }

  /// With deltas a file begins with the keyframe before what is wanted: else nothing of it could be read.
  @Test func fileOfDeltasBeginsWithAKeyframe() throws {
    let desk = try Desk(keptNs: 2 * Self.second, hasDeltas: true)
    for sequence in 0...599 { try desk.take(UInt64(sequence), isDelta: sequence % 60 != 0) }
    #expect(try desk.read(fromNs: 500 * Self.second / 60).sequences.first == 480)
    #expect(try desk.read(fromNs: 480 * Self.second / 60).sequences.first == 480)
  }

  /// What there was before the oldest keyframe is left out.
  @Test func deltasWithoutAKeyframeAreLeftOut() throws {
    let desk = try Desk(keptNs: 2 * Self.second, hasDeltas: true)
    for sequence in 31...100 { try desk.take(UInt64(sequence), isDelta: sequence != 60) }
    #expect(try desk.read(fromNs: 0).sequences == Array(60...100))
  }

  /// Of deltas that have no keyframe at all nothing can be read, so nothing is written.
  @Test func deltasThatNeverHadAKeyframeAreNoTrace() throws {
    let desk = try Desk(keptNs: 2 * Self.second, hasDeltas: true)
    for sequence in 31...50 { try desk.take(UInt64(sequence), isDelta: true) }
    let (sequences, reader) = try desk.read(fromNs: 0)
    #expect(sequences == [])
    #expect(reader.metadata.last?.values["received"] == "0")
  }

  @Test func memoryHasABound() throws {
    let desk = try Desk(keptNs: 1000 * Self.second, bytesMax: 24 << 20)
    // Frames of 1 MiB: blocks of 4 MiB have three each, and two thirds of the memory have four blocks.
    for sequence in 1...100 { #expect(try desk.take(UInt64(sequence), bytes: 1 << 20)) }
    let sequences = try desk.read(fromNs: 0).sequences
    #expect(sequences.last == 100)
    #expect((9...12).contains(sequences.count), "\(sequences.count)")
  }

  /// Blocks that copies hold count too: then messages are refused, and counted.
  @Test func heldMemoryCounts() throws {
    let desk = try Desk(keptNs: 1000 * Self.second, bytesMax: 24 << 20)
    for sequence in 1...20 { try desk.take(UInt64(sequence), bytes: 1 << 20) }
    let copies = (0..<3).map { round in
      let copy = desk.ring.copy(fromNs: 0)
      for sequence in 1...12 { _ = try? desk.take(UInt64(100 * round + sequence), bytes: 1 << 20) }
      return copy
    }
    #expect(desk.ring.refusedCount > 0)
    for (index, copy) in copies.enumerated() {
      let writer = try TraceWriter(path: desk.base.path + "/held\(index).mcap")
      _ = try copy.write(to: writer, facts: [:])
    }
    #expect(try desk.take(1000, bytes: 1 << 20))
  }

  @Test func tornMessageIsTakenBack() throws {
    let desk = try Desk(keptNs: Self.second)
    try desk.take(1)
    let bytes: [UInt8] = [9]
    try bytes.withUnsafeBytes { bytes in
      let isKept = try desk.ring.write(
        TraceMessageHead(desk.frames, sequence: 2, logTimeNs: 5, publishTimeNs: 5), parts: [bytes],
        isPreamble: false, isIntact: { false })
      #expect(!isKept)
    }
    #expect(try desk.read(fromNs: 0).sequences == [1])
  }
}
