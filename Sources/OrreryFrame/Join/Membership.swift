// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import OrreryBase

/// The connections of a join server, and reports on departed subscribers.
///
/// Only state and rules: `JoinServer` keeps it under a lock and carries out its decisions.
package struct Membership {
  /// All connections, in the order in which they were accepted.
  package private(set) var connections: [Connection] = []

  /// The last departed subscribers, `departedMax` at most.
  package private(set) var departed: [SubscriberReport] = []

  /// Count of subscribers that have joined so far, connected or departed.
  package private(set) var joinedCount: UInt64 = 0

  /// Whether the server is to end.
  var isStopping = false

  /// The frame that the sim's thread waits for, and since when.
  package private(set) var awaited: (sequence: UInt64, sinceNs: UInt64)?

  /// A membership without connections.
  package init() {}

  /// One connection.
  package struct Connection {
    package let socket: CInt
    let acceptedNs: UInt64
    /// Nil until it has joined.
    package fileprivate(set) var report: SubscriberReport?
    /// When it last made progress.
    var heardNs: UInt64
    var isLeaving = false
  }

  /// Subscribers at one time; more are refused.
  package static let joinedMax = 256

  /// Connections at one time that have not joined.
  ///
  /// One more evicts the oldest of them, so that silent connections keep no subscriber out.
  package static let silentMax = 64

  /// How long a connection may stay silent before it joins.
  package static let handshakeNs: UInt64 = 1_000_000_000

  /// Reports kept on departed subscribers: a run may have thousands.
  package static let departedMax = 256

  /// All reports that are kept: departed subscribers in the order of departure, then connected
  /// ones.
  package var reports: [SubscriberReport] { departed + connections.compactMap(\.report) }

  /// Progress of the slowest subscriber; nil if there is none.
  package var slowest: UInt64? {
    var slowest: UInt64?
    for connection in connections {
      guard let progress = connection.report?.progress else { continue }
      slowest = min(slowest ?? progress, progress)
    }
    return slowest
  }

  /// Counts of the subscribers that wait in each way.
  package var audience: Audience {
    var audience = Audience()
    for connection in connections {
      switch connection.report?.waiting {
      case .futex: audience.futexCount += 1
      case .announcement: audience.announcementCount += 1
      case .spin, nil: break
      }
    }
    return audience
  }

  private func index(of socket: CInt) -> Int? {
    connections.firstIndex { $0.socket == socket }
  }

  /// Whether the connection belongs to a subscriber.
  package func hasJoined(_ socket: CInt) -> Bool {
    index(of: socket).map { connections[$0].report != nil } ?? false
  }
}

// MARK: - Joining

extension Membership {
  /// Whether there is room for another subscriber.
  package var hasRoom: Bool { connections.count { $0.report != nil } < Self.joinedMax }

  /// Adds a new connection.
  ///
  /// - Returns: A silent connection that must be closed for it; it is already removed here.
  package mutating func accept(_ socket: CInt, nowNs: UInt64) -> CInt? {
    defer { checkAfterChange() }
    let evicted =
      connections.count { $0.report == nil } >= Self.silentMax ? evictSilent() : nil
    connections.append(Connection(socket: socket, acceptedNs: nowNs, heardNs: nowNs))
    return evicted
  }

  /// Removes the connection that has been silent for longest.
  package mutating func evictSilent() -> CInt? {
    guard let index = connections.firstIndex(where: { $0.report == nil }) else { return nil }
    return connections.remove(at: index).socket
  }

  /// Makes a connection a subscriber.
  ///
  /// - Returns: False if there is no such connection, or no room.
  package mutating func admit(_ socket: CInt, _ report: SubscriberReport, nowNs: UInt64) -> Bool {
    defer { checkAfterChange() }
    guard hasRoom, let index = index(of: socket) else { return false }
    connections[index].report = report
    connections[index].heardNs = nowNs
    joinedCount += 1
    return true
  }

  /// Records the progress of a subscriber.
  ///
  /// - Parameters:
  ///   - socket: Its connection.
  ///   - progress: Its report.
  ///   - nowNs: Time of the monotonic clock.
  ///   - isPublished: Whether a frame is published: a subscriber may report no other.
  /// - Returns: False if the report is impossible.
  package mutating func note(
    _ socket: CInt, _ progress: progress_report, nowNs: UInt64, isPublished: (UInt64) -> Bool
  ) -> Bool {
    defer { checkAfterChange() }
    guard let index = index(of: socket), var report = connections[index].report else {
      return false
    }
    // Progress only grows, and never beyond the published frames. An unchanged progress is allowed:
    // a subscriber that waits for a future frame has none yet.
    guard progress.sequence >= report.progress, progress.missed >= report.missed,
      progress.missed <= progress.sequence - report.joinedAfter,
      progress.sequence == report.progress || isPublished(progress.sequence)
    else { return false }
    if progress.sequence > report.progress { connections[index].heardNs = nowNs }
    report.progress = progress.sequence
    report.missed = progress.missed
    connections[index].report = report
    connections[index].isLeaving = progress.leaving != 0
    return true
  }
}

// MARK: - Leaving

extension Membership {
  /// Removes a connection.
  ///
  /// - Parameters:
  ///   - socket: Its descriptor.
  ///   - why: Nil if it hung up by itself.
  /// - Returns: Its report, if it had joined.
  @discardableResult
  package mutating func remove(_ socket: CInt, why: Departure? = nil) -> SubscriberReport? {
    defer { checkAfterChange() }
    guard let index = index(of: socket) else { return nil }
    let connection = connections.remove(at: index)
    guard var report = connection.report else { return nil }
    report.departure = why ?? (connection.isLeaving ? .left : .died)
    if departed.count == Self.departedMax { departed.removeFirst() }
    departed.append(report)
    return report
  }

  /// Connections that have been silent for too long.
  package func silent(nowNs: UInt64) -> [CInt] {
    connections.filter { $0.report == nil && $0.acceptedNs + Self.handshakeNs <= nowNs }
      .map(\.socket)
  }

  /// Subscribers that the sim has waited for, without progress, for at least `limitNs`.
  package func stalled(nowNs: UInt64, limitNs: UInt64) -> [CInt] {
    guard let awaited else { return [] }
    return connections.filter { connection in
      guard let report = connection.report, report.progress < awaited.sequence else {
        return false
      }
      return nowNs - min(nowNs, max(connection.heardNs, awaited.sinceNs)) >= limitNs
    }.map(\.socket)
  }

  /// When the next silent connection runs out of time; nil if there is none.
  package var nextSilentNs: UInt64? {
    connections.first { $0.report == nil }.map { $0.acceptedNs + Self.handshakeNs }
  }
}

// MARK: - The sim's thread

extension Membership {
  /// Whether every subscriber is done with all frames up to this one; if not, the sim now waits for
  /// them.
  package mutating func isDone(_ sequence: UInt64, nowNs: @autoclosure () -> UInt64) -> Bool {
    if let slowest, slowest < sequence {
      if awaited?.sequence != sequence { awaited = (sequence, nowNs()) }
      return false
    }
    awaited = nil
    return true
  }

  /// Gives up waiting.
  package mutating func stopWaiting() { awaited = nil }

  /// Ends the sim's wait if every subscriber is done with the awaited frame; returns whether it
  /// did.
  package mutating func completeWait() -> Bool {
    guard let sequence = awaited?.sequence else { return false }
    if let slowest, slowest < sequence { return false }
    awaited = nil
    return true
  }
}
