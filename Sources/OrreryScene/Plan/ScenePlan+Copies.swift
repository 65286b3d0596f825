// SPDX-License-Identifier: Apache-2.0

import OrreryMessages

extension ScenePlan {
  /// The same entities several times over, with their commands and completions: more than a scene file may name.
  ///
  /// Copies lie on top of each other. Names in copy k, counted from 0, end in `#k`; those of copy 0 stay.
  ///
  /// - Parameters:
  ///   - count: Number of copies, the first included; at least 1.
  ///   - viewsOnly: Whether other entities stay single.
  ///   - isDrawn: Whether the larger plan has a layout and names for commands; without them it is made faster.
  /// - Returns: The larger plan.
  /// - Precondition: This is the plan of a whole scene.
  package func copied(_ count: Int, viewsOnly: Bool, isDrawn: Bool = true) -> ScenePlan {
    precondition(shard.isWhole, "copies of a shard")
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
    var plan = ScenePlan(
      name: name, seed: seed, rate: rate, batches: batches, layout: Orrery_SceneLayout())
    plan.leftOut = leftOut
    guard isDrawn else { return plan }
    plan.layout = layout.copied(firsts: plan.firstEntities, counts: batches.map(\.count))
    plan.liveNames = liveNames.copied(count)
    return plan
  }

  /// What a name ends in in a copy, which is counted from 0.
  static func suffix(ofCopy copy: Int) -> String { copy == 0 ? "" : "#\(copy)" }
}

extension Orrery_SceneLayout {
  /// The layout with larger batches, whose entities repeat those of its own.
  ///
  /// - Parameters:
  ///   - firsts: Number of each larger batch's first entity.
  ///   - counts: Entities of each, a multiple of its own.
  /// - Returns: The larger layout.
  fileprivate func copied(firsts: [Int], counts: [Int]) -> Orrery_SceneLayout {
    var layout = self
    layout.entityCount = UInt64(counts.reduce(0, +))
    // Not the layout's own list, which would be copied by each change.
    var longer: [Orrery_EntityName] = []
    let views = batches.firstIndex { $0.kind == "view" }
    var name = names.startIndex
    for (index, batch) in batches.enumerated() {
      let (own, first, count) = (Int(batch.entityCount), firsts[index], counts[index])
      let copies = count / own
      layout.batches[index].firstEntity = UInt32(first)
      layout.batches[index].entityCount = UInt32(count)
      layout.batches[index].originX = Self.repeated(batch.originX, copies)
      layout.batches[index].originY = Self.repeated(batch.originY, copies)
      layout.batches[index].sprites = Self.repeated(batch.sprites, copies)
      if let views, !batch.parents.isEmpty {
        // In a copy, a parent is that copy's view.
        let moved = firsts[views] - Int(batches[views].firstEntity)
        let all =
          batch.parents.count == own
          ? batch.parents : Array(repeating: batch.parents[0], count: own)
        layout.batches[index].parents = (0..<copies).flatMap { copy in
          all.map { $0 == 0 ? 0 : $0 + UInt32(moved + copy * Int(batches[views].entityCount)) }
        }
      }
      let end =
        names[name...].firstIndex { $0.firstEntity >= batch.firstEntity + batch.entityCount }
        ?? names.endIndex
      for copy in 0..<copies {
        longer += names[name..<end].map { one in
          var other = one
          other.name += ScenePlan.suffix(ofCopy: copy)
          other.firstEntity = one.firstEntity - batch.firstEntity + UInt32(first + copy * own)
          return other
        }
      }
      name = end
    }
    layout.names = longer
    return layout
  }

  /// A column of a layout; a value that all entities share stays alone.
  private static func repeated<Value>(_ column: [Value], _ copies: Int) -> [Value] {
    column.count <= 1 ? column : Array(repeatElement(column, count: copies).joined())
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
      let suffix = ScenePlan.suffix(ofCopy: copy)
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
