// SPDX-License-Identifier: Apache-2.0

import CFrameLayout

/// What identifies a subscriber to the thread that serves it.
package enum SubscriberID: Hashable, Sendable {
  /// The descriptor of its connection to the join socket.
  case socket(CInt)
  /// ZeroMQ's address of the connection over which it gets messages.
  case peer([UInt8])
}

/// The subscribers of a run, in shared memory and by message, and reports on departed ones.
///
/// Only state and rules: `Subscribers` keeps it under a lock. The threads of `JoinServer` and of
/// `WireServer` record joins, progress and departures; the sim's thread waits for the slowest.
package struct Membership {
  /// The connected subscribers, in the order in which they joined.
  package private(set) var members: [Member] = []

  /// The last departed subscribers, `departedMax` at most.
  package private(set) var departed: [SubscriberReport] = []

  /// Count of subscribers that have joined for frames so far, connected or departed.
  package private(set) var joinedCount: UInt64 = 0

  /// The frame that the sim's thread waits for, and since when.
  package private(set) var awaited: (sequence: UInt64, sinceNs: UInt64)?

  /// A wait that was interrupted: for which frame, and how long it had lasted.
  private var interrupted: (sequence: UInt64, waitedNs: UInt64)?

  /// A membership without subscribers.
  package init() {}

  /// One connected subscriber.
  package struct Member {
    /// Its identity in this run.
    package let id: SubscriberID
    /// Its account as last reported.
    package fileprivate(set) var report: SubscriberReport
    /// When it joined or last made progress.
    fileprivate var heardNs: UInt64
    fileprivate var isLeaving = false
  }

  /// Subscribers of the join socket at one time; more are refused.
  package static let joinedMax = 256

  /// Reports kept on departed subscribers: a run may have thousands.
  package static let departedMax = 256

  /// All reports that are kept: departed subscribers in the order of departure, then connected
  /// ones.
  package var reports: [SubscriberReport] { departed + members.map(\.report) }

  /// Progress of the slowest subscriber of frames; nil if there is none.
  package var slowest: UInt64? {
    var slowest: UInt64?
    for member in members where member.report.reading != nil {
      slowest = min(slowest ?? .max, member.report.progress)
    }
    return slowest
  }

  /// Counts of the subscribers that wait in each way.
  package var audience: Audience {
    var audience = Audience()
    for member in members {
      switch member.report.waiting {
      case .futex: audience.futexCount += 1
      case .announcement: audience.announcementCount += 1
      case .spin, nil: break
      }
    }
    return audience
  }

  /// The connections of the subscribers of the join socket.
  package var sockets: [CInt] {
    members.compactMap { if case .socket(let socket) = $0.id { socket } else { nil } }
  }

  /// The report on a connected subscriber; nil if there is no such subscriber.
  package func report(on id: SubscriberID) -> SubscriberReport? {
    index(of: id).map { members[$0].report }
  }

  private func index(of id: SubscriberID) -> Int? { members.firstIndex { $0.id == id } }
}

// MARK: - Joining

extension Membership {
  /// Whether there is room for another subscriber of the join socket.
  package var hasRoom: Bool { sockets.count < Self.joinedMax }

  /// Adds a subscriber.
  ///
  /// - Returns: False if there is no room.
  package mutating func admit(
    _ id: SubscriberID, _ report: SubscriberReport, nowNs: UInt64
  ) -> Bool {
    defer { checkAfterChange() }
    if case .socket = id, !hasRoom { return false }
    members.append(Member(id: id, report: report, heardNs: nowNs))
    // A reader of shared memory may join by message for the description alone.
    if report.reading != nil { joinedCount += 1 }
    return true
  }

  /// Counts a subscriber of the join socket that has prepared.
  ///
  /// - Parameters:
  ///   - id: The subscriber.
  ///   - waiting: How it learns of frames.
  ///   - reading: Which frames it wants.
  ///   - joinedAfter: Sequence before the first wanted frame.
  ///   - nowNs: Time of the monotonic clock.
  package mutating func begin(
    _ id: SubscriberID, waiting: Waiting, reading: Reading, joinedAfter: UInt64, nowNs: UInt64
  ) {
    defer { checkAfterChange() }
    guard let index = index(of: id), members[index].report.isPreparing else {
      preconditionFailure("a subscriber that does not prepare is ready")
    }
    var report = members[index].report
    (report.waiting, report.reading, report.isPreparing) = (waiting, reading, false)
    (report.joinedAfter, report.progress) = (joinedAfter, joinedAfter)
    members[index].report = report
    members[index].heardNs = nowNs
    joinedCount += 1
  }

