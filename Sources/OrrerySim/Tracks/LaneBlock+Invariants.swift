// SPDX-License-Identifier: Apache-2.0

extension LaneBlock {
  /// Traps where the state contradicts itself; see `Director.checkInvariants`.
  ///
  /// - Complexity: O(lanes · layers).
  package func checkInvariants() {
    for lane in 0..<count {
      let (found, expected) = (resting.values[lane], restingValue(lane))
      precondition(
        found.bitPattern == expected.bitPattern || expected.isNaN,
        "lane \(lane) rests at \(found), and its contributions at \(expected)")
    }
    tracks?.checkInvariants(laneCount: count)
    for layer in tweens { layer.checkInvariants(laneCount: count) }
    for layer in springs { layer.checkInvariants(laneCount: count) }
  }
}
