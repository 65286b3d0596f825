// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder

/// The effect of a transition on a view at one moment.
///
///     {"transition":"move(edge: top)","phase":"insertion","progress":0.4,"size":[240,160]}
struct TransitionRequest: EvalRequest {
  static let keys = ["transition", "phase", "progress", "size", "layoutDirection"]

  private let transition: AnyTransition
  private let phase: TransitionPhase
  private let progress: Double
  private let size: CGSize
  private let layoutDirection: LayoutDirection

  init(_ reader: RequestReader) throws(EvalError) {
    transition = try reader.notation("transition", Notation.transition)
    phase = try reader.word(
      "phase",
      [
        ("insertion", .willAppear), ("removal", .didDisappear), ("willAppear", .willAppear),
        ("identity", .identity), ("didDisappear", .didDisappear),
      ])
    progress = try reader.number("progress")
    let sides = try reader.numbers("size")
    guard sides.count == 2 else {
      throw EvalError(
        path: reader.path.key("size"), reason: "\(sides.count) numbers; [width, height] is wanted")
    }
    size = CGSize(width: sides[0], height: sides[1])
    layoutDirection = try reader.word(
      "layoutDirection", else: "leftToRight",
      [("leftToRight", .leftToRight), ("rightToLeft", .rightToLeft)])
  }

  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    var values = transition.values(
      phase: phase, progress: progress, size: size, layoutDirection: layoutDirection)
    let fromKernel = kernels.flatMap { kernelValues($0) }
    if let fromKernel { values = fromKernel }
    let m = values.matrix
    return EvalAnswer(
      [
        "matrix": .numbers([m.a, m.b, m.c, m.d, m.tx, m.ty]), "opacity": .number(values.opacity),
        "blur": .number(values.blur), "phase_value": .number(phase.value),
        "is_identity": .bool(phase.isIdentity),
      ], isFromKernel: fromKernel != nil)
  }

  /// The values of a batch; nil if the transition has no polynomials, or for a progress outside 0...1.
  private func kernelValues(_ kernels: any KernelEvaluating) -> TransitionValues? {
    guard
      let polynomials = try? transition.polynomials(
        phase: phase, size: size, origin: .zero, layoutDirection: layoutDirection)
    else { return nil }
    let half = TransitionHalf(
      x: polynomials.x, y: polynomials.y, opacity: polynomials.opacity, scale: polynomials.scale,
      blur: polynomials.blur)
    let away = phase == .willAppear ? 1 - progress : phase == .didDisappear ? progress : 0
    guard let values = kernels.transition(half, away: away) else { return nil }
    let fields = Dictionary(uniqueKeysWithValues: zip(ViewProperty.allCases, values))
    func value(_ property: ViewProperty) -> Double {
      fields[property] ?? property.defaultValue
    }
    return TransitionValues(
      transform: ProjectionTransform(
        CGAffineTransform(
          a: value(.scale), b: 0, c: 0, d: value(.scale), tx: value(.x), ty: value(.y))),
      opacity: value(.opacity), blur: value(.blur))
  }
}
