// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// Makes a scene of the animations of a web page: of what `Element.animate` takes, and of what the animations of a page
/// say of themselves (`getKeyframes` and `getTiming`).
///
///     {"animations": [{"name": "card", "rect": [0, 0, 240, 160],
///       "keyframes": [{"opacity": 0}, {"opacity": 1, "transform": "translateX(40px)"}],
///       "timing": {"duration": 400, "easing": "ease-out", "fill": "both"}}]}
///
/// Each animated element becomes a view. Written from Web Animations, CSS Easing 2 and CSS Transforms 1.
struct WebImport {
  private var views: [AnimatedView] = []
  /// The view of an element, by its name.
  private var known: [String: Int] = [:]
  private var leftOut = LeftOut()

  /// Whether a document has animations of a web page, and is no scene.
  static func isWeb(_ document: DocumentTable) -> Bool {
    document["content"] == nil
      && (document["animations"]?.array != nil || document["keyframes"] != nil)
  }

  /// Makes a scene.
  ///
  /// - Parameters:
  ///   - document: A file for which `isWeb` is true.
  ///   - name: The scene's name.
  /// - Returns: The scene, with what was left out.
  /// - Throws: `ImportError` at the first thing that is wrong.
  static func scene(_ document: DocumentTable, name: String) throws(ImportError) -> ImportedScene {
    var own = WebImport()
    let path = DocumentPath()
    let side = SceneLimits.side.range
    let viewport = try numbers(document, "viewport", at: path, 2, side) ?? [1280, 720]
    if let animations = document["animations"]?.array {
      for (index, animation) in animations.enumerated() {
        let path = path.key("animations").index(index)
        guard let table = animation.table else {
          throw ImportError(path: path, reason: "no animation")
        }
        try own.add(table, at: path)
      }
    } else {
      try own.add(document, at: path)
    }
    guard !own.views.isEmpty else {
      throw ImportError(path: path.key("animations"), reason: "no animation that can be shown")
    }
    var scene = Scene(name, size: CGSize(width: viewport[0], height: viewport[1])) {}
    scene.content = own.views.map(SceneContent.view)
    return ImportedScene(scene: scene, leftOut: own.leftOut)
  }

  /// Adds an animation to the view of its element.
  private mutating func add(
    _ animation: DocumentTable, at path: DocumentPath
  ) throws(ImportError) {
    let rect = try Self.numbers(animation, "rect", at: path, 4, -1e6...1e6)
    let size = rect.map { CGSize(width: $0[2], height: $0[3]) }
    let keyframes = try WebKeyframes(animation, at: path, size: size, &leftOut)
    let timing = try WebTiming(animation, at: path)
    if timing.isEndless, timing.delay > 0 {
      leftOut.add("delay of an endless animation", "as if it had begun before")
    }
    let index = try view(
      ImportedText.label(animation["name"]?.string) ?? "element", rect, at: path)
    var tracks = keyframes.tracks
    if timing.easing != .linear {
      for (property, keys) in tracks {
        if keys.count == 2, keys[0].easing == .linear {
          tracks[property]?[0].easing = timing.easing
        } else {
          leftOut.add("easing of a whole animation", "each keyframe has its own")
        }
      }
    }
    if tracks["rotate"] != nil || tracks["scale"] != nil, let keys = tracks["transform"],
      keys.contains(where: { ($0.value[.x], $0.value[.y]) != (0, 0) })
    {
      leftOut.add("transform that moves beside rotate or scale", "as if they came after it")
    }
    // Several properties of CSS may move one of a view.
    for property in ViewProperty.allCases {
      var motion: ImportedMotion?
      for name in WebKeyframes.properties {
        guard let keys = tracks[name], keys[0].value[property] != nil else { continue }
        guard let own = timing.motion(keys, property) else {
          throw ImportError(
            path: path,
            reason: "\(property.rawValue) changes too often: at most \(Self.stepsMax) times")
        }
        motion =
          motion?.combined(with: own) { property == .scale ? $0 * $1 : $0 + $1 } ?? own
      }
      guard let motion else { continue }
      try setTrack(property, motion, timing, of: index, at: path)
    }
  }

  /// The view of an element: a box where it is on the page, or in the middle.
  private mutating func view(
    _ name: String, _ rect: [Double]?, at path: DocumentPath
  ) throws(ImportError) -> Int {
    if let index = known[name] { return index }
    let most = Int(SceneLimits.content.range.upperBound)
    guard views.count < most else {
      throw ImportError(path: path, reason: "more than \(most) elements")
    }
    let side = SceneLimits.elementSide.range
    func inside(_ length: Double) -> Double { min(max(length, side.lowerBound), side.upperBound) }
    var view = AnimatedView(
      name,
      .box(
        width: inside(rect?[2] ?? 40), height: inside(rect?[3] ?? 40), cornerRadius: 6, color: .blue
      ))
    view.position = rect.map { CGPoint(x: $0[0] + $0[2] / 2, y: $0[1] + $0[3] / 2) }
    views.append(view)
    known[name] = views.count - 1
    return views.count - 1
  }

  private mutating func setTrack(
    _ property: ViewProperty, _ motion: ImportedMotion, _ timing: WebTiming, of index: Int,
    at path: DocumentPath
  ) throws(ImportError) {
    let before = views[index].keyframes.count
    views[index].keyframes.removeAll { $0.property == property }
    if views[index].keyframes.count < before {
      leftOut.add("property of an element that two animations move", "the later one")
    }
    views[index].initial[property] = motion.value(0)
    let length = timing.length
    let after = motion.value(length)
    let isStill = motion.isConstant(through: length)
    guard !isStill || !timing.isEndless && after != motion.value(0) else { return }
    let tolerance = property == .x || property == .y ? 0.01 : 0.0001
    // Where nothing fills the time after the end, the element is as before.
    let steps = motion.steps(
      through: length, tolerance: tolerance, after: timing.isEndless ? nil : after)
    guard steps.count <= Self.stepsMax else {
      throw ImportError(
        path: path,
        reason: "\(property.rawValue) changes \(steps.count) times: at most \(Self.stepsMax)")
    }
    views[index].keyframes.append(
      KeyframeLoop(property: property, repeats: timing.isEndless, steps: steps))
  }

  private static let stepsMax = Int(SceneLimits.keyframes.range.upperBound)

  /// An array of some numbers; nil if there is none.
  private static func numbers(
    _ table: DocumentTable, _ key: String, at path: DocumentPath, _ count: Int,
    _ range: ClosedRange<Double>
  ) throws(ImportError) -> [Double]? {
    guard let value = table[key] else { return nil }
    let numbers = value.array?.compactMap(\.number).filter(range.contains) ?? []
    guard numbers.count == count, value.array?.count == count else {
      throw ImportError(
        path: path.key(key),
        reason:
          "not \(count) numbers from \(SceneNumber.text(range.lowerBound)) to "
          + SceneNumber.text(range.upperBound))
    }
    return numbers
  }
}
