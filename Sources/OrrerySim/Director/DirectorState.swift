// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySceneBuilder

/// All state of a director that changes with time, except for the views' lanes.
struct DirectorState: ~Copyable {
  var queue = EventQueue<Cue>()

  /// Model values by channel in use, then by view.
  let models: FixedArray<Double>

  /// Index into `episodes` of each channel and view, as in `models`; `EpisodePool.none` at rest, and the mark of a
  /// cohort where the episode is one of those.
  let episodeIndexes: FixedArray<EpisodePool.Index>
  var episodes = EpisodePool()
  var cohorts = CohortPool()
  var histories = HistoryPool()

  /// By channel and view, as in `models`: 1 plus the index of the plan's track that moves it, or 0; empty if the plan
  /// has no tracks.
  var tracks: [UInt32]

  /// The commands of interrupted tracks, with their numbers in the queue and how often each has run.
  var trackCommands: [(command: PreparedCommand, runCount: UInt64)] = []

  let views: FixedArray<ViewState>

  /// The open row of each accordion.
  var openRows: [Int?]

  var groups = CompletionGroups()

  /// The takeover that was computed last, and its start in lanes.
  var lastTakeover: (key: TakeoverKey, SpringTakeover, start: TickTime)?

  /// The takeover whose end was found last.
  var lastEnd: (key: TakeoverEndKey, SpringTakeover)?

  /// Number of animated changes so far; it also names the last one.
  var changeCount: UInt64 = 0

  /// What happened so far beside changes.
  var counts = DirectorCounts()

  /// Number of reactions scheduled so far.
  var reactionCount: UInt64 = 0

  /// The millisecond of the last reaction, and the number of reactions in it.
  var millisecond = -1.0
  var reactionsInMillisecond = 0

  /// The state of a view as a whole: a byte.
  struct ViewState: OptionSet, BitwiseCopyable, Sendable {
    let rawValue: UInt8

    /// It is to be shown.
    static let shown = ViewState(rawValue: 1)
    /// It is still visible: shown, or being removed.
    static let alive = ViewState(rawValue: 2)
    static let destroyed = ViewState(rawValue: 4)

    /// Shown or hidden, without a transition.
    static func resting(isShown: Bool) -> ViewState { isShown ? [.shown, .alive] : [] }

    /// In a transition to being shown, or to being hidden.
    static func moving(isShown: Bool) -> ViewState { isShown ? [.shown, .alive] : .alive }

    var isShown: Bool { contains(.shown) }
    var isDestroyed: Bool { contains(.destroyed) }
    var isAlive: Bool { contains(.alive) }

    /// The same at the end of its transition: visible if it is to be shown.
    var rested: ViewState { isShown ? union(.alive) : subtracting(.alive) }
  }

  /// The state at time 0, with an empty queue.
  init(_ plan: ViewsPlan, channels: ViewChannels) {
    let count = plan.views.count
    var models: [Double] = []
    models.reserveCapacity(channels.all.count * count)
    views = FixedArray(plan.views.map { ViewState.resting(isShown: $0.isShown) })
    for channel in channels.all {
      let propertyIndex = channel.property.flatMap(ViewProperty.allCases.firstIndex)
      models += plan.views.map { view in
        guard let propertyIndex else { return view.isShown ? 0 : 1 }
        return propertyIndex < view.initial.count
          ? view.initial[propertyIndex] : ViewProperty.allCases[propertyIndex].defaultValue
      }
    }
    self.models = FixedArray(models)
    episodeIndexes = FixedArray(repeating: EpisodePool.none, count: models.count)
    tracks = Array(repeating: 0, count: plan.tracks.isEmpty ? 0 : models.count)
    openRows = plan.accordions.map(\.open)
  }
}

/// The channels that the views of a plan use, and the index of each among them.
struct ViewChannels: Sendable {
  let all: [ViewChannel]

  /// By channel, a byte for each, the lowest first: 1 plus the index, or 0.
  private let indexes: UInt64

  init(fields: [ViewProperty], hasTransitions: Bool) {
    let all = ViewChannel.allCases.filter { channel in
      channel.property.map(fields.contains) ?? hasTransitions
    }
    indexes = all.enumerated().reduce(0) {
      $0 | UInt64($1.offset + 1) << (8 * UInt64($1.element.rawValue))
    }
    self.all = all
  }

  /// The index of a channel in `all`, or nil if it is not used.
  subscript(channel: ViewChannel) -> Int? {
    let index = Int(indexes >> (8 * UInt64(channel.rawValue)) & 255)
    return index > 0 ? index - 1 : nil
  }
}
