// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Transactions, and what their actions do to views.
extension Director {
  /// What holds for all changes of a transaction.
  struct Context {
    /// Nil: changes are not animated.
    let play: SharedAnimation?
    let group: CompletionGroups.Index
    let time: Double
  }

  /// Makes the changes of a transaction.
  func run(_ transaction: TransactionPlan, at time: Double) {
    var group = CompletionGroups.none
    if let completion = transaction.completion {
      group = state.groups.begin(completion, isRemoval: transaction.criteria == .removed)
    }
    let context = Context(play: plays.play(transaction.animation), group: group, time: time)
    for action in transaction.actions { perform(action, context) }
    leave(group, at: time)
  }

  /// One thing less that a group waits for.
  func leave(_ group: CompletionGroups.Index, at time: Double) {
    guard group != CompletionGroups.none, let completion = state.groups.leave(group) else { return }
    complete(completion, at: time)
  }

  /// Whether an action names what is there and changes what a column shows.
  func isPossible(_ action: ActionPlan) -> Bool {
    switch action {
    case .set(let view, let property, _):
      return state.views.indices.contains(view) && channels[ViewChannel(property)] != nil
    case .show(let view), .hide(let view), .toggle(let view), .destroy(let view):
      return state.views.indices.contains(view) && channels[.opacity] != nil
    case .tap(let accordion, let row):
      return plan.accordions.indices.contains(accordion)
        && plan.accordions[accordion].panels.indices.contains(row)
    }
  }

  private func perform(_ action: ActionPlan, _ context: Context) {
    guard isPossible(action) else { return }
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
  /// Shows a view or lets it go: through its transition if there is one and the change is animated,
  /// otherwise at once.
  ///
  /// A view that is shown again on its way out, or let go on its way in, turns back where it is, on the
  /// polynomials that it came on.
  private func setShown(_ view: Int, _ isShown: Bool, _ context: Context) {
    guard !state.views[view].isDestroyed, state.views[view].isShown != isShown else { return }
    state.views[view].isShown = isShown
    let transition = plan.views[view].transition
    var play: SharedAnimation?
    if let given = context.play, let transition {
      let own = isShown ? transition.insertionAnimation : transition.removalAnimation
      play = own.map(plays.play) ?? given
    }
    if play != nil, !stage.isInTransition(view) {
      stage.setTransition(view, isShown ? .insertion : .removal)
    }
    state.views[view].isAlive = true
    stage.setHidden(view, false)
    change(
      view, .away, to: isShown ? 0 : 1,
      Context(play: play, group: context.group, time: context.time))
    if play == nil { settle(view) }
  }

  /// A transition has come to its end, or there was none.
  func settle(_ view: Int) {
    let isShown = state.views[view].isShown
    state.views[view].isAlive = isShown
    stage.setHidden(view, !isShown)
    stage.setTransition(view, nil)
  }

  private func destroy(_ view: Int, at time: Double) {
    guard !state.views[view].isDestroyed else { return }
    state.views[view] = DirectorState.ViewState(isShown: false, isAlive: false, isDestroyed: true)
    let episodes = channels.all.indices.map { state.episodeIndexes[$0 * plan.views.count + view] }
    for episode in episodes.filter({ $0 >= 0 }).sorted(by: { first($0) < first($1) }) {
      finish(episode, isFinished: false, at: time)
    }
    settle(view)
  }

  /// The number of the first change of an episode of which a motion is left.
  private func first(_ index: EpisodePool.Index) -> UInt64 {
    let episode = state.episodes[index].pointee
    if episode.history == HistoryPool.none { return episode.change }
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
    for (view, y) in rowPlaces(accordion) { change(view, .y, to: y, context) }
  }

  /// Where the members of an accordion's rows are to be: y at time 0, and the open panel above.
  func rowPlaces(_ accordion: Int) -> [(view: Int, y: Double)] {
    let accordion = (plan: plan.accordions[accordion], open: state.openRows[accordion])
    guard let y = ViewProperty.allCases.firstIndex(of: .y) else { return [] }
    var (places, above) = ([(view: Int, y: Double)](), 0.0)
    for (row, members) in accordion.plan.members.enumerated() {
      for view in members where plan.views.indices.contains(view) {
        let initial = plan.views[view].initial
        places.append((view, (y < initial.count ? initial[y] : 0) + above))
      }
      if row == accordion.open, row < accordion.plan.panelHeights.count {
        above += accordion.plan.panelHeights[row]
      }
    }
    return places
  }
}
