// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// Checks of views.
extension SceneChecker {
  func check(_ view: AnimatedView, at path: DocumentPath) {
    check(AnimatedView.table.checked(view) { $0 == "name" }, at: path)
    check(length: view.elements.count, SceneLimits.elements, at: path.key("elements"))
    let isSingle = view.elements.count == 1 && view.elements[0].center == .zero
    for (index, element) in view.elements.enumerated() {
      let path = isSingle ? path : path.key("elements").index(index)
      check(ElementTable.table.checked(ElementTable(element)), at: path)
    }
    check(AnimatedView.table.checked(view) { $0 != "name" }, at: path)
    check(view.keyframes, at: path.key("keyframes"))
    check(view.phases, at: path.key("phases"))
  }

  func check(parent: String, at path: DocumentPath) {
    guard check(view: parent, at: path) else { return }
    var (levels, next) = (1, parent)
    while let above = names.parents[next], levels <= SceneLimits.parentsMax {
      (levels, next) = (levels + 1, above)
    }
    if levels > SceneLimits.parentsMax {
      faults.add(path, .tooManyParents(limit: SceneLimits.parentsMax))
    }
  }

  /// Whether a view has this name; records a fault if none has.
  @discardableResult
  func check(view name: String, at path: DocumentPath) -> Bool {
    if names.views[name] != nil { return true }
    faults.add(
      path,
      names.rows[name] != nil
        ? .onlyToggled(Self.shown(name)) : Self.unknown(name, "view", names.known))
    return false
  }

  func check(_ animation: Animation, at path: DocumentPath) {
    guard let course = animation.course() else {
      faults.add(path, .notPlannable("a custom animation has no closed form"))
      return
    }
    if course.end.isNaN || course.logicalEnd.isNaN {
      faults.add(path, .notPlannable("an animation with a number that is none"))
    }
  }

  func check(_ transition: AnyTransition, at path: DocumentPath) {
    do throws(TransitionError) {
      for phase in [TransitionPhase.willAppear, .didDisappear] {
        _ = try transition.polynomials(
          phase: phase, size: CGSize(width: 1, height: 1), origin: CGPoint(x: 0.5, y: 0.5))
        if case .some(.some(let own)) = try transition.ownAnimation(phase: phase) {
          check(own, at: path)
        }
      }
    } catch {
      faults.add(path, .notPlannable(error.reason))
    }
  }

  private func check(_ loops: [KeyframeLoop], at path: DocumentPath) {
    check(count: loops.count, SceneLimits.keyframeTracks, at: path)
    for (index, loop) in loops.enumerated() {
      let path = path.index(index)
      if loops[..<index].contains(where: { $0.property == loop.property }) {
        faults.add(path.key("property"), .nameTaken("\"\(loop.property.rawValue)\""))
      }
      check(KeyframeLoop.table.checked(loop), at: path)
      let isInstant = loop.steps.allSatisfy { if case .move = $0 { true } else { false } }
      if loop.repeats, !loop.steps.isEmpty, isInstant {
        faults.add(path.key("track"), .missing(expected: "a keyframe that takes time"))
      }
    }
  }

  /// Checks that a spring comes to rest.
  func check(_ spring: Spring, at path: DocumentPath) {
    if SceneLimits.duration.range.contains(spring.settlingBound) { return }
    let found = "the settling time \(SceneNumber.text(spring.settlingBound))"
    faults.add(path, .outOfRange(found: found, limit: SceneLimits.duration))
  }

  private func check(_ phases: [ViewPhase], at path: DocumentPath) {
    check(count: phases.count, SceneLimits.phases, at: path)
    for (index, phase) in phases.enumerated() {
      let path = path.index(index)
      for change in phase.changes {
        check(change.value, SceneLimits.of(change.property), at: path.key(change.property.rawValue))
      }
      check(ViewPhase.table.checked(phase), at: path)
      guard let seconds = phase.animation.course()?.logicalEnd else { continue }
      check(seconds, SceneLimits.duration, at: path.key("animation"))
    }
  }
}

extension KeyframeLoop {
  /// Seconds of one round.
  var duration: Double { times.last ?? 0 }

  /// When each keyframe begins, and when the last one ends, in seconds.
  ///
  /// Sixty sixtieths are 1: what a sum loses by rounding is added up beside it. A round that is too long by 1e-15 of
  /// itself would be seen after some million rounds.
  var times: [Double] {
    var (sum, lost) = (0.0, 0.0)
    return [0]
      + steps.map { step in
        let next = sum + step.duration
        lost +=
          sum >= step.duration ? (sum - next) + step.duration : (step.duration - next) + sum
        sum = next
        return sum + lost
      }
  }
}

extension KeyframeStep {
  /// Seconds of this keyframe.
  var duration: Double {
    switch self {
    case .linear(_, let duration, _), .cubic(_, let duration, _, _): duration
    case .spring(_, let spring): spring.settlingBound
    case .move: 0
    }
  }
}

extension TransitionError {
  /// The reason in a message.
  var reason: String {
    switch self {
    case .degreeTooHigh(let degree):
      "\(degree) moving parts of a transition multiply each other, more than "
        + "\(TransitionPolynomials.degreeMax)"
    case .unevenScale: "a transition that scales width and height differently"
    case .geometryEffect: "a transition with a geometry effect has no closed form"
    case .changedIdentity: "a transition that changes what is there to stay"
    case .notFinite: "a transition with a number that is infinite or none"
    case .colorEffect: "a transition that changes colours"
    case .animatableModifier: "a transition with an animatable modifier has no closed form"
    case .transaction: "a transition whose modifiers change the transaction by a closure"
    case .severalAnimations: "parts of one half of a transition have different animations"
    }
  }
}
