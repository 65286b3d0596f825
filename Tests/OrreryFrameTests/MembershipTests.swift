// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import OrreryFrame
import TestSupport
import Testing

/// Goal: who is dropped, refused or waited for is decided by the rules, to the nanosecond and to the last place, and alike
/// for subscribers of the join socket and for those that get messages.
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
    return members.admit(
      .socket(socket),
      SubscriberReport(
        name: "\(socket)", processID: 1, waiting: waiting, reading: .every, joinedAfter: sequence),
      nowNs: second)
  }

  /// Lets a subscriber join by message.
  private static func join(
    _ members: inout Membership, peer: UInt8, _ reading: Reading?, after sequence: UInt64 = 0
  ) {
    defer { members.checkInvariants() }
    let isAdmitted = members.admit(
      .peer([peer]),
      SubscriberReport(name: "peer \(peer)", reading: reading, joinedAfter: sequence),
      nowNs: second)
    #expect(isAdmitted)
  }

  /// Reports progress of a run that has published `published` frames.
  private static func record(
    _ members: inout Membership, _ socket: CInt, _ sequence: UInt64, missed: UInt64 = 0,
    isLeaving: Bool = false, published: UInt64 = 100, nowNs: UInt64 = second
  ) -> Bool {
    defer { members.checkInvariants() }
    let report = progress_report(
      sequence: sequence, missed: missed, leaving: isLeaving ? 1 : 0, reserved: 0)
    return members.record(report, of: .socket(socket), nowNs: nowNs) { $0 <= published }
  }

  private static func isDone(
    _ members: inout Membership, _ sequence: UInt64, nowNs: UInt64
  ) -> Bool {
    members.isDone(sequence, nowNs: nowNs)
  }

  // MARK: - Stalls

  /// Preparing may take minutes, in lockstep too.
  @Test func whoPreparesIsNeitherStalledNorWaitedForUntilTheEnd() {
    var members = Self.joined([1])
    let report = SubscriberReport(preparing: "2", processID: 1, newest: 0)
    let later = 1_000 * Self.second
    let isAdmitted = members.admit(.socket(2), report, nowNs: Self.second)
    #expect(isAdmitted && members.joinedCount == 1)
    let isDoneAtFirst = members.isDone(5, nowNs: Self.second)
    #expect(!isDoneAtFirst)
    #expect(members.stalled(nowNs: later, limitNs: Self.limitNs) == [1])
    #expect(Self.record(&members, 1, 5))
    let isDone = members.isDone(5, nowNs: later)
    #expect(isDone)
    // A run that has ended waits for its account, and every change lets the sim look again.
    for _ in 0..<2 {
      let isFinished = members.isFinished(5, nowNs: later)
      let looksAgain = members.completeWait()
      #expect(!isFinished && looksAgain)
    }
    members.begin(.socket(2), waiting: .spin, reading: .every, joinedAfter: 4, nowNs: later)
    #expect(members.joinedCount == 2)
    let isFinished = members.isFinished(5, nowNs: later)
    let looksAgain = members.completeWait()
    #expect(!isFinished && !looksAgain)
    #expect(members.stalled(nowNs: later + Self.limitNs, limitNs: Self.limitNs) == [2])
    #expect(Self.record(&members, 2, 5))
    let isFinishedAtLast = members.isFinished(5, nowNs: later)
    #expect(isFinishedAtLast)
    // Whoever never was ready is in no report.
    let isAdmittedToo = members.admit(.socket(3), report, nowNs: later)
    let account = members.remove(.socket(3))
    #expect(isAdmittedToo && account == nil)
    #expect(members.departed.isEmpty && members.reports.count == 2)
  }

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
    #expect(Self.record(&members, 3, 4, nowNs: 25 * Self.second))
    // The same again, as a report of what was missed: no progress.
    #expect(Self.record(&members, 3, 4, missed: 2, nowNs: 29 * Self.second))
    let endNs = 25 * Self.second + Self.limitNs
    #expect(members.stalled(nowNs: endNs - 1, limitNs: Self.limitNs) == [])
    #expect(members.stalled(nowNs: endNs, limitNs: Self.limitNs) == [3])
  }

  @Test func stallCountsFromJoiningForWhoCameDuringTheWait() {
    var members = Self.joined([3])
    #expect(!Self.isDone(&members, 9, nowNs: 20 * Self.second))
    let report = SubscriberReport(
      name: "late", processID: 1, waiting: .spin, reading: .every, joinedAfter: 5)
    let joinedNs = 23 * Self.second
    let isAdmitted = members.admit(.socket(4), report, nowNs: joinedNs)
    #expect(isAdmitted)
    #expect(members.stalled(nowNs: joinedNs + Self.limitNs - 1, limitNs: Self.limitNs) == [3])
    #expect(members.stalled(nowNs: joinedNs + Self.limitNs, limitNs: Self.limitNs) == [3, 4])
  }

  @Test func onlyWhoIsBehindTheFrameThatIsWaitedForCanStall() {
    var members = Self.joined([3, 4, 5])
    Self.join(&members, peer: 6, .every)
    #expect(Self.record(&members, 3, 7))
    #expect(Self.record(&members, 4, 6))
    #expect(members.stalled(nowNs: .max, limitNs: Self.limitNs) == [])
    #expect(!Self.isDone(&members, 7, nowNs: 2 * Self.second))
    // The wire's thread looks after its own.
    #expect(members.stalled(nowNs: .max, limitNs: Self.limitNs) == [4, 5])
    // Nobody stalls before the wait began, nor once it is given up.
    #expect(members.stalled(nowNs: 0, limitNs: Self.limitNs) == [])
    members.stopWaiting(nowNs: 3 * Self.second)
    #expect(members.stalled(nowNs: .max, limitNs: Self.limitNs) == [])
  }

  /// Requests interrupt the wait; a pause is none of it.
  @Test func interruptedWaitGoesOn() {
    var members = Self.joined([3])
    let pauseNs = 100 * Self.second
    #expect(!Self.isDone(&members, 9, nowNs: 20 * Self.second))
    members.stopWaiting(nowNs: 20 * Self.second + Self.limitNs / 2)
    #expect(!Self.isDone(&members, 9, nowNs: pauseNs))
    let endNs = pauseNs + Self.limitNs / 2
    #expect(members.stalled(nowNs: endNs - 1, limitNs: Self.limitNs) == [])
    #expect(members.stalled(nowNs: endNs, limitNs: Self.limitNs) == [3])
    // Another frame is another wait.
    members.stopWaiting(nowNs: endNs)
    #expect(!Self.isDone(&members, 10, nowNs: endNs))
    #expect(members.stalled(nowNs: endNs + Self.limitNs - 1, limitNs: Self.limitNs) == [])
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
    #expect(Self.record(&members, 3, 2))
    let isEarly = members.completeWait()
    #expect(!isEarly)
    #expect(Self.record(&members, 4, 1))
    let isStillEarly = members.completeWait()
    #expect(!isStillEarly)
    #expect(Self.record(&members, 4, 2))
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
    members.remove(.socket(3))
    let hasArrived = members.completeWait()
    #expect(hasArrived)
    #expect(Self.isDone(&members, .max, nowNs: 1))
  }

  // MARK: - Room

  @Test func subscribersAreBounded() {
    var members = Self.joined(Array(1...CInt(Membership.joinedMax) - 1))
    #expect(members.hasRoom)
    #expect(Self.join(&members, 1_000))
    #expect(!members.hasRoom)
    #expect(!Self.join(&members, 1_001))
    #expect(members.joinedCount == UInt64(Membership.joinedMax))
    members.remove(.socket(1))
    #expect(members.hasRoom)
    let report = SubscriberReport(
      name: "x", processID: 1, waiting: .spin, reading: .every, joinedAfter: 0)
    let isAdmitted = members.admit(.socket(1_001), report, nowNs: 0)
    #expect(isAdmitted)
    #expect(!members.hasRoom)
    // The wire has a limit of its own.
    Self.join(&members, peer: 1, .every)
    #expect(members.members.count == Membership.joinedMax + 1)
    #expect(members.joinedCount == UInt64(Membership.joinedMax) + 2)
  }
}

