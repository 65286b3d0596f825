// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryScene

extension ScenePlan {
  /// The same entities several times over, with their commands and completions: more than a scene file may name.
  ///
  /// The layout is left out, since these copies are never drawn.
  ///
  /// - Parameters:
  ///   - count: Number of copies, the first included; at least 1.
  ///   - viewsOnly: Whether other entities stay single.
  /// - Returns: The larger plan.
  package func copied(_ count: Int, viewsOnly: Bool) -> ScenePlan {
    let batches = batches.map { batch -> BatchPlan in
      if case .views(let plan) = batch { return .views(plan.copied(count)) }
      guard !viewsOnly else { return batch }
      return switch batch {
      case .marquee(let specs): .marquee(specs.copied(count))
      case .timer(let specs): .timer(specs.copied(count))
      case .orbit(let specs): .orbit(specs.copied(count))
      case .tween(let specs, let property): .tween(specs.copied(count), property)
      case .spring(let specs, let property): .spring(specs.copied(count), property)
      case .flow(let specs, let property): .flow(specs.copied(count), property)
      case .clock(let specs): .clock(specs.copied(count))
      case .views: batch
      }
    }
    return ScenePlan(
      name: name, seed: seed, rate: rate, batches: batches, layout: Orrery_SceneLayout())
  }

  /// The same scene with the batches of one kind only.
  package func only(_ kind: String) -> ScenePlan {
    ScenePlan(
      name: name, seed: seed, rate: rate, batches: batches.filter { $0.kind == kind },
      layout: Orrery_SceneLayout())
  }
}

extension Specs {
  fileprivate func copied(_ copies: Int) -> Specs {
    Specs(joining: Array(repeating: self, count: copies))
  }
}

extension ViewsPlan {
  fileprivate func copied(_ count: Int) -> ViewsPlan {
    var plan = ViewsPlan()
    plan.shownProperties = shownProperties
    plan.views.reserveCapacity(views.count * count)
    plan.tracks.reserveCapacity(tracks.count * count)
    plan.commands.reserveCapacity(commands.count * count)
    for copy in 0..<count {
      let (view, completion, accordion) = (
        copy * views.count, copy * completions.count, copy * accordions.count
      )
      func moved(_ transaction: TransactionPlan) -> TransactionPlan {
        var transaction = transaction
        transaction.actions = transaction.actions.map { $0.moved(view: view, accordion: accordion) }
        transaction.completion = transaction.completion.map { $0 + completion }
        return transaction
      }
      let suffix = copy == 0 ? "" : "#\(copy)"
      for var one in views {
        one.name += suffix
        plan.views.append(one)
      }
      for var one in tracks {
        one.view += view
        plan.tracks.append(one)
      }
      for var one in commands {
        one.transaction = moved(one.transaction)
        plan.commands.append(one)
      }
      for var one in reactions {
        one.completion += completion
        one.transaction = moved(one.transaction)
        plan.reactions.append(one)
      }
      for var one in accordions {
        one.panels = one.panels.map { $0 + view }
        one.members = one.members.map { $0.map { $0 + view } }
        plan.accordions.append(one)
      }
      plan.completions += completions.map { $0 + suffix }
    }
    return plan
  }
}

extension ActionPlan {
  fileprivate func moved(view by: Int, accordion rows: Int) -> ActionPlan {
    switch self {
    case .set(let view, let property, let value): .set(view: view + by, property, value)
    case .show(let view): .show(view: view + by)
    case .hide(let view): .hide(view: view + by)
    case .toggle(let view): .toggle(view: view + by)
    case .tap(let accordion, let row): .tap(accordion: accordion + rows, row: row)
    case .destroy(let view): .destroy(view: view + by)
    }
  }
}
