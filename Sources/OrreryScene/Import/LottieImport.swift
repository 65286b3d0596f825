// SPDX-License-Identifier: Apache-2.0

import Foundation
import Orrery
import OrreryDocument
import OrrerySceneBuilder

/// Makes a scene of a Lottie file.
///
/// Each layer becomes a view whose centre is the layer's anchor: what the file says of it is then a translation, a
/// rotation and a scale about that centre. All tracks repeat after the length of the animation, as players do.
///
/// Written from the published format description.
struct LottieImport {
  private let assets: [String: (index: Int, table: DocumentTable)]
  /// Length of the animation, in seconds.
  private let length: Double

  private var views: [AnimatedView] = []
  /// Names that are taken, and how many begin with each.
  private var names: [String: Int] = [:]
  private var leftOut = LeftOut()

  /// How far a keyframe may be off where the scene has no such curve: of points, and of other units.
  private static let (pointTolerance, otherTolerance) = (0.01, 0.0001)

  /// Whether a document is a Lottie file, and no scene.
  static func isLottie(_ document: DocumentTable) -> Bool {
    document["content"] == nil && document["layers"]?.array != nil && document["fr"] != nil
  }

  /// Makes a scene.
  ///
  /// - Parameters:
  ///   - document: A file for which `isLottie` is true.
  ///   - name: The scene's name if the file has none.
  /// - Returns: The scene, with what was left out.
  /// - Throws: `ImportError` at the first thing that is wrong.
  static func scene(_ document: DocumentTable, name: String) throws(ImportError) -> ImportedScene {
    let path = DocumentPath()
    let rate = try ImportedText.number(document, "fr", at: path, 0.01...1_000_000)
    let side = SceneLimits.side.range
    let width = try ImportedText.number(document, "w", at: path, side)
    let height = try ImportedText.number(document, "h", at: path, side)
    let first = try ImportedText.number(document, "ip", at: path, -1e9...1e9, else: 0)
    let last = try ImportedText.number(document, "op", at: path, -1e9...1e9)
    let length = (last - first) / rate
    guard SceneLimits.duration.range.contains(length) else {
      throw ImportError(
        path: path.key("op"), reason: "the animation lasts \(SceneNumber.text(length)) seconds")
    }
    var own = LottieImport(document, length: length)
    let clock = LottieClock(offset: -first / rate, frame: 1 / rate)
    try own.add(
      document, at: path,
      Around(
        clock: clock, span: 0..<length, parent: nil, origin: .zero, prefix: "", depth: 0, assets: []
      ))
    guard !own.views.isEmpty else {
      throw ImportError(path: path.key("layers"), reason: "no layer that can be shown")
    }
    var scene = Scene(
      ImportedText.label(document["nm"]?.string) ?? name, size: CGSize(width: width, height: height)
    ) {}
    scene.content = own.views.map(SceneContent.view)
    return ImportedScene(scene: scene, leftOut: own.leftOut)
  }

  private init(_ document: DocumentTable, length: Double) {
    self.length = length
    var assets: [String: (Int, DocumentTable)] = [:]
    for (index, asset) in (document["assets"]?.array ?? []).enumerated() {
      if let table = asset.table, let id = table["id"]?.string { assets[id] = (index, table) }
    }
    self.assets = assets
  }

  /// What surrounds the layers of a composition.
  private struct Around {
    let clock: LottieClock
    /// When the composition is there, in seconds.
    let span: Range<Double>
    /// The view that it moves with, and where the composition's origin is at rest.
    let parent: String?
    let origin: CGPoint
    /// What the names of its views begin with.
    let prefix: String
    /// Levels of parents above it.
    let depth: Int
    /// The compositions that it is in.
    let assets: [String]
  }

  /// What moves as a layer: a view, its centre, and where the layer's own origin is, both at rest.
  private struct Frame {
    let name: String
    let center: CGPoint
    let origin: CGPoint
    let depth: Int
    let transform: LottieTransform
  }

