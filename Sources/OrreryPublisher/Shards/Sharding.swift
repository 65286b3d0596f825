// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryScene
import OrreryWire

/// A sim among the shards of its scene: how it enters their run, and the changes that they make together.
final class Sharding {
  /// Where the others are met.
  let rendezvous: Rendezvous

  /// The state of the run when this shard entered it; nil: the shard begins with the run.
  private(set) var timeline: ShardTimeline?

  /// The changes that were made before.
  private var history = ShardHistory()

  /// How the shards agree on changes; nil before the run has begun, and after its end.
  private(set) var agreement: ShardAgreement?

  /// The change whose frame this shard comes to next.
  var next: ShardChange?

  /// The request that `next` was proposed for, if it was made to this shard.
  private var proposed: CommandQueue.Entry?

  /// Requests that wait for the decision about the one before.
  var requests: [CommandQueue.Entry] = []

  /// Wall time minus monotonic time, modulo 2^64.
  private var wallOffsetNs: UInt64 = 0

  private let meeting: SimOptions.Meeting

  /// Enters the run of a scene's shards; nil if the sim runs the whole scene.
  ///
  /// - Throws: `RendezvousError`.
  init?(_ plan: ScenePlan, _ options: SimOptions) throws(RendezvousError) {
    guard let meeting = options.meeting else { return nil }
    self.meeting = meeting
    rendezvous = try Rendezvous(
      directory: meeting.directory, name: meeting.name, shard: plan.shard,
      scene: plan.identity(options), address: options.listen?.text)
  }

  /// Finds out where the others are, if they run already.
  ///
  /// - Throws: `RendezvousError`; `Failure` for a log of changes that cannot be read.
  func findRun(_ plan: ScenePlan, _ options: SimOptions) throws {
    guard let startWallNs = rendezvous.runningSinceWallNs else { return }
    let nowNs = Clock.wallNs()
    history = try rendezvous.history(nowWallNs: nowNs)
    guard options.isPaced else {
      // Without a clock, the shard begins with the first frame and meets each change again.
      history.later = (history.past + history.later).filter { $0.tick == nil }
      return
    }
    var timeline = ShardTimeline(rate: plan.rate, startWallNs: startWallNs)
    let reader = CommandReader(names: plan.liveNames, rate: plan.rate, isPaced: true)
    for change in history.past where change.tick == nil {
      timeline.make(try change.command(reader.command), change)
    }
    timeline.advance(toWallNs: nowNs)
    self.timeline = timeline
  }

  /// The number of frames that the others had published when this shard came.
  var skippedCount: UInt64 { timeline?.sequence ?? 0 }

  /// The changes of views that this shard's earlier process made.
  var viewChanges: [ShardChange] { history.log.filter { $0.tick != nil } }

  /// Waits for the others, and begins.
  ///
  /// - Parameters:
  ///   - plan: The scene.
  ///   - waitSeconds: How long to wait.
  ///   - commands: Woken when another shard has proposed a change.
  ///   - isCancelled: Called while waiting; true ends the wait.
  /// - Returns: The schedule of frames, and when frame 0 is due, by the monotonic clock.
  /// - Throws: `RendezvousError`.
  func begin(
    _ plan: ScenePlan, waitSeconds: Double, waking commands: CommandQueue,
    isCancelled: () -> Bool
  ) throws(RendezvousError) -> (clock: TickClock, startNs: UInt64) {
    let startWallNs = try rendezvous.agree(
      waitSeconds: waitSeconds, delaySeconds: meeting.delaySeconds, isCancelled: isCancelled)
    wallOffsetNs = Clock.wallNs() &- Clock.monotonicNs()
    agreement = try ShardAgreement(
      rendezvous, history, delaySeconds: meeting.delaySeconds
    ) { commands.wake() }
    let start = timeline ?? ShardTimeline(rate: plan.rate, startWallNs: startWallNs)
    return (
      start.clock.moved(after: start.sequence, byNs: 0 &- wallOffsetNs),
      monotonicNs(wallNs: startWallNs)
    )
  }

  /// Ends: nothing is agreed on any more.
  func finish() {
    agreement?.finish()
    agreement = nil
    for entry in requests { entry.answer(.refused(CommandQueue.endedReason)) }
    proposed?.answer(.refused(CommandQueue.endedReason))
    (requests, proposed) = ([], nil)
  }

  func monotonicNs(wallNs: UInt64) -> UInt64 { wallNs &- wallOffsetNs }
  func wallNs(monotonicNs: UInt64) -> UInt64 { monotonicNs &+ wallOffsetNs }

  /// Makes a request the next change.
  func propose(_ entry: CommandQueue.Entry, sequence: UInt64, dueNs: UInt64) -> Bool {
    let change = agreement?.propose(
      entry.request.kept, sequence: sequence, wallNs: wallNs(monotonicNs: dueNs))
    guard let change else { return false }
    (next, proposed) = (change, entry)
    return true
  }

  /// Takes the next change, and the request that it was proposed for.
  func takeNext() -> (change: ShardChange, entry: CommandQueue.Entry?)? {
    guard let change = next else { return nil }
    defer { (next, proposed) = (nil, nil) }
    return (change, proposed)
  }
}

extension ControlRequest {
  /// The request as it is kept for other processes: without its number, which belongs to a client.
  var kept: String {
    String(decoding: ControlRequest(verb: verb, id: 0, fields: fields).json, as: UTF8.self)
  }
}

extension ShardChange {
  /// The change as a command to this sim.
  ///
  /// - Parameter read: Checks a request, as one that a client sends.
  /// - Returns: The command.
  /// - Throws: `Failure`: the log of changes is not this version's.
  func command(
    _ read: (ControlRequest) throws(ControlRefusal) -> QueuedCommand
  ) throws(Failure) -> QueuedCommand {
    try entry(read).command
  }

  /// The change as a request without a client; as `command`.
  func entry(
    _ read: (ControlRequest) throws(ControlRefusal) -> QueuedCommand
  ) throws(Failure) -> CommandQueue.Entry {
    do throws(ControlRefusal) {
      let request = try ControlRequest(json: Array(self.request.utf8))
      return CommandQueue.Entry(command: try read(request), request: request) { _ in }
    } catch {
      throw Failure(.badData, "change \(number) of the run cannot be read: \(error)")
    }
  }
}

extension QueuedCommand {
  /// Whether it changes the run's time: pause, resume, step, seek or speed.
  var isOfTime: Bool {
    switch self {
    case .pause, .resume, .speed, .step, .seek: true
    case .keep, .stats, .quit, .change: false
    }
  }
}

extension ScenePlan {
  /// Hash of a scene and of the options that change its frames: equal in all its shards.
  fileprivate func identity(_ options: SimOptions) -> UInt64 {
    let texts = [
      name, layout.source, layout.locale, options.hashMode.rawValue, options.output.rawValue,
      "\(options.delivery)", "\(options.isPaced)",
    ]
    var hash = StableHash()
    for word in [seed, rate.numerator, rate.denominator, layout.shard.entityCount] {
      hash.combine(word)
    }
    for text in texts {
      hash.combine(UInt64(text.utf8.count))
      for byte in text.utf8 { hash.combine(UInt64(byte)) }
    }
    return hash.value
  }
}
