// SPDX-License-Identifier: Apache-2.0

import Foundation
import OrreryBase
import OrreryMessages
import OrreryTrace
import SwiftProtobuf
import Testing

/// What a trace that a logger left holds, every frame's hash computed anew from its values.
///
/// A frame that is torn has another hash than the one in its head.
struct TraceContents {
  private(set) var frames: [UInt64] = []
  private(set) var missed: [ClosedRange<UInt64>] = []
  private(set) var publishTimesNs: [UInt64] = []
  private(set) var logTimesNs: [UInt64] = []
  private(set) var tornCount = 0
  let ending: TraceState?

  /// Facts that the logger wrote at its end.
  let summary: [String: String]

  /// Reads a trace, whole or not.
  init(_ path: String) throws {
    let reader = try TraceReader(path: path, mode: .scan)
    while let message = try reader.nextMessage() {
      let bytes = Array(message.bytes)
      switch message.topic {
      case "/orrery/frames":
        let frame = try Orrery_Frame(serializedBytes: bytes)
        frames.append(frame.sequence)
        publishTimesNs.append(frame.publishTimeNs)
        logTimesNs.append(message.head.logTimeNs)
        if Self.hash(frame) != frame.stateHash { tornCount += 1 }
      case "/orrery/loss":
        let loss = try Orrery_Loss(serializedBytes: bytes)
        missed.append(loss.firstSequence...loss.lastSequence)
      default: break
      }
    }
    ending = reader.ending
    summary = reader.metadata.first { $0.name == "orrery.summary" }?.values ?? [:]
  }

  /// Frames that were told of as missed.
  var missedCount: Int { missed.reduce(0) { $0 + $1.count } }

  /// Whether each frame from the first to the last is there once or is told as missed.
  var isWithoutHoles: Bool {
    guard let first = (frames + missed.map(\.lowerBound)).min() else { return true }
    let all = frames.map { $0...$0 } + missed
    var next = first
    for range in all.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard range.lowerBound == next else { return false }
      next = range.upperBound + 1
    }
    return true
  }

  /// The state hash as docs/explained/determinism.md defines it, for columns of floats.
  private static func hash(_ frame: Orrery_Frame) -> UInt64 {
    frame.columns.reduce(0) { sum, column in
      let fieldKey = UInt32(truncatingIfNeeded: StableHash.mix(UInt64(column.field.rawValue)))
      func keyed(_ index: Int) -> UInt64 {
        let key = (column.firstEntity &+ UInt32(index)) &* 0x9E37_79B1 &+ fieldKey
        let word = index < column.values.count ? column.values[index].bitPattern : 0
        return UInt64(word ^ key)
      }
      return stride(from: 0, to: column.values.count, by: 2).reduce(sum) { sum, index in
        let (even, odd) = (keyed(index), keyed(index + 1))
        return sum &+ even &* odd &+ even << 32 &+ odd
      }
    }
  }
}
