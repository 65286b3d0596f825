// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryMessages
import OrreryWire
import SwiftProtobuf

/// A ring of four slots, and what a sim would publish in it.
final class Ring {
  static let generation: UInt64 = 77

  let writer: FrameWriter

  /// The source of a recorder's frames.
  let reader: FrameReader

  /// The scene's description.
  let layout: Orrery_SceneLayout

  init(staticPart: [UInt8]? = nil) throws {
    var layout = Orrery_SceneLayout()
    layout.scene = "flags"
    layout.source = "size = [1, 1]\n"
    self.layout = layout
    let columns = [ColumnDescription(batch: 0, field: 1, firstEntity: 0, valueCount: 5)]
    writer = try FrameWriter(
      layout: FrameLayout(columns: columns), slotCount: 4,
      staticPart: try staticPart ?? layout.serializedBytes(), generation: Self.generation,
      delivery: .live)
    reader = try FrameReader(descriptor: writer.descriptor, segmentBytes: writer.segmentBytes)
  }

  /// What the head of a frame says: everything is another number.
  static func stamp(_ sequence: UInt64) -> FrameStamp {
    FrameStamp(
      tick: sequence + 100, simTimeNs: sequence + 200, publishTimeNs: sequence + 300,
      stateHash: sequence + 0xff00)
  }

  /// Publishes the next frame.
  func publish() {
    let frame = writer.claim().memory
    for (index, column) in writer.layout.columns.enumerated() {
      frame.storeBytes(
        of: Float(writer.sequence) + Float(index), toByteOffset: Int(column.valuesOffset),
        as: Float.self)
    }
    writer.publish(Self.stamp(writer.sequence + 1))
  }

  /// Finds a frame that was published.
  func frame(_ sequence: UInt64) -> FrameView? {
    guard case .frame(let view) = reader.acquire(sequence) else { return nil }
    return view
  }
}

/// Events that a test puts in.
final class Inbox: EventSource {
  private let inbox = EventInbox()

  /// Messages that were put in and not taken yet.
  private(set) var count = 0

  /// For how long a message was waited for, each time.
  private(set) var timeoutsNs: [UInt64] = []

  func put(_ message: [UInt8]) {
    message.withUnsafeBytes { inbox.put($0) }
    count += 1
  }

  /// A message of so many events.
  static func message(
    first: UInt64, count: Int, generation: UInt64 = Ring.generation
  ) throws -> [UInt8] {
    var events = Orrery_Events()
    events.generation = generation
    events.firstNumber = first
    events.tick = 5
    events.events = (0..<count).map { _ in Orrery_Event() }
    return try events.serializedBytes()
  }

  func next<Failure: Error>(
    timeoutNs: UInt64, use: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) -> Bool {
    timeoutsNs.append(timeoutNs)
    count = max(count - 1, 0)
    return try inbox.next(timeoutNs: timeoutNs, use: use)
  }
}
