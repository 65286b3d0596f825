// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Changes and ends that come together: by blocks of views, and on several threads.
///
/// What begins at one time is mostly alike: channels at rest that the same curve moves. A *part* of a burst is its
/// members in one block, one after the other.
///
///     examine    finds the members that are alike, and changes nothing     any thread
///     number     gives out changes, episodes and groups in their order     one thread
///     make       changes views, lanes and episodes of its own block        any thread
///     finish     queues ends, and leaves groups, in their order            one thread
///
/// A part whose changes differ only in their view makes a cohort, in place of an episode for each.
///
/// So the state after it is that of one member after the other. A member that is not alike ends the burst, and is
/// handled by itself.
extension Director {
  /// Members that come one after the other, at one time.
  enum Burst {
    /// Commands of the plan, from an index on.
    case commands(Int)
    /// Actions of one transaction, from an index on.
    case actions(UnsafeBufferPointer<ActionPlan>, Int)
    /// Ends of the motions of changes that are equally far apart, whose episodes go up or down by one.
    case ends(EpisodePool.Index, step: Int32, change: UInt64, changeStep: UInt64)

    func dropping(_ count: Int) -> Burst {
      switch self {
      case .commands(let first): .commands(first + count)
      case .actions(let actions, let first): .actions(actions, first + count)
      case .ends(let episode, let step, let change, let changeStep):
        .ends(
          episode + Int32(count) * step, step: step, change: change + UInt64(count) * changeStep,
          changeStep: changeStep)
      }
    }
  }

  /// Fewer members are handled one by one, and as many after one that is not alike.
  static let burstMin = 64

  /// Parts that are examined at the same time, for each thread.
  static let partsPerThread = 8

  /// Handles members of a burst as long as they are alike.
  ///
  /// - Parameters:
  ///   - burst: The members.
  ///   - count: How many there are.
  ///   - context: Of the changes; of commands and ends, only the time counts.
  /// - Returns: How many it has handled, from the first; and when those commands run next.
  func handleTogether(
    _ burst: Burst, count: Int, _ context: Context
  ) -> (handled: Int, next: Double?) {
    guard count >= Self.burstMin, let common = common(burst, context) else { return (0, nil) }
    var (handled, isDense) = (0, false)
    while count - handled >= Self.burstMin {
      let rest = burst.dropping(handled)
      let partCount = cut(view(rest), count: count - handled, isDense: isDense)
      share(partCount) { examine(&bursts.parts[$0], rest, common) }
      var (alike, done) = (0, 0)
      while alike < partCount, bursts.parts[alike].count > 0 {
        let part = bursts.parts[alike]
        if alike > 0, part.block <= bursts.parts[alike - 1].block { break }
        number(&bursts.parts[alike], rest, common)
        (alike, done) = (alike + 1, done + part.count)
        if part.count < part.countMax { break }
      }
      guard alike > 0 else { break }
      share(alike) { make(bursts.parts[$0], rest, common) }
      for index in 0..<alike { finish(bursts.parts[index], common) }
      handled += done
      isDense = bursts.parts[alike - 1].count == bursts.parts[alike - 1].countMax
    }
    return (handled, common.next)
  }

  /// Lets several threads examine and make the parts of a burst.
  ///
  /// - Parameters:
  ///   - threadCount: How many.
  ///   - share: Does numbered pieces of work, each once, and returns when all are done.
  func shareBursts(
    threadCount: Int, _ share: @escaping (_ count: Int, _ body: (Int) -> Void) -> Void
  ) {
    bursts = BurstParts(plan, count: Self.partsPerThread * threadCount, share: share)
  }

  private func share(_ count: Int, _ body: (Int) -> Void) {
    if count > 1 { bursts.share(count, body) } else if count == 1 { body(0) }
  }

  /// What the members have in common with the first one; nil if that is handled by itself.
  private func common(_ burst: Burst, _ context: Context) -> BurstCommon? {
    var common = BurstCommon(context: context)
    switch burst {
    case .ends:
      return endsTogether ? common : nil
    case .commands(let first):
      common.shared = commands[first].transaction.animation
      common.next = timeAfterNext(first)
      common.runCount = runCounts[first]
      common.series = CommandSeries.containing(first, in: series)
      // A run that is due at once comes before the others.
      if let next = common.next, next <= context.time { return nil }
    case .actions: common.shared = context.animation
    }
    guard let shared = common.shared, state.tracks.isEmpty else { return nil }
    shared.pointee.setStart(context.time, segments, recordsEvents: recordsEvents)
    let isSimple =
      shared.pointee.isTween && shared.pointee.end > context.time && shared.pointee.end < .infinity
      && shared.pointee.options.contains(.completesAtEnd)
    return isSimple ? common : nil
  }

