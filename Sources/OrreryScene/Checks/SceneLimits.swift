// SPDX-License-Identifier: Apache-2.0

/// Every range that a scene's values must be in; docs/scene-file.md lists them, and a test compares.
///
/// Positions reach a million points, where a 32-bit float still tells a sixteenth of a point apart.
/// The smallest step from one end to the other keeps a timer's ticks within 32 bits.
package enum SceneLimits {
  package static let side = SceneLimit(1...16_384, "points")
  package static let rate = SceneLimit(0.01...1_000_000, "ticks per second")
  package static let content = SceneLimit(1...100_000, "things")

  package static let cells = SceneLimit(1...10_000, "cells")
  package static let flagWidth = SceneLimit(1...10_000, "points")
  package static let spacing = SceneLimit(0...10_000, "points")
  package static let fontSize = SceneLimit(1...1_000, "points")
  package static let frameSide = SceneLimit(1...100_000, "points")
  package static let position = SceneLimit(-1_000_000...1_000_000, "points")
  package static let speed = SceneLimit(0...100_000, "points per second")
  package static let duration = SceneLimit(0.001...1_000_000, "seconds")
  package static let step = SceneLimit(0.001...100_000, "points")
  package static let interval = SceneLimit(0.0001...1_000, "seconds")

  package static let moons = SceneLimit(0...10_000, "moons")
  package static let phase = SceneLimit(0...(2 * Double.pi), "radians")

  package static let count = SceneLimit(1...100_000_000, "entities")
  package static let period = SceneLimit(1...100_000, "points")
  package static let radius = SceneLimit(0...100_000, "points")
  package static let discRadius = SceneLimit(0.1...1_000, "points")
  package static let colors = SceneLimit(1...256, "colors")

  /// Entities of a whole scene: their numbers and origins then fit one layout message.
  package static let entitiesMax = 100_000_000

  /// Bytes of UTF-8 in a scene's name.
  package static let nameBytesMax = 100

  /// Bytes of UTF-8 in a label or text.
  package static let textBytesMax = 1_000

  /// Items of all copies of a row that fit across the picture: what a renderer draws each frame.
  package static let itemsAcrossMax = 1_000_000

  /// Bytes of a scene file.
  package static let fileBytesMax = 16 * 1024 * 1024

  /// Levels of keys and tables in a scene file; the deepest value there is has four.
  package static let fileDepthMax = 64
}
