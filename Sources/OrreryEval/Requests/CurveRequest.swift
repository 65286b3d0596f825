// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Values and slopes of a curve.
///
///     {"curve":"easeIn","at":[0,0.5,1]}
struct CurveRequest: EvalRequest {
  static let keys = ["curve", "at", "ends"]

  private let curve: UnitCurve
  private let at: [Double]

  /// The slope at an end with a control point on it.
  private let ends: UnitCurve.EndSlope

  init(_ reader: RequestReader) throws(EvalError) {
    curve = try reader.notation("curve", Notation.curve)
    at = try reader.numbers("at")
    ends = try reader.word(
      "ends", else: "limit", [("limit", .limit), ("swiftUI", .swiftUI)])
  }

  /// Velocities are always the library's: batches have none.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let fromKernel = kernels?.curve(curve, at: at)
    return EvalAnswer(
      [
        "values": .numbers(fromKernel ?? at.map { curve.value(at: $0) }),
        "velocities": .numbers(at.map { curve.velocity(at: $0, ends: ends) + 0 }),
      ], isFromKernel: fromKernel != nil)
  }
}
