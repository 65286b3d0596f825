// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRecording
import OrreryTrace
import OrreryWire
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: a trace of a part of a run is a whole trace: its layout describes what is in it, its frames have exactly that,
/// and its account tells what was left out from what was lost.
///
/// Method: a ring whose values say whose they are; what is in the file is compared with them.
@Suite struct ThinnedRecordingTests {
  private static func options(_ set: (inout RecordingOptions) -> Void) -> RecordingOptions {
    var options = RecordingOptions()
    set(&options)
    return options
  }

  /// Compares each value with the one that was published.
  private static func expectPublished(
    _ frame: Orrery_Frame, bound: (Orrery_Column) -> Float = { _ in 0 }
  ) {
    for column in frame.columns {
      let values =
        column.unit == 0
        ? column.values
        : column.fixed16.withUnsafeBytes {
          $0.bindMemory(to: Int16.self).map { Float($0) * column.unit }
        }
      for (index, value) in values.enumerated() {
        let published = SceneRing.value(
          Int(column.firstEntity) + index, column.field, frame.tick)
        #expect(abs(value - published) <= bound(column))
      }
    }
  }

  @Test func nothingIsSaidOfATraceOfEverything() throws {
    let desk = try SceneDesk(RecordingOptions())
    try desk.record(2)
    let (messages, summary) = try desk.finish()
    #expect(messages.first?.bytes == (try desk.ring.scene.serializedBytes()))
    #expect(try !messages.scene().hasRecording)
    #expect(summary["recorded"] == nil && summary["left_out"] == nil)
  }

