// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryScene

/// Offsets of a flowing picture and of its two copies.
///
///     {"flow":{"width":250,"direction":"right"},"at":[4.2,11.2]}
struct FlowRequest: EvalRequest {
  static let keys = ["flow", "at"]

  private let motion: FlowMotion
  private let at: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    let flow = try reader.object(
      "flow", known: ["width", "height", "direction", "start", "loopSeconds", "speed"])
    let direction = try flow.word(
      "direction", else: "right",
      [("left", FlowMotion.Direction.left), ("right", .right), ("up", .up), ("down", .down)])
    let isVertical = direction == .up || direction == .down
    let side = isVertical ? "height" : "width"
    let length = try flow.number(side, in: 0...1e9, "points")
    let start = try flow.number("start", else: 1, in: 0...1e9, "s")
    if flow.has("speed") {
      guard !flow.has("loopSeconds") else {
        throw EvalError(path: flow.path, reason: "speed and loopSeconds exclude each other")
      }
      let speed = try flow.number("speed", in: 0...1e9, "points per second")
      motion = FlowMotion(length: length, speed: speed, direction: direction, start: start)
    } else {
      motion = FlowMotion(
        length: length, loopSeconds: try flow.number("loopSeconds", else: 10, in: 1e-6...1e12, "s"),
        direction: direction, start: start)
    }
    at = reader.has("at") ? try reader.numbers("at") : []
  }

  /// `copies` are two lists: the offsets of each copy.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    let isForward = motion.direction == .right || motion.direction == .down
    let fromKernel = kernels?.flow(spec, at: at)
    let offsets = fromKernel ?? at.map { motion.offset(at: $0) }
    let others = offsets.map { isForward ? $0 - motion.length : $0 + motion.length }
    return EvalAnswer(
      ["offsets": .numbers(offsets), "copies": .array([.numbers(offsets), .numbers(others)])],
      isFromKernel: fromKernel != nil)
  }

  private var spec: FlowSpec {
    let direction: FlowSpec.Direction =
      switch motion.direction {
      case .left: .left
      case .right: .right
      case .up: .up
      case .down: .down
      }
    let speed = motion.loopSeconds > 0 ? motion.length / motion.loopSeconds : 0
    return FlowSpec(
      period: motion.length, speed: speed, direction: direction, start: motion.start)
  }
}
