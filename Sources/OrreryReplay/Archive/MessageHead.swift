// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrreryFrame
import OrreryMessages
import OrreryPublisher

/// The numbers at the start of a message that holds a frame, what changed since one, or hashes of several.
///
/// Any order of fields is read, and fields may be missing, as a protobuf reader would take them; it stops at the
/// first field that is not one of these numbers. So the first bytes of a message are enough.
package struct MessageHead: Equatable {
  /// Topics of messages that give frames.
  package enum Kind: CaseIterable, Sendable {
    case frame
    case delta
    case digests

    /// The kind of a topic's messages; nil: they give no frames.
    package init?(topic: String) {
      switch Topic(rawValue: topic) {
      case .frames: self = .frame
      case .deltas: self = .delta
      case .digests: self = .digests
      default: return nil
      }
    }
  }

  /// Which topic it is of.
  package let kind: Kind

  /// Number of the first frame that the message gives.
  package let sequence: UInt64

  /// Tick of that frame.
  package let tick: UInt64

  /// Frames that the message gives.
  package let count: UInt64

  /// The frame's numbers; of digests, those of the first frame are in the lists.
  package let stamp: FrameStamp
  let layoutHash: UInt64
  /// The run that it is of.
  package let generation: UInt64

  /// Of a delta: the frame that it changes.
  let baseSequence: UInt64

  /// Bytes of a message that are enough for its head.
  static let byteCountMax = 96

  /// Reads a head; nil if the bytes are not a protobuf message with a number from 1.
  ///
  /// - Parameters:
  ///   - kind: The message's topic.
  ///   - bytes: Its begin, at least `byteCountMax` bytes if it is longer.
  package init?(_ kind: Kind, _ bytes: UnsafeRawBufferPointer) {
    var fields = FieldReader(bytes)
    let last = kind == .digests ? 3 : kind == .frame ? 7 : 8
    guard let numbers = try? fields.leadingNumbers(to: last) else { return nil }
    self.kind = kind
    guard kind == .digests else {
      (sequence, tick, count) = (numbers[1], numbers[2], 1)
      stamp = FrameStamp(
        tick: numbers[2], simTimeNs: numbers[3], publishTimeNs: numbers[4], stateHash: numbers[5])
      (layoutHash, generation, baseSequence) = (numbers[6], numbers[7], numbers[8])
      guard (1...FrameReader.sequenceMax).contains(sequence), tick <= Self.tickMax else {
        return nil
      }
      return
    }
    (generation, sequence, tick) = (numbers[1], numbers[2], numbers[3])
    stamp = FrameStamp(tick: tick, simTimeNs: 0, publishTimeNs: 0, stateHash: 0)
    (layoutHash, baseSequence) = (0, 0)
    guard let (number, length) = fields.nextLength, number == 4, length > 0, length % 8 == 0,
      length < 1 << 31
    else { return nil }
    count = length / 8
    guard sequence >= 1, sequence <= FrameReader.sequenceMax - count, tick <= Self.tickMax - count
    else { return nil }
  }

  /// The last tick that a world can compute.
  private static let tickMax: UInt64 = 1 << 62

  /// Whether a run may have published it: a run begins at tick 0 or is sent to one that `seek` accepts, and goes on from
  /// there frame by frame.
  ///
  /// - Parameter rate: Ticks per second; nil if they are not known.
  /// - Returns: Whether its tick is one of these.
  package func isPossible(at rate: TickRate?) -> Bool {
    rate.map { tick <= CommandReader.tickMax(at: $0) + sequence } ?? true
  }
}