// MARK: - Reports

extension MembershipTests {
  @Test func impossibleReportsAreNotNoted() throws {
    var members = Self.joined([3], after: 10)
    #expect(Self.record(&members, 3, 20, missed: 3))
    let before = members.reports
    // Back, beyond what was published, less missed than before, more missed than there were, and of nobody.
    for (socket, sequence, missed) in [
      (3, 19, 3), (3, 101, 3), (3, 21, 2), (3, 21, 12), (4, 0, 0), (4, 20, 3),
    ] as [(CInt, UInt64, UInt64)] {
      let isPossible = Self.record(&members, socket, sequence, missed: missed)
      #expect(!isPossible, "socket \(socket): frame \(sequence), \(missed) missed")
      #expect(members.reports == before)
    }
    // At their limits.
    #expect(Self.record(&members, 3, 20, missed: 10))
    #expect(Self.record(&members, 3, 100, missed: 90))
    let report = try #require(members.reports.first)
    #expect(report.progress == 100)
    #expect(report.missed == 90)
    #expect(report.received == 0)
  }

  @Test func whoWaitsForAFrameToComeMayRepeatThatItHasReadNothing() {
    var members = Self.joined([3], after: 50)
    #expect(Self.record(&members, 3, 50, published: 7))
    let isPossible = Self.record(&members, 3, 51, published: 7)
    #expect(!isPossible)
  }

