// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// Commands to views.
extension ScenePlanner {
  /// The plan of a batch; views get the scene's commands, after those from keyframes and phases.
  func withCommands(_ batch: BatchPlan) -> BatchPlan {
    guard case .views(var plan) = batch else { return batch }
    plan.tracks = tracks
    plan.commands = loops
    plan.accordions = accordions
    plan.completions = names.completions
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
    for index in plan.commands.indices {
      plan.commands[index].transaction = mirror.transaction(plan.commands[index].transaction)
    }
    for index in plan.reactions.indices {
      plan.reactions[index].transaction = mirror.transaction(plan.reactions[index].transaction)
    }
    return .views(plan)
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
