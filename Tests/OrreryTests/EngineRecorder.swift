// SPDX-License-Identifier: Apache-2.0

import Orrery

/// What an engine did, as lines such as "0.8 x leg 0" and, of completions, "1.2 done".
final class EngineRecorder {
  let engine: AnimationEngine
  private(set) var lines: [String] = []

  /// - Parameter isTold: Whether events are recorded, besides what `note` is told.
  init(events isTold: Bool = true) {
    let engine = AnimationEngine()
    self.engine = engine
    if !isTold { return }
    engine.onEvent = { [unowned self] event in
      let what =
        switch event.kind {
        case .legEnded(let index): "leg \(index)"
        case .logicallyComplete: "complete"
        case .removed(.finished): "finished"
        case .removed(.cancelled): "cancelled"
        }
      lines.append("\(Self.text(event.time)) \(event.name) \(what)")
    }
  }

  /// Records something that happens at the engine's time.
  func note(_ what: String) {
    lines.append("\(Self.text(engine.time)) \(what)")
  }

  /// What was recorded since the last call.
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Seconds to nine places: the exact time and not that of a frame.
  private static func text(_ seconds: Double) -> String {
    let rounded = (seconds * 1e9).rounded() / 1e9
    return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
  }
}
