// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryScene
import OrrerySceneBuilder
import TestSupport
import Testing

/// Goal: a scene that is made of a Lottie file has every layer where the file has it; what is left out is counted, and
/// a bad file has one line with the place in it.
///
/// Method: files made at random against the formulas of the format (`LottieOracle`), and small files by hand.
@Suite struct LottieImportTests {
  private func imported(_ json: Any) throws -> SceneFile {
    let data = try JSONSerialization.data(withJSONObject: json)
    return try SceneFile.decode(String(decoding: data, as: UTF8.self), file: "a.json")
  }

  private static func views(_ scene: Scene) -> [String: AnimatedView] {
    Dictionary(
      uniqueKeysWithValues: scene.content.compactMap { part in
        if case .view(let view) = part { (view.name, view) } else { nil }
      })
  }

  /// A property of a view at a time.
  private static func value(
    _ property: ViewProperty, of view: AnimatedView, _ seconds: Double
  ) throws -> Double {
    let initial = view.initial[property]
    guard let loop = view.keyframes.first(where: { $0.property == property }) else {
      return initial
    }
    let course = try #require(KeyframeCourse(loop, initial: initial))
    let part = try #require(course.parts.last { $0.start <= seconds })
    let u = min((seconds - part.start) / part.duration, 1)
    return switch part.motion {
    case .cubic(let c): c[0] + u * (c[1] + u * (c[2] + u * c[3]))
    case .curve(let curve, let from, let interval): from + interval * curve.value(at: u)
    case .spring: .nan
    }
  }

  /// From a view's centre to the picture.
  private static func matrix(
    of view: AnimatedView, in views: [String: AnimatedView], _ seconds: Double
  ) throws -> CGAffineTransform {
    let parent = try view.parent.map { try #require(views[$0]) }
    let (place, around) = (view.position ?? .zero, parent?.position ?? .zero)
    let scale = try value(.scale, of: view, seconds)
    let own = CGAffineTransform(scaleX: scale, y: scale)
      .concatenating(CGAffineTransform(rotationAngle: try value(.rotation, of: view, seconds)))
      .concatenating(
        CGAffineTransform(
          translationX: place.x - around.x + (try value(.x, of: view, seconds)),
          y: place.y - around.y + (try value(.y, of: view, seconds))))
    return try parent.map { own.concatenating(try matrix(of: $0, in: views, seconds)) } ?? own
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func everyLayerIsWhereTheFileHasIt(seed: UInt64) throws {
    let oracle = LottieOracle(seed: seed)
    let file = try imported(oracle.json)
    #expect(file.isImported && file.leftOut.isEmpty, "\(file.leftOut.text)")
    let views = Self.views(file.scene)
    for (layer, wanted) in oracle.layers() {
      let name = try #require(layer["nm"] as? String)
      let view = try #require(
        views.values.first {
          $0.name.hasSuffix(name) || $0.name.hasSuffix(name + " (shown)")
        }, "\(name)")
      let anchor = LottieOracle.anchor(layer)
      for index in 0..<50 {
        let seconds = oracle.length * (Double(index) + 0.37) / 50
        let (found, right) = (
          try Self.matrix(of: view, in: views, seconds), wanted(seconds)
        )
        for point in [CGPoint.zero, CGPoint(x: 40, y: 0), CGPoint(x: 0, y: 20)] {
          let moved = CGPoint(x: point.x - anchor.x, y: point.y - anchor.y)
          let (a, b) = (moved.applying(found), point.applying(right))
          #expect(
            hypot(a.x - b.x, a.y - b.y) < 0.1,
            "seed \(seed), \(view.name), \(seconds) s: \(a), and not \(b)")
        }
      }
    }
  }

  private static func file(_ layers: [[String: Any]], _ others: [String: Any] = [:]) -> [String:
    Any]
  {
    ["fr": 10, "op": 20, "w": 100, "h": 100, "layers": layers].merging(others) { $1 }
  }

  private static func solid(_ others: [String: Any] = [:]) -> [String: Any] {
    ["ty": 1, "nm": "a", "sw": 10, "sh": 20, "sc": "#102030", "ks": [:]].merging(others) { $1 }
  }

