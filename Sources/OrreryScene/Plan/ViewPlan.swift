// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrrerySceneBuilder

/// The views of a scene with their commands and reactions: a director's input.
///
/// View k is entity k of its batch.
package struct ViewsPlan: Sendable {
  /// The views, in the order of their entities.
  package var views: [ViewPlan]

  /// Properties that repeated keyframes move, at most one track for each property of a view.
  package var tracks: [KeyframeTrackPlan] = []

  /// Transactions at known times, in the order of the scene.
  package var commands: [CommandPlan]

  /// Transactions after a completion, in the order of the scene.
  package var reactions: [ReactionPlan]

  /// Accordions: groups of rows, at most one of them open.
  package var accordions: [AccordionPlan]

  /// Names of completions; the rest of the plan refers to them by index.
  package var completions: [String]

  /// Properties that frames show although nothing in the scene changes them, because live commands may.
  package var shownProperties: Set<ViewProperty> = []

  package init(
    views: [ViewPlan] = [], commands: [CommandPlan] = [], reactions: [ReactionPlan] = [],
    accordions: [AccordionPlan] = [], completions: [String] = []
  ) {
    self.views = views
    self.commands = commands
    self.reactions = reactions
    self.accordions = accordions
    self.completions = completions
  }
}

/// One thing whose properties are animated.
package struct ViewPlan: Sendable {
  /// Name for commands and events; unique in its scene.
  package var name: String

  /// Values at time 0: one for each `ViewProperty`, in their order.
  package var initial: [Double]

  /// How the view appears and disappears; nil: at once.
  package var transition: TransitionPlan?

  /// Whether the view is shown at time 0.
  package var isShown: Bool

  package init(
    name: String, initial: [Double], transition: TransitionPlan? = nil, isShown: Bool = true
  ) {
    self.name = name
    self.initial = initial
    self.transition = transition
    self.isShown = isShown
  }
}

/// How a view appears and disappears, as polynomials that a batch can evaluate.
package struct TransitionPlan: Equatable, Sendable {
  /// From `willAppear` to `identity`.
  package var insertion: TransitionHalf

  /// From `identity` to `didDisappear`.
  package var removal: TransitionHalf

  /// The transition's own animations, which replace the transaction's; nil: keep the transaction's.
  package var insertionAnimation: Animation?
  /// The removal's own animation; nil: keep the transaction's.
  package var removalAnimation: Animation?

  package init(
    insertion: TransitionHalf, removal: TransitionHalf, insertionAnimation: Animation? = nil,
    removalAnimation: Animation? = nil
  ) {
    self.insertion = insertion
    self.removal = removal
    self.insertionAnimation = insertionAnimation
    self.removalAnimation = removalAnimation
  }
}

/// The effect of one half of a transition on a view, as polynomials in `away`.
///
/// `away` is 0 at identity and 1 when the view is gone. A value is
/// identity + c[0]·away + c[1]·away² + …, where identity is 1 for opacity and scale and 0 for the
/// rest, so it is exact at `away` = 0. The polynomials hold beyond 0...1 too, where springs
/// overshoot. x and y move the view's origin.
package struct TransitionHalf: Equatable, Sendable {
  /// Coefficients of the movement to the right, in points.
  package var x: [Double]
  /// Coefficients of the movement downward, in points.
  package var y: [Double]
  /// Coefficients of the opacity.
  package var opacity: [Double]
  /// Coefficients of the scale.
  package var scale: [Double]
  /// Coefficients of the blur's radius, in points.
  package var blur: [Double]

  /// Coefficients that a polynomial may have.
  package static let degreeMax = 4

  package init(
    x: [Double] = [], y: [Double] = [], opacity: [Double] = [], scale: [Double] = [],
    blur: [Double] = []
  ) {
    self.x = x
    self.y = y
    self.opacity = opacity
    self.scale = scale
    self.blur = blur
  }
}

/// Changes made together in one transaction.
package struct TransactionPlan: Sendable {
  /// The changes, in their order.
  package var actions: [ActionPlan]

  /// Nil: the changes are not animated.
  package var animation: Animation?

  /// Index into `ViewsPlan.completions`.
  package var completion: Int?
  /// The moment of the completion.
  package var criteria: AnimationCompletionCriteria

  package init(
    _ actions: [ActionPlan], animation: Animation? = nil, completion: Int? = nil,
    criteria: AnimationCompletionCriteria = .logicallyComplete
  ) {
    self.actions = actions
    self.animation = animation
    self.completion = completion
    self.criteria = criteria
  }
}

/// One change.
package enum ActionPlan: Equatable, Sendable {
  case set(view: Int, ViewProperty, Double)
  /// Through the view's transition, if the transaction is animated.
  case show(view: Int)
  case hide(view: Int)
  /// Shows a hidden view and hides a shown one.
  case toggle(view: Int)
  /// A tap on a row: opens it and closes the open row; a tap on the open row closes it.
  case tap(accordion: Int, row: Int)
  /// Ends all animations of a view as cancelled and removes the view for good.
  case destroy(view: Int)
}

/// A transaction at a time.
package struct CommandPlan: Sendable {
  /// Seconds since the scene began; 0 or more, not bound to ticks.
  package var time: Double

  /// Seconds from one time to the next; nil: only once.
  package var every: Double?

  /// The changes.
  package var transaction: TransactionPlan

  /// The shortest time between two runs, in seconds.
  package static let everyMin = 0.001

  package init(time: Double, every: Double? = nil, transaction: TransactionPlan) {
    self.time = time
    self.every = every
    self.transaction = transaction
  }
}

/// A transaction that follows a completion.
package struct ReactionPlan: Sendable {
  /// Index into `ViewsPlan.completions`.
  package var completion: Int

  /// Seconds after the completion.
  package var delay: Double

  /// The changes.
  package var transaction: TransactionPlan

  package init(completion: Int, delay: Double = 0, transaction: TransactionPlan) {
    self.completion = completion
    self.delay = delay
    self.transaction = transaction
  }
}

/// Rows below each other, at most one of them open; the state is the open row's index or nil.
///
/// Row r's open panel moves the rows after it down by `panelHeights[r]` points.
package struct AccordionPlan: Sendable {
  /// Each row's panel view, shown and hidden through its transition.
  package var panels: [Int]

  /// Points by which each open panel moves the rows after it, its spacing included.
  package var panelHeights: [Double]

  /// The views of each row; an open panel above them adds to their initial y.
  package var members: [[Int]]

  /// The open row at time 0.
  package var open: Int?

  package init(
    panels: [Int], panelHeights: [Double], members: [[Int]], open: Int? = nil
  ) {
    self.panels = panels
    self.panelHeights = panelHeights
    self.members = members
    self.open = open
  }
}
