// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Which fields a batch of views needs: those that something can change, or that differ from the default
/// in some view.
struct ViewFields: Sendable {
  /// In the order of `Field`'s numbers; never empty.
  let fields: [Field]

  /// Whether any view has a transition.
  let hasTransitions: Bool

  init(_ plan: ViewsPlan) {
    var used = Set<Field>()
    for view in plan.views {
      for (property, value) in zip(ViewProperty.allCases, view.initial)
      where value != property.defaultValue {
        used.insert(Field(property))
      }
      if !view.isShown { used.insert(.opacity) }
      for form in [view.transition?.insertion, view.transition?.removal] {
        if let form { used.formUnion(Self.fields(of: form)) }
      }
    }
    let transactions = plan.commands.map(\.transaction) + plan.reactions.map(\.transaction)
    for action in transactions.lazy.flatMap(\.actions) { used.formUnion(Self.fields(of: action)) }
    if !plan.accordions.isEmpty { used.formUnion([.y, .opacity]) }
    used.formUnion(plan.shownProperties.map(Field.init))
    if used.isEmpty { used.insert(.x) }
    fields = used.sorted { $0.rawValue < $1.rawValue }
    hasTransitions = plan.views.contains { $0.transition != nil }
  }

  /// The fields that an action may change, apart from those of transitions.
  static func fields(of action: ActionPlan) -> [Field] {
    switch action {
    case .set(_, let property, _): [Field(property)]
    case .show, .hide, .toggle, .destroy: [.opacity]
    case .tap: [.y, .opacity]
    }
  }

  private static func fields(of form: TransitionHalf) -> [Field] {
    let parts: [(Field, [Double])] = [
      (.x, form.x), (.y, form.y), (.opacity, form.opacity), (.scale, form.scale),
      (.blur, form.blur),
    ]
    // A view that goes away is invisible then, whatever its transition does.
    return [.opacity] + parts.filter { $0.1.contains { $0 != 0 } }.map(\.0)
  }
}
