// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Commands to views.
extension ScenePlanner {
  /// The plan of the views; the commands from views' keyframes and phases come first.
  func viewsPlan() -> ViewsPlan {
    let specs = views.specs
    var plan = ViewsPlan(
      views: (0..<specs.count).map { specs[$0] }, commands: loops, accordions: accordions,
      completions: names.completions)
    for command in scene.commands {
      let transaction = TransactionPlan(command, names, tapAnimations: tapAnimations)
      switch command.moment {
      case .at(let time, let every):
        plan.commands.append(CommandPlan(time: time + 0, every: every, transaction: transaction))
      case .after(let completion, let delay):
        guard let index = names.completionIndexes[completion] else { continue }
        plan.reactions.append(
          ReactionPlan(completion: index, delay: delay + 0, transaction: transaction))
      }
    }
    return plan
  }

}

extension TransactionPlan {
  /// The changes of a command.
  ///
  /// - Parameters:
  ///   - command: A checked command; unknown view names in it are skipped.
  ///   - names: The scene's names.
  ///   - tapAnimations: Each accordion's animation of taps without an animation of their own.
  init(_ command: Command, _ names: SceneNames, tapAnimations: [Animation]) {
    var actions: [ActionPlan] = []
    func add(_ list: [String], _ make: (Int) -> ActionPlan) {
      actions += list.compactMap { names.views[$0] }.map(make)
    }
    for setting in command.settings {
      guard let view = names.views[setting.view] else { continue }
      actions += setting.changes.map { .set(view: view, $0.property, $0.value + 0) }
    }
    add(command.show) { .show(view: $0) }
    add(command.hide) { .hide(view: $0) }
    for name in command.toggle {
      if let row = names.rows[name] {
        actions.append(.tap(accordion: row.accordion, row: row.row))
      } else {
        add([name]) { .toggle(view: $0) }
      }
    }
    add(command.destroy) { .destroy(view: $0) }
    let ownAnimation = command.tappedAccordions(names).first.map { tapAnimations[$0] }
    self.init(
      actions, animation: command.animation ?? ownAnimation,
      completion: command.completion.flatMap { names.completionIndexes[$0] },
      criteria: command.criteria)
  }
}
