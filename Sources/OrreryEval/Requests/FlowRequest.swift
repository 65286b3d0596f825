// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// Offsets of a flowing picture and of its two copies.
///
///     {"flow":{"width":250,"direction":"right"},"at":[4.2,11.2]}
///     {"flow":{"variant":"written","width":250},"ticks":[2,3,4],"at":[4.2]}
///
/// The variant `written` is a flow as it is often written: a timer that adds tenths.
struct FlowRequest: EvalRequest {
  static let keys = ["flow", "at", "ticks"]

  private enum Variant {
    case loop(FlowMotion)
    /// When the timer fires, in seconds.
    case written(width: Double, ticks: [Double])
  }

  private let variant: Variant
  private let at: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    let flow = try reader.object(
      "flow", known: ["width", "height", "direction", "start", "loopSeconds", "speed", "variant"])
    at = reader.has("at") ? try reader.numbers("at") : []
    guard try flow.word("variant", else: "loop", [("loop", false), ("written", true)]) else {
      try reader.allowOnly(["flow", "at"])
      variant = .loop(try Self.motion(flow))
      return
    }
    try flow.allowOnly(["variant", "width"])
    let ticks = try reader.numbers("ticks")
    for index in ticks.indices.dropFirst() where ticks[index] < ticks[index - 1] {
      throw .outOfRange(
        reader.path.key("ticks").index(index), ticks[index], "times that do not fall")
    }
    guard at.count * ticks.count <= EvalLimits.sampleCountMax else {
      throw .outOfRange(
        reader.path.key("at"), Double(at.count * ticks.count),
        "at most \(EvalLimits.sampleCountMax) times multiplied by ticks")
    }
    variant = .written(width: try flow.number("width", in: 0...1e9, "points"), ticks: ticks)
  }

  private static func motion(_ flow: RequestReader) throws(EvalError) -> FlowMotion {
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
      return FlowMotion(length: length, speed: speed, direction: direction, start: start)
    }
    return FlowMotion(
      length: length, loopSeconds: try flow.number("loopSeconds", else: 10, in: 1e-6...1e12, "s"),
      direction: direction, start: start)
  }

  /// `copies` are two lists: the offsets of each copy.
  func answer(_ kernels: (any KernelEvaluating)?) -> EvalAnswer {
    switch variant {
    case .loop(let motion): answer(motion, kernels)
    case .written(let width, let ticks): answer(width, ticks)
    }
  }

  /// `changes` are the effects of the timer's ticks.
  private func answer(_ width: Double, _ ticks: [Double]) -> EvalAnswer {
    var offset = 0.0
    let changes: [DocumentTable] = ticks.map { tick in
      let change = FlowAsWritten.change(
        to: FlowAsWritten.nextOffset(offset, width: width), width: width)
      let kind: String
      switch change {
      case .animate(let next): (kind, offset) = ("animate", next)
      case .restart(let next): (kind, offset) = ("restart", next)
      }
      return ["time_s": .number(tick), "kind": .string(kind), "to": .number(offset)]
    }
    return EvalAnswer([
      "offsets": .numbers(
        at.map { FlowAsWritten.offset(at: $0, ticks: ticks, width: width) }),
      "changes": .tables(changes),
      "steps_per_loop": .number(Double(FlowAsWritten.stepsPerLoop(width: width))),
    ])
  }

  private func answer(
    _ motion: FlowMotion, _ kernels: (any KernelEvaluating)?
  ) -> EvalAnswer {
    let isForward = motion.direction == .right || motion.direction == .down
    let fromKernel = kernels?.flow(Self.spec(motion), at: at)
    let offsets = fromKernel ?? at.map { motion.offset(at: $0) }
    let others = offsets.map { isForward ? $0 - motion.length : $0 + motion.length }
    return EvalAnswer(
      ["offsets": .numbers(offsets), "copies": .array([.numbers(offsets), .numbers(others)])],
      isFromKernel: fromKernel != nil)
  }

  private static func spec(_ motion: FlowMotion) -> FlowSpec {
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
