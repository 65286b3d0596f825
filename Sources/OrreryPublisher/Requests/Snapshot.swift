// SPDX-License-Identifier: Apache-2.0

import OrreryFrame
import OrreryWire

/// A copy of the newest frame, for a client that asks for one.
package enum Snapshot {
  /// Attempts to copy a frame: in live delivery it may be overwritten meanwhile.
  package static let triesMax = 8

  /// Copies the newest frame on the calling thread, without delaying the loop.
  ///
  /// It reads like any subscriber, through a mapping of its own that is unmapped afterwards.
  ///
  /// - Parameter writer: The run's writer.
  /// - Returns: The frame's numbers; its bytes and the scene's static part are attached.
  static func take(_ writer: FrameWriter) -> ControlReply {
    do throws(FrameError) {
      return take(
        try FrameReader(
          descriptor: writer.descriptor, segmentBytes: writer.segmentBytes,
          isSealed: writer.carrier == .memory))
    } catch {
      return .refused("\(error)")
    }
  }

  /// Copies the newest frame of a ring.
  ///
  /// - Parameter reader: The ring's reader.
  /// - Returns: As above.
  package static func take(_ reader: some FrameRing & FrameSource) -> ControlReply {
    guard reader.published > 0 else { return .refused("no frame was published yet") }
    let copy = reader.copyNewest(triesMax: triesMax) { view in
      (stamp: view.stamp(), sequence: view.sequence, bytes: [UInt8](view.bytes))
    }
    guard let copy else {
      return .refused("frames are overwritten before they can be copied; pause the run first")
    }
    return .done(
      [
        "tick": .count(copy.stamp.tick), "sequence": .count(copy.sequence),
        "sim_time_ns": .count(copy.stamp.simTimeNs),
        "publish_time_ns": .count(copy.stamp.publishTimeNs),
        "state_hash": .word(copy.stamp.stateHash), "layout_hash": .word(reader.layout.layoutHash),
        "generation": .word(reader.generation), "frame_bytes": .count(UInt64(copy.bytes.count)),
      ], attachments: [copy.bytes, [UInt8](reader.staticPart)])
  }
}
