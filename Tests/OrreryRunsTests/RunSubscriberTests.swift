// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryRuns
import SwiftProtobuf
import TestSupport
import Testing

/// Goal: a program of somebody else follows a run by its name, gets each frame's values in place, and learns what it
/// missed and how the run ended.
///
/// Method: runs of this process. The environment says where runs are and belongs to the whole process; so these tests
/// have processes of their own. Process tests follow a sim over TCP.
@Suite struct RunSubscriberTests {
  /// A run of two batches: three entities with x and opacity, of which x is in 16 bits, and two without columns.
  private final class Run {
    let writer: FrameWriter
    private let base: TemporaryBase
    private let lock: RunLock
    private let server: JoinServer

    init() throws {
      base = try TemporaryBase()
      setenv("XDG_RUNTIME_DIR", base.path, 1)
      lock = try RunLock(RunDirectory(name: "mine"))
      var scene = Orrery_SceneLayout()
      (scene.run, scene.scene, scene.entityCount) = ("mine", "two", 5)
      (scene.rateNumerator, scene.rateDenominator) = (120, 2)
      (scene.width, scene.height) = (640, 360)
      scene.batches = [("orbit", 0, 3, [1, 3]), ("view", 3, 2, [])].map {
        kind, first, count, fields in
        Orrery_Batch.with {
          ($0.kind, $0.firstEntity, $0.entityCount) = (kind, UInt32(first), UInt32(count))
          $0.fields = fields.compactMap { Orrery_Field(rawValue: $0) }
        }
      }
      scene.names = [
        Orrery_EntityName.with { ($0.name, $0.firstEntity, $0.entityCount) = ("moon", 0, 3) },
        Orrery_EntityName.with { ($0.name, $0.firstEntity) = ("card", 3) },
      ]
      writer = try FrameWriter(
        layout: FrameLayout(columns: [
          ColumnDescription(
            batch: 0, field: 1, firstEntity: 0, valueCount: 3, format: .fixed16(unit: 0.5)),
          ColumnDescription(batch: 0, field: 3, firstEntity: 0, valueCount: 3),
        ]),
        slotCount: 4, staticPart: Array(try scene.serializedBytes() as [UInt8]), generation: 1,
        delivery: .live)
      server = try JoinServer(
        writer: writer, directory: lock.directory, subscribers: Subscribers(lock.directory))
    }

    /// Publishes frames whose entities have x = number + index and opacity = index / 4.
    func publish(_ count: Int) {
      for _ in 0..<count {
        let number = Int16(writer.sequence + 1)
        let memory = writer.claim().memory
        let (x, opacity) = (writer.layout.columns[0], writer.layout.columns[1])
        for index in 0..<3 {
          (memory + Int(x.valuesOffset)).assumingMemoryBound(to: Int16.self)[index] =
            2 * (number + Int16(index))
          (memory + Int(opacity.valuesOffset)).assumingMemoryBound(to: Float.self)[index] =
            Float(index) / 4
        }
        let tick = UInt64(number) + 10
        writer.publish(
          FrameStamp(tick: tick, simTimeNs: tick * 5, publishTimeNs: 7, stateHash: 9))
      }
    }

    func stop() { server.stop() }
  }

  @Test func framesAreReadInPlaceUntilTheRunEnds() async {
    await #expect(processExitsWith: .success) {
      let run = try Run()
      let subscriber = try RunSubscriber(.name("mine"), as: "test")
      let scene = subscriber.scene
      precondition(scene.run == "mine" && scene.name == "two" && scene.rate == 60)
      precondition(scene.width == 640 && scene.height == 360 && scene.entityCount == 5)
      precondition(scene.batches.map(\.entities) == [0..<3, 3..<5])
      precondition(scene.batches[0].fields == [.x, .opacity] && scene.batches[1].kind == "view")
      precondition(scene.entity("moon[2]") == 2 && scene.entity("card") == 3)
      precondition(scene.entity("moon[3]") == nil && scene.entity("moon") == nil)
      precondition(subscriber.next(timeout: 0) { _ in } == .idle)
      run.publish(2)
      for number in [UInt64(1), 2] {
        let event = subscriber.next { frame in
          precondition(frame.sequence == number && frame.tick == number + 10)
          precondition(frame.simTimeNs == (number + 10) * 5 && frame.stateHash == 9)
          precondition(frame.values(.x).map(Array.init) == [0, 1, 2].map { Float(number) + $0 })
          precondition(frame.values(.opacity)?[1] == 0.25)
          precondition(frame.values(.rotation) == nil && frame.values(.x, batch: 1) == nil)
          precondition(frame.all(.x) == [0, 1, 2].map { Float(number) + $0 } + [0, 0])
          precondition(frame.all(.opacity) == [0, 0.25, 0.5, 1, 1])
        }
        precondition(event == .frame(number))
      }
      // A frame that is overwritten while it is used, and those after it.
      let torn = subscriber.next { _ in }
      precondition(torn == .idle)
      run.publish(1)
      precondition(subscriber.next { _ in run.publish(5) } == .missed(3...3))
      run.writer.end()
      var last: [RunEvent] = []
      while last.last != .ended { last.append(subscriber.next { _ in }) }
      precondition(subscriber.receivedCount + subscriber.missedCount == 8)
      precondition(last.dropLast().contains(.frame(8)), "\(last)")
      run.stop()
    }
  }

  @Test func whatCannotBeJoinedHasOneLine() async {
    await #expect(processExitsWith: .success) {
      let run = try Run()
      for (address, text) in [
        (RunAddress.name("other"), "other"), (.name("a/b"), "a/b"),
        (.endpoint("tcp://127.0.0.1:1"), "tcp://127.0.0.1:1"),
        (.endpoint("udp://x"), "use tcp://HOST:PORT"),
        (.endpoint("tcp://192.0.2.1:7"), "keys"),
      ] {
        do {
          _ = try RunSubscriber(address)
          preconditionFailure("joined \(address)")
        } catch {
          precondition("\(error)".contains(text), "\(error)")
          precondition(!"\(error)".contains("\n"))
        }
      }
      // A run that dies.
      let subscriber = try RunSubscriber(.name("mine"), reading: .newest)
      run.publish(3)
      precondition(subscriber.next { _ in } == .missed(1...2))
      precondition(subscriber.next { _ in } == .frame(3))
      run.stop()
      precondition(subscriber.next { _ in } == .died)
    }
  }
}
