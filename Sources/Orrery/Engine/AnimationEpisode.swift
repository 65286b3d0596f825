// SPDX-License-Identifier: Apache-2.0

/// A time span in which a property is animated: from a change to the removal of the last motion.
///
/// The engine keeps a property for exactly this span; see the top of `EpisodeAccount.swift`.
final class AnimationEpisode {
  /// The animated property.
  let property: any EpisodeOwner

  /// Finds the episode from the engine's events.
  let handle: EpisodeHandle

  /// Changes with events in the queue, in the order in which they were made.
  var changes: [AnimatedChange] = []

  /// Completions that are due, and the groups that wait.
  var account = EpisodeAccount<CompletionGroup>()

  /// When the last motion ends, in seconds; infinite if one never ends or its end is not known.
  var end = Double.infinity

  /// Number of the first change: episodes are handled in the order in which they began.
  let first: UInt64

  /// The change whose motion ends last.
  var endChange: UInt64

  /// Whether the engine has ended it.
  var isOver = false

  init(_ property: any EpisodeOwner, handle: EpisodeHandle, first: UInt64) {
    self.property = property
    self.handle = handle
    self.first = first
    endChange = first
  }

  /// Replaces changes by one of the same instant; no event of them is recorded.
  func replace(_ numbers: [UInt64], by change: UInt64) {
    for number in numbers {
      if let index = index(of: number) { changes.remove(at: index) }
      account.replace(number, by: change)
    }
  }

  /// Takes the groups that a change releases; see `EpisodeAccount.takeGroup(of:isRemoved:)`.
  ///
  /// All are taken before the first completion runs, because that may change the property again.
  func takeGroups(of change: UInt64, isRemoved: Bool) -> [CompletionGroup] {
    var groups: [CompletionGroup] = []
    while let group = account.takeGroup(of: change, isRemoved: isRemoved) { groups.append(group) }
    return groups
  }

  /// Index of a change in `changes`; nil if it has no event in the queue.
  func index(of number: UInt64) -> Int? {
    let index = changes.firstIndex(notBefore: number) { $0.number }
    return index < changes.count && changes[index].number == number ? index : nil
  }
}

/// The property of an episode.
protocol EpisodeOwner: AnyObject {
  /// Its name in events.
  var name: String { get }

  /// The scope that can destroy it together with other properties.
  var scope: AnimationScope? { get }

  /// Whether it was destroyed, or its scope.
  var isDestroyed: Bool { get }

  /// Sets the environment that running custom animations read.
  func use(_ environment: EnvironmentValues)

  /// Polls custom animations, whose ends are not known beforehand.
  ///
  /// - Returns: Numbers of changes that are logically complete now, and the episode's status.
  func poll(at time: Double) -> (complete: [UInt64], status: EpisodeStatus)

  /// Ends the episode.
  ///
  /// - Parameters:
  ///   - time: Seconds.
  ///   - isFinished: Whether all motions have ended, and move on until they are at rest; if not, they
  ///     are dropped, and the model value shows.
  func endEpisode(at time: Double, isFinished: Bool)

  /// Begins changes that waited for regular frames.
  ///
  /// - Parameter frame: The last frame number whose changes begin.
  func beginWaiting(of frame: UInt64)
}

/// When an episode ends, if that is known.
struct EpisodeStatus {
  /// When the last motion ends, in seconds; infinite if one never ends or its end is not known.
  var end: Double

  /// The change of that motion.
  var endChange: UInt64

  /// Whether there are custom animations, whose ends are found by polling.
  let needsPolling: Bool
}

/// A slot of the engine, and the number of episodes that it held before; an event for an earlier
/// episode is stale.
struct EpisodeHandle: BitwiseCopyable, Hashable {
  var slot: UInt32
  var generation: UInt32
}
