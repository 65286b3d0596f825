// SPDX-License-Identifier: Apache-2.0

/// A time span in which a property is animated: from a change to the removal of the last motion.
///
/// The engine keeps a property for exactly this span.
final class AnimationEpisode {
  /// The animated property.
  let property: any EpisodeOwner

  /// Finds the episode from the engine's events.
  let handle: EpisodeHandle

  /// Changes with events still to record, in the order in which they were made.
  var changes: [AnimatedChange] = []

  /// When the last motion ends, in seconds; infinite if one never ends or its end is not known.
  var end = Double.infinity

  /// Number of the first change: episodes are handled in the order in which they began.
  let first: UInt64

  /// Number of the newest change.
  var newest: UInt64

  /// Whether the engine has ended it.
  var isOver = false

  init(_ property: any EpisodeOwner, handle: EpisodeHandle, first: UInt64) {
    self.property = property
    self.handle = handle
    self.first = first
    newest = first
  }

  /// Stops recording legs of changes whose motions another one has taken over.
  func dropLegs(of numbers: [UInt64]) {
    for index in changes.indices where numbers.contains(changes[index].number) {
      changes[index].legEnd = nil
    }
  }

  /// Removes changes that another one of the same instant replaces; no event of them is recorded.
  ///
  /// - Returns: The completion groups that wait for them.
  func remove(_ numbers: [UInt64]) -> [CompletionGroup] {
    let removed = changes.filter { numbers.contains($0.number) }
    changes.removeAll { numbers.contains($0.number) }
    return removed.flatMap(\.groups)
  }

  /// Index of a change in `changes`; nil if nothing of it is left to record.
  func index(of number: UInt64) -> Int? {
    changes.firstIndex { $0.number == number }
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

  /// Polls custom animations, whose ends are not known beforehand.
  ///
  /// - Returns: Numbers of changes that are logically complete now, and the episode's status.
  func poll(at time: Double) -> (complete: [UInt64], status: EpisodeStatus)

  /// Drops all motions: the model value shows.
  func endEpisode(at time: Double)

  /// Begins changes that waited for regular frames.
  ///
  /// - Parameter frame: The last frame number whose changes begin.
  func beginWaiting(of frame: UInt64)
}

/// When an episode ends, as far as that is known.
struct EpisodeStatus {
  /// When the last motion ends, in seconds; infinite if one never ends or its end is not known.
  let end: Double

  /// Whether there are custom animations, whose ends are found by polling.
  let needsPolling: Bool
}

/// A slot of the engine, and the number of episodes that it held before; an event for an earlier
/// episode is stale.
struct EpisodeHandle: BitwiseCopyable, Hashable {
  var slot: UInt32
  var generation: UInt32
}
