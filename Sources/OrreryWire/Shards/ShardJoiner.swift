// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages
import SwiftProtobuf

/// Joins the shards of a run, in steps between which a subscriber prepares.
struct ShardJoiner {
  /// The subscriber's name in reports.
  let program: String
  /// The first frame that is wanted; 0 for the next one.
  let from: UInt64
  /// Whether events are wanted too.
  let wantsEvents: Bool
  /// Whether frames of other machines are sent as LZ4.
  let isCompressed: Bool
  /// How long to wait for sims, now and whenever one is not heard.
  let waitSeconds: Double

  /// A connection to a shard, over which nothing was asked yet.
  enum Connection {
    case local(JoinConnection, RunDirectory)
    case remote(WireConnection, WireAddress)
  }

  /// Waits until the sims of all shards answer.
  ///
  /// - Parameters:
  ///   - locations: Where the shards are.
  ///   - deadlineNs: When the wait ends.
  ///   - waiting: Called while a sim of this machine cannot be joined.
  /// - Returns: In the order of the locations.
  /// - Throws: `WireError`.
  func connect(
    _ locations: [ShardLocation], deadlineNs: UInt64, waiting: (_ simPrepares: Bool) -> Void
  ) throws(WireError) -> [Connection] {
    var connections: [Connection] = []
    for location in locations {
      switch location {
      case .local(let directory):
        let connection = try Subscription.connect(
          to: directory, waitSeconds: waitSeconds, deadlineNs: deadlineNs,
          isCancelled: { StopSignals.count > 0 }, waiting: waiting)
        connections.append(.local(connection, directory))
      case .remote(let address):
        let nowNs = Clock.monotonicNs()
        let connection = try RemoteSubscription.connect(
          to: address, waitSeconds: Double(deadlineNs - min(nowNs, deadlineNs)) / 1e9,
          isCancelled: { StopSignals.count > 0 })
        connections.append(.remote(connection, address))
      }
    }
    return connections
  }

  /// Gets the rings of this machine's shards, and joins the others, which cannot be prepared for otherwise.
  ///
  /// - Returns: In the order of the connections.
  /// - Throws: `WireError`.
  func members(_ connections: [Connection]) throws(WireError) -> [any ShardMembership] {
    var members: [any ShardMembership] = []
    for connection in connections {
      switch connection {
      case .local(let connection, let directory):
        let guest = try Subscription.visit(connection, directory: directory, name: program)
        members.append(LocalShard(guest, directory: directory, name: program))
      case .remote(let connection, let address):
        var options = RemoteOptions(name: program)
        (options.from, options.isCompressed) = (from, isCompressed)
        (options.wantsEvents, options.followsSuccessor) = (wantsEvents, true)
        let subscription = try RemoteSubscription(
          connection, address, options, waitSeconds: waitSeconds,
          isCancelled: { StopSignals.count > 0 })
        members.append(RemoteShard(subscription, waitSeconds: waitSeconds))
      }
    }
    return members
  }

  /// Orders shards as their scenes say.
  ///
  /// - Parameters:
  ///   - members: Of which it is not known which shards they are.
  ///   - locations: Theirs, for messages.
  /// - Returns: The run's name, and its shards by their indexes.
  /// - Throws: `WireError`: they are not all shards of one run.
  static func ordered(
    _ members: [any ShardMembership], at locations: [WireAddress]
  ) throws(WireError) -> (name: String, members: [any ShardMembership]) {
    var found: [Int: any ShardMembership] = [:]
    var (name, count) = ("", 0)
    for (member, location) in zip(members, locations) {
      let scene: Orrery_SceneLayout
      do {
        scene = try Orrery_SceneLayout(serializedBytes: Array(member.frames.staticPart))
      } catch {
        throw .badMessage("a shard's static part cannot be read: \(messageFault(error))")
      }
      guard scene.hasShard, let parsed = Shard.parse(run: scene.run) else {
        throw .notAShard(endpoint: location.endpoint)
      }
      name = parsed.name
      count = max(count, parsed.shard.count)
      guard found.updateValue(member, forKey: Int(scene.shard.index)) == nil else {
        throw .sameShard(name: name, shard: Int(scene.shard.index))
      }
    }
    let missing = (0..<count).filter { found[$0] == nil }
    guard missing.isEmpty else {
      throw .missingShards(name: name, count: count, missing: missing)
    }
    return (name, found.sorted { $0.key < $1.key }.map(\.value))
  }
}
