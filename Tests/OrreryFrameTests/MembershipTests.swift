// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import OrreryFrame
import TestSupport
import Testing

/// Goal: who is dropped, refused or waited for is decided by the rules, to the nanosecond and to the last place.
///
/// Method: no sockets and no clock. Connections are numbers, and times are made up.
@Suite struct MembershipTests {
  private static let second: UInt64 = 1_000_000_000
  private static let limitNs = 10 * second

  /// A membership with one subscriber on each socket, all joined at second 1 after frame 0.
  private static func joined(
    _ sockets: [CInt], after sequence: UInt64 = 0, waiting: Waiting = .announcement
  ) -> Membership {
    var members = Membership()
    for socket in sockets { join(&members, socket, after: sequence, waiting: waiting) }
    return members
  }

  @discardableResult
  private static func join(
    _ members: inout Membership, _ socket: CInt, after sequence: UInt64 = 0,
    waiting: Waiting = .announcement
  ) -> Bool {
    defer { members.checkInvariants() }
    _ = members.accept(socket, nowNs: second)
    return members.admit(
      socket,
      SubscriberReport(
        name: "\(socket)", processID: 1, waiting: waiting, reading: .every, joinedAfter: sequence),
      nowNs: second)
  }

  /// Reports progress of a run that has published `published` frames.
  private static func note(
    _ members: inout Membership, _ socket: CInt, _ sequence: UInt64, missed: UInt64 = 0,
    isLeaving: Bool = false, published: UInt64 = 100, nowNs: UInt64 = second
  ) -> Bool {
    defer { members.checkInvariants() }
    let report = progress_report(
      sequence: sequence, missed: missed, leaving: isLeaving ? 1 : 0, reserved: 0)
    return members.note(socket, report, nowNs: nowNs) { $0 <= published }
  }

  private static func isDone(
    _ members: inout Membership, _ sequence: UInt64, nowNs: UInt64
  ) -> Bool {
    members.isDone(sequence, nowNs: nowNs)
  }

  // MARK: - Stalls

  @Test func stallCountsFromWhenTheSubscriberIsWaitedFor() {
    var members = Self.joined([3])
    // Nothing was published for a hundred times the limit: nobody had anything to report.
    let waitedNs = 1_000 * Self.second
    #expect(!Self.isDone(&members, 1, nowNs: waitedNs))
    #expect(members.stalled(nowNs: waitedNs, limitNs: Self.limitNs) == [])
    #expect(members.stalled(nowNs: waitedNs + Self.limitNs - 1, limitNs: Self.limitNs) == [])
    #expect(members.stalled(nowNs: waitedNs + Self.limitNs, limitNs: Self.limitNs) == [3])
  }

  @Test func stallCountsFromTheLastProgressOfWhoGetsOn() {
    var members = Self.joined([3])
    #expect(!Self.isDone(&members, 9, nowNs: 20 * Self.second))
    #expect(Self.note(&members, 3, 4, nowNs: 25 * Self.second))
    // The same again, as a report of what was missed: no progress.
    #expect(Self.note(&members, 3, 4, missed: 2, nowNs: 29 * Self.second))
    let endNs = 25 * Self.second + Self.limitNs
    #expect(members.stalled(nowNs: endNs - 1, limitNs: Self.limitNs) == [])
    #expect(members.stalled(nowNs: endNs, limitNs: Self.limitNs) == [3])
  }

  @Test func stallCountsFromJoiningForWhoCameDuringTheWait() {
    var members = Self.joined([3])
    #expect(!Self.isDone(&members, 9, nowNs: 20 * Self.second))
    _ = members.accept(4, nowNs: 22 * Self.second)
    let report = SubscriberReport(
      name: "late", processID: 1, waiting: .spin, reading: .every, joinedAfter: 5)
    let joinedNs = 23 * Self.second
    let isAdmitted = members.admit(4, report, nowNs: joinedNs)
    #expect(isAdmitted)
    #expect(members.stalled(nowNs: joinedNs + Self.limitNs - 1, limitNs: Self.limitNs) == [3])
    #expect(members.stalled(nowNs: joinedNs + Self.limitNs, limitNs: Self.limitNs) == [3, 4])
  }

  @Test func onlyWhoIsBehindTheFrameThatIsWaitedForCanStall() {
    var members = Self.joined([3, 4, 5])
    _ = members.accept(6, nowNs: Self.second)
    #expect(Self.note(&members, 3, 7))
    #expect(Self.note(&members, 4, 6))
    #expect(members.stalled(nowNs: .max, limitNs: Self.limitNs) == [])
    #expect(!Self.isDone(&members, 7, nowNs: 2 * Self.second))
    #expect(members.stalled(nowNs: .max, limitNs: Self.limitNs) == [4, 5])
    // Nobody stalls before the wait began, nor once it is given up.
    #expect(members.stalled(nowNs: 0, limitNs: Self.limitNs) == [])
    members.stopWaiting()
    #expect(members.stalled(nowNs: .max, limitNs: Self.limitNs) == [])
  }

