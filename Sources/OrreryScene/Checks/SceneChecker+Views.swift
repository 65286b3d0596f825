// SPDX-License-Identifier: Apache-2.0

import Orrery

/// Checks of views and accordions.
extension SceneChecker {
  func check(_ view: AnimatedView, _ names: SceneNames, at path: ScenePath) {
    check(text: view.name, bytesMax: SceneLimits.nameBytesMax, at: path.key("name"))
    let isSingle = view.elements.count == 1 && view.elements[0].center == .zero
    check(length: view.elements.count, SceneLimits.elements, at: path.key("elements"))
    for (index, element) in view.elements.enumerated() {
      check(element, at: isSingle ? path : path.key("elements").index(index))
    }
    check(view.position, at: path.key("position"))
    if let size = view.size {
      check(size.width, SceneLimits.frameSide, at: path.key("size").index(0))
      check(size.height, SceneLimits.frameSide, at: path.key("size").index(1))
    }
    for property in ViewProperty.allCases {
      check(view.initial[property], property, at: path.key(property.rawValue))
    }
    if let transition = view.transition { check(transition, at: path.key("transition")) }
    if let parent = view.parent {
      check(parent: parent, of: view.name, names, at: path.key("parent"))
    }
    check(view.keyframes, at: path.key("keyframes"))
    check(view.phases, at: path.key("phases"))
  }

  private func check(_ element: ViewElement, at path: ScenePath) {
    check(element.center, at: path.key("at"))
    switch element.shape {
    case .text(let text, let font, _):
      check(text: text, bytesMax: SceneLimits.textBytesMax, at: path.key("text"))
      check(font.size, SceneLimits.fontSize, at: path.key("font"))
    case .disc(let radius): check(radius, SceneLimits.elementRadius, at: path.key("disc"))
    case .box(let width, let height, let cornerRadius):
      check(width, SceneLimits.elementSide, at: path.key("box").index(0))
      check(height, SceneLimits.elementSide, at: path.key("box").index(1))
      check(cornerRadius, SceneLimits.cornerRadius, at: path.key("corner-radius"))
    case .flag(let region, let width):
      check(flag: region, at: path.key("flag"))
      check(width, SceneLimits.flagWidth, at: path.key("width"))
    }
  }

  /// Checks a value against the range of its property.
  func check(_ value: Double, _ property: ViewProperty, at path: ScenePath) {
    check(value, SceneLimits.of(property), at: path)
  }

  func check(parent: String, of name: String?, _ names: SceneNames, at path: ScenePath) {
    guard check(view: parent, names, at: path) else { return }
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
  func check(view name: String, _ names: SceneNames, at path: ScenePath) -> Bool {
    if names.views[name] != nil { return true }
    faults.add(
      path,
      names.rows[name] != nil
        ? .onlyToggled(Self.shown(name)) : Self.unknown(name, "view", names.known))
    return false
  }

  func check(_ animation: Animation, at path: ScenePath) {
    guard let course = animation.course() else {
      faults.add(path, .notPlannable("a custom animation has no closed form"))
      return
    }
    if course.end.isNaN || course.logicalEnd.isNaN {
      faults.add(path, .notPlannable("an animation with a number that is none"))
    }
  }

  func check(_ transition: AnyTransition, at path: ScenePath) {
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

  private func check(_ loops: [KeyframeLoop], at path: ScenePath) {
    check(count: loops.count, SceneLimits.keyframeTracks, at: path)
    for (index, loop) in loops.enumerated() {
      let path = path.index(index)
      if loops[..<index].contains(where: { $0.property == loop.property }) {
        faults.add(path.key("property"), .nameTaken("\"\(loop.property.rawValue)\""))
      }
      let track = path.key("track")
      check(length: loop.steps.count, SceneLimits.keyframes, at: track)
      for (index, step) in loop.steps.enumerated() {
        check(step, loop.property, at: track.index(index))
      }
      let isInstant = loop.steps.allSatisfy { if case .move = $0 { true } else { false } }
      if loop.repeats, !loop.steps.isEmpty, isInstant {
        faults.add(track, .missing(expected: "a keyframe that takes time"))
      }
    }
  }

  private func check(_ step: KeyframeStep, _ property: ViewProperty, at path: ScenePath) {
    switch step {
    case .linear(let value, let duration, _):
      check(value, property, at: path.key("linear"))
      check(duration, SceneLimits.duration, at: path.key("duration"))
    case .cubic(let value, let duration, let start, let end):
      check(value, property, at: path.key("cubic"))
      check(duration, SceneLimits.duration, at: path.key("duration"))
      check(start, SceneLimits.velocity, at: path.key("start-velocity"))
      check(end, SceneLimits.velocity, at: path.key("end-velocity"))
    case .spring(let value, let spring):
      check(value, property, at: path.key("spring-to"))
      if !SceneLimits.duration.range.contains(spring.settlingDuration) {
        faults.add(
          path.key("spring"),
          .outOfRange(
            found: "the settling time \(SceneNumber.text(spring.settlingDuration))",
            limit: SceneLimits.duration))
      }
    case .move(let value): check(value, property, at: path.key("move"))
    }
  }

  private func check(_ phases: [ViewPhase], at path: ScenePath) {
    check(count: phases.count, SceneLimits.phases, at: path)
    for (index, phase) in phases.enumerated() {
      let path = path.index(index)
      for change in phase.changes {
        check(change.value, change.property, at: path.key(change.property.rawValue))
      }
      check(phase.animation, at: path.key("animation"))
      guard let seconds = phase.animation.course()?.logicalEnd else { continue }
      check(seconds, SceneLimits.duration, at: path.key("animation"))
    }
  }

  func check(_ accordion: Accordion, at path: ScenePath) {
    check(length: accordion.rows.count, SceneLimits.accordionRows, at: path.key("rows"))
    for (index, row) in accordion.rows.enumerated() {
      let path = path.key("rows").index(index)
      check(text: row.name, bytesMax: SceneLimits.nameBytesMax, at: path.key("name"))
      if let title = row.title {
        check(text: title, bytesMax: SceneLimits.textBytesMax, at: path.key("title"))
      }
      check(row.moons, at: path.key("moons"))
    }
    check(accordion.width, SceneLimits.frameSide, at: path.key("width"))
    check(accordion.rowHeight, SceneLimits.frameSide, at: path.key("row-height"))
    check(accordion.panelHeight, SceneLimits.frameSide, at: path.key("panel-height"))
    check(accordion.spacing, SceneLimits.spacing, at: path.key("spacing"))
    check(accordion.position, at: path.key("position"))
    check(accordion.transition, at: path.key("transition"))
    check(accordion.animation, at: path.key("animation"))
    check(accordion.font.size, SceneLimits.fontSize, at: path.key("font"))
    check(accordion.duration, SceneLimits.duration, at: path.key("duration"))
  }
}

extension SceneLimits {
  /// The range of a view's property.
  package static func of(_ property: ViewProperty) -> SceneLimit {
    switch property {
    case .x, .y: position
    case .opacity: opacity
    case .scale: scale
    case .rotation: rotation
    case .blur: blur
    }
  }
}

extension KeyframeLoop {
  /// Seconds of one round.
  var duration: Double { steps.reduce(0) { $0 + $1.duration } }
}

extension KeyframeStep {
  /// Seconds of this keyframe.
  var duration: Double {
    switch self {
    case .linear(_, let duration, _), .cubic(_, let duration, _, _): duration
    case .spring(_, let spring): spring.settlingDuration
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
    case .severalAnimations: "parts of one half of a transition have different animations"
    }
  }
}
