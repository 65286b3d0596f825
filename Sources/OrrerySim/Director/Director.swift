// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Handles all events of some views: commands, transitions, completions and the reactions to them.
///
/// A *change* gives one channel of a view a new value. An animated change begins a *motion*: one or
/// more *legs*, which a lane shows in one or more *segments*. An *episode* is the time in which a
/// channel moves: from a change at rest to the end of its last motion. The top of `EpisodeAccount.swift`
/// follows one change from its command to its removal.
///
/// Events happen at exact times, and are handled in the order of times. At the same time, reactions
/// without delay come first, then events of motions, by the number of the change that began them, then
/// commands in the order of the plan, then reactions with a delay, in the order of the completions that
/// caused them.
///
/// Between two events nothing changes except the values that lanes compute from the tick. So the state
/// after all events up to a tick's time is a function of the plan, of the applied transactions and of
/// the tick. To go back to an earlier tick, the director starts over.
///
/// One thread at a time uses it. A tick without events allocates nothing.
package final class Director: @unchecked Sendable {
  /// Number of reactions that were dropped because too many came within one millisecond.
  package internal(set) var droppedReactionCount: UInt64 = 0

  /// Counts events for `prefetch`.
  @exclusivity(unchecked) var prefetchTurn = 0

  let plan: ViewsPlan
  let rate: TickRate
  let viewLanes: ViewLanes
  let channels: ViewChannels
  let segments: LaneSegments
  let memory: TransactionMemory

  /// Whether all events are recorded for `takeEvents`.
  let recordsEvents: Bool

  /// Whether completions of transactions are recorded.
  let recordsCompletions: Bool

  /// The plan's commands, ordered as `PreparedCommand.all`; how often each has run, and those of them that are alike.
  let commands: FixedArray<PreparedCommand>
  let runCounts: FixedArray<UInt64>
  let series: [CommandSeries]

  /// The transactions of its reactions.
  let reactionTransactions: FixedArray<PreparedTransaction>

  /// Of views.
  let transitions: TransitionAnimationTable

  /// Reactions to each completion, as indexes into the plan.
  let reactions: [[Int]]

  /// Not checked for overlapping accesses: with checks, the row *end* of
  /// `bench views --entities 10000` takes 46 % longer, and *begin* 14 %.
  ///
  /// There are no overlaps, because no function is called while a part of the state is being changed.
  @exclusivity(unchecked) var state: DirectorState
  /// As `state`: with checks, the row *end, events recorded* takes 20 % longer.
  @exclusivity(unchecked) var log: EventLog

  /// Events up to this time were recorded before; in seconds.
  var recordedSeconds = -1.0

  /// Transactions from outside, in the order of their times, then of their arrival.
  private var applied: [(seconds: Double, transaction: PreparedTransaction)] = []

  /// Number of transactions of `applied` that have run.
  private var appliedCount = 0

  /// The parts of a burst that are handled at the same time: one, unless several threads share them.
  var bursts: BurstParts

  #if ORRERY_INVARIANTS
    /// Events until the next check.
    var checkCountdown = 0
  #endif

  /// The tick that was handled last; nil before the first.
  private var handledTick: UInt64?

  /// The last tick whose events were recorded; nil if there is none.
  private var recordedTick: UInt64?

  /// Sets the views to time 0.
  ///
  /// - Parameters:
  ///   - plan: Checked; names of things that it does not have are ignored.
  ///   - viewLanes: The lanes that show the views.
  ///   - rate: Ticks per second.
  ///   - curves: The bank of the lanes' curves.
  ///   - records: The events to record for `takeEvents`.
  init(
    _ plan: ViewsPlan, viewLanes: ViewLanes, rate: TickRate, curves: CurveBank,
    records: RecordedEvents
  ) {
    self.plan = plan
    self.viewLanes = viewLanes
    self.rate = rate
    recordsEvents = records == .all
    recordsCompletions = records != .none
    segments = LaneSegments(rate: rate, curves: curves)
    channels = ViewChannels(fields: viewLanes.fields, hasTransitions: viewLanes.hasTransitions)
    // Without reactions, nothing is read for a completion.
    var reactions = [[Int]](
      repeating: [], count: plan.reactions.isEmpty ? 0 : plan.completions.count)
    for (index, reaction) in plan.reactions.enumerated()
    where reactions.indices.contains(reaction.completion) {
      reactions[reaction.completion].append(index)
    }
    self.reactions = reactions
    let memory = TransactionMemory(plan, channels: channels)
    self.memory = memory
    commands = PreparedCommand.all(of: plan, memory)
    runCounts = FixedArray(repeating: 0, count: commands.count)
    series = CommandSeries.all(commands, countMin: Self.burstMin)
    reactionTransactions = FixedArray(plan.reactions.map { memory.prepare($0.transaction) })
    transitions = TransitionAnimationTable(plan.views, memory)
    state = DirectorState(plan, channels: channels)
    bursts = BurstParts(plan, count: 1) { count, body in (0..<count).forEach(body) }
    log = EventLog(countMax: 1 << 20 + 8 * plan.views.count)
    for animation in Self.animations(of: plan) { segments.makeCurves(of: animation) }
    begin()
  }

  /// Handles all events that are due at a tick.
  ///
  /// - Parameter tick: Ticks since the scene began.
  /// - Complexity: O(events) since the last handled tick, or since 0 if that was a later one. Each run
  ///   of a repeated command is an event: a tick ten years ahead handles ten years of them.
  package func handleEvents(through tick: UInt64) {
    if tick == handledTick, appliedCount == applied.count { return }
    if handledTick.map({ tick < $0 }) ?? false { startOver() }
    viewLanes.tick = tick
    recordedSeconds = recordedTick.map { rate.seconds(tick: $0) } ?? -1
    let seconds = rate.seconds(tick: tick)
    while appliedCount < applied.count, applied[appliedCount].seconds <= seconds {
      let next = applied[appliedCount]
      handleQueue(through: next.seconds)
      run(next.transaction, at: next.seconds)
      appliedCount += 1
    }
    handleQueue(through: seconds)
    handledTick = tick
    recordedTick = max(recordedTick ?? 0, tick)
  }

  /// Adds a transaction from outside, such as a user's tap; it runs again when its time is handled again.
  ///
  /// At its time it runs after all events of the plan. Events of ticks that were handled before are not
  /// recorded again.
  ///
  /// - Parameters:
  ///   - transaction: The changes. Indexes of completions beyond the plan's are the caller's own: they
  ///     are recorded, and have no reactions.
  ///   - seconds: When, from 0 to the time of tick 2^62; if it was handled before, the ticks from there on are
  ///     handled again.
  /// - Returns: False if it names something that does not exist, or would change a field that no column
  ///   shows; then nothing is changed.
  package func apply(_ transaction: TransactionPlan, atSeconds seconds: Double) -> Bool {
    guard (0...rate.seconds(tick: 1 << 62)).contains(seconds),
      transaction.actions.allSatisfy(memory.isPossible),
      transaction.completion.map({ $0 >= 0 }) ?? true
    else { return false }
    // Times from 0 on are in the order of their bits.
    let index = applied.firstIndex(notBefore: seconds.bitPattern + 1) { $0.seconds.bitPattern }
    applied.insert((seconds, memory.prepare(transaction)), at: index)
    if index < appliedCount || handledTick.map({ seconds < rate.seconds(tick: $0) }) ?? false {
      startOver()
    }
    return true
  }

  /// Takes the events since the last call, by time; each event once, however often ticks are handled.
  ///
  /// If too many events are not taken, the oldest are lost. Legs shorter than a tenth of a millisecond
  /// are not recorded.
  package func takeEvents() -> [DirectorEvent] { log.takeAll() }

  /// Takes the same events as `takeEvents`, without a copy.
  func takeEventChunks() -> EventChunks? { log.takeChunks() }

  /// Records events from a tick on once more when their ticks are handled again.
  func replayEvents(from tick: UInt64) {
    guard let last = recordedTick, tick <= last else { return }
    recordedTick = tick == 0 ? nil : tick - 1
  }

  /// What happened to the views up to the tick that was handled last.
  package var counts: DirectorCounts {
    var counts = state.counts
    counts.retargets = state.changeCount - counts.begins
    return counts
  }

  /// Number of events that wait in the queue.
  var waitingEventCount: Int { state.queue.count }

  /// Number of events that were lost because they were not taken in time.
  package var lostEventCount: UInt64 { log.lostCount }

  /// Records an event, unless it was recorded before.
  func record(_ time: Double, _ kind: DirectorEvent.Kind) {
    if recordsEvents { recordAlways(time, kind) }
  }

  /// Records the completion of a transaction, unless it was recorded before.
  func record(_ time: Double, completed completion: Int) {
    if recordsCompletions { recordAlways(time, .completed(completion)) }
  }

  private func recordAlways(_ time: Double, _ kind: DirectorEvent.Kind) {
    if time > recordedSeconds { log.append(DirectorEvent(time: time, kind)) }
  }

  /// The different animations of a plan.
  private static func animations(of plan: ViewsPlan) -> Set<Animation> {
    let transactions = plan.commands.map(\.transaction) + plan.reactions.map(\.transaction)
    let transitions = plan.views.compactMap(\.transition)
    return Set(
      transactions.compactMap(\.animation) + transitions.compactMap(\.insertionAnimation)
        + transitions.compactMap(\.removalAnimation))
  }

  private func startOver() {
    state = DirectorState(plan, channels: channels)
    viewLanes.reset()
    droppedReactionCount = 0
    (handledTick, appliedCount) = (nil, 0)
    begin()
  }

  /// Sets the views to time 0, and schedules the commands.
  private func begin() {
    for (index, accordion) in plan.accordions.enumerated() {
      for (row, panel) in accordion.panels.enumerated() where plan.views.indices.contains(panel) {
        let isOpen = state.openRows[index] == row
        state.views[panel] = .resting(isShown: isOpen)
        if let channelIndex = channels[.away] {
          state.models[channelIndex * plan.views.count + panel] = isOpen ? 0 : 1
        }
      }
      for (view, y) in rowPositions(index) { jump(view, .y, to: y) }
    }
    for view in state.views.indices where !state.views[view].isAlive {
      viewLanes.setHidden(view, true)
      viewLanes.setBase(.away, view, 1)
    }
    reserveMemory()
    for index in commands.indices {
      runCounts[index] = 0
      schedule(commands[index].time(afterRuns: 0), index, commands[index].number)
    }
    beginTracks()
  }

  /// Makes the memory that series of commands will use: a first burst would make it all in its tick.
  private func reserveMemory() {
    for series in series {
      let transaction = commands[series.first].transaction
      if recordsCompletions, recordedTick == nil, transaction.completion != nil {
        log.reserve(series.end - series.first)
      }
      guard let animation = transaction.animation, let action = transaction.actions.first else {
        continue
      }
      let view: Int
      var channel = ViewChannel.away
      switch action {
      case .set(let set, let property, _): (view, channel) = (set, ViewChannel(property))
      case .show(let shown), .hide(let shown), .toggle(let shown): view = shown
      case .tap, .destroy: continue
      }
      let last = view + (series.end - series.first - 1) * series.viewStep
      let isSpring = animation.pointee.takingSpring != nil
      for block in view / Blocks.entityCount...last / Blocks.entityCount {
        viewLanes.reserve(channel, block, tweens: isSpring ? 0 : 1, springs: isSpring ? 1 : 0)
      }
    }
  }
}