  /// Adds the layers of a composition; the file has the uppermost first.
  private mutating func add(
    _ composition: DocumentTable, at path: DocumentPath, _ around: Around
  ) throws(ImportError) {
    var layers: [(table: DocumentTable, path: DocumentPath)] = []
    for (index, entry) in (composition["layers"]?.array ?? []).enumerated() {
      let path = path.key("layers").index(index)
      guard let table = entry.table else { throw ImportError(path: path, reason: "no layer") }
      layers.append((table, path))
    }
    var byIndex: [Int64: Int] = [:]
    for (position, layer) in layers.enumerated() {
      if let index = Self.index(layer.table["ind"]) { byIndex[index] = position }
    }
    let isParent = Set(layers.compactMap { Self.index($0.table["parent"]).flatMap { byIndex[$0] } })
    var frames: [Int: Frame] = [:]
    for position in layers.indices.reversed() {
      // Its parents first, the outermost first.
      var chain = [position]
      while let parent = Self.index(layers[chain[chain.count - 1]].table["parent"]) {
        let path = layers[chain[chain.count - 1]].path.key("parent")
        guard let next = byIndex[parent] else {
          throw ImportError(path: path, reason: "no layer has \"ind\" \(parent)")
        }
        guard !chain.contains(next) else {
          throw ImportError(path: path, reason: "the layer is its own parent")
        }
        guard chain.count <= SceneLimits.parentsMax else {
          throw ImportError(
            path: path, reason: "more than \(SceneLimits.parentsMax) parents in a chain")
        }
        chain.append(next)
      }
      for member in chain.reversed() where isParent.contains(member) && frames[member] == nil {
        let above = Self.index(layers[member].table["parent"]).flatMap { byIndex[$0] }
        frames[member] = try addFrame(
          layers[member], moving: above.flatMap { frames[$0] }, around)
      }
      let above = Self.index(layers[position].table["parent"]).flatMap { byIndex[$0] }
      try addContent(
        layers[position], own: frames[position], moving: above.flatMap { frames[$0] }, around)
    }
  }

  private static func index(_ value: DocumentValue?) -> Int64? {
    value?.integer ?? value?.number.flatMap { Int64(exactly: $0) }
  }

  /// Adds the view that the children of a layer move with: it has no opacity, which they do not share.
  private mutating func addFrame(
    _ layer: (table: DocumentTable, path: DocumentPath), moving above: Frame?, _ around: Around
  ) throws(ImportError) -> Frame {
    let transform = try LottieTransform(layer.table, at: layer.path, around.clock, &leftOut)
    var view = AnimatedView(
      name(of: layer, around, "frame"),
      .disc(radius: SceneLimits.elementRadius.range.lowerBound, color: .clear))
    return try addView(&view, transform, moving: above, around, at: layer.path)
  }

  /// Adds what a layer shows.
  private mutating func addContent(
    _ layer: (table: DocumentTable, path: DocumentPath), own: Frame?, moving above: Frame?,
    _ around: Around
  ) throws(ImportError) {
    let (table, path) = layer
    countLeftOut(table)
    guard table["hd"]?.bool != true, table["td"]?.number != 1 else { return }
    let kind = table["ty"]?.number ?? -1
    let stretch = try ImportedText.number(table, "sr", at: path, 1e-6...1e6, else: 1)
    let start = try ImportedText.number(table, "st", at: path, -1e9...1e9, else: 0)
    let begin = around.clock.seconds(
      try ImportedText.number(table, "ip", at: path, -1e9...1e9, else: -1e9))
    let end = around.clock.seconds(
      try ImportedText.number(table, "op", at: path, -1e9...1e9, else: 1e9))
    let span =
      max(
        begin, around.span.lowerBound)..<max(
        min(end, around.span.upperBound), max(begin, around.span.lowerBound))
    guard !span.isEmpty, span.upperBound > 0, span.lowerBound < length else { return }
    let transform =
      if let own {
        own.transform
      } else {
        try LottieTransform(table, at: path, around.clock, &leftOut)
      }
    var elements: [ViewElement] = []
    switch kind {
    case 0: elements = []
    case 1, 2, 4, 5: elements = try self.elements(layer, Int(kind), transform.anchor)
    case 3: return
    default:
      leftOut.add(
        ["6": "sound", "13": "camera"]["\(Int(exactly: kind) ?? -1)"] ?? "layer of an unknown kind")
      return
    }
    if kind != 0, elements.isEmpty { return }
    var isBaked = false
    if own == nil, let stretch = transform.unevenScale {
      elements = elements.map { $0.scaled(stretch.width, stretch.height) }
      isBaked = true
    } else if transform.isUneven {
      leftOut.add("scale that differs between x and y", "the mean of both")
    }
    var view = AnimatedView(
      name(of: layer, around, own == nil ? "" : "shown"),
      elements: elements.isEmpty
        ? [.disc(radius: SceneLimits.elementRadius.range.lowerBound, color: .clear)] : elements)
    let opacity = transform.opacity.within(
      span.lowerBound <= 0 && span.upperBound >= length ? -.infinity..<(.infinity) : span,
      otherwise: 0)
    let frame: Frame
    if let own {
      view.parent = own.name
      view.position = own.center
      frame = Frame(
        name: view.name, center: own.center, origin: own.origin, depth: own.depth + 1,
        transform: transform)
      try checkDepth(frame, at: path)
      setTrack(.opacity, opacity, &view)
      views.append(view)
    } else {
      setTrack(.opacity, opacity, &view)
      frame = try addView(
        &view, transform, scaling: !isBaked, moving: above, around, at: path)
    }
    guard kind == 0 else { return }
    try addComposition(
      table, at: path, shownBy: frame, start, stretch, span, around)
  }

