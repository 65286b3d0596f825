// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene
import OrrerySim

/// What a scene's file lets happen in one of its ticks: the commands that are due, by what they change, with the names
/// of the first views.
package struct TickCauses {
  private let plan: ViewsPlan
  private let rate: TickRate
  /// Tracks of keyframes whose every keyframe is a command, as indexes into the plan's.
  private let trackIndexes: [Int]
  private static let namesMax = 2

  /// The causes of a plan's views; nil if it has none.
  ///
  /// - Parameters:
  ///   - plan: What the world was built of.
  ///   - commandedTracks: See `World`.
  package init?(_ plan: ScenePlan, commandedTracks: [Int]) {
    let views = plan.batches.lazy.compactMap {
      if case .views(let views) = $0 { views } else { nil }
    }
    guard let views = views.first else { return nil }
    (self.plan, rate, trackIndexes) = (views, plan.rate, commandedTracks)
  }

  /// What is due after the tick before and up to this one, such as `set x of row 1, row 2 and 40 more`.
  package func words(tick: UInt64) -> [String] {
    var found: [(what: String, names: [String], count: Int)] = []
    func add(_ what: String, _ name: String) {
      let index = found.firstIndex { $0.what == what } ?? found.count
      if index == found.count { found.append((what, [], 0)) }
      found[index].count += 1
      if found[index].names.count < Self.namesMax { found[index].names.append(name) }
    }
    let times = (after: rate.seconds(tick: max(tick, 1) - 1), through: rate.seconds(tick: tick))
    for command in plan.commands where Self.isDue(command, times) {
      for action in command.transaction.actions { add(Self.verb(action), name(action)) }
    }
    for track in trackIndexes.map({ plan.tracks[$0] })
    where track.course.commands(view: track.view).contains(where: { Self.isDue($0, times) }) {
      add("a keyframe of \(track.property)", plan.views[track.view].name)
    }
    return found.map { what, names, count in
      let rest = count - names.count
      return "\(what) of \(names.joined(separator: ", "))" + (rest > 0 ? " and \(rest) more" : "")
    }
  }

  private static func isDue(
    _ command: CommandPlan, _ times: (after: Double, through: Double)
  ) -> Bool {
    let first = max(command.time, 0)
    func isDue(_ time: Double) -> Bool { time > times.after && time <= times.through }
    guard let every = command.every, every > 0 else { return isDue(first) }
    // The quotient may be rounded past a run that is due.
    let run: Double = ((times.through - first) / every).rounded(.down)
    let runs: [Double] = [run - 1, run, run + 1]
    return runs.contains { $0 >= 0 && isDue(first + $0 * every) }
  }

  private static func verb(_ action: ActionPlan) -> String {
    switch action {
    case .set(_, let property, _): "set \(property)"
    case .show: "show"
    case .hide: "hide"
    case .toggle: "toggle"
    case .tap: "tap on a row"
    case .destroy: "destroy"
    }
  }

  private func name(_ action: ActionPlan) -> String {
    let view =
      switch action {
      case .set(let view, _, _), .show(let view), .hide(let view), .toggle(let view),
        .destroy(let view):
        view
      case .tap(let accordion, let row): plan.accordions[accordion].panels[row]
      }
    return plan.views[view].name
  }
}