  @Test func entitiesComeWithThoseThatTheyStandIn() throws {
    // 9 stands in 1; 11 in 3, and 3 in 0.
    let desk = try SceneDesk(Self.options { $0.entities = ["9,11-12"] })
    try desk.record(3)
    let (messages, _) = try desk.finish()
    let scene = try messages.scene()
    #expect(scene.recording.mode == "full")
    #expect(
      scene.recording.entities.map { [$0.firstEntity, $0.entityCount] }
        == [[0, 2], [3, 1], [9, 1], [11, 2]])
    #expect(scene.recording.batches == [0, 0, 1, 1])
    #expect(
      scene.batches.map { [$0.firstEntity, $0.entityCount] } == [
        [0, 2], [3, 1], [9, 1], [11, 2],
      ])
    #expect(scene.batches.map(\.kind) == ["views", "views", "orbit", "orbit"])
    #expect(scene.batches.map(\.originX) == [[0, 1], [3], [9], [11, 12]])
    #expect(scene.batches.map(\.originY) == [[7], [7], [7], [7]])
    #expect(scene.batches.map(\.sprites) == [[0, 1], [0], [2], [1, 2]])
    #expect(scene.batches.map(\.parents) == [[0, 0], [1], [2], [4, 1]])
    #expect(scene.entityCount == 6)
    #expect(scene.recording.runEntityCount == 204)
    #expect(scene.recording.runLayoutHash == desk.ring.scene.layoutHash)
    // The name that fifty moons share stays; that of an entity that is not there goes.
    #expect(scene.names.map(\.name) == ["Sun", "Earth.a", "moon"])
    let frames = try messages.frames()
    #expect(frames.map(\.sequence) == [1, 2, 3])
    for frame in frames {
      #expect(
        frame.columns.map { [$0.batch, $0.firstEntity, UInt32($0.field.rawValue)] } == [
          [0, 0, 1], [0, 0, 2], [0, 0, 3], [1, 3, 1], [1, 3, 2], [1, 3, 3], [2, 9, 1], [2, 9, 2],
          [3, 11, 1], [3, 11, 2],
        ])
      #expect(frame.columns.map(\.values.count) == [2, 2, 2, 1, 1, 1, 1, 1, 2, 2])
      #expect(frame.layoutHash == scene.layoutHash && frame.generation == Ring.generation)
      #expect(frame.stateHash == frame.tick &* 0x9e37_79b9_7f4a_7c15)
      Self.expectPublished(frame)
    }
  }

  @Test func namesSelectToo() throws {
    let desk = try SceneDesk(Self.options { $0.entities = ["Earth", "moon[49]"] })
    let scene = try desk.finish().messages.scene()
    // moon[49] is 53 and stands in 1.
    #expect(scene.batches.map { [$0.firstEntity, $0.entityCount] } == [[1, 2], [53, 1]])
  }

  @Test(arguments: [
    (["204"], "--entity 204: the scene has entities 0 to 203"),
    (["Erth"], "--entity Erth: the scene has no such entity; did you mean Earth?"),
  ])
  func entityThatIsNotThereIsNamed(_ words: [String], message: String) throws {
    #expect {
      try SceneDesk(Self.options { $0.entities = words })
    } throws: { error in
      (error as? Failure)?.status == .usage && "\(error)" == message
    }
  }

  @Test func columnsAreThoseThatAreWanted() throws {
    let desk = try SceneDesk(Self.options { $0.fields = [.opacity, .y] })
    try desk.record(1)
    let (messages, _) = try desk.finish()
    let scene = try messages.scene()
    #expect(scene.batches.map(\.fields) == [[.y, .opacity], [.y]])
    #expect(scene.recording.columns == [.y, .opacity])
    #expect(scene.names.count == 4)
    let frame = try #require(try messages.frames().first)
    #expect(frame.columns.map(\.field) == [.y, .opacity, .y])
    Self.expectPublished(frame)
  }

  /// A shard's batches are named by their indexes in the scene, of whatever a trace has slices.
  @Test func slicesOfAShardAreOfTheScenesBatches() throws {
    let ring = try SceneRing {
      $0.shard.count = 2
      $0.shard.entityCount = 1000
      $0.shard.batches = [5, 9]
    }
    let desk = try SceneDesk(Self.options { $0.entities = ["100,102,999"] }, ring: ring)
    let scene = try desk.finish().messages.scene()
    #expect(scene.shard.batches == [5, 5, 9, 9])
  }

  /// A shard's scene names entities of other shards, too; only a trace of a part names no more than it has.
  @Test(arguments: [([], true), (["0-203"], true), (["0-202"], false)] as [([String], Bool)])
  func namesOfAWholeShardStay(entities: [String], isWhole: Bool) throws {
    let ring = try SceneRing {
      $0.shard.count = 2
      $0.shard.entityCount = 1000
      var name = Orrery_EntityName()
      (name.name, name.firstEntity) = ("Pluto", 500)
      $0.names.append(name)
    }
    let options = Self.options { ($0.entities, $0.fields) = (entities, [.y]) }
    let scene = try SceneDesk(options, ring: ring).finish().messages.scene()
    let names = ["Sun", "Earth.a", "Earth.b", "moon"] + (isWhole ? ["Pluto"] : [])
    #expect(scene.names.map(\.name) == names)
  }

  @Test func everyThirdFrameIsWanted() throws {
    let desk = try SceneDesk(Self.options { $0.every = 3 })
    try desk.record(7)
    try desk.lose(4)
    try desk.record(4)
    let (messages, summary) = try desk.finish()
    #expect(try messages.frames().map(\.sequence) == [3, 6, 12, 15])
    #expect(try messages.scene().recording.every == 3)
    let losses = try messages.filter { $0.topic == "/orrery/loss" }
      .map { try Orrery_Loss(serializedBytes: Data($0.bytes)) }
    #expect(losses.map { [$0.firstSequence, $0.lastSequence] } == [[8, 11]])
    #expect(summary["published"] == "15" && summary["received"] == "11")
    #expect(summary["missed"] == "4")
    #expect(summary["recorded"] == "4" && summary["left_out"] == "7")
    #expect(summary["last_tick"] == "15")
  }

  /// Frames come back exactly, with a keyframe each second and after a gap.
  @Test(arguments: [1, 2] as [UInt64]) func deltasGiveEveryFrame(every: UInt64) throws {
    let desk = try SceneDesk(
      Self.options {
        $0.delta = true
        $0.every = every
      })
    try desk.record(70)
    try desk.lose(2)
    try desk.record(10)
    let (messages, _) = try desk.finish()
    let frames = try messages.frames()
    let wanted = (1...82 as ClosedRange<UInt64>).filter {
      $0 % every == 0 && !(71...72).contains($0)
    }
    #expect(frames.map(\.sequence) == wanted)
    for frame in frames { Self.expectPublished(frame) }
    let keyframes = messages.filter { $0.topic == "/orrery/frames" }.map(\.sequence)
    #expect(keyframes == (every == 1 ? [1, 61, 73] : [2, 62, 74]))
    #expect(try messages.scene().recording.delta)
    #expect(try messages.scene().layoutHash == desk.ring.scene.layoutHash)
  }

  /// A run that is computed as fast as possible has a keyframe each second of its own time.
  @Test func keyframesFollowTheScenesTimeToo() throws {
    let desk = try SceneDesk(Self.options { $0.delta = true })
    desk.ring.publishStepNs = 1_000
    try desk.record(130)
    let messages = try desk.finish().messages
    #expect(messages.filter { $0.topic == "/orrery/frames" }.map(\.sequence) == [1, 61, 121])
  }

  /// A frame that was overwritten while it was read leaves nothing behind, and the next one stands by itself.
  @Test func tornFrameBeginsANewChain() throws {
    let desk = try SceneDesk(Self.options { $0.delta = true })
    try desk.record(3)
    let view = try #require(desk.ring.publish())
    for _ in 0..<4 { _ = desk.ring.publish() }
    #expect(try !desk.recorder.use(view, source: desk.ring.reader))
    try desk.miss(4...8)
    try desk.record(2)
    let messages = try desk.finish().messages
    #expect(try messages.frames().map(\.sequence) == [1, 2, 3, 9, 10])
    #expect(messages.filter { $0.topic == "/orrery/frames" }.map(\.sequence) == [1, 9])
  }

  @Test(arguments: [false, true]) func roundedValuesAreWithinHalfAUnit(delta: Bool) throws {
    let desk = try SceneDesk(
      Self.options {
        $0.quantises = true
        $0.delta = delta
        $0.entities = ["1-100"]
      })
    try desk.record(30)
    let (messages, _) = try desk.finish()
    let scene = try messages.scene()
    let frames = try messages.frames()
    #expect(frames.count == 30)
    for frame in frames {
      #expect(
        frame.columns.map(\.unit)
          == frame.columns.map { $0.field == .opacity ? 0x1p-10 : 0x1p-4 })
      #expect(frame.layoutHash == scene.layoutHash)
      Self.expectPublished(frame) { $0.unit / 2 }
    }
    #expect(scene.recording.quantiseBits == 16)
    #expect(messages.contains { $0.topic == "/orrery/deltas" } == delta)
  }
}