  private mutating func addComposition(
    _ table: DocumentTable, at path: DocumentPath, shownBy frame: Frame,
    _ start: Double, _ stretch: Double, _ span: Range<Double>, _ around: Around
  ) throws(ImportError) {
    let id = table["refId"]?.string ?? ""
    guard let asset = assets[id], asset.table["layers"]?.array != nil else {
      throw ImportError(path: path.key("refId"), reason: "no composition has this id")
    }
    guard !around.assets.contains(id) else {
      throw ImportError(path: path.key("refId"), reason: "the composition shows itself")
    }
    try add(
      asset.table, at: DocumentPath().key("assets").index(asset.index),
      Around(
        clock: around.clock.inner(start: start, stretch: stretch), span: span, parent: frame.name,
        origin: frame.origin, prefix: frame.name + "/", depth: frame.depth,
        assets: around.assets + [id]))
  }

  /// Gives a view its place, its parent and its tracks, and adds it.
  ///
  /// - Returns: What moves with it.
  private mutating func addView(
    _ view: inout AnimatedView, _ transform: LottieTransform, scaling: Bool = true,
    moving above: Frame?, _ around: Around, at path: DocumentPath
  ) throws(ImportError) -> Frame {
    let origin = above?.origin ?? around.origin
    view.parent = above?.name ?? around.parent
    let (x, y) = (transform.x.value(0), transform.y.value(0))
    let center = CGPoint(x: origin.x + x, y: origin.y + y)
    view.position = center
    setTrack(.x, transform.x.minus(x), &view)
    setTrack(.y, transform.y.minus(y), &view)
    setTrack(.rotation, transform.rotation, &view)
    if scaling { setTrack(.scale, transform.scale, &view) }
    let frame = Frame(
      name: view.name, center: center,
      origin: CGPoint(x: center.x - transform.anchor.x, y: center.y - transform.anchor.y),
      depth: (above?.depth ?? around.depth) + 1, transform: transform)
    try checkDepth(frame, at: path)
    views.append(view)
    return frame
  }

  private func checkDepth(_ frame: Frame, at path: DocumentPath) throws(ImportError) {
    guard frame.depth <= SceneLimits.parentsMax + 1 else {
      throw ImportError(
        path: path, reason: "moves with more than \(SceneLimits.parentsMax) layers around it")
    }
    guard views.count < Int(SceneLimits.content.range.upperBound) else {
      throw ImportError(
        path: path, reason: "more than \(Int(SceneLimits.content.range.upperBound)) layers")
    }
  }

  private func setTrack(
    _ property: ViewProperty, _ motion: ImportedMotion, _ view: inout AnimatedView
  ) {
    view.initial[property] = motion.value(0)
    guard !motion.isConstant(through: length) else { return }
    let tolerance =
      property == .x || property == .y ? Self.pointTolerance : Self.otherTolerance
    view.keyframes.append(
      KeyframeLoop(property: property, steps: motion.steps(through: length, tolerance: tolerance)))
  }

  // MARK: - Names, and what is left out

