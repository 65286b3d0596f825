// SPDX-License-Identifier: Apache-2.0

/// The ranges of all values of a scene; docs/reference/scene-file.md lists them.
///
/// Positions reach a million points, where a 32-bit float still resolves a sixteenth of a point.
/// The smallest timer step over the largest distance keeps a loop's timer ticks within 32 bits.
package enum SceneLimits {
  package static let side = SceneLimit(1...16_384, "points")
  package static let rate = SceneLimit(0.01...1_000_000, "ticks per second")
  package static let content = SceneLimit(1...100_000, "things")

  /// Copies of one entry: as many as a scene may have entries.
  package static let copies = SceneLimit(1...100_000, "copies")

  /// Copies of a whole scene.
  package static let sceneCopies = SceneLimit(1...10_000_000, "copies")

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

  package static let date = SceneLimit(-62_135_596_800...253_402_300_799, "seconds since 1970")
  package static let elements = SceneLimit(1...1_000, "elements")
  package static let elementRadius = SceneLimit(0.1...100_000, "points")
  package static let elementSide = SceneLimit(0.1...100_000, "points")
  package static let cornerRadius = SceneLimit(0...100_000, "points")
  package static let opacity = SceneLimit(0...1, "of opaque")
  package static let scale = SceneLimit(-1_000...1_000, "times the size")
  package static let rotation = SceneLimit(-1_000_000...1_000_000, "radians")
  package static let blur = SceneLimit(0...1_000, "points")
  package static let velocity = SceneLimit(-1_000_000...1_000_000, "per second")
  package static let keyframeTracks = SceneLimit(0...6, "tracks")
  package static let keyframes = SceneLimit(1...1_000, "keyframes")
  package static let phases = SceneLimit(0...1_000, "phases")

  package static let commands = SceneLimit(0...100_000, "commands")
  package static let names = SceneLimit(0...100_000, "names")
  package static let time = SceneLimit(0...1_000_000, "seconds")
  package static let accordionRows = SceneLimit(1...1_000, "rows")
  package static let distance = SceneLimit(-1_000_000...1_000_000, "units")
  package static let angle = SceneLimit(-1_000...1_000, "radians")
  package static let gap = SceneLimit(0...10_000, "points")
  package static let schedule = SceneLimit(-1e12...1e12, "seconds")
  package static let scheduleTimes = SceneLimit(1...10_000, "times")

  package static let dampingRatio = SceneLimit(0.01...100, "of critical damping")
  package static let bounce = SceneLimit(-0.99...0.99, "of bounce")

  /// Levels of parents above one view.
  package static let parentsMax = 7

  /// Bytes of an image.
  package static let imageBytesMax = 16 * 1024 * 1024

  /// Entities of a whole scene: their sprites and origins then fit one layout message.
  package static let entitiesMax = 100_000_000

  /// Bytes of UTF-8 in a scene's name.
  package static let nameBytesMax = 100

  /// Bytes of UTF-8 in a label or text.
  package static let textBytesMax = 1_000

  /// Items of all copies of a row that fit across the picture; a renderer draws them each frame.
  package static let itemsAcrossMax = 1_000_000

  /// Bytes of a scene file.
  package static let fileBytesMax = 16 * 1024 * 1024

  /// Levels of keys and tables in a scene file; the deepest value of the format has six.
  package static let fileDepthMax = 64

  /// The range of a view's property.
  package static func of(_ property: ViewProperty) -> SceneLimit {
    switch property {
    case .x, .y: position
    case .opacity: opacity
    case .scale: scale
    case .rotation: rotation
    case .blur: blur
    }
  }
}
