// SPDX-License-Identifier: Apache-2.0

import NIOCore
import OrreryDocument
import OrreryWire

/// A run as Foxglove clients see it.
package struct FoxgloveRun: Sendable {
  /// The run's name.
  package let name: String

  /// A number that no other run has.
  package let generation: UInt64

  /// The time of day that is scene time 0, in nanoseconds since 1970.
  package let zeroNs: UInt64

  /// Whether the run can be steered from here.
  package let isSteered: Bool

  /// The timeline of a client's has an end, and a run none: it gets an hour.
  private static let timelineNs: UInt64 = 3_600_000_000_000

  /// Describes a run.
  package init(name: String, generation: UInt64, zeroNs: UInt64, isSteered: Bool) {
    (self.name, self.generation) = (name, generation)
    (self.zeroNs, self.isSteered) = (zeroNs, isSteered)
  }

  /// The text with which the run begins for a client.
  ///
  /// - Parameters:
  ///   - run: The run; nil: there is none yet.
  ///   - subprotocol: What the client speaks.
  /// - Returns: A `serverInfo`.
  package static func info(of run: FoxgloveRun?, _ subprotocol: FoxgloveSubprotocol) -> [UInt8] {
    let canSteer = run?.canSteer(subprotocol) ?? false
    let capabilities = ["time"] + (canSteer ? ["playbackControl"] : [])
    var fields: [String: DocumentValue] = [
      "op": .string("serverInfo"),
      "name": .string("orrery live" + (run.map { ": " + $0.name } ?? "")),
      "capabilities": .array(DocumentArray(capabilities.map { .string($0) })),
    ]
    if let run { fields["sessionId"] = .word(run.generation) }
    if let run, canSteer {
      fields["dataStartTime"] = time(run.zeroNs)
      fields["dataEndTime"] = time(run.zeroNs &+ timelineNs)
    }
    return fields.json
  }

  /// Whether a client of this version can steer the run.
  func canSteer(_ subprotocol: FoxgloveSubprotocol) -> Bool { isSteered && subprotocol == .sdk }

  private static func time(_ ns: UInt64) -> DocumentValue {
    .table(
      DocumentTable(["sec": .count(ns / 1_000_000_000), "nsec": .count(ns % 1_000_000_000)]))
  }
}

/// A message of a channel: all clients share its bytes.
package struct FoxgloveMessage: Sendable {
  /// Number of the frame that it shows; 0: of none.
  package let sequence: UInt64
  /// When it is, in nanoseconds since 1970: scene time.
  package let timeNs: UInt64
  /// The encoded message.
  package let bytes: ByteBuffer

  /// A message.
  package init(sequence: UInt64 = 0, timeNs: UInt64, bytes: ByteBuffer) {
    (self.sequence, self.timeNs, self.bytes) = (sequence, timeNs, bytes)
  }
}
