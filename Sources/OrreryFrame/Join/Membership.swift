// SPDX-License-Identifier: Apache-2.0

import CFrameLayout
import OrreryBase

/// Who is connected to a join server, and what is known of those who were.
///
/// Only state and rules: `JoinServer` keeps it under a lock, and does what it says.
package struct Membership {
  /// Everybody who is connected, in the order in which they came.
  package private(set) var connections: [Connection] = []

  /// The last who have left, `departedMax` at most.
  package private(set) var departed: [SubscriberReport] = []

  /// Subscribers that have joined so far, whether they are still there or not.
  package private(set) var joinedCount: UInt64 = 0

  /// Whether the server is to end.
  var isStopping = false

  /// The frame that the sim's thread waits for, and since when.
  package private(set) var awaited: (sequence: UInt64, sinceNs: UInt64)?

  /// Nobody is connected.
  package init() {}

  /// One connection.
  package struct Connection {
    package let socket: CInt
    let acceptedNs: UInt64
    /// Nil until it has said who it is.
    package fileprivate(set) var report: SubscriberReport?
    /// When it last got further.
    var heardNs: UInt64
    var isLeaving = false
  }

  /// Subscribers at one time; more are refused.
  package static let joinedMax = 256

  /// Connections at one time that have not said who they are; one more takes the oldest one's place, so that
  /// silent ones lock nobody out.
  package static let silentMax = 64

  /// How long a connection may stay silent.
  package static let handshakeNs: UInt64 = 1_000_000_000

  /// Reports kept of those who have left: a run may see thousands.
  package static let departedMax = 256

  /// Everybody who joined and is known, the earliest departure first.
  package var reports: [SubscriberReport] { departed + connections.compactMap(\.report) }

  /// How far the slowest subscriber is; nil if there is none.
  package var slowest: UInt64? {
    var slowest: UInt64?
    for connection in connections {
      guard let progress = connection.report?.progress else { continue }
      slowest = min(slowest ?? progress, progress)
    }
    return slowest
  }

  /// Who waits in which way.
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

// MARK: - Coming

extension Membership {
  /// Whether there is room for another subscriber.
  package var hasRoom: Bool { connections.count { $0.report != nil } < Self.joinedMax }

  /// Takes a new connection in.
  ///
  /// - Returns: A silent one that must go for it, already forgotten here.
  package mutating func accept(_ socket: CInt, nowNs: UInt64) -> CInt? {
    let evicted =
      connections.count { $0.report == nil } >= Self.silentMax ? evictSilent() : nil
    connections.append(Connection(socket: socket, acceptedNs: nowNs, heardNs: nowNs))
    return evicted
  }

  /// Forgets the connection that has been silent for longest.
  package mutating func evictSilent() -> CInt? {
    guard let index = connections.firstIndex(where: { $0.report == nil }) else { return nil }
    return connections.remove(at: index).socket
  }

  /// Makes a connection a subscriber.
  ///
  /// - Returns: False if there is no such connection, or no room.
  package mutating func admit(_ socket: CInt, _ report: SubscriberReport, nowNs: UInt64) -> Bool {
    guard hasRoom, let index = index(of: socket) else { return false }
    connections[index].report = report
    connections[index].heardNs = nowNs
    joinedCount += 1
    return true
  }

  /// Notes how far a subscriber is.
  ///
  /// - Parameters:
  ///   - socket: Its connection.
  ///   - progress: What it says.
  ///   - nowNs: Time of the monotonic clock.
  ///   - isPublished: Whether a frame is whole: a subscriber may report no other.
  /// - Returns: False if it says something impossible.
  package mutating func note(
    _ socket: CInt, _ progress: progress_report, nowNs: UInt64, isPublished: (UInt64) -> Bool
  ) -> Bool {
    guard let index = index(of: socket), var report = connections[index].report else {
      return false
    }
    // Only forward, and never beyond what was published; one that waits for a frame that is still to
    // come has not begun.
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

// MARK: - Going

extension Membership {
  /// Forgets a connection.
  ///
  /// - Parameters:
  ///   - socket: Its descriptor.
  ///   - why: Nil where it hung up by itself.
  /// - Returns: What is known of it, if it had joined.
  @discardableResult
  package mutating func remove(_ socket: CInt, why: Departure? = nil) -> SubscriberReport? {
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

  /// Subscribers that the sim has been waiting for, and that did not get on, for so long.
  package func stalled(nowNs: UInt64, limitNs: UInt64) -> [CInt] {
    guard let awaited else { return [] }
    return connections.filter { connection in
      guard let report = connection.report, report.progress < awaited.sequence else {
        return false
      }
      return nowNs - min(nowNs, max(connection.heardNs, awaited.sinceNs)) >= limitNs
    }.map(\.socket)
  }

  /// When something runs out next: a silent connection's time.
  package var nextSilentNs: UInt64? {
    connections.first { $0.report == nil }.map { $0.acceptedNs + Self.handshakeNs }
  }
}

// MARK: - The sim's thread

extension Membership {
  /// Whether every subscriber is done with all frames up to this one; if not, they are waited for.
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

  /// Whether what the sim's thread waits for has come.
  package mutating func takeArrival() -> Bool {
    guard let sequence = awaited?.sequence else { return false }
    if let slowest, slowest < sequence { return false }
    awaited = nil
    return true
  }
}
