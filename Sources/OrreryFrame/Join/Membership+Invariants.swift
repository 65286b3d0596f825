// SPDX-License-Identifier: Apache-2.0

extension Membership {
  /// Checks the invariants after a change, where compiled with `ORRERY_INVARIANTS`.
  func checkAfterChange() {
    #if ORRERY_INVARIANTS
      checkInvariants()
    #endif
  }

  /// Traps where the state contradicts itself.
  ///
  /// Tests call it after each event. Every operation ends with it where the module is compiled with
  /// `ORRERY_INVARIANTS`, as `tools/check` does.
  package func checkInvariants() {
    let joined = connections.compactMap(\.report)
    let silentCount = connections.count - joined.count
    precondition(joined.count <= Self.joinedMax, "\(joined.count) subscribers")
    precondition(silentCount <= Self.silentMax, "\(silentCount) silent connections")
    precondition(departed.count <= Self.departedMax, "\(departed.count) departed")
    precondition(
      joinedCount >= UInt64(joined.count + departed.count),
      "\(joined.count) present and \(departed.count) departed of \(joinedCount)")
    let sockets = connections.map(\.socket)
    precondition(Set(sockets).count == sockets.count, "one socket twice: \(sockets)")
    for connection in connections {
      precondition(connection.heardNs >= connection.acceptedNs, "heard before it was accepted")
      guard let report = connection.report else {
        precondition(!connection.isLeaving, "socket \(connection.socket) leaves and never joined")
        continue
      }
      precondition(report.departure == nil, "\(report.name) is connected and \(report)")
    }
    for report in departed { precondition(report.departure != nil, "\(report.name) left untold") }
    for report in reports {
      let isPossible =
        report.progress >= report.joinedAfter
        && report.missed <= report.progress - report.joinedAfter
      precondition(isPossible, "\(report)")
    }
  }
}
