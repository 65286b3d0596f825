// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Values and velocities of a spring, and its parameters.
///
///     {"spring":{"duration":0.5,"bounce":0.3},"from":0,"to":1,"velocity":0,"at":[0,0.5]}
struct SpringRequest: EvalRequest {
  static let keys = ["spring", "from", "to", "velocity", "at", "epsilon", "forces"]

  private let spring: Spring
  private let from: Double
  private let to: Double
  private let velocity: Double
  private let at: [Double]

  /// Distance from the target at which it counts as settled; nil: from 0 to 1, from rest, to 0.001.
  private let epsilon: Double?

  /// Positions and velocities at which the force is requested; nil: no forces.
  private let forces: [[Double]]?

  init(_ reader: RequestReader) throws(EvalError) {
    spring = try SpringReader.spring("spring", of: reader)
    from = try reader.number("from", else: 0)
    to = try reader.number("to", else: 1)
    velocity = try reader.number("velocity", else: 0)
    at = reader.has("at") ? try reader.numbers("at") : []
    epsilon = reader.has("epsilon") ? try reader.positive("epsilon") : nil
    forces = reader.has("forces") ? try reader.rows("forces", of: ["position", "velocity"]) : nil
  }

  /// Before time 0 the spring is at rest at `from`.
  ///
  /// Velocities are always the library's: batches have none.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let fromKernel = kernels?.spring(spring, from: from, to: to, velocity: velocity, at: at)
    let values =
      fromKernel
      ?? at.map { time in
        spring.value(
          fromValue: from, toValue: to, initialVelocity: velocity, time: Swift.max(0, time))
      }
    let velocities = at.map { time in
      time < 0
        ? 0 : spring.velocity(fromValue: from, toValue: to, initialVelocity: velocity, time: time)
    }
    var answer = EvalAnswer(
      [
        "values": .numbers(values), "velocities": .numbers(velocities),
        "mass": .number(spring.mass), "stiffness": .number(spring.stiffness),
        "damping": .number(spring.damping), "response_s": .number(spring.response),
        "damping_ratio": .number(spring.dampingRatio), "bounce": .number(spring.bounce),
        "settling_duration_s": .number(settlingDuration),
        "settling_bound_s": .number(settlingBound),
      ], isFromKernel: fromKernel != nil)
    if let forces {
      answer.table.append(
        "forces",
        .numbers(
          forces.map { spring.force(target: to, position: $0[0], velocity: $0[1]) }))
    }
    return answer
  }

  private var settlingDuration: Double {
    guard let epsilon else { return spring.settlingDuration }
    return spring.settlingDuration(
      fromValue: from, toValue: to, initialVelocity: velocity, epsilon: epsilon)
  }

  private var settlingBound: Double {
    guard let epsilon else { return spring.settlingBound }
    return spring.settlingBound(
      fromValue: from, toValue: to, initialVelocity: velocity, epsilon: epsilon)
  }
}

/// Reads a spring: a text in the notation, or an object with the parameters of one of Swift's
/// initialisers.
enum SpringReader {
  static func spring(_ key: String, of reader: RequestReader) throws(EvalError) -> Spring {
    if case .string = try reader.value(key, "a spring") {
      return try reader.notation(key, Notation.spring)
    }
    let known = parameterSets.flatMap { $0.required + $0.optional }
    let parameters = try reader.object(key, known: known)
    let match = parameterSets.first { candidate in
      let allowed = candidate.required + candidate.optional
      return candidate.required.allSatisfy(parameters.has)
        && parameters.keys.allSatisfy { allowed.contains($0) }
    }
    guard let match else {
      let allowed = parameterSets.map {
        ($0.required + $0.optional.map { "\($0)?" }).joined(separator: " ")
      }
      throw EvalError(
        path: parameters.path,
        reason: "these parameters do not belong together; allowed: "
          + allowed.joined(separator: ", or "))
    }
    return try match.make(parameters)
  }

  private struct ParameterSet: Sendable {
    let required: [String]
    let optional: [String]
    let make: @Sendable (RequestReader) throws(EvalError) -> Spring
  }

  private static let parameterSets: [ParameterSet] = [
    ParameterSet(required: [], optional: ["duration", "bounce"]) { reader throws(EvalError) in
      Spring(
        duration: try reader.number("duration", else: 0.5),
        bounce: try reader.number("bounce", else: 0))
    },
    ParameterSet(
      required: ["response", "dampingRatio"], optional: []
    ) { reader throws(EvalError) in
      Spring(
        response: try reader.number("response"), dampingRatio: try reader.number("dampingRatio"))
    },
    ParameterSet(
      required: ["response", "dampingFraction"], optional: []
    ) { reader throws(EvalError) in
      Spring(
        response: try reader.number("response"),
        dampingRatio: try reader.number("dampingFraction"))
    },
    ParameterSet(
      required: ["stiffness", "damping"], optional: ["mass", "allowOverDamping"]
    ) { reader throws(EvalError) in
      Spring(
        mass: try reader.positive("mass", else: 1), stiffness: try reader.positive("stiffness"),
        damping: try reader.number("damping"),
        allowOverDamping: try reader.bool("allowOverDamping", else: false))
    },
    ParameterSet(
      required: ["settlingDuration", "dampingRatio"], optional: ["epsilon"]
    ) { reader throws(EvalError) in
      Spring(
        settlingDuration: try reader.number("settlingDuration"),
        dampingRatio: try reader.number("dampingRatio"),
        epsilon: try reader.number("epsilon", else: 0.001))
    },
  ]
}
