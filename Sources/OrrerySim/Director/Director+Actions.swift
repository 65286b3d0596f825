// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder

/// Transactions, and the effects of their actions on views.
extension Director {
  /// The values that all changes of a transaction share.
  struct Context {
    /// Nil: changes are not animated.
    let animation: SharedAnimation.Address?
    let group: CompletionGroups.Index
    let time: Double

    init(
      animation: SharedAnimation.Address? = nil,
      group: CompletionGroups.Index = CompletionGroups.none,
      at time: Double
    ) {
      (self.animation, self.group, self.time) = (animation, group, time)
    }
  }

  /// Makes the changes of a transaction.
  func run(_ transaction: PreparedTransaction, at time: Double) {
    var group = CompletionGroups.none
    if let completion = transaction.completion {
      group = state.groups.begin(completion, isRemoval: transaction.isRemoval)
    }
    let context = Context(animation: transaction.animation, group: group, at: time)
    let actions = transaction.actions
    var (handled, single) = (0, 0)
    while handled < actions.count {
      if actions.count - handled >= Self.burstMin, handled >= single {
        handled +=
          handleTogether(.actions(actions, handled), count: actions.count - handled, context)
          .handled
        single = handled + Self.burstMin
        continue
      }
      perform(actions[handled], context)
      handled += 1
    }
    leave(group, at: time)
  }

  /// Removes an animation, or the transaction itself, from a group; the last one completes the group.
  @inline(__always)
  func leave(_ group: CompletionGroups.Index, at time: Double) {
    guard group != CompletionGroups.none, let completion = state.groups.leave(group) else { return }
    complete(completion, at: time)
  }

  @inline(__always)
  private func perform(_ action: ActionPlan, _ context: Context) {
    switch action {
    case .set(let view, let property, let value):
      change(view, ViewChannel(property), to: value, context)
    case .show(let view): setShown(view, true, context)
    case .hide(let view): setShown(view, false, context)
    case .toggle(let view): setShown(view, !state.views[view].isShown, context)
    case .tap(let accordion, let row): tap(accordion, row, context)
    case .destroy(let view): destroy(view, at: context.time)
    }
  }
}

// MARK: - Showing and hiding

extension Director {
  /// Shows or hides a view: through its transition if it has one and the change is animated, otherwise at
  /// once.
  ///
  /// An animation of the transition's own replaces the transaction's, whether or not that has one. A view
  /// that is shown during its removal, or hidden during its insertion, turns back from its present state and
  /// stays in the same half of its transition.
  private func setShown(_ view: Int, _ isShown: Bool, _ context: Context) {
    let old = state.views[view]
    guard !old.isDestroyed, old.isShown != isShown else { return }
    state.views[view] = .moving(isShown: isShown)
    var animation: SharedAnimation.Address?
    if let transition = transitions[view] {
      animation = (isShown ? transition.insertion : transition.removal) ?? context.animation
    }
    if animation != nil, !viewLanes.isInTransition(view) || isAtEnd(.away, view) {
      viewLanes.setTransition(view, isShown ? .insertion : .removal)
    }
    viewLanes.setHidden(view, false)
    change(
      view, .away, to: isShown ? 0 : 1,
      Context(animation: animation, group: context.group, at: context.time))
    if animation == nil { finishTransition(view) }
  }

  /// Whether the episode of a channel is over while the remaining motion is still shown.
  private func isAtEnd(_ channel: ViewChannel, _ view: Int) -> Bool {
    guard let channelIndex = channels[channel] else { return false }
    let index = state.episodeIndexes[channelIndex * plan.views.count + view]
    return index >= 0 && state.episodes[index].pointee.options.contains(.isOver)
  }

  /// Sets a view to the end of its transition, if it has one: shown at identity, or hidden.
  @inline(__always)
  func finishTransition(_ view: Int) {
    let rested = state.views[view].rested
    state.views[view] = rested
    viewLanes.setHidden(view, !rested.isShown)
    viewLanes.setTransition(view, nil)
  }

  private func destroy(_ view: Int, at time: Double) {
    guard !state.views[view].isDestroyed else { return }
    for (index, channel) in channels.all.enumerated() {
      interruptTrack(channel, view, index * plan.views.count + view, at: time)
    }
    state.views[view] = .destroyed
    let episodes = channels.all.indices.map { episode(ofKey: $0 * plan.views.count + view) }
    for episode in episodes.filter({ $0 >= 0 }).sorted(by: { firstChange($0) < firstChange($1) }) {
      finish(episode, isFinished: false, at: time)
    }
    finishTransition(view)
  }

  /// The number of the first change in an episode that still has a motion.
  private func firstChange(_ index: EpisodePool.Index) -> UInt64 {
    let episode = state.episodes[index].pointee
    if !episode.hasHistory { return episode.change }
    return state.histories[episode.history].pointee.motions.first?.change ?? .max
  }
}

// MARK: - Accordions

extension Director {
  private func tap(_ accordion: Int, _ row: Int, _ context: Context) {
    let panels = plan.accordions[accordion].panels
    let old = state.openRows[accordion]
    let new = old == row ? nil : row
    state.openRows[accordion] = new
    if let old, panels.indices.contains(old), state.views.indices.contains(panels[old]) {
      setShown(panels[old], false, context)
    }
    if let new, state.views.indices.contains(panels[new]) { setShown(panels[new], true, context) }
    for (view, y) in rowPositions(accordion) { change(view, .y, to: y, context) }
  }

  /// Positions of the members of an accordion's rows: y at time 0, plus the open panel's height below it.
  func rowPositions(_ accordion: Int) -> [(view: Int, y: Double)] {
    let accordion = (plan: plan.accordions[accordion], open: state.openRows[accordion])
    guard let y = ViewProperty.allCases.firstIndex(of: .y) else { return [] }
    var (positions, above) = ([(view: Int, y: Double)](), 0.0)
    for (row, members) in accordion.plan.members.enumerated() {
      for view in members where plan.views.indices.contains(view) {
        let initial = plan.views[view].initial
        positions.append((view, (y < initial.count ? initial[y] : 0) + above))
      }
      if row == accordion.open, row < accordion.plan.panelHeights.count {
        above += accordion.plan.panelHeights[row]
      }
    }
    return positions
  }
}
