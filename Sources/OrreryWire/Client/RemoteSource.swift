// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryFrame

/// A run that is followed by messages: what joining it told, and a check of every frame against that.
package final class RemoteSource: FrameSource {
  package let layout: FrameLayout
  package let generation: UInt64
  package let delivery: Delivery
  /// Newest frame when the sim registered this subscriber, or the one before the first asked for.
  let joinedAfter: UInt64
  let slotCount: UInt64

  private let scene: ReceivedPart

  /// A frame in which everything is written that all frames of the run have in common.
  private let pattern: UnsafeMutableRawBufferPointer

  /// Where a plain frame is put whose memory is not aligned, and where a packed one is unpacked.
  private let room: UnsafeMutableRawBufferPointer

  /// Reads the reply to `join`.
  ///
  /// - Throws: `WireError.badMessage` or `frame`: nothing in it is believed unchecked.
  init(
    _ fields: [String: ControlValue], attachments: [ReceivedPart]
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
    // Pages of zeros take no memory until they are written: of the pattern, those with heads of columns.
    guard let pattern = calloc(bytes, 1), let room = aligned_alloc(64, (bytes + 63) & ~63) else {
      throw .badMessage("no memory for a frame of \(bytes) bytes")
    }
    self.pattern = UnsafeMutableRawBufferPointer(start: pattern, count: bytes)
    self.room = UnsafeMutableRawBufferPointer(start: room, count: bytes)
    layout.writeConstantPart(to: pattern, generation: generation)
  }

  deinit {
    free(pattern.baseAddress)
    free(room.baseAddress)
  }

  package var staticPart: UnsafeRawBufferPointer { scene.bytes }

  /// Nobody writes into what was received.
  package func isWhole(_ view: FrameView) -> Bool { true }

  /// Checks a frame as it was received.
  ///
  /// - Returns: The frame; it lies in the message or in memory of the source, until the next one.
  /// - Throws: `WireError.badMessage` where it is not a frame of this run.
  func frame(_ part: ReceivedPart) throws(WireError) -> FrameView {
    var bytes = part.bytes
    if bytes.first == FrameCompression.magic.first {
      guard FrameCompression.decode(bytes, into: room) else {
        throw .badMessage("a packed frame of \(bytes.count) bytes that cannot be unpacked")
      }
      bytes = UnsafeRawBufferPointer(room)
    }
    guard bytes.count == room.count, let start = bytes.baseAddress else {
      throw .badMessage("a frame of \(bytes.count) bytes, not \(room.count)")
    }
    // ZeroMQ puts short messages at any address.
    if UInt(bitPattern: start) % 4 != 0 {
      room.copyMemory(from: bytes)
      bytes = UnsafeRawBufferPointer(room)
    }
    guard isOfThisRun(bytes) else { throw .badMessage("a frame of another run or layout") }
    let sequence = FrameField.sequence.load(from: start)
    guard (1..<FrameReader.sequenceMax).contains(sequence) else {
      throw .badMessage("a frame of sequence \(sequence)")
    }
    return FrameView(sequence: sequence, bytes: bytes)
  }

  /// Whether everything that all frames have in common is as it must be: tags, lengths, layout hash and
  /// generation, and the heads of columns.
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