  @Test func departureTellsHowItCame() {
    var members = Self.joined([3, 4, 5])
    #expect(Self.record(&members, 3, 8, missed: 2, isLeaving: true))
    // A word of leaving counts until the next report.
    #expect(Self.record(&members, 4, 8, isLeaving: true))
    #expect(Self.record(&members, 4, 9))
    #expect(members.remove(.socket(3))?.departure == .left)
    #expect(members.remove(.socket(4))?.departure == .died)
    #expect(members.remove(.socket(5), why: .stalled)?.departure == .stalled)
    #expect(members.remove(.socket(6)) == nil)
    #expect(members.remove(.socket(3)) == nil)
    #expect(members.members.isEmpty)
    #expect(members.departed.map(\.name) == ["3", "4", "5"])
    #expect(members.departed.map(\.progress) == [8, 9, 0])
    #expect(members.departed.map(\.missed) == [2, 0, 0])
    // Those who left come before those who are there.
    Self.join(&members, 7)
    #expect(members.reports.map(\.name) == ["3", "4", "5", "7"])
    #expect(members.reports.map(\.isConnected) == [false, false, false, true])
    // One that said goodbye has left, even if the run ends before it hangs up; one that is dropped was dropped.
    #expect(Self.record(&members, 7, 8, isLeaving: true))
    #expect(members.remove(.socket(7), why: .stayed)?.departure == .left)
    Self.join(&members, 8)
    #expect(Self.record(&members, 8, 8, isLeaving: true))
    #expect(members.remove(.socket(8), why: .brokeProtocol)?.departure == .brokeProtocol)
    Self.join(&members, 9)
    #expect(members.remove(.socket(9), why: .stayed)?.departure == .stayed)
  }

  @Test func departuresAreInWords() {
    for (departure, words) in [
      (.left, "left"), (.died, "died"), (.stalled, "stalled"), (.stayed, "stayed to the end"),
      (.brokeProtocol, "broke the protocol"), (.rejoined, "it joined again"),
      (.lost, "hung up, or was silent for three seconds"), (.dropped("why"), "why"),
    ] as [(Departure, String)] {
      #expect(departure.description == words)
    }
  }