  /// Divides the first members of a burst into parts.
  ///
  /// Several, if they seem to fill their blocks.
  ///
  /// - Parameters:
  ///   - view: The first member's.
  ///   - count: Of the members.
  ///   - isDense: Whether those before filled their blocks.
  /// - Returns: The number of parts.
  private func cut(_ view: Int, count: Int, isDense: Bool) -> Int {
    var (start, partCount) = (0, 0)
    repeat {
      let room = Blocks.entityCount - (partCount == 0 ? view % Blocks.entityCount : 0)
      let countMax = min(room, count - start)
      (bursts.parts[partCount].first, bursts.parts[partCount].countMax) = (start, countMax)
      (start, partCount) = (start + countMax, partCount + 1)
    } while isDense && partCount < bursts.parts.count && start < count
    return partCount
  }

  /// The view of a burst's first member; 0 if it is not alike others.
  private func view(_ burst: Burst) -> Int {
    switch burst {
    case .ends(let episode, _, _, _): state.episodes[episode].pointee.viewIndex
    case .actions(let actions, let first): target(actions[first])?.view ?? 0
    case .commands(let first):
      commands[first].transaction.actions.first.flatMap { target($0) }?.view ?? 0
    }
  }

  private func examine(_ part: inout BurstPart, _ burst: Burst, _ common: BurstCommon) {
    (part.count, part.isCohort) = (0, false)
    switch burst {
    case .ends(let episode, let step, let change, let changeStep):
      examine(&part, episode, step, change: change, changeStep: changeStep)
    case .actions(let actions, let first):
      var index = first + part.first
      while part.count < part.countMax, append(target(actions[index]), to: &part) { index += 1 }
      part.isCohort = part.isGapless && makesCohort(part, common)
    case .commands(let first):
      let first = first + part.first
      if let series = common.series, first + part.countMax <= series.end {
        if examineAll(&part, first, series, common) { return }
        examine(&part, first, series, common)
        part.isCohort = part.isGapless && makesCohort(part, common)
        return
      }
      for index in first..<first + part.countMax {
        let transaction = commands.elements[index].transaction
        guard transaction.actions.count == 1, transaction.animation == common.shared,
          timeAfterNext(index) == common.next, append(target(transaction.actions[0]), to: &part)
        else { return }
      }
    }
  }

  /// Whether all members of a part are in the very same state, and in successive lanes, so that they make a cohort.
  ///
  /// The first one is examined as any other, and the memory of the others compared with its own, many at once.
  private func examineAll(
    _ part: inout BurstPart, _ first: Int, _ series: CommandSeries, _ common: BurstCommon
  ) -> Bool {
    let (count, action) = (part.countMax, commands.elements[series.first].transaction.actions[0])
    guard series.viewStep == 1, runCounts[first] == common.runCount,
      append(target(action, places: first - series.first), to: &part),
      let channelIndex = channels[part.channel]
    else { return false }
    let (lane, block, channel) = (Int(part.lanes[0].lane), part.block, part.channel)
    let view = block * Blocks.entityCount + lane
    let key = channelIndex * plan.views.count + view
    part.count = count
    part.isCohort =
      lane + count <= Blocks.entityCount && makesCohort(part, common)
      && areEqual(runCounts.elements + first, count: count) { $0 }
      && areEqual(state.models.elements + key, count: count) { $0.bitPattern }
      && areEqual(state.episodeIndexes.elements + key, count: count) { $0 }
      && areEqual(state.views.elements + view, count: count) { $0.rawValue }
      && viewLanes.hasFirstLayer(channel, block, free: lane..<lane + count)
      && (channel != .away
        || transitions.areEqual(view, count: count)
          && !viewLanes.areInTransition(view..<view + count))
    if !part.isCohort { part.count = 0 }
    return part.isCohort
  }

  /// Finds the first members of a series that are alike: they are if each has run as often as the first.
  private func examine(
    _ part: inout BurstPart, _ first: Int, _ series: CommandSeries, _ common: BurstCommon
  ) {
    let action = commands.elements[series.first].transaction.actions[0]
    while part.count < part.countMax {
      let index = first + part.count
      guard runCounts[index] == common.runCount,
        append(target(action, places: (index - series.first) * series.viewStep), to: &part)
      else { return }
    }
  }
}

