// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame

/// A subscriber's side of a run that several shards on this machine make together.
///
/// It has a place at each shard, and reads their frames as one. A shard that dies is missing in the frames
/// that follow; started again, it is joined again.
package final class JoinedSubscription: RunSubscription {
  private let joined: JoinedSource
  private let name: String
  private let directories: [RunDirectory]
  private var clients: [JoinClient]
  private var cursor: FrameCursor
  private var accounts: [ShardAccount]
  private var schedule: ReportSchedule
  private var foundNs: UInt64 = 0
  /// When each shard that has gone is looked for again; nil: it is there, or has ended in order.
  private var retryNs: [UInt64?]
  private var dropReason: DropReason?
  /// When the shards are looked after next, and whether all had gone or ended the last time.
  private var lookNs: UInt64 = 0
  private var isOver = false

  package private(set) var latency = Histogram()

  package var source: any FrameSource { joined }
  package var reading: Reading { cursor.reading }
  package var localWaiting: Waiting? { .futex }
  package var losses: Losses { cursor.losses }
  package var failure: WireError? { nil }
  package var shards: [ShardAccount] { accounts }

  /// Time between two looks for a shard that has gone.
  private static let retryIntervalNs: UInt64 = 100_000_000
  /// Time between two looks after the shards: each is a system call for each of them.
  private static let lookIntervalNs: UInt64 = 5_000_000
  /// Longest sleep: whether a part is overdue shows by the time alone.
  private static let sleepNs: UInt64 = 5_000_000

  /// Joins all shards of a run.
  ///
  /// - Parameters:
  ///   - source: Their rings, from `guests`.
  ///   - guests: By the shards' indexes; they are ready for frames.
  ///   - directories: The shards' runs.
  ///   - name: The subscriber's name in reports.
  ///   - reading: Which frames are wanted.
  ///   - from: The first wanted frame; 0 for the next one.
  /// - Throws: `WireError`.
  init(
    _ source: JoinedSource, _ guests: [JoinGuest], _ directories: [RunDirectory], name: String,
    reading: Reading, from: UInt64
  ) throws(WireError) {
    joined = source
    self.name = name
    self.directories = directories
    let wanted = source.delivery == .lockstep ? Reading.every : reading
    do throws(FrameError) {
      var clients: [JoinClient] = []
      for guest in guests {
        clients.append(try JoinClient(guest, waiting: .futex, reading: wanted, from: from))
      }
      self.clients = clients
    } catch {
      throw .frame(error)
    }
    // What one shard published before the last was joined is nobody's loss.
    let joinedAfter = clients.map(\.joinedAfter).max() ?? 0
    cursor = FrameCursor(joinedAfter: joinedAfter, reading: wanted)
    schedule = ReportSchedule(joinedAfter: joinedAfter)
    accounts = directories.indices.map {
      ShardAccount(Shard($0, of: directories.count))
    }
    retryNs = directories.map { _ in nil }
  }

  deinit {
    for client in clients {
      client.report(sequence: losses.last, missed: losses.missedCount, isLast: true)
    }
  }

  /// See `RunSubscription.find`; between frames it looks after shards that have gone.
  package func find(timeoutNs: UInt64) -> Finding {
    if let dropReason { return .event(.dropped(dropReason)) }
    let deadline = Clock.monotonicNs() + timeoutNs
    while true {
      // Read before the rings: what a shard published before it ended is found first.
      let hasEnded = clients.indices.map { joined[$0].reader.hasEnded }
      let beganNs = Clock.monotonicNs()
      if beganNs >= lookNs
        || hasEnded.indices.contains(where: { hasEnded[$0] && joined[$0].isAlive })
      {
        lookNs = beganNs + Self.lookIntervalNs
        isOver = lookAfterShards(hasEnded)
      }
      if let dropReason { return .event(.dropped(dropReason)) }
      if let finding = cursor.find(in: joined) {
        foundNs = Clock.monotonicNs()
        return finding
      }
      if isOver {
        flush()
        return .event(hasEnded.contains(true) ? .ended : .simDied)
      }
      if joined.delivery == .lockstep { flush() }
      let nowNs = Clock.monotonicNs()
      guard nowNs < deadline else { return .event(.idle) }
      wait(ns: min(deadline - nowNs, Self.sleepNs))
    }
  }

  /// Sleeps until the slowest shard may have published.
  private func wait(ns: UInt64) {
    let alive = clients.indices.filter { joined[$0].isAlive }
    let slowest = alive.min { joined[$0].reader.published < joined[$1].reader.published }
    guard let slowest else { return Clock.sleep(untilMonotonicNs: Clock.monotonicNs() + ns) }
    let reader = joined[slowest].reader
    reader.wait(after: reader.published, timeoutNs: ns)
  }

  /// Finds out which shards have gone, and joins those that have come back.
  ///
  /// - Returns: Whether all have gone or ended.
  private func lookAfterShards(_ hasEnded: [Bool]) -> Bool {
    var isOver = true
    for shard in clients.indices {
      if joined[shard].isAlive {
        if hasEnded[shard] {
          joined.hasGone(shard)
        } else if clients[shard].isLeaseOver {
          dropReason = clients[shard].takeNotice()
          joined.hasGone(shard)
          retryNs[shard] = 0
        } else {
          isOver = false
        }
      } else if let retry = retryNs[shard], Clock.monotonicNs() >= retry {
        if rejoin(shard) {
          retryNs[shard] = nil
          isOver = false
        } else {
          retryNs[shard] = Clock.monotonicNs() + Self.retryIntervalNs
        }
      }
    }
    return isOver
  }

  /// Joins a shard that was started again; false if it is not there.
  private func rejoin(_ shard: Int) -> Bool {
    guard let connection = try? JoinConnection(directories[shard]),
      let guest = try? JoinGuest(connection, name: name),
      let client = try? JoinClient(guest, waiting: .futex, reading: cursor.reading),
      joined.hasReturned(shard, client.reader, after: client.joinedAfter)
    else { return false }
    clients[shard] = client
    return true
  }

  /// See `RunSubscription.record`; a frame counts for each shard whose part it has.
  package func record(_ view: FrameView, isWhole: Bool) -> SubscriptionEvent {
    if isWhole {
      let missing = joined.missingShards(of: view)
      for shard in accounts.indices {
        if missing.contains(shard) {
          accounts[shard].missed += 1
        } else {
          accounts[shard].received += 1
        }
      }
      let dateNs = joined[0].reader.dateNs(monotonicNs: foundNs)
      let publishedNs = view.stamp().publishTimeNs
      latency.record(dateNs > publishedNs ? dateNs - publishedNs : 0)
    }
    return cursor.record(view.sequence, isWhole: isWhole)
  }

  /// Reports progress to each shard, as to one sim.
  package func report() {
    let slotCount = clients.indices.map { joined[$0].reader.slotCount }.min() ?? 1
    if schedule.isDue(losses.last, joined.delivery, slotCount: slotCount) { flush() }
  }

  private func flush() {
    guard losses.last > schedule.reported else { return }
    schedule.reported = losses.last
    for client in clients { client.report(sequence: losses.last, missed: losses.missedCount) }
  }
}