  /// A subscriber that died may have read more than it reported.
  @Test func accountIsFinalWithAGoodbyeOrTheLastFrame() {
    var members = Self.joined([3, 4, 5, 6])
    Self.join(&members, peer: 7, nil)
    #expect(Self.record(&members, 3, 8, isLeaving: true))
    for socket in [4, 5] as [CInt] { #expect(Self.record(&members, socket, 9)) }
    #expect(Self.record(&members, 6, 10))
    for socket in [3, 4] as [CInt] { members.remove(.socket(socket)) }
    #expect(members.reports.map(\.departure) == [.left, .died, nil, nil, nil])
    let areFinal = members.reports.map { $0.isFinal(newest: 10) }
    #expect(areFinal == [true, false, false, true, true])
  }

  @Test func lastDeparturesAreKept() {
    var members = Membership()
    let count = CInt(Membership.departedMax)
    for socket in 0..<count {
      Self.join(&members, socket)
      members.remove(.socket(socket))
    }
    #expect(members.departed.count == Int(count))
    #expect(members.departed.first?.name == "0")
    Self.join(&members, 5_000)
    members.remove(.socket(5_000))
    #expect(members.departed.count == Int(count))
    #expect(members.departed.first?.name == "1")
    #expect(members.departed.last?.name == "5000")
  }

  @Test func slowestAndAudienceAreOfThoseWhoJoined() {
    var members = Membership()
    #expect(members.slowest == nil)
    #expect(members.audience == Audience())
    for (socket, waiting) in [(2, .spin), (3, .futex), (4, .announcement), (5, .futex)]
      as [(CInt, Waiting)]
    {
      Self.join(&members, socket, after: UInt64(socket), waiting: waiting)
    }
    #expect(members.slowest == 2)
    #expect(Self.record(&members, 2, 60))
    #expect(members.slowest == 3)
    #expect(members.audience.futexCount == 2)
    #expect(members.audience.announcementCount == 1)
  }

  // MARK: - By message

  @Test func subscriberByMessageIsWaitedForLikeAnyOther() {
    var members = Self.joined([3])
    Self.join(&members, peer: 1, .every)
    #expect(members.audience.announcementCount == 1)
    #expect(members.sockets == [3])
    #expect(Self.record(&members, 3, 9))
    #expect(!Self.isDone(&members, 9, nowNs: 1))
    let report = progress_report(sequence: 9, missed: 4, leaving: 0, reserved: 0)
    // It may report what it was sent.
    for (sent, isPossible) in [(8, false), (9, true)] as [(UInt64, Bool)] {
      let isRecorded = members.record(report, of: .peer([1]), nowNs: 1) { $0 <= sent }
      #expect(isRecorded == isPossible)
      let hasArrived = members.completeWait()
      #expect(hasArrived == isPossible)
    }
    members.record(sent: 6, skipped: 3, to: .peer([1]))
    let left = members.remove(.peer([1]), why: .rejoined)
    #expect(left?.departure == .rejoined)
    #expect(left?.received == 5)
    #expect(left?.sent == 6)
    #expect(left?.skipped == 3)
    #expect(members.report(on: .peer([1])) == nil)
    #expect(members.report(on: .socket(3))?.progress == 9)
  }

  @Test func subscriberThatWantsNoFramesIsNeitherCountedNorWaitedFor() {
    var members = Membership()
    Self.join(&members, peer: 1, nil)
    #expect(members.joinedCount == 0)
    #expect(members.slowest == nil)
    #expect(Self.isDone(&members, .max, nowNs: 1))
    #expect(members.reports.map(\.reading) == [nil])
  }
}

// MARK: - Invariants

extension MembershipTests {
  /// Subscribers join, report rightly and wrongly, are waited for and leave, in any order.
  @Test(arguments: UInt64(1)...8) func everyOrderOfEventsKeepsTheInvariants(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var members = Membership()
    var (nowNs, published, joined) = (Self.second, UInt64(10), CInt(0))
    for _ in 0..<3_000 * testEffort {
      nowNs += UInt64.random(in: 0...Self.second / 8, using: &random)
      let id = members.members.randomElement(using: &random)?.id ?? .socket(0)
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1, 2:
        joined += 1
        let isRemote = Bool.random(using: &random)
        let report = SubscriberReport(
          name: "\(joined)", waiting: isRemote ? nil : .futex,
          reading: isRemote && joined % 4 == 0 ? nil : .every,
          joinedAfter: UInt64.random(in: 0...published, using: &random))
        let bytes = withUnsafeBytes(of: joined) { Array($0) }
        _ = members.admit(isRemote ? .peer(bytes) : .socket(joined), report, nowNs: nowNs)
      case 3, 4, 5:
        let report = progress_report(
          sequence: UInt64.random(in: 0...published + 2, using: &random),
          missed: UInt64.random(in: 0...4, using: &random),
          leaving: UInt32.random(in: 0...1, using: &random), reserved: 0)
        _ = members.record(report, of: id, nowNs: nowNs) { $0 <= published }
      case 6:
        for socket in members.stalled(nowNs: nowNs, limitNs: Self.second) {
          members.remove(.socket(socket), why: .stalled)
        }
      case 7:
        published += 1
        if !members.isDone(published, nowNs: nowNs) { _ = members.completeWait() }
      default:
        members.remove(id)
      }
      members.checkInvariants()
    }
  }
}
