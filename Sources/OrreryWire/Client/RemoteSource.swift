// SPDX-License-Identifier: Apache-2.0

import OrreryDocument
import OrreryFrame

/// A frame that was received, and what holds its bytes: they are valid as long as it.
struct ReceivedFrame {
  let view: FrameView

  /// ZeroMQ's message, or a `FrameRoom`.
  let memory: AnyObject
}

/// A run that is followed by message: its description from the reply to `join`, and the check of
/// every frame against it.
package final class RemoteSource: FrameSource {
  /// Where the values are in a frame.
  package let layout: FrameLayout
  /// Which of the runs of this name it is.
  package let generation: UInt64
  /// Whether the sim waits for its subscribers.
  package let delivery: Delivery
  /// Sequence before this subscriber's first frame.
  let joinedAfter: UInt64
  /// Newest frame when the sim registered this subscriber.
  let newestAtJoin: UInt64
  let slotCount: UInt64

  private let scene: ReceivedPart

  /// What every frame of the run has.
  private let template: FrameTemplate

  /// A plain frame that is not aligned is copied here, an LZ4 frame is decoded here.
  ///
  /// Another takes its place while a frame in it is kept.
  private var room: FrameRoom

  /// Reads the reply to `join`.
  ///
  /// - Throws: `WireError.badMessage` or `frame`: every field is checked before it is used.
  init(
    _ fields: [String: DocumentValue], attachments: [ReceivedPart]
  ) throws(WireError) {
    guard attachments.count >= 2 else { throw .badMessage("no scene was sent") }
    let version = try WireReply.count(fields, "layout_version")
    do throws(FrameError) {
      layout = try FrameLayout(columnTable: attachments[1].bytes)
      let expected = UInt32(FrameLayout.version)
      guard version == expected else {
        throw .layoutVersion(found: UInt32(clamping: version), expected: expected)
      }
    } catch {
      throw .frame(error)
    }
    guard try WireReply.word(fields, "layout_hash") == layout.layoutHash,
      try WireReply.count(fields, "frame_bytes") == layout.frameBytes
    else { throw .badMessage("the layout is not what it says it is") }
    generation = try WireReply.word(fields, "generation")
    joinedAfter = try WireReply.count(fields, "sequence")
    newestAtJoin = try WireReply.count(fields, "newest")
    slotCount = try WireReply.count(fields, "slots")
    switch fields["delivery"] {
    case .string("live"): delivery = .live
    case .string("lockstep"): delivery = .lockstep
    default: throw .badMessage("no delivery")
    }
    scene = attachments[0]
    // Pages take no memory until they are written.
    room = try Self.room(for: layout)
    template = FrameTemplate(layout, generation: generation)
  }

  private static func room(for layout: FrameLayout) throws(WireError) -> FrameRoom {
    guard let room = FrameRoom(byteCount: Int(layout.frameBytes)) else {
      throw .noMemory(frameBytes: layout.frameBytes)
    }
    return room
  }

  package var staticPart: UnsafeRawBufferPointer { scene.bytes }

  package var overwrittenAfter: UInt64? { nil }

  package var frames: (any FrameRing)? { nil }

  /// Always true: nothing overwrites a received frame.
  package func isWhole(_ view: FrameView) -> Bool { true }

  /// Checks a received frame, and decodes it if it is compressed.
  ///
  /// - Returns: The frame, in the message's or this source's memory.
  /// - Throws: `WireError.badMessage` if it is not a frame of this run.
  func frame(_ part: ReceivedPart) throws(WireError) -> ReceivedFrame {
    var bytes = part.bytes
    var memory: AnyObject = part
    if bytes.first == FrameCompression.magic.first {
      let room = try freeRoom()
      guard FrameCompression.decode(bytes, into: room.bytes) else {
        throw .badMessage("a packed frame of \(bytes.count) bytes that cannot be unpacked")
      }
      (bytes, memory) = (UnsafeRawBufferPointer(room.bytes), room)
    }
    guard UInt64(bytes.count) == layout.frameBytes, let start = bytes.baseAddress else {
      throw .badMessage("a frame of \(bytes.count) bytes, not \(layout.frameBytes)")
    }
    // ZeroMQ may store short messages at unaligned addresses.
    if UInt(bitPattern: start) % 4 != 0 {
      let room = try freeRoom()
      room.bytes.copyMemory(from: bytes)
      (bytes, memory) = (UnsafeRawBufferPointer(room.bytes), room)
    }
    guard template.fits(bytes) else { throw .badMessage("a frame of another run or layout") }
    let sequence = FrameField.sequence.load(from: start)
    guard (1..<FrameReader.sequenceMax).contains(sequence) else {
      throw .badMessage("a frame of sequence \(sequence)")
    }
    return ReceivedFrame(view: FrameView(sequence: sequence, bytes: bytes), memory: memory)
  }

  /// Memory for a frame, in which no frame is kept.
  private func freeRoom() throws(WireError) -> FrameRoom {
    if !isKnownUniquelyReferenced(&room) { room = try Self.room(for: layout) }
    return room
  }
}