  /// Records the progress of a subscriber.
  ///
  /// - Parameters:
  ///   - progress: Its report.
  ///   - id: The subscriber.
  ///   - nowNs: Time of the monotonic clock.
  ///   - isAvailable: Whether it can have a frame: a subscriber may report no other.
  /// - Returns: False if the report is impossible.
  package mutating func record(
    _ progress: progress_report, of id: SubscriberID, nowNs: UInt64, isAvailable: (UInt64) -> Bool
  ) -> Bool {
    defer { checkAfterChange() }
    guard let index = index(of: id) else { return false }
    var report = members[index].report
    // Progress only grows, and never beyond the available frames. An unchanged progress is allowed:
    // a subscriber that waits for a future frame has none yet.
    guard progress.sequence >= report.progress, progress.missed >= report.missed,
      progress.missed <= progress.sequence - report.joinedAfter,
      progress.sequence == report.progress || isAvailable(progress.sequence)
    else { return false }
    if progress.sequence > report.progress { members[index].heardNs = nowNs }
    report.progress = progress.sequence
    report.missed = progress.missed
    members[index].report = report
    members[index].isLeaving = progress.leaving != 0
    return true
  }

  /// Records the frames that were sent to a subscriber by message, and those that were not.
  package mutating func record(sent: UInt64, skipped: UInt64, to id: SubscriberID) {
    guard let index = index(of: id) else { return }
    members[index].report.sent = sent
    members[index].report.skipped = skipped
  }
}

// MARK: - Leaving

extension Membership {
  /// Removes a subscriber.
  ///
  /// - Parameters:
  ///   - id: The subscriber.
  ///   - why: How its connection ended, if it did not report that it was leaving.
  /// - Returns: Its report; nil if there is no such subscriber, or if it had only prepared.
  @discardableResult
  package mutating func remove(
    _ id: SubscriberID, why: Departure = .died
  ) -> SubscriberReport? {
    defer { checkAfterChange() }
    guard let index = index(of: id) else { return nil }
    let member = members.remove(at: index)
    // Whoever never was ready missed nothing.
    if member.report.isPreparing { return nil }
    var report = member.report
    report.departure = member.isLeaving && (why == .died || why == .stayed) ? .left : why
    if departed.count == Self.departedMax { departed.removeFirst() }
    departed.append(report)
    return report
  }

  /// Subscribers of the join socket that the sim has waited for, without progress, for at least
  /// `limitNs`.
  package func stalled(nowNs: UInt64, limitNs: UInt64) -> [CInt] {
    guard let awaited else { return [] }
    return members.compactMap { member in
      guard case .socket(let socket) = member.id, !member.report.isPreparing,
        member.report.progress < awaited.sequence,
        nowNs - min(nowNs, max(member.heardNs, awaited.sinceNs)) >= limitNs
      else { return nil }
      return socket
    }
  }
}

// MARK: - The sim's thread

extension Membership {
  /// Whether every subscriber is done with all frames up to this one; if not, the sim now waits for
  /// them.
  package mutating func isDone(_ sequence: UInt64, nowNs: @autoclosure () -> UInt64) -> Bool {
    if let slowest, slowest < sequence {
      if awaited?.sequence != sequence {
        let now = nowNs()
        let waitedNs = interrupted?.sequence == sequence ? interrupted?.waitedNs ?? 0 : 0
        awaited = (sequence, now - min(now, waitedNs))
      }
      return false
    }
    awaited = nil
    return true
  }

  /// Whether every subscriber is done with all frames of a run that has ended, and nobody prepares
  /// any more; if not, the sim now waits for them.
  package mutating func isFinished(_ newest: UInt64, nowNs: @autoclosure () -> UInt64) -> Bool {
    guard isDone(newest, nowNs: nowNs()), members.contains(where: \.report.isPreparing) else {
      return awaited == nil
    }
    awaited = (newest, nowNs())
    return false
  }

  /// Interrupts the wait.
  ///
  /// One for the same frame goes on with it: requests that come again and again must not give a
  /// stalled subscriber new time.
  package mutating func stopWaiting(nowNs: UInt64) {
    if let awaited { interrupted = (awaited.sequence, nowNs - min(nowNs, awaited.sinceNs)) }
    awaited = nil
  }

  /// Ends the sim's wait if every subscriber is done with the awaited frame; returns whether it
  /// did.
  package mutating func completeWait() -> Bool {
    guard let sequence = awaited?.sequence else { return false }
    if let slowest, slowest < sequence { return false }
    awaited = nil
    return true
  }
}
