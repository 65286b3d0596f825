// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// All that changes while a plan is played, but for the lanes of its stage.
struct DirectorState: ~Copyable {
  var queue = EventQueue<Cue>()

  /// Model values by channel in use, then by view.
  var models: [Double]

  /// Index into `episodes` of each channel and view, as in `models`; `EpisodePool.none` at rest.
  var episodeIndexes: [EpisodePool.Index]
  var episodes = EpisodePool()
  var histories = HistoryPool()

  /// How often each command of the plan was played.
  var playCounts: [UInt64]

  var views: [ViewState]

  /// The open row of each accordion.
  var openRows: [Int?]

  var groups = CompletionGroups()

  /// Animated changes so far, and so the number of the last one.
  var changeCount: UInt64 = 0

  /// Reactions so far.
  var reactionCount: UInt64 = 0

  /// The millisecond of the last reaction, and the reactions in it.
  var millisecond = -1.0
  var reactionsInMillisecond = 0

  /// What becomes of a view as a whole.
  struct ViewState: Sendable {
    /// Whether it is to be there.
    var isShown: Bool
    /// Whether it is there: shown, or still on its way out.
    var isAlive: Bool
    var isDestroyed = false
  }

  /// As at time 0, with nothing in the queue.
  init(_ plan: ViewsPlan, channels: ViewChannels) {
    let count = plan.views.count
    models = []
    models.reserveCapacity(channels.all.count * count)
    views = plan.views.map { ViewState(isShown: $0.isShown, isAlive: $0.isShown) }
    for channel in channels.all {
      let place = channel.property.flatMap(ViewProperty.allCases.firstIndex)
      models += plan.views.map { view in
        guard let place else { return view.isShown ? 0 : 1 }
        return place < view.initial.count
          ? view.initial[place] : ViewProperty.allCases[place].defaultValue
      }
    }
    episodeIndexes = Array(repeating: EpisodePool.none, count: models.count)
    playCounts = Array(repeating: 0, count: plan.commands.count)
    openRows = plan.accordions.map(\.open)
  }
}

/// The channels that the views of a plan use, and where each lies.
struct ViewChannels: Sendable {
  let all: [ViewChannel]
  private let positions: [Int]

  init(fields: [Field], hasTransitions: Bool) {
    let all = ViewChannel.allCases.filter { channel in
      channel.field.map(fields.contains) ?? hasTransitions
    }
    positions = ViewChannel.allCases.map { all.firstIndex(of: $0) ?? -1 }
    self.all = all
  }

  /// The position of a channel, or nil if it is not used.
  subscript(channel: ViewChannel) -> Int? {
    let position = positions[Int(channel.rawValue)]
    return position < 0 ? nil : position
  }
}
