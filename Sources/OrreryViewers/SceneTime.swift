// SPDX-License-Identifier: Apache-2.0

import SwiftProtobuf

/// Scene time as a time of day: the `timestamp` of messages that viewers draw.
///
/// It is scene time plus one constant for the whole run, so that ticks of 60 Hz are 16.7 ms apart however fast
/// they were computed, and still lies among a trace's log times, which are times of day too. A viewer that has
/// one timeline for all can so show both.
struct SceneTime {
  /// The time of day that is scene time 0, in nanoseconds since 1970.
  let zeroNs: UInt64

  /// Scene time begins so that the first frame is at the time of its publishing.
  init(publishTimeNs: UInt64, simTimeNs: UInt64) {
    zeroNs = publishTimeNs >= simTimeNs ? publishTimeNs - simTimeNs : 0
  }

  /// The time of day of a scene time.
  func timestamp(simTimeNs: UInt64) -> Google_Protobuf_Timestamp {
    Google_Protobuf_Timestamp(ns: zeroNs &+ simTimeNs)
  }
}

extension Google_Protobuf_Timestamp {
  /// A time in nanoseconds since 1970.
  init(ns: UInt64) {
    self.init()
    seconds = Int64(ns / 1_000_000_000)
    nanos = Int32(ns % 1_000_000_000)
  }
}