  private mutating func name(
    of layer: (table: DocumentTable, path: DocumentPath), _ around: Around, _ role: String
  ) -> String {
    let own = ImportedText.label(layer.table["nm"]?.string) ?? "layer"
    let suffix = role.isEmpty ? "" : " (\(role))"
    let wanted = ImportedText.cut(around.prefix + own, to: SceneLimits.nameBytesMax - 16) + suffix
    var name = wanted
    while names[name] != nil {
      names[wanted, default: 1] += 1
      name = "\(wanted) \(names[wanted] ?? 1)"
    }
    names[name] = 1
    return name
  }

  /// Counts what a layer has and a view has not.
  private mutating func countLeftOut(_ table: DocumentTable) {
    for _ in table["masksProperties"]?.array ?? [] { leftOut.add("mask") }
    for _ in table["ef"]?.array ?? [] { leftOut.add("effect") }
    for _ in table["sy"]?.array ?? [] { leftOut.add("layer style") }
    if table["tt"] != nil { leftOut.add("track matte") }
    if table["tm"] != nil { leftOut.add("time remapping") }
    if (table["bm"]?.number ?? 0) != 0 { leftOut.add("blend mode") }
    if table["ddd"]?.number == 1 { leftOut.add("layer in space", "flat") }
    if table["ao"]?.number == 1 { leftOut.add("orientation along a path") }
  }

  // MARK: - What a layer shows

  private mutating func elements(
    _ layer: (table: DocumentTable, path: DocumentPath), _ kind: Int, _ anchor: CGPoint
  ) throws(ImportError) -> [ViewElement] {
    let (table, path) = layer
    var elements: [ViewElement] = []
    func box(_ width: Double, _ height: Double, _ color: Color) -> ViewElement {
      ViewElement.box(width: width, height: height, color: color)
        .offset(x: width / 2 - anchor.x, y: height / 2 - anchor.y)
    }
    let side = SceneLimits.elementSide.range
    switch kind {
    case 1:
      elements = [
        box(
          try ImportedText.number(table, "sw", at: path, side),
          try ImportedText.number(table, "sh", at: path, side),
          Color(table["sc"]?.string ?? "") ?? .gray)
      ]
    case 2:
      let id = table["refId"]?.string ?? ""
      guard let asset = assets[id] else {
        throw ImportError(path: path.key("refId"), reason: "no image has this id")
      }
      leftOut.add("image", "a box of its size")
      let path = DocumentPath().key("assets").index(asset.index)
      elements = [
        box(
          try ImportedText.number(asset.table, "w", at: path, side),
          try ImportedText.number(asset.table, "h", at: path, side), Color.gray)
      ]
    case 5: elements = text(table).map { $0.offset(x: -anchor.x, y: -anchor.y) }
    default:
      var shapes = LottieShapes(leftOut)
      elements = try shapes.elements(table["shapes"]?.array ?? [], at: path.key("shapes"))
        .map { $0.offset(x: -anchor.x, y: -anchor.y) }
      leftOut = shapes.leftOut
    }
    let most = Int(SceneLimits.elements.range.upperBound)
    if elements.count > most {
      for _ in elements[most...] { leftOut.add("shape beyond \(most) of a layer") }
    }
    return Array(elements.suffix(most))
  }

  private mutating func text(_ table: DocumentTable) -> [ViewElement] {
    let keys = table["t"]?.table?["d"]?.table?["k"]?.array ?? []
    guard let document = keys.first?.table?["s"]?.table,
      let text = document["t"]?.string.map({ $0.split(whereSeparator: \.isNewline) })
    else { return [] }
    if keys.count > 1 { leftOut.add("text that changes", "as at the start") }
    if table["t"]?.table?["a"]?.array?.isEmpty == false { leftOut.add("text animator") }
    let size = min(max(document["s"]?.number ?? 16, 1), 1000)
    let color = LottieShapes.color(document["fc"]?.array?.compactMap(\.number) ?? [], opacity: 1)
    let alignment: TextAlignment =
      switch document["j"]?.number ?? 0 {
      case 1: .trailing
      case 2: .center
      default: .leading
      }
    return text.enumerated().compactMap { (index, line) -> ViewElement? in
      guard let line = ImportedText.label(String(line)) else { return nil }
      return ViewElement.text(line, font: .system(size: size), color: color, alignment: alignment)
        // The file gives the baseline, a scene the middle of the line.
        .offset(y: Double(index) * (document["lh"]?.number ?? size * 1.2) - size * 0.35)
    }
  }
}