// MARK: - Changes

extension Director {
  /// What an action that is alike others changes.
  private struct Target {
    let view: Int
    let channel: ViewChannel
    let value: Double
    var isShown = true
  }

  /// What an action changes if it is alike others, done to a view some places after its own.
  @inline(__always)
  private func target(_ action: ActionPlan, places: Int = 0) -> Target? {
    switch action {
    case .set(let view, let property, let value):
      Target(view: view + places, channel: ViewChannel(property), value: value)
    case .show(let view): shownTarget(view + places, true)
    case .hide(let view): shownTarget(view + places, false)
    case .toggle(let view): shownTarget(view + places, !state.views[view + places].isShown)
    case .tap, .destroy: nil
    }
  }

  @inline(__always)
  private func shownTarget(_ view: Int, _ isShown: Bool) -> Target? {
    // Only one that takes the transaction's animation, and begins at identity or gone.
    guard state.views[view].isShown != isShown, !viewLanes.isInTransition(view),
      let transition = transitions[view],
      case .none = isShown ? transition.insertion : transition.removal
    else { return nil }
    return Target(view: view, channel: .away, value: isShown ? 0 : 1, isShown: isShown)
  }

  /// Adds a change to a part, if it is alike.
  ///
  /// - Returns: Whether it is: of the part's channel and block, behind the part's other lanes, and at rest.
  @inline(__always)
  private func append(_ target: Target?, to part: inout BurstPart) -> Bool {
    guard let target, let channelIndex = channels[target.channel] else { return false }
    let (block, lane) = (target.view / Blocks.entityCount, target.view % Blocks.entityCount)
    let key = channelIndex * plan.views.count + target.view
    let from = state.models[key]
    if part.count == 0 {
      (part.block, part.channel, part.from, part.to) = (block, target.channel, from, target.value)
      (part.hasOneStart, part.hasOneGoal) = (true, true)
    }
    let interval = target.value - from
    guard block == part.block, target.channel == part.channel,
      part.count == 0 || part.lastLane < lane,
      !state.views[target.view].isDestroyed, target.value != from, interval != 0,
      state.episodeIndexes[key] == EpisodePool.none,
      viewLanes.hasFirstLayer(target.channel, block, free: lane)
    else { return false }
    part.hasOneStart = part.hasOneStart && from == part.from
    part.hasOneGoal = part.hasOneGoal && target.value == part.to
    part.append(
      LaneChange(lane: lane, base: target.value, interval: interval),
      BurstMember(isShown: target.isShown))
    return true
  }

  private func number(_ part: inout BurstPart, _ burst: Burst, _ common: BurstCommon) {
    viewLanes.touch(part.block * Blocks.entityCount)
    if case .ends = burst { return }
    part.change = state.changeCount + 1
    state.changeCount += UInt64(part.count)
    state.counts.begins += UInt64(part.count)
    if part.isCohort {
      part.cohort = state.cohorts.reserve()
      if case .actions = burst { enter(common.context.group, count: part.count) }
      return
    }
    let members = part.members
    for index in 0..<part.count { members[index].episode = state.episodes.reserve() }
    switch burst {
    case .ends: break
    case .commands(let first):
      for index in 0..<part.count
      where commands[first + part.first + index].transaction.completion != nil {
        members[index].group = state.groups.reserve()
      }
    case .actions:
      let group = common.context.group
      enter(group, count: part.count)
      for index in 0..<part.count { members[index].group = group }
    }
  }

  private func enter(_ group: CompletionGroups.Index, count: Int) {
    guard group != CompletionGroups.none else { return }
    for _ in 0..<count { state.groups.enter(group) }
  }

  private func make(_ part: BurstPart, _ burst: Burst, _ common: BurstCommon) {
    guard let shared = common.shared else {
      makeEnds(part)
      return
    }
    guard let channelIndex = channels[part.channel] else { return }
    if case .commands(let first) = burst {
      let first = first + part.first
      for index in first..<first + part.count { (runCounts.elements + index).pointee += 1 }
      if !part.isCohort { makeGroups(part, commands.elements + first) }
    }
    if part.isCohort {
      makeCohort(part, burst, shared, common)
      return
    }
    viewLanes.begin(part.channel, part.block, shared.pointee.tween, part.lanes, count: part.count)
    let firstView = part.block * Blocks.entityCount
    let firstKey = channelIndex * plan.views.count + firstView
    for index in 0..<part.count {
      let (lane, member) = (part.lanes[index], part.members[index])
      let (view, key) = (firstView + Int(lane.lane), firstKey + Int(lane.lane))
      if part.channel == .away {
        state.views[view] = .moving(isShown: member.isShown)
        viewLanes.setHidden(view, false)
        viewLanes.setTransition(view, member.isShown ? .insertion : .removal)
      }
      var options = shared.pointee.options
      if member.group != CompletionGroups.none, state.groups.isRemoval(member.group) {
        options.insert(.awaitsRemoval)
      }
      state.episodes[member.episode].initialize(
        to: Episode(
          change: part.change + UInt64(index), start: common.context.time, from: state.models[key],
          view: UInt32(view), group: member.group, animation: shared.pointee.index,
          handle: lane.handle, channel: part.channel, options: options))
      state.models[key] = lane.base
      state.episodeIndexes[key] = member.episode
    }
  }

