// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryDocument
import OrreryFrame

/// A frame that was received, and what holds its bytes: they are valid as long as it.
struct ReceivedFrame {
  let view: FrameView

  /// ZeroMQ's message, or a `FrameRoom`.
  let memory: AnyObject
}

/// Memory for one frame outside a ring.
private final class FrameRoom {
  let bytes: UnsafeMutableRawBufferPointer

  /// Takes memory.
  ///
  /// - Throws: `WireError.badMessage` if there is none.
  init(byteCount: Int) throws(WireError) {
    guard let start = aligned_alloc(64, (byteCount + 63) & ~63) else {
      throw .badMessage("no memory for a frame of \(byteCount) bytes")
    }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
  }

  deinit { free(bytes.baseAddress) }
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
  /// Newest frame when the sim registered this subscriber, or the one before the first asked for.
  let joinedAfter: UInt64
  let slotCount: UInt64

  private let scene: ReceivedPart

  /// A frame with only the bytes that all frames of the run have in common.
  private let pattern: UnsafeMutableRawBufferPointer

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
    slotCount = try WireReply.count(fields, "slots")
    switch fields["delivery"] {
    case .string("live"): delivery = .live
    case .string("lockstep"): delivery = .lockstep
    default: throw .badMessage("no delivery")
    }
    scene = attachments[0]
    let bytes = Int(layout.frameBytes)
    // Zero pages take no memory until they are written: only pages with column heads are.
    room = try FrameRoom(byteCount: bytes)
    guard let pattern = calloc(bytes, 1) else {
      throw .badMessage("no memory for a frame of \(bytes) bytes")
    }
    self.pattern = UnsafeMutableRawBufferPointer(start: pattern, count: bytes)
    layout.writeConstantPart(to: pattern, generation: generation)
  }

  deinit { free(pattern.baseAddress) }

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
    guard bytes.count == pattern.count, let start = bytes.baseAddress else {
      throw .badMessage("a frame of \(bytes.count) bytes, not \(pattern.count)")
    }
    // ZeroMQ may store short messages at unaligned addresses.
    if UInt(bitPattern: start) % 4 != 0 {
      let room = try freeRoom()
      room.bytes.copyMemory(from: bytes)
      (bytes, memory) = (UnsafeRawBufferPointer(room.bytes), room)
    }
    guard isOfThisRun(bytes) else { throw .badMessage("a frame of another run or layout") }
    let sequence = FrameField.sequence.load(from: start)
    guard (1..<FrameReader.sequenceMax).contains(sequence) else {
      throw .badMessage("a frame of sequence \(sequence)")
    }
    return ReceivedFrame(view: FrameView(sequence: sequence, bytes: bytes), memory: memory)
  }

  /// Memory for a frame, in which no frame is kept.
  private func freeRoom() throws(WireError) -> FrameRoom {
    if !isKnownUniquelyReferenced(&room) { room = try FrameRoom(byteCount: pattern.count) }
    return room
  }

  /// Whether the bytes that all frames have in common are right: tags, lengths, layout hash,
  /// generation and column heads.
  private func isOfThisRun(_ frame: UnsafeRawBufferPointer) -> Bool {
    guard let start = frame.baseAddress, let expected = pattern.baseAddress else { return false }
    guard FrameField.haveSameConstants(start, expected) else { return false }
    var end = FrameField.allBytes
    for column in layout.columns {
      let values = Int(column.valuesOffset)
      guard memcmp(start + end, expected + end, values - end) == 0 else { return false }
      end = values + Int(column.valuesBytes)
    }
    return true
  }
}
