// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryScene

/// The lines of the error that a scene file gives, without the file's name; empty if it is good.
func problems(_ text: String) -> [String] {
  do throws(SceneError) {
    _ = try SceneFile.decode(text, file: "f.toml")
    return []
  } catch {
    return "\(error)".split(separator: "\n").map { line in
      line.hasPrefix("f.toml:") ? String(line.dropFirst(7)) : String(line)
    }
  }
}

/// The lines of the error that planning gives; empty if it succeeds.
func problems(_ plan: () throws(SceneError) -> ScenePlan) -> [String] {
  do throws(SceneError) {
    _ = try plan()
    return []
  } catch {
    return "\(error)".split(separator: "\n").map(String.init)
  }
}

extension ScenePlan {
  /// All marquees.
  var marquees: [MarqueeSpec] {
    batches.flatMap { batch -> [MarqueeSpec] in
      if case .marquee(let specs) = batch { (0..<specs.count).map { specs[$0] } } else { [] }
    }
  }

  /// All tweens.
  var tweens: [TweenSpec] {
    batches.flatMap { batch -> [TweenSpec] in
      if case .tween(let specs, _) = batch { (0..<specs.count).map { specs[$0] } } else { [] }
    }
  }

  /// All timers.
  var timers: [TimerSpec] {
    batches.flatMap { batch -> [TimerSpec] in
      if case .timer(let specs) = batch { (0..<specs.count).map { specs[$0] } } else { [] }
    }
  }

  /// All orbits.
  var orbits: [OrbitSpec] {
    batches.flatMap { batch -> [OrbitSpec] in
      if case .orbit(let specs) = batch { (0..<specs.count).map { specs[$0] } } else { [] }
    }
  }
}

extension ScenePlan {
  /// What happens to views; nil if there are none.
  var views: ViewsPlan? {
    batches.compactMap { if case .views(let plan) = $0 { plan } else { nil } }.first
  }

  /// All flows.
  var flows: [FlowSpec] {
    batches.flatMap { batch -> [FlowSpec] in
      if case .flow(let specs, _) = batch { (0..<specs.count).map { specs[$0] } } else { [] }
    }
  }

  /// All digits and marks of clocks.
  var clocks: [ClockSpec] {
    batches.flatMap { batch -> [ClockSpec] in
      if case .clock(let specs) = batch { (0..<specs.count).map { specs[$0] } } else { [] }
    }
  }

  /// All springs.
  var springs: [SpringSpec] {
    batches.flatMap { batch -> [SpringSpec] in
      if case .spring(let specs, _) = batch { (0..<specs.count).map { specs[$0] } } else { [] }
    }
  }

  /// The message about the batch of a kind.
  func message(_ kind: String) -> Orrery_Batch? { layout.batches.first { $0.kind == kind } }
}
