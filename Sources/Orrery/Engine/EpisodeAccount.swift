// SPDX-License-Identifier: Apache-2.0

// One transition, from its command to its removal
//
// A command hides a view in 0.35 s, and names a completion. At 0.35 s the completion comes, once, and the
// view is gone. Two parts of Orrery play such a command:
//
// - The library's `AnimationEngine`: properties of any type, which a program sets. Its completions are
//   closures.
// - The sim's `Director`: a scene's views, up to millions of them. Its completions are indexes into the
//   plan, and it has no object and no closure for each episode.
//
// They store things differently and decide nothing twice:
//
//     step            decided by                library                       sim
//     1 command       `CompletionCount`         `CompletionGroup`             `CompletionGroups`
//     2 change        `AnimationTrack`          `AnimatedProperty`            `Director+Motions`
//     3 episode       `EpisodeAccount`          `AnimationEpisode`            `Episode`, `EpisodeHistory`
//     4 queue         `EventQueue`              `AnimationEngine`             `Director+Queue`
//     5 leg           `AnimationMotion`         `AnimatedChange`              `RunningMotion`
//     6 completion    `EpisodeAccount`          `AnimationEngine`             `Director+Histories`
//     7 removal       `EpisodeAccount`          `AnimationEngine`             `Director+Histories`
//     8 release       `CompletionCount`         `CompletionGroup`             `Director+Queue`
//
// 1. Command. A transaction has one animation for all of its changes. If it has a completion, it begins a
//    group, and the transaction's body enters the group as its first member.
//
// 2. Change. A change gives one property a new value at one instant. The track decides what the change does
//    to the motions that run:
//
//        the new change …            the earlier motion   its legs    its completion   its groups
//        is at the same instant      is replaced          none        none             wait for the new one
//        is later, and takes over    is merged            no more     at its own time  as before
//        is later, and adds to it    goes on              go on       at its own time  as before
//        takes no time               is over              no more     at once          are released
//        is not animated             is cancelled         no more     no more          are released
//
//    So changes of one instant are one change, and a later change is no completion of an earlier one. A
//    motion that has taken over others is not replaced, because it continues them. A change that leads
//    back to where its instant began moves nothing, and one that takes no time is over at once: then no
//    change takes the groups of the replaced ones, and they are released. A change that takes no time has
//    no events.
//
//    A motion that never ends by itself has no time of its own: it ends, and is complete, when the change
//    ends that was made after it (`AnimationMotion+Stopping`). That is known when that change begins, so
//    its events are queued anew then.
//
// 3. Episode. The first animated change of a property at rest begins an episode, and the episode lasts until
//    the last motion has ended. Each animated change enters its transaction's group, and the episode's
//    account says which groups wait for which change. Most episodes have one change: the sim keeps the
//    account of one change in two bits and a group of `Episode`, and writes it into an `EpisodeAccount`
//    when a second change comes.
//
// 4. Queue. When a motion begins, the times of its events are known: the ends of its legs, its logical end
//    and its end. (The ends of a program's own `CustomAnimation` are not: the library polls them.) The queue
//    returns events by time, at the same time by the number of the change, and for one change in this order.
//    An event that has lost its meaning is not removed from the queue: the number of its change is not
//    found any more, and it has no effect.
//
// 5. Leg. The end of a leg is recorded as long as the motion is the property's own: neither merged nor
//    replaced.
//
// 6. Completion. At its logical end a change is complete: that is recorded, and the groups that wait for its
//    completion lose a member. A spring may settle for a while.
//
// 7. Removal. The end of the last motion ends the episode as finished. Changes that are not complete yet are
//    complete now; then the removal is recorded, and all groups that are left lose a member. A jump and the
//    view's destruction end the episode as cancelled: the same, but without completions of changes.
//
// 8. Release. The member that leaves last releases its group. The library calls the closure; the sim records
//    the completion, and queues the reactions to it.
//
// What holds between two events (`checkInvariants` here, and the rest in `Director+Invariants`):
//
// - A group counts as many members as bodies run and changes wait for it; it is released once.
// - A group that waits for a completion waits for a change that is not complete.
// - Changes and groups are in the order in which the changes were made.
// - A property has an episode exactly as long as a motion of it is not over.
//
// Seconds and ticks. Events have exact times, in seconds: an end at 0.35 s is at 0.35 s, whatever the frame
// rate, and a reaction to it begins there. So neither side rounds the time of an event to a tick. Values are
// shown at frames. The library computes them when they are read, at any time. The sim computes them at ticks:
// it plays all events up to the tick's time, then evaluates the lanes. A lane counts from `TickTime`, a whole
// tick and a fraction, so that its floats are as exact after ten years as at first.

