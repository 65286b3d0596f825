// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryBase
import OrrerySceneBuilder

/// The result of checking one scene: every fault that a run would find before its first tick.
package struct SceneVerdict: Sendable {
  /// The file as the user named it; `-` is standard input.
  package let file: String

  /// The scene's facts, or why it cannot be used.
  package let outcome: Result<Facts, SceneError>

  /// What is known of a good scene.
  package struct Facts: Equatable, Sendable {
    /// Number of its entities.
    package let entities: Int

    /// Its tick rate.
    package let rate: TickRate

    /// What its file has and a scene has not, in words; nil: nothing.
    package let leftOut: String?

    package init(entities: Int, rate: TickRate, leftOut: String? = nil) {
      (self.entities, self.rate, self.leftOut) = (entities, rate, leftOut)
    }
  }

  package init(file: String, outcome: Result<Facts, SceneError>) {
    (self.file, self.outcome) = (file, outcome)
  }

  /// Reads, checks and plans a scene.
  ///
  /// - Parameters:
  ///   - nameOrPath: A path, the name of a built-in scene, or `-` for standard input.
  ///   - text: Measures texts.
  package init(checking nameOrPath: String, text: some TextMeasuring) {
    file = nameOrPath
    do throws(SceneError) {
      let file = try SceneSource.load(argument: nameOrPath)
      let plan = try ScenePlan(file, text: text)
      outcome = .success(
        Facts(
          entities: plan.entityCount, rate: plan.rate,
          leftOut: plan.leftOut.isEmpty ? nil : plan.leftOut.text))
    } catch {
      outcome = .failure(error)
    }
  }

  /// The exit code of a check of this scene alone.
  package var status: ExitStatus {
    switch outcome {
    case .success: .done
    case .failure(let error): error.exitStatus
    }
  }
}
