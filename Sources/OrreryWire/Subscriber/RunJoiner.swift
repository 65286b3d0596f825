// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryFrame
import OrreryMessages

/// A subscriber's way into a run, wherever its sims are: they are found and connected to, the program prepares, and
/// then the run is joined.
///
/// A run of one sim is followed by its ring or by its connection; the frames of several are joined.
package struct RunJoiner {
  /// The subscriber's name in reports.
  private let program: String
  /// Where the run is.
  private let location: RunLocation
  /// Which frames are wanted.
  private let reading: Reading
  /// How to wait for the frames of one sim of this machine.
  private let waiting: Waiting
  /// The first frame that is wanted; 0 for the next one.
  private let from: UInt64
  /// How frames are joined if the run has several sims.
  private let joining: ShardJoining
  /// Whether events are wanted too.
  private let wantsEvents: Bool
  /// How long to wait for sims, now and whenever one of another machine is not heard.
  private let waitSeconds: Double

  package init(
    program: String, location: RunLocation, reading: Reading, waiting: Waiting = .announcement,
    from: UInt64 = 0, joining: ShardJoining = ShardJoining(), wantsEvents: Bool = false,
    waitSeconds: Double
  ) {
    (self.program, self.location) = (program, location)
    (self.reading, self.waiting, self.from) = (reading, waiting, from)
    (self.joining, self.wantsEvents, self.waitSeconds) = (joining, wantsEvents, waitSeconds)
  }

  /// A run that is looked at: no sim of this machine waits for this subscriber yet.
  package struct Visit {
    /// The source of frames.
    package let source: any FrameSource

    /// The source of events; nil if they are not wanted.
    package let events: (any EventSource)?

    fileprivate let subscribe: () throws -> any RunSubscription

    /// Joins the run, which may let it begin.
    ///
    /// - Returns: What the run is followed by.
    /// - Throws: `WireError`.
    package func join() throws -> any RunSubscription {
      _ = events?.waitUntilKnown(timeoutNs: 1_000_000_000)
      return try subscribe()
    }
  }

  /// A connection to a sim, over which nothing was asked yet.
  private enum Connection {
    case local(JoinConnection, RunDirectory)
    case remote(WireConnection, WireAddress)
  }

  /// Finds the run's sims and opens its sources.
  ///
  /// A run of another machine is joined by that, since its frames are sent.
  ///
  /// - Parameters:
  ///   - whileWaiting: Called many times a second while a run of this machine cannot be joined.
  ///   - prepare: Called once the sims are there, and before any waits for this subscriber.
  /// - Returns: The run's sources, and the way to join it.
  /// - Throws: `WireError`, `RunDirectoryError` or `RendezvousError`; what `prepare` throws.
  package func visit(
    whileWaiting: (_ simPrepares: Bool) -> Void = { _ in },
    prepare: () throws(Failure) -> Void = {}
  ) throws -> Visit {
    let deadlineNs = Clock.monotonicNs() + UInt64(waitSeconds * 1e9)
    let sims = try sims(deadlineNs: deadlineNs, whileWaiting: whileWaiting)
    let connections = try sims.map {
      try connect($0, deadlineNs: deadlineNs, whileWaiting: whileWaiting)
    }
    try prepare()
    switch location {
    case .run where connections.count == 1, .remote: return try visitSim(connections[0])
    default: return try visitShards(connections)
    }
  }

  /// Finds where the run's sims are: of a run of shards by their indexes, if these are known.
  private func sims(
    deadlineNs: UInt64, whileWaiting: (_ simPrepares: Bool) -> Void
  ) throws -> [SimLocation] {
    switch location {
    case .run(let name):
      try RunDirectory.shards(
        of: name, deadlineNs: deadlineNs, isCancelled: { StopSignals.count > 0 },
        waiting: { whileWaiting(false) }
      ).map { .local($0) }
    case .remote(let address, _): [.remote(address)]
    case .remoteShards(let addresses, _): addresses.map { .remote($0) }
    case .rendezvous(let name, let directory, let keys, _):
      try SimLocation.shards(
        of: name, in: directory, keys: keys, waitSeconds: waitSeconds,
        isCancelled: { StopSignals.count > 0 }, waiting: { whileWaiting(false) })
    }
  }

  /// Waits until a sim answers.
  private func connect(
    _ sim: SimLocation, deadlineNs: UInt64, whileWaiting: (_ simPrepares: Bool) -> Void
  ) throws(WireError) -> Connection {
    switch sim {
    case .local(let directory):
      .local(
        try Subscription.connect(
          to: directory, waitSeconds: waitSeconds, deadlineNs: deadlineNs,
          isCancelled: { StopSignals.count > 0 }, waiting: whileWaiting), directory)
    case .remote(let address):
      .remote(
        try RemoteSubscription.connect(
          to: address, waitSeconds: waitSeconds, deadlineNs: deadlineNs,
          isCancelled: { StopSignals.count > 0 }), address)
    }
  }

  /// Visits a run of one sim.
  private func visitSim(_ connection: Connection) throws -> Visit {
    switch connection {
    case .local(let connection, let directory):
      let guest = try Subscription.visit(connection, directory: directory, name: program)
      let events = wantsEvents ? try EventReceiver(directory: directory) : nil
      return Visit(source: guest.reader, events: events) {
        try Subscription(
          guest, directory: directory, reading: reading, waiting: waiting, from: from)
      }
    case .remote(let connection, let address):
      let subscription = try subscription(connection, address, reading: reading)
      let events = wantsEvents ? subscription.events() : nil
      return Visit(source: subscription.source, events: events) { subscription }
    }
  }

  /// Visits all shards of a run.
  private func visitShards(_ connections: [Connection]) throws -> Visit {
    var members: [any ShardMembership] = []
    for connection in connections {
      switch connection {
      case .local(let connection, let directory):
        let guest = try Subscription.visit(connection, directory: directory, name: program)
        members.append(LocalShard(guest, directory: directory, name: program))
      case .remote(let connection, let address):
        let subscription = try subscription(
          connection, address, reading: .every, followsSuccessor: true)
        members.append(RemoteShard(subscription, waitSeconds: waitSeconds))
      }
    }
    var name = location.name
    if case .remoteShards(let addresses, _) = location {
      (name, members) = try Self.ordered(members, at: addresses)
    }
    // Views are the first shard's.
    let events = wantsEvents ? try members[0].events() : nil
    let source = try JoinedSource(
      name: name, members.map(\.frames), merges: joining.mergesBatches,
      leadNs: UInt64(joining.leadSeconds * 1e9))
    return Visit(source: source, events: events) { [members] in
      try JoinedSubscription(source, members, reading: reading, from: from)
    }
  }

  /// Joins by message, which cannot be prepared for otherwise.
  private func subscription(
    _ connection: WireConnection, _ address: WireAddress, reading: Reading,
    followsSuccessor: Bool = false
  ) throws(WireError) -> RemoteSubscription {
    var options = RemoteOptions(name: program)
    (options.reading, options.from) = (reading, from)
    (options.isCompressed, options.wantsEvents) = (location.isCompressed, wantsEvents)
    options.followsSuccessor = followsSuccessor
    return try RemoteSubscription(
      connection, address, options, waitSeconds: waitSeconds,
      isCancelled: { StopSignals.count > 0 })
  }

  /// Orders shards as their scenes say.
  ///
  /// - Parameters:
  ///   - members: It is not known which shards they are.
  ///   - addresses: Theirs, for messages.
  /// - Returns: The run's name, and its shards by their indexes.
  /// - Throws: `WireError`: they are not all shards of one run.
  private static func ordered(
    _ members: [any ShardMembership], at addresses: [WireAddress]
  ) throws(WireError) -> (name: String, members: [any ShardMembership]) {
    var found: [Int: any ShardMembership] = [:]
    var (name, count) = ("", 0)
    for (member, address) in zip(members, addresses) {
      let scene = try member.frames.sceneLayout(of: "a shard")
      guard scene.hasShard, let parsed = Shard.parse(run: scene.run) else {
        throw .notAShard(endpoint: address.endpoint)
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
