// SPDX-License-Identifier: Apache-2.0

/// Keys that users know from SwiftUI, CSS or game engines, with what a scene file has in their place.
enum ForeignKeys {
  /// What to write instead of a key.
  ///
  /// - Parameters:
  ///   - key: The unknown key, in any of the usual spellings: `scaleEffect`, `scale-effect`, `scale_effect`.
  ///   - known: The keys that its table may have.
  /// - Returns: Nil if the key is only misspelt, or unknown anywhere.
  static func advice(_ key: String, known: [String]) -> String? {
    let plain = key.lowercased().filter { $0 != "-" && $0 != "_" }
    return all.first { entry in
      entry.words.contains(plain) && (entry.goesWith.map(known.contains) ?? true)
    }?.advice
  }

  /// Words in lower case without hyphens; a key that the table must know, so that the advice can be followed;
  /// the advice.
  private static let all: [(words: [String], goesWith: String?, advice: String)] = [
    (
      ["offset", "translate", "translation", "translationx", "translationy"], "rotation",
      "write x and y, which move it from its position"
    ),
    (
      ["transform", "transformeffect", "matrix"], "rotation", "write x, y, scale and rotation"
    ),
    (
      ["rotationeffect", "rotate", "angle", "rotationdegrees", "heading"], "rotation",
      "write rotation, in radians"
    ),
    (["scaleeffect", "zoom", "scalex", "scaley"], "scale", "write scale, which is one number"),
    (["alpha", "transparency"], "opacity", "write opacity, from 0 to 1"),
    (["visible", "visibility", "display", "isvisible"], "hidden", "write hidden = true or false"),
    (
      ["foregroundcolor", "foregroundstyle", "fill", "tint", "colour", "fillcolor"], "color",
      "write color"
    ),
    (
      ["left", "top", "right", "bottom", "pos", "origin", "location"], "position",
      "write position = [x, y], of the centre"
    ),
    (["circle", "radius", "ellipse"], "disc", "write disc, with the radius"),
    (
      ["rect", "rectangle", "roundedrectangle", "frame", "height"], "box",
      "write box = [width, height], with corner-radius if it has one"
    ),
    (
      ["children", "group", "parentview", "attachedto"], "parent",
      "write parent, with a view's name"
    ),
    (["keyframeanimator", "keyframetrack", "tracks"], "keyframes", "write [[content.keyframes]]"),
    (["phaseanimator", "states"], "phases", "write phases = [{ … }, { … }]"),
    (
      ["ontap", "ontapgesture", "onappear", "onclick", "trigger", "withanimation"], "transition",
      "a view changes by a [[command]], with at = 1 and toggle or set"
    ),
    (
      ["animation", "delay", "duration", "start", "begin"], "transition",
      "a view changes by a [[command]], which has at and animation"
    ),
    (
      ["loop", "repeatforever", "repeatcount", "autoreverses", "iterationcount", "yoyo"],
      "animation", "write it in the animation: \"linear(duration: 1).repeatForever()\""
    ),
    (["loop", "repeatforever", "repeatcount", "iterationcount"], "track", "write repeat"),
    (
      [
        "duration", "spring", "easing", "ease", "timingfunction", "timingcurve", "curve", "bounce",
        "withanimation",
      ], "animation",
      "write it in the animation, such as \"easeInOut(duration: 2)\" or \"spring(duration: 0.5)\""
    ),
    (
      ["easing", "ease", "timingfunction", "timingcurve"], "curve",
      "write curve, such as \"easeIn\""
    ),
    (
      ["oncompletion", "oncomplete", "onfinish", "callback", "then"], "completion",
      "write completion, a name, and a second [[command]] with after"
    ),
    (["time", "when", "begin", "start"], "at", "write at, in seconds"),
    (
      ["fps", "framerate", "frequency", "tps", "preferredframespersecond"], "rate",
      "write rate, in ticks per second"
    ),
    (
      ["stagger", "copies", "count", "foreach"], "repeat",
      "write repeat = { count = 40 }, with stagger or offset"
    ),
    (
      ["stagger"], "count",
      "this begins at no time of its own; give the stagger to the command that changes it"
    ),
    (
      ["zindex", "z", "layer", "depth"], "kind",
      "what stands later in the file is drawn above what stands earlier"
    ),
    (
      [
        "path", "shape", "trim", "rotation3deffect", "projectioneffect", "geometryeffect",
        "animatable", "animatabledata", "customanimation", "brightness", "saturation", "contrast",
        "huerotation", "grayscale",
      ], nil,
      "the Swift library Orrery computes it, in a program of your own: see docs/reference/vocabulary.md"
    ),
    (
      ["shadow", "stroke", "border", "mask", "clipshape", "skew", "matchedgeometryeffect"], nil,
      "a view shows texts, discs, boxes and flags, and has x, y, opacity, scale, rotation and blur"
    ),
  ]
}
