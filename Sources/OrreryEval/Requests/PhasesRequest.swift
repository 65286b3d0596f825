// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument

/// Values of a property that is animated through phases.
///
///     {"phases":[1,1.5,0.8],"animation":"linear(duration: 0.2)","at":[0.1]}
///     {"phases":[1,1.5],"trigger":[[0.5,1],[2,1]],"animation":["default",null],"at":[1]}
///
/// Without a trigger rounds follow each other for ever, from time 0.
struct PhasesRequest: EvalRequest {
  static let keys = ["phases", "animation", "trigger", "at"]

  private let phases: [Double]

  /// The animation to each phase.
  private let animations: [Animation?]

  /// Times and values of the trigger, which is 0 before; nil: none.
  private let trigger: [[Double]]?
  private let at: [Double]

  init(_ reader: RequestReader) throws(EvalError) {
    phases = try reader.numbers("phases")
    guard phases.count <= EvalLimits.phaseCountMax else {
      throw .outOfRange(
        reader.path.key("phases"), Double(phases.count),
        "at most \(EvalLimits.phaseCountMax) phases")
    }
    animations = try Self.animations(reader, count: phases.count)
    at = reader.has("at") ? try reader.numbers("at") : []
    trigger = reader.has("trigger") ? try reader.rows("trigger", of: ["time", "value"]) : nil
    let times = trigger?.map { $0[0] } ?? []
    guard times.count <= EvalLimits.phaseCountMax else {
      throw .outOfRange(
        reader.path.key("trigger"), Double(times.count),
        "at most \(EvalLimits.phaseCountMax) changes")
    }
    for index in times.indices.dropFirst() where times[index] < times[index - 1] {
      throw .outOfRange(
        reader.path.key("trigger").index(index), times[index], "times that do not fall")
    }
    guard animations.contains(where: { $0?.isCustom == true }) else { return }
    let timeMax = Double(EvalLimits.frameCountMax) / EvalFrames.perSecond
    if let time = (at + times.map(abs)).first(where: { $0 > timeMax }) {
      throw .outOfRange(
        reader.path.key("at"), time,
        "at most \(EvalLimits.frameCountMax) frames of 1/60 s beside a formula")
    }
  }

  /// One animation for all phases, or a list with one for each; null: at once.
  private static func animations(
    _ reader: RequestReader, count: Int
  ) throws(EvalError) -> [Animation?] {
    guard reader.has("animation") else { return Array(repeating: .default, count: count) }
    let value = try reader.value("animation", "an animation")
    guard case .array(let array) = value else {
      let animation =
        reader.isNull("animation") ? nil : try AnimationReader.animation("animation", of: reader)
      return Array(repeating: animation, count: count)
    }
    guard array.elements.count == count else {
      throw EvalError(
        path: reader.path.key("animation"),
        reason: "\(array.elements.count) animations; \(count) are wanted, one for each phase")
    }
    var animations: [Animation?] = []
    for (index, element) in array.elements.enumerated() {
      animations.append(
        element == .null
          ? nil
          : try AnimationReader.animation(
            element, at: reader.path.key("animation").index(index)))
    }
    return animations
  }

  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer {
    var player = PhaseRun(phases: phases, animations: animations, repeats: trigger == nil)
    var values = at.map { $0 < 0 ? phases.first ?? 0 : 0 }
    var next = 0
    for index in at.indices.sorted(by: { at[$0] < at[$1] }) where at[index] >= 0 {
      while let trigger, next < trigger.count, trigger[next][0] <= at[index] {
        player.set(trigger[next][1], at: trigger[next][0])
        next += 1
      }
      player.advance(to: at[index])
      values[index] = player.value(at: at[index])
    }
    guard player.changes.count <= EvalLimits.eventCountMax else {
      throw EvalError(
        path: DocumentPath().key("phases"),
        reason: "more than \(EvalLimits.eventCountMax) changes of the phase in the asked time")
    }
    return EvalAnswer([
      "values": .numbers(values), "changes": .tables(player.changes),
    ])
  }
}

/// A property that a phase player moves.
private struct PhaseRun {
  /// Changes of the phase until now; one more than allowed at most.
  private(set) var changes: [DocumentTable] = []

  private var player: PhasePlayer<IndexedPhase>
  private var track: AnimationTrack<Double>
  private let isCustom: Bool

  /// Seconds.
  private var now = 0.0
  private var trigger = 0.0

  /// A phase is compared by its value; its index gives its animation.
  private struct IndexedPhase: Equatable {
    let index: Int
    let value: Double

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.value == rhs.value }
  }

  init(phases: [Double], animations: [Animation?], repeats: Bool) {
    let indexed = phases.enumerated().map { IndexedPhase(index: $0.offset, value: $0.element) }
    player = PhasePlayer(indexed, repeats: repeats) { animations[$0.index] }
    track = AnimationTrack(phases.first ?? 0)
    isCustom = animations.contains { $0?.isCustom == true }
    if repeats { player.trigger(at: 0) }
  }

  /// A new value of the trigger; an equal one does nothing.
  mutating func set(_ value: Double, at time: Double) {
    advance(to: time)
    if value != trigger { player.trigger(at: time) }
    trigger = value
  }

  mutating func advance(to time: Double) {
    while isCustom, EvalFrames.next(after: now) < time { step(to: EvalFrames.next(after: now)) }
    step(to: max(now, time))
  }

  private mutating func step(to time: Double) {
    now = time
    while changes.count <= EvalLimits.eventCountMax, let change = player.nextChange(until: time) {
      _ = track.removeFinished(at: change.time)
      track.set(
        change.phase.value, animation: change.animation, at: change.time,
        id: UInt64(changes.count))
      changes.append([
        "time_s": .number(change.time), "index": .number(Double(change.phase.index)),
        "to": .number(change.phase.value),
      ])
    }
    _ = track.removeFinished(at: time)
  }

  func value(at time: Double) -> Double { track.value(at: time) }
}