/// The due part of an episode: completions of its changes, and the groups that wait for them.
@usableFromInline package struct EpisodeAccount<Group> {
  /// A group that waits for a change.
  @usableFromInline package struct Wait {
    /// Number of the change.
    @usableFromInline package internal(set) var change: UInt64

    /// The group.
    @usableFromInline package let group: Group

    /// Whether it waits for the removal, and not for the completion.
    @usableFromInline package let awaitsRemoval: Bool

    @inlinable init(change: UInt64, group: Group, awaitsRemoval: Bool) {
      self.change = change
      self.group = group
      self.awaitsRemoval = awaitsRemoval
    }
  }

  /// Changes whose completion is still due, in the order of their numbers.
  @usableFromInline package internal(set) var incomplete: [UInt64] = []

  /// Groups that wait, in the order of their changes.
  @usableFromInline package internal(set) var waits: [Wait] = []

  /// Nothing is due.
  @inlinable package init() {}

  /// Expects the completion of a change.
  @inlinable package mutating func expect(_ change: UInt64) {
    incomplete.append(change)
  }

  /// Makes a group wait for a change; the caller has entered it into the group.
  @inlinable package mutating func wait(_ group: Group, for change: UInt64, awaitsRemoval: Bool) {
    waits.append(Wait(change: change, group: group, awaitsRemoval: awaitsRemoval))
  }

  /// Replaces a change by another one of the same instant: its completion is no longer due, and its groups
  /// wait for the other change.
  @inlinable package mutating func replace(_ earlier: UInt64, by change: UInt64) {
    _ = complete(earlier)
    var index = waits.firstIndex(notBefore: earlier) { $0.change }
    while index < waits.count, waits[index].change == earlier {
      waits[index].change = change
      index += 1
    }
  }

  /// Whether a group waits for the completion of a change.
  @inlinable package func isAwaited(_ change: UInt64) -> Bool {
    var index = waits.firstIndex(notBefore: change) { $0.change }
    while index < waits.count, waits[index].change == change {
      if !waits[index].awaitsRemoval { return true }
      index += 1
    }
    return false
  }

  /// Whether the completion of a change is due.
  @inlinable package func isIncomplete(_ change: UInt64) -> Bool {
    let index = incomplete.firstIndex(notBefore: change) { $0 }
    return index < incomplete.count && incomplete[index] == change
  }

  /// Marks a change as complete.
  ///
  /// - Returns: False if its completion is not due: it came before, or the change was replaced.
  @inlinable package mutating func complete(_ change: UInt64) -> Bool {
    guard isIncomplete(change) else { return false }
    incomplete.remove(at: incomplete.firstIndex(notBefore: change) { $0 })
    return true
  }

  /// Takes the next group that a change releases.
  ///
  /// - Parameters:
  ///   - change: Its number.
  ///   - isRemoved: Whether the change is over as a whole; if not, it is only complete, and groups
  ///     that wait for the removal stay.
  /// - Returns: The first of the groups; nil if there is none.
  @inlinable package mutating func takeGroup(of change: UInt64, isRemoved: Bool) -> Group? {
    var index = waits.firstIndex(notBefore: change) { $0.change }
    while index < waits.count, waits[index].change == change {
      if isRemoved || !waits[index].awaitsRemoval { return waits.remove(at: index).group }
      index += 1
    }
    return nil
  }

  /// Forgets everything at the end of the episode, and keeps the memory for another one.
  @inlinable package mutating func removeAll() {
    // An array of capacity 0 is one that all threads share, and Swift would write its count.
    if !incomplete.isEmpty { incomplete.removeAll(keepingCapacity: true) }
    if !waits.isEmpty { waits.removeAll(keepingCapacity: true) }
  }

  /// Traps if the account contradicts itself.
  package func checkInvariants() {
    for (earlier, later) in zip(incomplete, incomplete.dropFirst()) {
      precondition(earlier < later, "changes \(earlier), \(later)")
    }
    for (earlier, later) in zip(waits, waits.dropFirst()) {
      precondition(earlier.change <= later.change, "waits for \(earlier.change), \(later.change)")
    }
    for wait in waits where !wait.awaitsRemoval {
      precondition(
        incomplete.contains(wait.change), "a group waits for the completed change \(wait.change)")
    }
  }
}

extension Array {
  /// Searches a list in the order of changes: an episode may have thousands of them.
  ///
  /// - Parameters:
  ///   - change: Number of a change.
  ///   - number: The number of an element's change.
  /// - Returns: Index of the first element whose change is not before it; `count` if there is none.
  /// - Complexity: O(log n).
  @inlinable package func firstIndex(
    notBefore change: UInt64, _ number: (Element) -> UInt64
  ) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if number(self[middle]) < change { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
