// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene

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
    let values = transition.values(
      phase: phase, progress: progress, size: size, layoutDirection: layoutDirection)
    let m = values.matrix
    return EvalAnswer([
      "matrix": .numbers([m.a, m.b, m.c, m.d, m.tx, m.ty]), "opacity": .number(values.opacity),
      "blur": .number(values.blur),
    ])
  }
}
