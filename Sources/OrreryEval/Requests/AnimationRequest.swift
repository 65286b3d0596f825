// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// Values and events of one animation.
///
///     {"animation":"linear(duration: 0.8).delay(0.2)","from":0,"to":1,"at":[0,0.5]}
struct AnimationRequest: EvalRequest {
  static let keys = ["animation", "from", "to", "at"]

  private let animation: Animation
  private let from: Double
  private let to: Double
  private let at: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    animation = try reader.notation("animation", Notation.animation)
    from = try reader.number("from", else: 0)
    to = try reader.number("to", else: 1)
    at = reader.has("at") ? try reader.numbers("at") : []
  }

  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer {
    let course = animation.course()
    let fromKernel = kernels?.animation(animation, from: from, to: to, at: at)
    let values = fromKernel ?? at.map { value(at: $0, course) }
    return EvalAnswer(
      ["values": .numbers(values), "events": .tables(try events(course))],
      isFromKernel: fromKernel != nil)
  }

  /// The value at a time; exactly `from` before the change, exactly `to` once it is at rest.
  private func value(at time: Double, _ course: AnimationCourse?) -> Double {
    if time < 0 { return from }
    guard let course, from != to else { return to }
    let progress = course.progress(at: time, length: abs(to - from))
    return progress == 0 ? from : progress == 1 ? to : from + (to - from) * progress
  }

  /// All events of an animation that ends; an endless one has its legs up to the last requested
  /// time.
  ///
  /// A change to an equal value is complete at once and has no legs.
  private func events(_ course: AnimationCourse?) throws(EvalError) -> [DocumentTable] {
    var events: [(time: Double, order: Int, table: DocumentTable)] = []
    func add(_ time: Double, _ kind: String, order: Int, index: Int? = nil) {
      var table: DocumentTable = ["time_s": .number(time), "kind": .string(kind)]
      if let index { table.append("index", .number(Double(index))) }
      events.append((time, order, table))
    }
    let isStill = from == to
    let logicalEnd = isStill ? 0 : course?.logicalEnd ?? 0
    let end = isStill ? 0 : course?.end ?? 0
    if let course, !isStill {
      let timeMax = end.isFinite ? .infinity : at.max() ?? 0
      var index = 0
      while let time = course.legEnd(index), time <= timeMax {
        guard index < EvalLimits.eventCountMax else {
          throw EvalError(
            path: DocumentPath().key("animation"),
            reason: "more than \(EvalLimits.eventCountMax) legs end in the asked time")
        }
        add(time, "leg", order: 0, index: index)
        index += 1
      }
    }
    if logicalEnd.isFinite { add(logicalEnd, "logicallyComplete", order: 1) }
    if end.isFinite { add(end, "removed", order: 2) }
    return events.sorted { ($0.time, $0.order) < ($1.time, $1.order) }.map(\.table)
  }
}
