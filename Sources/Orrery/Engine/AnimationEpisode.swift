// SPDX-License-Identifier: Apache-2.0

/// A stretch of time in which a property is animated: from a change to the removal of the last
/// motion.
///
/// The engine holds on to a property just as long.
final class AnimationEpisode {
  /// What is animated.
  let property: any EpisodeOwner

  /// Where the engine's events find the episode.
  let place: EpisodePlace

  /// Changes of which something is still to be told, in the order in which they were made.
  var changes: [AnimatedChange] = []

  /// When the last motion ends, in seconds; infinite if one never does or cannot tell.
  var end = Double.infinity

  /// Number of the first change: episodes are handled in the order in which they began.
  let first: UInt64

  /// Number of the newest change.
  var newest: UInt64

  /// Whether the engine has let go of it.
  var isOver = false

  init(_ property: any EpisodeOwner, place: EpisodePlace, first: UInt64) {
    self.property = property
    self.place = place
    self.first = first
    newest = first
  }

  /// Changes whose motions another one has taken over: their legs are not told any more.
  func dropLegs(of numbers: [UInt64]) {
    for index in changes.indices where numbers.contains(changes[index].number) {
      changes[index].legEnd = nil
    }
  }

  /// Changes that another one of the same instant replaces, and of which nothing is told.
  ///
  /// - Returns: Who waits for them.
  func remove(_ numbers: [UInt64]) -> [CompletionGroup] {
    let removed = changes.filter { numbers.contains($0.number) }
    changes.removeAll { numbers.contains($0.number) }
    return removed.flatMap(\.groups)
  }

  /// Where a change is in `changes`; nil if nothing of it is left to tell.
  func index(of number: UInt64) -> Int? {
    changes.firstIndex { $0.number == number }
  }
}

/// What an episode needs of its property.
protocol EpisodeOwner: AnyObject {
  /// What events call it.
  var name: String { get }

  /// What can destroy it together with others.
  var scope: AnimationScope? { get }

  /// Whether it was destroyed, or its scope.
  var isDestroyed: Bool { get }

  /// Looks at motions that cannot tell beforehand when they end.
  ///
  /// - Returns: Numbers of changes that count as complete now, and what is left.
  func notice(at time: Double) -> (complete: [UInt64], rest: EpisodeRest)

  /// Drops all motions: the model value shows.
  func endEpisode(at time: Double)

  /// Begins changes that waited for frames to settle.
  ///
  /// - Parameter frame: Those that were made before it.
  func beginWaiting(of frame: UInt64)
}

/// What is left of an episode.
struct EpisodeRest {
  /// When the last motion ends, in seconds; infinite if one never does or cannot tell.
  let end: Double

  /// Whether there are motions whose end must be looked for.
  let isNoticed: Bool
}

/// A slot of the engine, and how many episodes it had before: what is sent to an earlier one is
/// stale.
struct EpisodePlace: BitwiseCopyable, Hashable {
  var slot: UInt32
  var generation: UInt32
}
