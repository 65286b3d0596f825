// SPDX-License-Identifier: Apache-2.0

import CLinux
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// Memory of coming events, brought into the cache while earlier ones are handled.
///
/// A change of one view touches a dozen cache lines, each found through the one before it:
///
///     command → action → model and index of the episode → episode and lane
///
/// So they are asked for step by step, some events ahead of their use, and of several events together: each step waits for
/// the memory of the one before, and those of several events wait at the same time. Events that make a run without gaps
/// come in the order of memory, and need none of this.
extension Director {
  /// How many events ahead each step is: a few events take as long as an access to memory.
  private static let (commandAhead, actionAhead, keyAhead, episodeAhead) = (20, 16, 12, 8)

  /// Events whose memory is asked for together.
  private static let prefetchedCount = 4

  /// Asks for the memory of events that come next; called before each event.
  ///
  /// - Parameters:
  ///   - run: The run that the event is in.
  ///   - index: Its index there.
  func prefetch(_ run: EventQueue<Cue>.Event, _ index: Int) {
    prefetchTurn &+= 1
    guard run.count == 1 || run.stride > 1, prefetchTurn % Self.prefetchedCount == 0 else {
      return
    }
    @inline(__always)
    func visit(_ distance: Int, _ body: (EventQueue<Cue>.Event) -> Void) {
      if run.count == 1 {
        state.queue.visitUpcoming(distance, Self.prefetchedCount, body)
      } else {
        let first = index + distance
        for index in first..<max(first, min(first + Self.prefetchedCount, run.count)) {
          body(run.member(index))
        }
      }
    }
    visit(Self.commandAhead) { event in
      switch CueNumber(event.number) {
      case .motion: state.episodes.prefetch(event.payload.index)
      case .command where event.payload.index < commands.count:
        OrrerySim.prefetch(commands.elements + Int(event.payload.index))
      default: break
      }
    }
    visit(Self.actionAhead) { event in
      linux_prefetch_for_reading(command(of: event)?.pointee.transaction.actions.baseAddress)
    }
    visit(Self.keyAhead) { event in
      guard let (_, _, key) = change(of: event) else { return }
      linux_prefetch(state.models.elements + key)
      linux_prefetch_for_reading(state.episodeIndexes.elements + key)
    }
    visit(Self.episodeAhead) { event in
      guard let (channel, view, key) = change(of: event), state.episodeIndexes[key] >= 0 else {
        return
      }
      state.episodes.prefetch(UInt32(state.episodeIndexes[key]))
      viewLanes.prefetch(channel, view)
    }
  }

  /// Asks for the memory of changes of one channel of views that are equally far apart; called before each.
  ///
  /// - Parameters:
  ///   - channel: The channel.
  ///   - firstView: The first view.
  ///   - firstKey: The index of both in `DirectorState.models`.
  ///   - step: From one view to the next.
  ///   - index: Of the change that is next.
  ///   - count: Of changes.
  @inline(__always)
  func prefetch(
    _ channel: ViewChannel, _ firstView: Int, _ firstKey: Int, step: Int, _ index: Int, count: Int
  ) {
    if index + Self.keyAhead < count {
      let key = firstKey + (index + Self.keyAhead) * step
      linux_prefetch(state.models.elements + key)
      linux_prefetch_for_reading(state.episodeIndexes.elements + key)
    }
    if index + Self.episodeAhead < count {
      let places = (index + Self.episodeAhead) * step
      let episode = state.episodeIndexes[firstKey + places]
      if episode >= 0 { state.episodes.prefetch(UInt32(episode)) }
      viewLanes.prefetch(channel, firstView + places)
    }
  }

  /// The command of an event; nil for other events.
  @inline(__always)
  private func command(
    of event: EventQueue<Cue>.Event
  ) -> UnsafeMutablePointer<PreparedCommand>? {
    guard event.payload.index < commands.count, case .command = CueNumber(event.number) else {
      return nil
    }
    return commands.elements + Int(event.payload.index)
  }

  /// What the first action of such a command sets, with its index in `DirectorState.models`.
  @inline(__always)
  private func change(
    of event: EventQueue<Cue>.Event
  ) -> (channel: ViewChannel, view: Int, key: Int)? {
    guard
      case .set(let view, let property, _)? = command(of: event)?.pointee.transaction.actions.first,
      let channel = channels[ViewChannel(property)], state.views.indices.contains(view)
    else { return nil }
    return (ViewChannel(property), view, channel * plan.views.count + view)
  }
}
