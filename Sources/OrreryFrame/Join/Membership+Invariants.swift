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
    precondition(sockets.count <= Self.joinedMax, "\(sockets.count) subscribers")
    precondition(departed.count <= Self.departedMax, "\(departed.count) departed")
    let readerCount = reports.count { $0.reading != nil }
    precondition(joinedCount >= UInt64(readerCount), "\(readerCount) of \(joinedCount)")
    precondition(Set(members.map(\.id)).count == members.count, "one subscriber twice: \(members)")
    for member in members {
      precondition(member.report.departure == nil, "\(member.report) is connected")
    }
    for report in departed { precondition(report.departure != nil, "\(report) left untold") }
    for report in reports {
      let isPossible =
        report.progress >= report.joinedAfter
        && report.missed <= report.progress - report.joinedAfter
      precondition(isPossible, "\(report)")
    }
  }
}
