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
  static let keys = ["script", "initial", "sample", "times", "propertyEvents"]

  private let steps: [ScriptStep]
  private let initial: [(name: String, value: Double)]

  /// Names of properties to sample.
  private let sample: [String]
  private let times: [Double]
  private let wantsPropertyEvents: Bool

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
  }

  func answer(_ kernels: (any KernelEvaluating)?) throws(EvalError) -> EvalAnswer {
    let player = ScriptPlayer(initial: initial, recordsPropertyEvents: wantsPropertyEvents)
    var samples = sample.map { _ in [Double](repeating: 0, count: times.count) }
    var next = 0
    for index in times.indices.sorted(by: { times[$0] < times[$1] }) {
      while next < steps.count, steps[next].time <= times[index] {
        player.run(steps[next])
        next += 1
      }
      player.advance(to: times[index])
      for (row, name) in sample.enumerated() { samples[row][index] = player.value(of: name) }
    }
    for step in steps[next...] { player.run(step) }
    player.stopPropertyEvents()
    player.advance(by: Self.runOnSeconds)
    guard !player.isOverfull else {
      throw EvalError(
        path: DocumentPath().key("script"), reason: "more than \(EvalLimits.eventCountMax) events")
    }
    var table = DocumentTable()
    for (row, name) in sample.enumerated() where !table.has(name) {
      table.append(name, .numbers(samples[row]))
    }
    var answer = EvalAnswer(["samples": .table(table), "events": .tables(player.events)])
    if wantsPropertyEvents {
      answer.table.append("property_events", .tables(player.propertyEvents))
    }
    return answer
  }
}

/// One step of a script: the changes at one time.
struct ScriptStep {
  static let keys = ["at", "set", "animation", "completion", "criteria", "destroy"]

  /// Seconds that a script may last.
  static let timeRange = 0.0...1e9
  static let timeLimit = "0...1000000000 s"

  let time: Double
  let changes: [(name: String, value: Double)]

  /// Nil: the changes show at once.
  let animation: Animation?

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
      ? try reader.notation("animation", Notation.animation) : nil
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

/// An engine with named properties, and its recorded events.
private final class ScriptPlayer {
  private(set) var events: [DocumentTable] = []
  private(set) var propertyEvents: [DocumentTable] = []

  /// Whether there were more events than the limit; the excess is dropped.
  private(set) var isOverfull = false

  private let engine = AnimationEngine()
  private let properties: [String: AnimatedProperty<Double>]

  init(initial: [(name: String, value: Double)], recordsPropertyEvents: Bool) {
    let engine = engine
    properties = Dictionary(
      initial.map { ($0.name, engine.property($0.value, name: $0.name)) }
    ) { first, _ in first }
    if recordsPropertyEvents { engine.onEvent = { [unowned self] in record($0) } }
  }

  func advance(to time: Double) { engine.advance(to: time) }

  func advance(by seconds: Double) { engine.advance(by: seconds) }

  /// From now on records only completions.
  func stopPropertyEvents() { engine.onEvent = nil }

  func value(of name: String) -> Double { properties[name]?.presentation ?? 0 }

  func run(_ step: ScriptStep) {
    engine.advance(to: step.time)
    let change = { [properties] in
      for (name, value) in step.changes { properties[name]?.value = value }
    }
    if let name = step.completion {
      let kind = step.isRemovedCriteria ? "removed" : "logicallyComplete"
      withAnimation(
        step.animation,
        completionCriteria: step.isRemovedCriteria ? .removed : .logicallyComplete, change
      ) { [weak self] in
        self?.recordCompletion(name, kind)
      }
    } else {
      withAnimation(step.animation, change)
    }
    for name in step.destroyed { properties[name]?.destroy() }
  }

  private func recordCompletion(_ name: String, _ kind: String) {
    guard events.count < EvalLimits.eventCountMax else {
      isOverfull = true
      return
    }
    events.append([
      "time_s": .number(engine.time), "name": .string(name), "kind": .string(kind),
    ])
  }

  private func record(_ event: AnimationEvent) {
    guard propertyEvents.count < EvalLimits.eventCountMax else {
      isOverfull = true
      // Without a handler the engine skips legs at no cost.
      engine.onEvent = nil
      return
    }
    var table: DocumentTable = ["time_s": .number(event.time), "property": .string(event.name)]
    switch event.kind {
    case .legEnded(let index):
      table.append("kind", .string("leg"))
      table.append("index", .number(Double(index)))
    case .logicallyComplete: table.append("kind", .string("logicallyComplete"))
    case .removed(.finished): table.append("kind", .string("finished"))
    case .removed(.cancelled): table.append("kind", .string("cancelled"))
    }
    propertyEvents.append(table)
  }
}
