// SPDX-License-Identifier: Apache-2.0

import OrrerySceneBuilder

/// The ranges of all values of a scene, also for modules that build no scenes.
package typealias SceneLimits = OrrerySceneBuilder.SceneLimits