  @Test func waitBeginsAnewForAnotherFrameOnly() {
    var members = Self.joined([3])
    for (sequence, nowNs, sinceNs) in [(5, 20, 20), (5, 30, 20), (6, 40, 40), (6, 50, 40)]
      as [(UInt64, UInt64, UInt64)]
    {
      #expect(!Self.isDone(&members, sequence, nowNs: nowNs))
      #expect(members.awaited?.sequence == sequence)
      #expect(members.awaited?.sinceNs == sinceNs)
    }
  }

  @Test func waitIsOverWithTheSlowest() {
    var members = Self.joined([3, 4])
    #expect(Self.isDone(&members, 0, nowNs: 1))
    #expect(!Self.isDone(&members, 2, nowNs: 1))
    #expect(Self.note(&members, 3, 2))
    let isEarly = members.completeWait()
    #expect(!isEarly)
    #expect(Self.note(&members, 4, 1))
    let isStillEarly = members.completeWait()
    #expect(!isStillEarly)
    #expect(Self.note(&members, 4, 2))
    let hasArrived = members.completeWait()
    #expect(hasArrived)
    // Told once.
    let isToldAgain = members.completeWait()
    #expect(!isToldAgain)
    #expect(Self.isDone(&members, 2, nowNs: 1))
    #expect(members.awaited == nil)
  }

  @Test func waitIsOverWhenNobodyIsLeft() {
    var members = Self.joined([3])
    #expect(!Self.isDone(&members, 1, nowNs: 1))
    members.remove(3)
    let hasArrived = members.completeWait()
    #expect(hasArrived)
    #expect(Self.isDone(&members, .max, nowNs: 1))
  }

  // MARK: - Silence

  @Test func silentConnectionHasASecond() {
    var members = Membership()
    #expect(members.nextSilentNs == nil)
    _ = members.accept(3, nowNs: 5)
    _ = members.accept(4, nowNs: 7)
    Self.join(&members, 5)
    #expect(members.nextSilentNs == 5 + Self.second)
    #expect(members.silent(nowNs: 4 + Self.second) == [])
    #expect(members.silent(nowNs: 5 + Self.second) == [3])
    #expect(members.silent(nowNs: .max) == [3, 4])
    // Who has said who it is has time.
    let report = SubscriberReport(
      name: "x", processID: 1, waiting: .spin, reading: .every, joinedAfter: 0)
    let isAdmitted = members.admit(3, report, nowNs: 8)
    #expect(isAdmitted)
    #expect(members.silent(nowNs: .max) == [4])
    #expect(members.nextSilentNs == 7 + Self.second)
    #expect(members.hasJoined(3))
    #expect(!members.hasJoined(4))
    #expect(!members.hasJoined(9))
  }

  @Test func oneSilentConnectionTooManyTakesTheOldestOnesPlace() {
    var members = Self.joined([1, 2])
    for socket in 0..<CInt(Membership.silentMax) {
      #expect(members.accept(100 + socket, nowNs: 0) == nil)
    }
    #expect(members.accept(900, nowNs: 0) == 100)
    #expect(members.accept(901, nowNs: 0) == 101)
    #expect(members.connections.count == Membership.silentMax + 2)
    #expect(members.evictSilent() == 102)
    // There is room for one now.
    #expect(members.accept(902, nowNs: 0) == nil)
    #expect(members.connections.last?.socket == 902)
    var nobody = Self.joined([1])
    #expect(nobody.evictSilent() == nil)
  }

  @Test func subscribersAreBounded() {
    var members = Self.joined(Array(1...CInt(Membership.joinedMax) - 1))
    #expect(members.hasRoom)
    #expect(Self.join(&members, 1_000))
    #expect(!members.hasRoom)
    #expect(!Self.join(&members, 1_001))
    #expect(members.joinedCount == UInt64(Membership.joinedMax))
    members.remove(1)
    #expect(members.hasRoom)
    let report = SubscriberReport(
      name: "x", processID: 1, waiting: .spin, reading: .every, joinedAfter: 0)
    let isAdmitted = members.admit(1_001, report, nowNs: 0)
    #expect(isAdmitted)
    // Nobody who is not connected can be let in.
    members.remove(2)
    let isStrangerAdmitted = members.admit(5_000, report, nowNs: 0)
    #expect(!isStrangerAdmitted)
    #expect(members.joinedCount == UInt64(Membership.joinedMax) + 1)
  }
}

// MARK: - Reports

