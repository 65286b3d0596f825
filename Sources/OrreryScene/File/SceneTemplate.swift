// SPDX-License-Identifier: Apache-2.0

import OrreryBase
import OrreryDocument
import OrrerySceneBuilder

/// A scene to start from: a TOML file with comments, which runs unchanged.
///
/// A line that begins with `#` and no space is a disabled setting. All of them may be enabled together.
package struct SceneTemplate: Sendable {
  /// The path of the file; `-` is standard output.
  package let path: String

  /// The file's text.
  package let text: String

  /// Begins a scene.
  ///
  /// - Parameter name: The path of the file, with or without `.toml`; its last part names the
  ///   scene. `-` is standard output.
  /// - Throws: `Failure` if no scene can have that name, or if the file's name has another ending than
  ///   `.toml`.
  package init(_ name: String) throws(Failure) {
    if name.hasSuffix(SceneFormat.json.ending) {
      throw Failure(
        .usage, "\(SceneChecker.shown(name)): a template has comments, so it is TOML, not JSON")
    }
    let ending = SceneFormat.toml.ending
    path = name == "-" || name.hasSuffix(ending) ? name : name + ending
    let scene = name == "-" ? "mine" : try Self.scene(name)
    text = Self.text(name: JSONWriter.string(scene, .answer))
  }

  /// The scene's name in a path, if a scene can have it.
  private static func scene(_ name: String) throws(Failure) -> String {
    let last = name.hasSuffix("/") ? "" : SceneFile.name(ofFile: name)
    let checker = SceneChecker(faults: FaultList())
    checker.check(text: last, bytesMax: SceneLimits.nameBytesMax, at: DocumentPath())
    if let fault = checker.faults.entries.first?.fault {
      throw Failure(.usage, "the name \(SceneChecker.shown(name)): \(fault)")
    }
    return last
  }

  private static func text(name: String) -> String {
    """
    # A scene: what it is made of, and how it moves.
    #
    #   orrery scene check FILE    checks it without a run
    #   orrery run FILE            runs it and leaves a video
    #
    # A line that begins with # and no space is a setting that is switched off: take the # away.
    # The page docs/reference/scene-file.md has all tables and keys. For help in an editor, write the
    # schema with orrery scene schema > scene.schema.json, and put this into the first line:
    # #:schema ./scene.schema.json

    #name = \(name)
    size = [1280, 720]
    background = "#f4f6fb"
    rate = 60
    #seed = 7
    #locale = "ja"

    # Lengths are in points, times in seconds, angles in radians; x grows to the right and y downward.
    [[content]]
    kind = "text"
    text = "A scene to begin with"
    font = "largeTitle"
    position = [640, 90]
    #color = "indigo"

    # Flags and names of currencies that move to the left without a seam.
    [[content]]
    kind = "row"
    currencies = ["EUR", "JPY", "CHF", "USD", "KRW", "TRY"]
    height = 96
    position = [640, 210]
    clipped = true
    marquee = { speed = 60, direction = "left" }
    #flag-width = 80
    #spacing = 16
    #font = { size = 15, weight = "semibold" }

    # A planet; each moon draws the time of its turn from the seed.
    [[content]]
    kind = "orbit-system"
    height = 300
    moons = 5
    center = [360, 500]
    #duration = [8, 20]
    #planet-color = "#d9a066"

    # A view has a name, by which commands change it.
    [[content]]
    kind = "view"
    name = "card"
    box = [240, 160]
    corner-radius = 18
    color = "indigo"
    position = [920, 500]
    #opacity = 0.8
    #transition = "move(edge: bottom).combined(with: opacity)"

    # Discs by the thousand, each with values of its own.
    #[[content]]
    #kind = "field"
    #count = 1000
    #orbit = { radius = [20, 300], duration = [5, 40] }
    #disc-radius = 2

    # From second 1 on, every 4 seconds, the card grows on a spring.
    [[command]]
    at = 1
    every = 4
    set = { card = { scale = 1.3, rotation = 0.2 } }
    animation = "spring(duration: 0.6, bounce: 0.4)"
    completion = "grown"

    # Each time that has happened, it goes back.
    [[command]]
    after = "grown"
    set = { card = { scale = 1, rotation = 0 } }
    animation = "easeInOut(duration: 0.5)"
    #delay = 0.5

    # It disappears and comes back through its transition.
    #[[command]]
    #at = 3
    #every = 2
    #toggle = "card"
    #animation = "easeInOut"

    """
  }
}