  /// A layer is seen from its first frame to its last, and its children do not share its opacity.
  @Test func layersAreSeenInTheirTime() throws {
    let file = try imported(
      Self.file([
        Self.solid(["ind": 1, "ip": 5, "op": 15, "ks": ["o": ["a": 0, "k": 40]]]),
        Self.solid(["ind": 2, "nm": "b", "parent": 1]),
      ]))
    let views = Self.views(file.scene)
    #expect(views.keys.sorted() == ["a (frame)", "a (shown)", "b"])
    let shown = try #require(views["a (shown)"])
    for (seconds, opacity) in [(0.2, 0), (0.6, 0.4), (1.4, 0.4), (1.6, 0)] {
      #expect(try Self.value(.opacity, of: shown, seconds) == opacity)
    }
    #expect(views["b"]?.parent == "a (frame)" && views["b"]?.keyframes == [])
    // The first layer of a file is the uppermost.
    #expect(file.scene.content.last == .view(shown))
    #expect(
      shown.elements == [
        .box(width: 10, height: 20, color: Color(rgba: 0x1020_30ff)).offset(x: 5, y: 10)
      ])
  }

  /// Of a position with an axis of its own for x, y is 0.
  @Test func axisThatIsLeftOutIsZero() throws {
    let position: [String: Any] = ["s": true, "x": ["a": 0, "k": 7]]
    let file = try imported(Self.file([Self.solid(["ks": ["p": position]])]))
    #expect(Self.views(file.scene)["a"]?.position == CGPoint(x: 7, y: 0))
  }

  @Test func shapesBecomeBoxesAndDiscs() throws {
    func group(_ shapes: [[String: Any]], scale: Double = 100) -> [String: Any] {
      let fill: [String: Any] = [
        "ty": "fl", "c": ["a": 0, "k": [1, 0, 0, 1]], "o": ["a": 0, "k": 50],
      ]
      let transform: [String: Any] = [
        "ty": "tr", "p": ["a": 0, "k": [10, 20]], "s": ["a": 0, "k": [scale, scale]],
      ]
      return ["ty": "gr", "it": shapes + [fill, transform]]
    }
    let round: [String: Any] = [
      "ty": "el", "p": ["a": 0, "k": [0, 0]], "s": ["a": 0, "k": [8, 8]],
    ]
    let box: [String: Any] = [
      "ty": "rc", "p": ["a": 0, "k": [1, 2]], "s": ["a": 0, "k": [6, 4]], "r": ["a": 0, "k": 1],
    ]
    let corner: [[Double]] = [[0, 0], [0, 0], [0, 0]]
    let path: [String: Any] = [
      "ty": "sh",
      "ks": [
        "a": 0, "k": ["c": true, "v": [[0, 0], [30, 0], [0, 10]], "i": corner, "o": corner],
      ],
    ]
    let layer: [String: Any] = [
      "ty": 4, "nm": "s", "ks": ["a": ["a": 0, "k": [1, 1]]],
      "shapes": [group([round]), group([box], scale: 200), group([path])],
    ]
    let file = try imported(Self.file([layer]))
    let view = try #require(Self.views(file.scene)["s"])
    let red = Color(red: 1, green: 0, blue: 0, opacity: 0.5)
    #expect(
      view.elements == [
        ViewElement.box(width: 30, height: 10, color: red).offset(x: 24, y: 24),
        ViewElement.box(width: 12, height: 8, cornerRadius: 2, color: red).offset(x: 11, y: 23),
        ViewElement.disc(radius: 4, color: red).offset(x: 9, y: 19),
      ])
    #expect(file.leftOut.text == "1 path (the box of its bounds)")
  }

  @Test func whatIsLeftOutIsCounted() throws {
    let layer = Self.solid([
      "masksProperties": [[:], [:]], "tt": 1, "ef": [[:]],
      "ks": [
        "a": ["a": 1, "k": [["t": 0, "s": [0, 0]], ["t": 9, "s": [9, 9]]]],
        "r": ["a": 0, "k": 0, "x": "time * 3"], "sk": ["a": 0, "k": 4],
      ],
    ])
    let file = try imported(Self.file([layer, ["ty": 13, "ks": [:]]]))
    #expect(
      file.leftOut.text
        == "1 camera, 2 masks, 1 effect, 1 track matte, 1 anchor that moves (as at the start), 1 skew, "
        + "1 expression (its keyframes instead)")
    // Copies are of the same file.
    let plan = try ScenePlan(file, text: FixedWidths())
    #expect(plan.leftOut == file.leftOut)
    #expect(plan.copied(3, viewsOnly: false, isDrawn: false).leftOut == file.leftOut)
  }

  /// Uneven scales that stand still are drawn as they are.
  @Test func sizesThatDifferAreBaked() throws {
    let file = try imported(
      Self.file([
        Self.solid(["ks": ["s": ["a": 0, "k": [200, 50]], "a": ["a": 0, "k": [5, 10]]]])
      ]))
    let view = try #require(Self.views(file.scene)["a"])
    #expect(view.elements == [.box(width: 20, height: 10, color: Color(rgba: 0x1020_30ff))])
    #expect(view.initial.scale == 1 && file.leftOut.isEmpty)
  }

  @Test(arguments: [
    (#""layers": []"#, "1:53: layers: no layer that can be shown"),
    (#""layers": [7]"#, "layers[0]: no layer"),
    (
      #""layers": [{ "ty": 1, "parent": 3, "ks": {} }]"#, "layers[0].parent: no layer has \"ind\" 3"
    ),
    (
      #""layers": [{ "ind": 1, "ty": 3, "parent": 2 }, { "ind": 2, "ty": 3, "parent": 1 }]"#,
      "layers[0].parent: the layer is its own parent"
    ),
    (
      #""layers": [{ "ty": 0, "refId": "x", "ks": {} }]"#,
      "layers[0].refId: no composition has this id"
    ),
    (
      #""assets": [{ "id": "x", "layers": [{ "ty": 0, "refId": "x", "ks": {} }] }], "layers": [{ "ty": 0, "refId": "x", "ks": {} }]"#,
      "assets[0].layers[0].refId: the composition shows itself"
    ),
    (
      #""layers": [{ "ty": 1, "sw": 0, "sh": 1, "ks": {} }]"#,
      "layers[0].sw: no number from 0.1 to 100000"
    ),
    (
      #""layers": [{ "ty": 1, "sw": 1, "sh": 1, "ks": { "r": { "a": 1, "k": [{ "t": 4, "s": [1] }, { "t": 1, "s": [2] }] } } }]"#,
      "layers[0].ks.r.k[1]: a keyframe before the one before it"
    ),
    (
      #""layers": [{ "ty": 1, "sw": 1, "sh": 1, "ks": { "p": { "a": 0, "k": [1e300, 0] } } }]"#,
      "position[0]"
    ),
  ])
  func badFilesHaveOneLine(rest: String, message: String) throws {
    let text = #"{ "fr": 10, "op": 20, "w": 100, "h": 100, "#
    let error = #expect(throws: SceneError.self) {
      try SceneFile.decode(text + rest + " }", file: "a.json")
    }
    let lines = try #require(error).description.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains(message), "\(lines)")
    #expect(lines[0].hasPrefix("a.json"), "\(lines)")
  }

  @Test func chainsAndKeyframesHaveLimits() throws {
    let chain = (1...12).map { Self.solid(["ind": $0, "parent": $0 - 1]) }
    var layers = chain
    layers[0]["parent"] = nil
    let long = #expect(throws: SceneError.self) { try imported(Self.file(layers)) }
    #expect("\(try #require(long))".contains("more than 7"))
    let keys = (0...1000).map { ["t": Double($0) / 100, "s": [Double($0)]] as [String: Any] }
    let many = #expect(throws: SceneError.self) {
      try imported(Self.file([Self.solid(["ks": ["r": ["a": 1, "k": keys]]])]))
    }
    #expect("\(try #require(many))".contains("layers[0].ks.r.k: 1001 keyframes, more than 1000"))
  }
}