  /// Makes the groups of a part's commands; each waits for its only change.
  private func makeGroups(_ part: BurstPart, _ commands: UnsafePointer<PreparedCommand>) {
    for index in 0..<part.count {
      guard let completion = commands[index].transaction.completion else { continue }
      state.groups.make(
        part.members[index].group, completion,
        isRemoval: commands[index].transaction.isRemoval)
    }
  }

  private func finish(_ part: BurstPart, _ common: BurstCommon) {
    guard let shared = common.shared else {
      finishEnds(part, at: common.context.time)
      return
    }
    if part.isCohort {
      state.queue.push(
        Cue(cohort: part.cohort), at: shared.pointee.end,
        number: CueNumber.motion(.end, of: part.change))
      removeStaleEventsIfMany()
      return
    }
    scheduleEnds(of: part.count, change: part.change, at: shared.pointee.end) {
      part.members[$0].episode
    }
  }

  /// Schedules the ends of successive changes; those of successive episodes make runs.
  func scheduleEnds(
    of count: Int, change: UInt64, at time: Double, _ episode: (Int) -> EpisodePool.Index
  ) {
    var first = 0
    while first < count {
      var end = first + 1
      let step = end < count ? episode(end) - episode(first) : 0
      while abs(step) == 1, end < count, episode(end) == episode(end - 1) + step { end += 1 }
      state.queue.push(
        Cue(index: UInt32(bitPattern: episode(first))),
        runCount: end - first, goesDown: step < 0, at: time,
        number: CueNumber.motion(.end, of: change + UInt64(first)))
      first = end
    }
    removeStaleEventsIfMany()
  }
}

// MARK: - Ends

extension Director {
  /// Finds the first ends that leave nothing else to do.
  private func examine(
    _ part: inout BurstPart, _ first: EpisodePool.Index, _ step: Int32, change: UInt64,
    changeStep: UInt64
  ) {
    for index in part.first..<part.first + part.countMax {
      let episodeIndex = first + Int32(index) * step
      let episode = state.episodes[episodeIndex]
      let (view, channel) = (episode.pointee.viewIndex, episode.pointee.channel)
      if part.count == 0 { (part.block, part.channel) = (view / Blocks.entityCount, channel) }
      guard episode.pointee.change == change + UInt64(index) * changeStep, endsPlainly(episode),
        !episode.pointee.hasHistory, !episode.pointee.isChained,
        !episode.pointee.options.contains(.isOver),
        channel == part.channel, view / Blocks.entityCount == part.block,
        let handle = episode.pointee.handle, handle.tweenLayer == 0
      else { return }
      part.append(
        LaneChange(handle),
        BurstMember(
          episode: episodeIndex, group: episode.pointee.group,
          isShown: channel == .away && state.views[view].isShown))
    }
  }

  private func makeEnds(_ part: BurstPart) {
    guard let channelIndex = channels[part.channel] else { return }
    let firstView = part.block * Blocks.entityCount
    let firstKey = channelIndex * plan.views.count + firstView
    for index in 0..<part.count {
      let lane = part.lanes[index]
      state.episodeIndexes[firstKey + Int(lane.lane)] = EpisodePool.none
      state.episodes[part.members[index].episode].pointee.change = 0
      viewLanes.end(part.channel, firstView + Int(lane.lane), lane.handle)
      if part.channel == .away { finishTransition(firstView + Int(lane.lane)) }
    }
  }

  private func finishEnds(_ part: BurstPart, at time: Double) {
    state.counts.ends += UInt64(part.count)
    for index in 0..<part.count {
      state.episodes.release(part.members[index].episode)
      leave(part.members[index].group, at: time)
    }
  }
}
