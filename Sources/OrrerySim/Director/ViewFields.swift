// SPDX-License-Identifier: Apache-2.0

import OrreryScene
import OrrerySceneBuilder

/// The fields that a batch of views needs: those that something can change, and those that differ from
/// their default in some view.
struct ViewFields: Sendable {
  /// In the order of `ViewProperty`; never empty.
  let fields: [ViewProperty]

  /// Whether any view has a transition.
  let hasTransitions: Bool

  init(_ plan: ViewsPlan) {
    var used = Set<ViewProperty>()
    for view in plan.views {
      for (property, value) in zip(ViewProperty.allCases, view.initial)
      where value != property.defaultValue {
        used.insert(property)
      }
      if !view.isShown { used.insert(.opacity) }
      for half in [view.transition?.insertion, view.transition?.removal] {
        if let half { used.formUnion(Self.fields(of: half)) }
      }
    }
    let transactions = plan.commands.map(\.transaction) + plan.reactions.map(\.transaction)
    for action in transactions.lazy.flatMap(\.actions) { used.formUnion(Self.fields(of: action)) }
    used.formUnion(plan.tracks.lazy.map(\.property))
    if !plan.accordions.isEmpty { used.formUnion([.y, .opacity]) }
    used.formUnion(plan.shownProperties)
    if used.isEmpty { used.insert(.x) }
    fields = ViewProperty.allCases.filter(used.contains)
    hasTransitions = plan.views.contains { $0.transition != nil }
  }

  /// The fields that an action may change, apart from those of transitions.
  static func fields(of action: ActionPlan) -> [ViewProperty] {
    switch action {
    case .set(_, let property, _): [property]
    case .show, .hide, .toggle, .destroy: [.opacity]
    case .tap: [.y, .opacity]
    }
  }

  private static func fields(of half: TransitionHalf) -> [ViewProperty] {
    let polynomials: [(ViewProperty, [Double])] = [
      (.x, half.x), (.y, half.y), (.opacity, half.opacity), (.scale, half.scale),
      (.blur, half.blur),
    ]
    // A view that is gone has opacity 0, whatever its transition does.
    return [.opacity] + polynomials.filter { $0.1.contains { $0 != 0 } }.map(\.0)
  }
}
