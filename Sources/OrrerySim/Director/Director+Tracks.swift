// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder

/// Tracks of keyframes that repeat.
///
/// Lanes evaluate a track: it has no events, and any tick costs the same. When something else changes its property,
/// the rest of the track becomes commands, as if it had been played by commands from the start: the change and the
/// keyframes after it then act on each other as any changes do.
extension Director {
  /// Begins the plan's tracks.
  func beginTracks() {
    for (index, track) in plan.tracks.enumerated() where plan.views.indices.contains(track.view) {
      let channel = ViewChannel(track.property)
      guard let channelIndex = channels[channel] else { continue }
      let key = channelIndex * plan.views.count + track.view
      state.tracks[key] = UInt32(index + 1)
      if !viewLanes.beginTrack(channel, track.view, track.course) {
        interruptTrack(channel, track.view, key, at: 0)
      }
    }
  }

  /// Tracks that commands play, as indexes into the plan's: something changed their property, or no curve holds them.
  var commandedTracks: [Int] {
    plan.tracks.indices.filter { index in
      let track = plan.tracks[index]
      guard let channel = channels[ViewChannel(track.property)] else { return false }
      return state.tracks[channel * plan.views.count + track.view] == 0
    }
  }

  /// Lets commands play the track of a channel of a view from a time on, if it has one.
  ///
  /// - Parameters:
  ///   - channel: A channel in use.
  ///   - view: The view's index.
  ///   - key: Index of both in `DirectorState.models`.
  ///   - time: Seconds; commands of this time have run.
  func interruptTrack(_ channel: ViewChannel, _ view: Int, _ key: Int, at time: Double) {
    guard !state.tracks.isEmpty, state.tracks[key] > 0 else { return }
    let track = Int(state.tracks[key]) - 1
    let course = plan.tracks[track].course
    state.tracks[key] = 0
    viewLanes.endTrack(channel, view)
    let commands = course.commands(view: view).enumerated().map { index, command in
      PreparedCommand(command, number: CueNumber.command(index, ofTrack: track), memory)
    }
    guard let every = commands.first?.every, every > 0, let goals = Self.goals(commands) else {
      return
    }
    var round = (time / every).rounded(.down)
    if round * every > time { round -= 1 }
    // The first command is due at the start of a round.
    let last = commands.lastIndex { $0.time + round * every <= time } ?? 0
    let first = commands.firstIndex { $0.time == commands[last].time } ?? last
    if first > 0 {
      jump(view, channel, to: goals[first - 1])
    } else if round > 0, let goal = goals.last {
      jump(view, channel, to: goal)
    } else {
      jump(view, channel, to: state.models[key])
    }
    for command in commands[first...last] {
      run(command.transaction, at: command.time + round * every)
    }
    let firstIndex = self.commands.count + state.trackCommands.count
    for index in commands.indices {
      let runCount = UInt64(round) + (index <= last ? 1 : 0)
      state.trackCommands.append((commands[index], runCount))
      schedule(
        commands[index].time(afterRuns: runCount), firstIndex + index, commands[index].number)
    }
  }

  /// The value that each command of a track sets.
  private static func goals(_ commands: [PreparedCommand]) -> [Double]? {
    let goals = commands.compactMap { command -> Double? in
      if case .set(_, _, let value)? = command.transaction.actions.first { value } else { nil }
    }
    return goals.count == commands.count ? goals : nil
  }
}
