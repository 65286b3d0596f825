// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Plays what will happen to some views: commands, completions and what follows from them.
///
/// Everything happens at an exact time and in the order of times. At one time, reactions without delay
/// come first, then what animations come to, by the number of the change that began them, then commands
/// in the order of the plan, then reactions with a delay, in the order in which they came about.
///
/// Between two such events nothing changes but what the lanes of the stage compute from the tick by
/// themselves. So the state after all events up to a tick's time is a function of the plan, of what was
/// applied, and of the tick; a tick before the last one is reached by starting anew.
///
/// One thread at a time uses it. A tick without events allocates nothing.
package final class Director: @unchecked Sendable {
  /// Reactions that were dropped because too many came within one millisecond.
  package internal(set) var droppedReactionCount: UInt64 = 0

  let plan: ViewsPlan
  let rate: TickRate
  let stage: ViewLanes
  let channels: ViewChannels
  let pieces: LaneSegments
  let plays = SharedAnimations()

  /// Whether all events are recorded for `takeEvents`.
  let recordsEvents: Bool

  /// Whether completions of transactions are recorded, if nothing else is.
  let recordsCompletions: Bool

  /// Reactions to each completion, as indexes into the plan.
  let reactions: [[Int]]

  /// Not checked for overlapping accesses, which would cost as much again as playing an event: there are
  /// none, since nothing is called while a part of it is being changed.
  @exclusivity(unchecked) var state: DirectorState
  @exclusivity(unchecked) var log: EventLog

  /// The time up to which events were recorded before the tick that is being played.
  var recordedSeconds = -1.0

  /// Transactions from outside, by tick; those of one tick in the order in which they came.
  private var applied: [(tick: UInt64, transaction: TransactionPlan)] = []

  /// Transactions of `applied` that were played.
  private var appliedCount = 0

  /// The tick that was played last, and the latest of all; nil before the first.
  private var playedTick: UInt64?
  private var lastTick: UInt64?

  /// Prepares to play.
  ///
  /// - Parameters:
  ///   - plan: Checked; what it names and does not have is passed over.
  ///   - stage: What is set.
  ///   - rate: Ticks per second.
  ///   - curves: Where the stage's curves come from.
  ///   - records: What somebody is going to take with `takeEvents`.
  init(
    _ plan: ViewsPlan, stage: ViewLanes, rate: TickRate, curves: CurveBank, records: RecordedEvents
  ) {
    self.plan = plan
    self.stage = stage
    self.rate = rate
    recordsEvents = records == .all
    recordsCompletions = records != .none
    pieces = LaneSegments(rate: rate, curves: curves)
    channels = ViewChannels(fields: stage.fields, hasTransitions: stage.hasTransitions)
    var reactions = [[Int]](repeating: [], count: plan.completions.count)
    for (index, reaction) in plan.reactions.enumerated()
    where reactions.indices.contains(reaction.completion) {
      reactions[reaction.completion].append(index)
    }
    self.reactions = reactions
    state = DirectorState(plan, channels: channels)
    log = EventLog(countMax: 1 << 20 + 8 * plan.views.count)
    for animation in Self.animations(of: plan) { pieces.prepare(animation) }
    begin()
  }

  /// Plays everything that is due at a tick.
  ///
  /// - Parameter tick: Ticks since the scene began.
  /// - Complexity: O(events) since the tick before it, or since 0 if a later one was played before.
  ///   Repeated commands are events each time: a tick ten years ahead plays ten years of them.
  package func play(to tick: UInt64) {
    if tick == playedTick, appliedCount == applied.count { return }
    if playedTick.map({ tick < $0 }) ?? false { startAnew() }
    stage.tick = tick
    recordedSeconds = lastTick.map { rate.seconds(tick: $0) } ?? -1
    while appliedCount < applied.count, applied[appliedCount].tick <= tick {
      let next = applied[appliedCount]
      let seconds = rate.seconds(tick: next.tick)
      playQueue(to: seconds)
      run(next.transaction, at: seconds)
      appliedCount += 1
    }
    playQueue(to: rate.seconds(tick: tick))
    playedTick = tick
    lastTick = max(lastTick ?? 0, tick)
  }

  /// Adds a transaction from outside, such as a user's tap; ticks played anew play it again.
  ///
  /// At its tick it comes after everything that the plan has there. Events up to a tick that was played
  /// before are not recorded once more.
  ///
  /// - Parameters:
  ///   - transaction: What to change. Indexes of completions beyond the plan's are the caller's own: they are
  ///     told, and nothing follows from them.
  ///   - tick: When; if it was played before, what follows is played anew.
  /// - Returns: False if it names what is not there, or would change a field that no column shows;
  ///   nothing is changed then.
  package func apply(_ transaction: TransactionPlan, at tick: UInt64) -> Bool {
    guard tick <= 1 << 62, transaction.actions.allSatisfy(isPossible),
      transaction.completion.map({ $0 >= 0 }) ?? true
    else { return false }
    let index = applied.firstIndex { $0.tick > tick } ?? applied.count
    applied.insert((tick, transaction), at: index)
    if index < appliedCount || playedTick.map({ tick < $0 }) ?? false { startAnew() }
    return true
  }

  /// What happened since the last call, by time; each event once, however often ticks are played.
  ///
  /// Of too many events that nobody takes the oldest are lost. Legs shorter than a tenth of a
  /// millisecond are not told.
  package func takeEvents() -> [DirectorEvent] { log.takeAll() }

  /// Takes what `takeEvents` would, without copying it.
  func takeEventChunks() -> EventChunks? { log.takeChunks() }

  /// Tells what happens from a tick on once more when it is played again: it will be looked at again too.
  func replayEvents(from tick: UInt64) {
    guard let last = lastTick, tick <= last else { return }
    lastTick = tick == 0 ? nil : tick - 1
  }

  /// Events that were lost because nobody took them.
  package var lostEventCount: UInt64 { log.lostCount }

  /// Notes an event, unless it was noted before.
  func record(_ time: Double, _ kind: DirectorEvent.Kind) {
    if recordsEvents { recordAlways(time, kind) }
  }

  /// Notes the end of a transaction.
  func record(_ time: Double, completed completion: Int) {
    if recordsCompletions { recordAlways(time, .completed(completion)) }
  }

  private func recordAlways(_ time: Double, _ kind: DirectorEvent.Kind) {
    if time > recordedSeconds { log.append(DirectorEvent(time: time, kind)) }
  }

  /// Every animation that a plan names, once.
  private static func animations(of plan: ViewsPlan) -> Set<Animation> {
    let transactions = plan.commands.map(\.transaction) + plan.reactions.map(\.transaction)
    let transitions = plan.views.compactMap(\.transition)
    return Set(
      transactions.compactMap(\.animation) + transitions.compactMap(\.insertionAnimation)
        + transitions.compactMap(\.removalAnimation))
  }

  private func startAnew() {
    state = DirectorState(plan, channels: channels)
    stage.reset()
    droppedReactionCount = 0
    (playedTick, appliedCount) = (nil, 0)
    begin()
  }

  /// Sets the stage for time 0.
  private func begin() {
    for (index, accordion) in plan.accordions.enumerated() {
      for (row, panel) in accordion.panels.enumerated() where plan.views.indices.contains(panel) {
        let isOpen = state.openRows[index] == row
        state.views[panel] = DirectorState.ViewState(isShown: isOpen, isAlive: isOpen)
        if let position = channels[.away] {
          state.models[position * plan.views.count + panel] = isOpen ? 0 : 1
        }
      }
      for (view, y) in rowPlaces(index) { jump(view, .y, to: y) }
    }
    for (view, state) in state.views.enumerated() where !state.isAlive {
      stage.setHidden(view, true)
      stage.setBase(.away, view, 1)
    }
    for (index, command) in plan.commands.enumerated() {
      schedule(command, index)
    }
  }
}
