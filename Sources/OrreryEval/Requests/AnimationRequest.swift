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
    animation = try AnimationReader.animation("animation", of: reader)
    from = try reader.number("from", else: 0)
    to = try reader.number("to", else: 1)
    at = reader.has("at") ? try reader.numbers("at") : []
    let timeMax = Double(EvalLimits.frameCountMax) / EvalFrames.perSecond
    if animation.isCustom, let index = at.firstIndex(where: { $0 > timeMax }) {
      throw .outOfRange(
        reader.path.key("at").index(index), at[index],
        "at most \(EvalLimits.frameCountMax) frames of 1/60 s beside a formula")
    }
  }

  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer {
    guard let course = animation.course() else { return customAnswer() }
    let fromKernel = kernels?.animation(animation, from: from, to: to, at: at)
    let values = fromKernel ?? at.map { value(at: $0, course) }
    return EvalAnswer(
      ["values": .numbers(values), "events": .tables(try events(course))],
      isFromKernel: fromKernel != nil)
  }

  /// An animation without closed form is evaluated at the requested times, and at every frame before them.
  ///
  /// An end is noticed at the first of these times that is not before it.
  private func customAnswer() -> EvalAnswer {
    var track = AnimationTrack(from)
    track.set(to, animation: animation, at: 0, id: 0)
    var values = at.map { $0 < 0 ? from : to }
    var now = 0.0
    track.advance(to: now)
    for index in at.indices.filter({ at[$0] >= 0 }).sorted(by: { at[$0] < at[$1] }) {
      while track.motions.first?.end == .infinity, EvalFrames.next(after: now) < at[index] {
        now = EvalFrames.next(after: now)
        track.advance(to: now)
      }
      now = at[index]
      track.advance(to: now)
      values[index] = track.value(at: now)
    }
    let motion = track.motions.first
    let ends = [
      ("logicallyComplete", from == to ? 0 : motion?.logicalEnd ?? 0),
      ("removed", from == to ? 0 : motion?.end ?? 0),
    ]
    let events: [DocumentTable] = ends.filter { $0.1.isFinite }.map { kind, time in
      ["time_s": .number(time), "kind": .string(kind)]
    }
    return EvalAnswer(["values": .numbers(values), "events": .tables(events)])
  }

  /// The value at a time; exactly `from` before the change, exactly `to` once it is at rest.
  private func value(at time: Double, _ course: AnimationCourse) -> Double {
    if time < 0 { return from }
    guard from != to else { return to }
    let progress = course.progress(at: time, length: abs(to - from))
    return progress == 0 ? from : progress == 1 ? to : from + (to - from) * progress
  }

  /// All events of an animation that ends; an endless one has its legs up to the last requested
  /// time.
  ///
  /// A change to an equal value is complete at once and has no legs.
  private func events(_ course: AnimationCourse) throws(EvalError) -> [DocumentTable] {
    var events: [(time: Double, order: Int, table: DocumentTable)] = []
    func add(_ time: Double, _ kind: String, order: Int, index: Int? = nil) {
      var table: DocumentTable = ["time_s": .number(time), "kind": .string(kind)]
      if let index { table.append("index", .number(Double(index))) }
      events.append((time, order, table))
    }
    let isStill = from == to
    let logicalEnd = isStill ? 0 : course.logicalEnd
    let end = isStill ? 0 : course.end
    if !isStill {
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