/// The transform of a layer.
struct LottieTransform {
  let anchor: CGPoint
  let x: ImportedMotion
  let y: ImportedMotion
  /// Radians.
  let rotation: ImportedMotion
  /// The mean of both axes where they differ.
  let scale: ImportedMotion
  let opacity: ImportedMotion
  /// Whether the axes have other scales.
  let isUneven: Bool
  /// Scales of the axes that differ and do not move; else nil.
  let unevenScale: CGSize?

  /// Reads the transform of a layer, and counts what a view has not.
  init(
    _ layer: DocumentTable, at path: DocumentPath, _ clock: LottieClock, _ leftOut: inout LeftOut
  ) throws(ImportError) {
    let (table, path) = (layer["ks"]?.table ?? DocumentTable(), path.key("ks"))
    func property(_ key: String, _ missing: [Double]) throws(ImportError) -> LottieProperty {
      guard let value = table[key] else { return LottieProperty(missing) }
      return try LottieProperty(value, at: path.key(key))
    }
    var all: [LottieProperty] = []
    if let position = table["p"]?.table, position["s"]?.bool == true || position["x"]?.table != nil
    {
      let parts = try ["x", "y"].map { (key) throws(ImportError) -> LottieProperty in
        guard let value = position[key] else { return LottieProperty([0]) }
        return try LottieProperty(value, at: path.key("p").key(key))
      }
      x = ImportedMotion(parts[0], 0, clock) { $0 }
      y = ImportedMotion(parts[1], 0, clock) { $0 }
      all += parts
    } else {
      let position = try property("p", [0, 0])
      x = ImportedMotion(position, 0, clock) { $0 }
      y = ImportedMotion(position, 1, clock) { $0 }
      all.append(position)
    }
    let anchor = try property("a", [0, 0])
    self.anchor = CGPoint(x: anchor.first(0, else: 0), y: anchor.first(1, else: 0))
    if anchor.isAnimated { leftOut.add("anchor that moves", "as at the start") }
    let turn = try property(table["r"] == nil ? "rz" : "r", [0])
    rotation = ImportedMotion(turn, 0, clock) { $0 * .pi / 180 }
    let size = try property("s", [100, 100])
    let (wide, high) = (
      ImportedMotion(size, 0, else: 100, clock) { $0 / 100 },
      ImportedMotion(size, 1, else: 100, clock) { $0 / 100 }
    )
    isUneven = size.keys.contains { key in
      let (one, other) = (key.value, key.end ?? key.value)
      return one.count > 1 && one[0] != one[1] || other.count > 1 && other[0] != other[1]
    }
    if isUneven {
      scale = wide.combined(with: high) { ($0 * $1).magnitude.squareRoot() }
      unevenScale =
        size.isAnimated
        ? nil
        : CGSize(width: size.first(0, else: 100) / 100, height: size.first(1, else: 100) / 100)
    } else {
      scale = wide
      unevenScale = nil
    }
    let seen = try property("o", [100])
    opacity = ImportedMotion(seen, 0, clock) { min(max($0 / 100, 0), 1) }
    let skew = try property("sk", [0])
    if skew.isAnimated || skew.first(0, else: 0) != 0 { leftOut.add("skew") }
    for property in all + [anchor, turn, size, seen] where property.hasExpression {
      leftOut.add("expression", "its keyframes instead")
    }
  }
}

extension ViewElement {
  /// The element with other sizes along both axes.
  fileprivate func scaled(_ x: Double, _ y: Double) -> ViewElement {
    var element = self
    element.center = CGPoint(x: center.x * x, y: center.y * y)
    let (wide, high) = (x.magnitude, y.magnitude)
    let side = SceneLimits.elementSide.range
    func inside(_ length: Double) -> Double { min(max(length, side.lowerBound), side.upperBound) }
    switch shape {
    case .box(let width, let height, let radius):
      element.shape = .box(
        width: inside(width * wide), height: inside(height * high),
        cornerRadius: radius * min(wide, high))
    case .disc(let radius):
      element.shape = .box(
        width: inside(2 * radius * wide), height: inside(2 * radius * high),
        cornerRadius: radius * min(wide, high))
    case .text(let text, let font, let alignment):
      element.shape = .text(
        text, font: .system(size: min(max(font.size * high, 1), 1000), weight: font.weight),
        alignment: alignment)
    case .flag: break
    }
    return element
  }
}
