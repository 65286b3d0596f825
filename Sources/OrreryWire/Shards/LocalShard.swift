// SPDX-License-Identifier: Apache-2.0

import CZeroMQ
import OrreryBase
import OrreryFrame

/// A subscriber's membership in a shard of this machine, whose ring it reads.
///
/// A sim that is started again is joined again.
final class LocalShard: ShardMembership {
  private(set) var frames: any ShardFrames
  private(set) var joinedAfter: UInt64 = 0

  private let guest: JoinGuest
  private let directory: RunDirectory
  private let name: String
  private var reader: FrameReader
  private var reading = Reading.every
  private var client: JoinClient?
  private var phase = Phase.following

  private enum Phase {
    case following
    /// The time of the next look for another sim.
    case gone(retryNs: UInt64)
    case ended
  }

  /// Time between two looks for a sim that has gone.
  private static let retryIntervalNs: UInt64 = 100_000_000

  /// Prepares to join.
  ///
  /// - Parameters:
  ///   - guest: It has the ring.
  ///   - directory: The shard's run.
  ///   - name: The subscriber's name in reports.
  init(_ guest: JoinGuest, directory: RunDirectory, name: String) {
    (self.guest, self.directory, self.name) = (guest, directory, name)
    (reader, frames) = (guest.reader, guest.reader)
  }

  var hasEnded: Bool { reader.hasEnded }
  var failure: WireError? { nil }
  var polled: [zmq_pollitem_t] { [] }

  func events() throws(WireError) -> any EventSource {
    try EventReceiver(directory: directory)
  }

  func begin(reading: Reading, from: UInt64) throws(WireError) {
    self.reading = reading
    do throws(FrameError) {
      let client = try JoinClient(guest, waiting: .futex, reading: reading, from: from)
      (self.client, joinedAfter) = (client, client.joinedAfter)
    } catch {
      throw .frame(error)
    }
  }

  func receive(after sequence: UInt64) {}

  func sleep(ns: UInt64) -> Bool {
    reader.wait(after: reader.published, timeoutNs: ns)
    return true
  }

  func look(hasEnded: Bool, isNeeded: Bool, nowNs: UInt64) -> ShardState {
    switch phase {
    case .ended:
      return .ended
    case .following:
      if hasEnded {
        phase = .ended
        return .ended
      }
      guard let client, client.isLeaseOver else { return .following }
      phase = .gone(retryNs: nowNs)
      return client.takeNotice().map { .dropped($0) } ?? .gone
    case .gone(let retryNs):
      guard nowNs >= retryNs, !isNeeded else { return .gone }
      guard joinAgain() else {
        phase = .gone(retryNs: nowNs + Self.retryIntervalNs)
        return .gone
      }
      phase = .following
      return .returned
    }
  }

  /// Joins a sim that was started again; false if there is none.
  private func joinAgain() -> Bool {
    guard let connection = try? JoinConnection(directory),
      let guest = try? JoinGuest(connection, name: name),
      let client = try? JoinClient(guest, waiting: .futex, reading: reading),
      client.reader.canFollow(reader)
    else { return false }
    (self.client, reader, frames) = (client, client.reader, client.reader)
    joinedAfter = client.joinedAfter
    return true
  }

  /// Frames may have been given up that the sim has not published yet: those are reported once it has.
  func report(sequence: UInt64, missed: UInt64, isLast: Bool) {
    let known = max(min(sequence, reader.published), joinedAfter)
    client?.report(sequence: known, missed: min(missed, known - joinedAfter), isLast: isLast)
  }
}