extension MembershipTests {
  @Test func impossibleReportsAreNotNoted() throws {
    var members = Self.joined([3], after: 10)
    _ = members.accept(4, nowNs: 0)
    #expect(Self.note(&members, 3, 20, missed: 3))
    let before = members.reports
    // Back, beyond what was published, less missed than before, more missed than there were, and of nobody.
    for (socket, sequence, missed) in [
      (3, 19, 3), (3, 101, 3), (3, 21, 2), (3, 21, 12), (4, 0, 0), (5, 20, 3),
    ] as [(CInt, UInt64, UInt64)] {
      let isPossible = Self.note(&members, socket, sequence, missed: missed)
      #expect(!isPossible, "socket \(socket): frame \(sequence), \(missed) missed")
      #expect(members.reports == before)
    }
    // At their limits.
    #expect(Self.note(&members, 3, 20, missed: 10))
    #expect(Self.note(&members, 3, 100, missed: 90))
    let report = try #require(members.reports.first)
    #expect(report.progress == 100)
    #expect(report.missed == 90)
    #expect(report.received == 0)
  }

  @Test func whoWaitsForAFrameToComeMayRepeatThatItHasReadNothing() {
    var members = Self.joined([3], after: 50)
    #expect(Self.note(&members, 3, 50, published: 7))
    let isPossible = Self.note(&members, 3, 51, published: 7)
    #expect(!isPossible)
  }

  @Test func departureTellsHowItCame() {
    var members = Self.joined([3, 4, 5])
    _ = members.accept(6, nowNs: 0)
    #expect(Self.note(&members, 3, 8, missed: 2, isLeaving: true))
    // A word of leaving counts until the next report.
    #expect(Self.note(&members, 4, 8, isLeaving: true))
    #expect(Self.note(&members, 4, 9))
    #expect(members.remove(3)?.departure == .left)
    #expect(members.remove(4)?.departure == .died)
    #expect(members.remove(5, why: .stalled)?.departure == .stalled)
    #expect(members.remove(6) == nil)
    #expect(members.remove(3) == nil)
    #expect(members.connections.isEmpty)
    #expect(members.departed.map(\.name) == ["3", "4", "5"])
    #expect(members.departed.map(\.progress) == [8, 9, 0])
    #expect(members.departed.map(\.missed) == [2, 0, 0])
    // Those who left come before those who are there.
    Self.join(&members, 7)
    #expect(members.reports.map(\.name) == ["3", "4", "5", "7"])
    #expect(members.reports.map(\.isConnected) == [false, false, false, true])
  }

  @Test func lastDeparturesAreKept() {
    var members = Membership()
    let count = CInt(Membership.departedMax)
    for socket in 0..<count {
      Self.join(&members, socket)
      members.remove(socket)
    }
    #expect(members.departed.count == Int(count))
    #expect(members.departed.first?.name == "0")
    Self.join(&members, 5_000)
    members.remove(5_000)
    #expect(members.departed.count == Int(count))
    #expect(members.departed.first?.name == "1")
    #expect(members.departed.last?.name == "5000")
  }

  @Test func slowestAndAudienceAreOfThoseWhoJoined() {
    var members = Membership()
    _ = members.accept(1, nowNs: 0)
    #expect(members.slowest == nil)
    #expect(members.audience == Audience())
    for (socket, waiting) in [(2, .spin), (3, .futex), (4, .announcement), (5, .futex)]
      as [(CInt, Waiting)]
    {
      Self.join(&members, socket, after: UInt64(socket), waiting: waiting)
    }
    #expect(members.slowest == 2)
    #expect(Self.note(&members, 2, 60))
    #expect(members.slowest == 3)
    #expect(members.audience.futexCount == 2)
    #expect(members.audience.announcementCount == 1)
  }
}

// MARK: - Invariants

extension MembershipTests {
  /// Connections come, join, report rightly and wrongly, are waited for and leave, in any order.
  @Test(arguments: UInt64(1)...8) func everyOrderOfEventsKeepsTheInvariants(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var members = Membership()
    var (nowNs, published, accepted) = (Self.second, UInt64(10), CInt(0))
    for _ in 0..<3_000 * testEffort {
      nowNs += UInt64.random(in: 0...Self.second / 8, using: &random)
      let socket = members.connections.randomElement(using: &random)?.socket ?? 0
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        accepted += 1
        _ = members.accept(accepted, nowNs: nowNs)
      case 2, 3:
        let report = SubscriberReport(
          name: "\(socket)", processID: 1, waiting: .futex, reading: .every,
          joinedAfter: UInt64.random(in: 0...published, using: &random))
        if !members.hasJoined(socket) { _ = members.admit(socket, report, nowNs: nowNs) }
      case 4, 5:
        let report = progress_report(
          sequence: UInt64.random(in: 0...published + 2, using: &random),
          missed: UInt64.random(in: 0...4, using: &random),
          leaving: UInt32.random(in: 0...1, using: &random), reserved: 0)
        _ = members.note(socket, report, nowNs: nowNs) { $0 <= published }
      case 6:
        for socket in members.silent(nowNs: nowNs) { members.remove(socket) }
        for socket in members.stalled(nowNs: nowNs, limitNs: Self.second) {
          members.remove(socket, why: .stalled)
        }
      case 7:
        published += 1
        if !members.isDone(published, nowNs: nowNs) { _ = members.completeWait() }
      default:
        members.remove(socket)
      }
      members.checkInvariants()
    }
  }
}
