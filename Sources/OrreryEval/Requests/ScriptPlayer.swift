// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument

/// An engine with named properties, and its recorded events.
final class ScriptPlayer {
  private(set) var events: [DocumentTable] = []
  private(set) var propertyEvents: [DocumentTable] = []

  /// Whether there were more events than the limit; the excess is dropped.
  private(set) var isOverfull = false

  /// Frames at which custom animations may still be evaluated.
  private var framesLeft = EvalLimits.frameCountMax

  /// Whether there were enough frames for all custom animations.
  private(set) var hasFramesLeft = true

  private let engine = AnimationEngine()
  private let properties: [String: AnimatedProperty<Double>]
  private let implicit: [ScriptImplicit]

  /// Whether an animation must be evaluated frame by frame.
  private var isCustom = false

  init(
    initial: [(name: String, value: Double)], implicit: [ScriptImplicit],
    recordsPropertyEvents: Bool
  ) {
    self.implicit = implicit
    let engine = engine
    properties = Dictionary(
      initial.map { ($0.name, engine.property($0.value, name: $0.name)) }
    ) { first, _ in first }
    isCustom = implicit.contains { $0.animation?.isCustom == true }
    update([])
    if recordsPropertyEvents { engine.onEvent = { [unowned self] in record($0) } }
  }

  /// Plays on to a time, with custom animations frame by frame.
  func advance(to time: Double) {
    while isCustom, engine.activeCount > 0 {
      let frame = EvalFrames.next(after: engine.time)
      guard frame < time else { break }
      guard framesLeft > 0 else {
        hasFramesLeft = false
        break
      }
      framesLeft -= 1
      engine.advance(to: frame)
    }
    engine.advance(to: time)
  }

  /// Plays on without changes, until all custom animations are over.
  func runOn(by seconds: Double) { advance(to: engine.time + seconds) }

  /// From now on records only completions.
  func stopPropertyEvents() { engine.onEvent = nil }

  func value(of name: String) -> Double { properties[name]?.presentation ?? 0 }

  /// Per second.
  func velocity(of name: String) -> Double { properties[name]?.velocity ?? 0 }

  func run(_ step: ScriptStep) {
    advance(to: step.time)
    if step.animation?.isCustom == true { isCustom = true }
    update(step.changes)
    var transaction = Transaction(animation: step.animation)
    transaction.disablesAnimations = step.disablesAnimations
    transaction.tracksVelocity = step.tracksVelocity
    if let name = step.completion {
      let kind = step.isRemovedCriteria ? "removed" : "logicallyComplete"
      transaction.addAnimationCompletion(
        criteria: step.isRemovedCriteria ? .removed : .logicallyComplete
      ) { [weak self] in
        self?.recordCompletion(name, kind)
      }
    }
    withTransaction(transaction) {
      for (name, value) in step.changes { properties[name]?.value = value }
    }
    for name in step.destroyed { properties[name]?.destroy() }
  }

  /// Compares the values of implicit animations with earlier ones, as a view's body does before its
  /// properties change.
  private func update(_ changes: [(name: String, value: Double)]) {
    for own in implicit {
      guard let property = properties[own.name] else { continue }
      guard let trigger = own.trigger else {
        property.animation(own.animation)
        continue
      }
      let changed = changes.last { $0.name == trigger }?.value
      property.animation(own.animation, value: changed ?? properties[trigger]?.value ?? 0)
    }
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
