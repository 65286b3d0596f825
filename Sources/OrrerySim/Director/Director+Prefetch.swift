// SPDX-License-Identifier: Apache-2.0

import CLinux
import OrreryScene
import OrrerySceneBuilder

/// Memory of coming events, brought into the cache while earlier ones are handled.
///
/// A change of one view touches a dozen cache lines, each found through the one before it:
///
///     command → action → model and index of the episode → episode and lane
///
/// So they are asked for step by step, some events ahead of their use. Events that make a run come in the order of memory,
/// and need none of this.
extension Director {
  /// How many events ahead each step is: a few events take as long as an access to memory.
  private static let (commandAhead, actionAhead, keyAhead, episodeAhead) = (16, 12, 8, 4)

  /// Asks for the memory of events that come next.
  func prefetch() {
    guard state.queue.upcoming(0) != nil else { return }
    if let event = state.queue.upcoming(Self.commandAhead) {
      switch CueNumber(event.number) {
      case .motion: state.episodes.prefetch(event.payload.index)
      case .command where event.payload.index < commands.count:
        OrrerySim.prefetch(commands.elements + Int(event.payload.index))
      default: break
      }
    }
    if let command = command(Self.actionAhead) {
      linux_prefetch_for_reading(command.pointee.transaction.actions.baseAddress)
    }
    if let (_, _, key) = change(Self.keyAhead) {
      linux_prefetch(state.models.elements + key)
      linux_prefetch_for_reading(state.episodeIndexes.elements + key)
    }
    if let (channel, view, key) = change(Self.episodeAhead), state.episodeIndexes[key] >= 0 {
      state.episodes.prefetch(UInt32(state.episodeIndexes[key]))
      viewLanes.prefetch(channel, view)
    }
  }

  /// The command of an event some events ahead; nil for other events.
  private func command(_ distance: Int) -> UnsafeMutablePointer<PreparedCommand>? {
    guard let event = state.queue.upcoming(distance), event.payload.index < commands.count,
      case .command = CueNumber(event.number)
    else { return nil }
    return commands.elements + Int(event.payload.index)
  }

  /// What the first action of such a command sets, with its index in `DirectorState.models`.
  private func change(_ distance: Int) -> (channel: ViewChannel, view: Int, key: Int)? {
    guard
      case .set(let view, let property, _)? = command(distance)?.pointee.transaction.actions.first,
      let channel = channels[ViewChannel(property)], state.views.indices.contains(view)
    else { return nil }
    return (ViewChannel(property), view, channel * plan.views.count + view)
  }
}
