// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryScene

/// Changes of several properties over time, run by an `AnimationEngine`.
///
///     {"script":[{"at":0,"set":{"x":1},"animation":"linear(duration: 1)","completion":"a"},
///                {"at":0.9,"destroy":"x"}],
///      "initial":{"x":0},"sample":["x"],"times":[0.5]}
struct ScriptRequest: EvalRequest {
  static let keys = [
    "script", "initial", "sample", "times", "propertyEvents", "velocities", "implicit",
  ]

  private let steps: [ScriptStep]
  private let initial: [(name: String, value: Double)]

  /// Names of properties to sample.
  private let sample: [String]
  private let times: [Double]
  private let wantsPropertyEvents: Bool
  private let wantsVelocities: Bool
  private let implicit: [ScriptImplicit]

  /// Seconds that the engine runs on after the last step and sample; later events are left out.
  private static let runOnSeconds = 1e9

  init(_ reader: RequestReader) throws(EvalError) {
    initial = try reader.namedNumbers("initial")
    let names = Set(initial.map(\.name))
    var steps: [ScriptStep] = []
    let readers = try reader.objects(
      "script", countMax: EvalLimits.scriptCountMax, known: ScriptStep.keys)
    for reader in readers { steps.append(try ScriptStep(reader, names: names)) }
    // The sort is stable: steps of one time stay in their order.
    self.steps = steps.sorted { $0.time < $1.time }
    sample =
      reader.has("sample")
      ? try reader.strings("sample", countMax: EvalLimits.propertyCountMax) : []
    for (index, name) in sample.enumerated() where !names.contains(name) {
      throw EvalError(
        path: reader.path.key("sample").index(index),
        reason: "\(DocumentValue.string(name).shown) is not among the names of initial")
    }
    times = reader.has("times") ? try reader.numbers("times") : []
    for (index, time) in times.enumerated() where !ScriptStep.timeRange.contains(time) {
      throw .outOfRange(reader.path.key("times").index(index), time, ScriptStep.timeLimit)
    }
    guard sample.count * times.count <= EvalLimits.sampleCountMax else {
      throw .outOfRange(
        reader.path.key("times"), Double(sample.count * times.count),
        "at most \(EvalLimits.sampleCountMax) samples")
    }
    wantsPropertyEvents = try reader.bool("propertyEvents", else: false)
    wantsVelocities = try reader.bool("velocities", else: false)
    implicit = try ScriptImplicit.list(reader, names: names)
  }

  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer {
    let player = ScriptPlayer(
      initial: initial, implicit: implicit, recordsPropertyEvents: wantsPropertyEvents)
    var velocities = sample.map { _ in [Double](repeating: 0, count: times.count) }
    var samples = sample.map { _ in [Double](repeating: 0, count: times.count) }
    var next = 0
    for index in times.indices.sorted(by: { times[$0] < times[$1] }) {
      while next < steps.count, steps[next].time <= times[index] {
        player.run(steps[next])
        next += 1
      }
      player.advance(to: times[index])
      for (row, name) in sample.enumerated() {
        samples[row][index] = player.value(of: name)
        if wantsVelocities { velocities[row][index] = player.velocity(of: name) }
      }
    }
    for step in steps[next...] { player.run(step) }
    player.stopPropertyEvents()
    player.runOn(by: Self.runOnSeconds)
    guard player.hasFramesLeft else {
      throw EvalError(
        path: DocumentPath().key("script"),
        reason: "its formulas are asked at more than \(EvalLimits.frameCountMax) frames of 1/60 s")
    }
    guard !player.isOverfull else {
      throw EvalError(
        path: DocumentPath().key("script"), reason: "more than \(EvalLimits.eventCountMax) events")
    }
    var answer = EvalAnswer(["samples": table(samples), "events": .tables(player.events)])
    if wantsVelocities { answer.table.append("sample_velocities", table(velocities)) }
    if wantsPropertyEvents {
      answer.table.append("property_events", .tables(player.propertyEvents))
    }
    return answer
  }

