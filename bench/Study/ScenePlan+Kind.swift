// SPDX-License-Identifier: Apache-2.0

import OrreryMessages
import OrreryScene

extension ScenePlan {
  /// The same scene with the batches of one kind only, and without its layout: it is never drawn.
  package func only(_ kind: String) -> ScenePlan {
    ScenePlan(
      name: name, seed: seed, rate: rate, batches: batches.filter { $0.kind == kind },
      layout: Orrery_SceneLayout())
  }
}