  private func table(_ rows: [[Double]]) -> DocumentValue {
    var table = DocumentTable()
    for (row, name) in sample.enumerated() where !table.has(name) {
      table.append(name, .numbers(rows[row]))
    }
    return .table(table)
  }
}

/// An implicit animation of a property: SwiftUI's `animation(_:value:)`, or `animation(_:)`.
struct ScriptImplicit {
  /// The animated property.
  let name: String

  /// Nil: changes show at once.
  let animation: Animation?

  /// The property whose changes are animated with this one; nil: every change is animated.
  let trigger: String?

  static func list(
    _ reader: RequestReader, names: Set<String>
  ) throws(EvalError) -> [ScriptImplicit] {
    guard reader.has("implicit") else { return [] }
    var list: [ScriptImplicit] = []
    let members = try reader.members(
      "implicit", countMax: EvalLimits.implicitCountMax, known: ["animation", "value"])
    for (name, reader) in members {
      let trigger = reader.has("value") ? try reader.string("value") : nil
      for name in [name, trigger ?? name] where !names.contains(name) {
        throw EvalError(
          path: reader.path,
          reason: "\(DocumentValue.string(name).shown) is not among the names of initial")
      }
      list.append(
        ScriptImplicit(
          name: name,
          animation: reader.isNull("animation")
            ? nil : try AnimationReader.animation("animation", of: reader),
          trigger: trigger))
    }
    return list
  }
}

/// One step of a script: the changes at one time.
struct ScriptStep {
  static let keys = [
    "at", "set", "animation", "completion", "criteria", "destroy", "disablesAnimations",
    "tracksVelocity",
  ]

  /// Seconds that a script may last.
  static let timeRange = 0.0...1e9
  static let timeLimit = "0...1000000000 s"

  let time: Double
  let changes: [(name: String, value: Double)]

  /// Nil: the changes show at once, unless there is an implicit animation.
  let animation: Animation?

  /// Whether implicit animations do not apply.
  let disablesAnimations: Bool

  /// Whether a spring that follows begins with the velocity of these changes.
  let tracksVelocity: Bool

  /// Name of the completion event; nil: there is none.
  let completion: String?
  let isRemovedCriteria: Bool

  /// Properties that are destroyed, after the changes.
  let destroyed: [String]

  init(_ reader: RequestReader, names: Set<String>) throws(EvalError) {
    time = try reader.number("at")
    guard Self.timeRange.contains(time) else {
      throw .outOfRange(reader.path.key("at"), time, Self.timeLimit)
    }
    changes = reader.has("set") ? try reader.namedNumbers("set") : []
    animation =
      reader.has("animation") && !reader.isNull("animation")
      ? try AnimationReader.animation("animation", of: reader) : nil
    disablesAnimations = try reader.bool("disablesAnimations", else: false)
    tracksVelocity = try reader.bool("tracksVelocity", else: false)
    completion = reader.has("completion") ? try reader.string("completion") : nil
    if reader.has("criteria"), completion == nil {
      throw EvalError(path: reader.path.key("criteria"), reason: "only beside a completion")
    }
    isRemovedCriteria = try reader.word(
      "criteria", else: "logicallyComplete", [("logicallyComplete", false), ("removed", true)])
    destroyed = try Self.destroyed(reader)
    guard !changes.isEmpty || !destroyed.isEmpty || completion != nil else {
      throw EvalError(path: reader.path, reason: "nothing to do; set or destroy is wanted")
    }
    for name in changes.map(\.name) + destroyed where !names.contains(name) {
      throw EvalError(
        path: reader.path,
        reason: "\(DocumentValue.string(name).shown) is not among the names of initial")
    }
  }

  private static func destroyed(_ reader: RequestReader) throws(EvalError) -> [String] {
    guard reader.has("destroy") else { return [] }
    if case .string(let name) = try reader.value("destroy", "a name") { return [name] }
    return try reader.strings("destroy", countMax: EvalLimits.propertyCountMax)
  }
}
