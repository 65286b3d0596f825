// SPDX-License-Identifier: Apache-2.0

import Orrery
import OrreryDocument
import OrreryMessages
import OrrerySceneBuilder

/// Views and accordions.
extension ScenePlanner {
  mutating func add(_ view: AnimatedView, at path: DocumentPath) {
    let isSingle = view.elements.count == 1 && view.elements[0].center == .zero
    var sprite = Orrery_Sprite()
    var bounds = Bounds()
    for (index, element) in view.elements.enumerated() {
      let path = isSingle ? path : path.key("elements").index(index)
      guard let drawn = drawn(element, at: path) else { continue }
      sprite.elements.append(drawn.message)
      bounds.add(drawn.box)
    }
    var frame = bounds.rectangle
    if let size = view.size {
      frame = CGRect(
        x: -size.width / 2, y: -size.height / 2, width: size.width, height: size.height)
    }
    sprites.append(sprite)
    let initial = ViewProperty.allCases.map { mirror.value(view.initial[$0], of: $0) + 0 }
    let plan = ViewPlan(
      name: view.name, initial: initial,
      transition: view.transition.flatMap {
        transition($0, frame: frame, at: path.key("transition"))
      }, isShown: !view.isHidden)
    let position = restingPositions.position(view.position, parent: view.parent)
    let index = addView(plan, at: position, sprite: sprites.count - 1, parent: view.parent)
    addLoops(of: view, index: index)
  }

  /// Adds what moves a view from the start: tracks that repeat are evaluated, everything else is commands.
  private mutating func addLoops(of view: AnimatedView, index: Int) {
    for loop in view.keyframes {
      let onScreen = loop.mapped { mirror.value($0, of: loop.property) + 0 }
      let initial = mirror.value(view.initial[loop.property], of: loop.property) + 0
      if let course = courses.course(onScreen, initial: initial) {
        tracks.append(KeyframeTrackPlan(view: index, property: loop.property, course: course))
      } else {
        loops += ViewLoops.commands(of: loop, start: view.initial[loop.property], view: index)
      }
    }
    loops += ViewLoops.phaseCommands(of: view, view: index)
  }

  /// Adds a view; `parent` names the view that it moves with.
  ///
  /// - Returns: The view's index.
  @discardableResult
  mutating func addView(
    _ view: ViewPlan, at position: CGPoint, sprite: Int, parent: String?
  ) -> Int {
    let views = batches.collector { (specs: Specs<ViewPlan>) in
      .views(ViewsPlan(views: (0..<specs.count).map { specs[$0] }))
    }
    let parent = parent.flatMap { names.views[$0] }
    views.add(view, x: position.x, y: position.y, sprite: sprite, parent: parent)
    views.nameLast(view.name)
    return views.count - 1
  }

  // MARK: Accordions

  mutating func add(_ accordion: Accordion, at path: DocumentPath) {
    let layout = AccordionLayout(accordion, sceneSize: scene.size)
    let panelSize = CGSize(width: accordion.width, height: accordion.panelHeight)
    let panelSprite = sprites.count
    sprites.append(
      SpriteMaker.box(panelSize, cornerRadius: Self.cornerRadius, color: accordion.panelColor))
    let frame = CGRect(
      x: -panelSize.width / 2, y: -panelSize.height / 2, width: panelSize.width,
      height: panelSize.height)
    let transition = transition(accordion.transition, frame: frame, at: path.key("transition"))
    let panels = accordion.rows.enumerated().map { index, row in
      let panel = ViewPlan(
        name: SceneNames.panel(ofRow: row.name), initial: Self.defaults, transition: transition,
        isShown: false)
      return addView(
        panel, at: mirror.point(layout.panel(index)), sprite: panelSprite, parent: nil)
    }
    for (index, row) in accordion.rows.enumerated() {
      let system = OrbitSystem(
        height: accordion.panelHeight * Self.systemShare, moons: row.moons,
        center: layout.panel(index), duration: accordion.duration, planetColor: row.color,
        moonColor: accordion.moonColor)
      add(
        system, planet: SceneNames.planet(ofRow: row.name), moon: SceneNames.moon(of: row.name),
        parent: SceneNames.panel(ofRow: row.name))
    }
    let headers = accordion.rows.enumerated().map { index, row in
      let path = path.key("rows").index(index).key(row.title == nil ? "name" : "title")
      sprites.append(header(row, of: accordion, at: path))
      let header = ViewPlan(name: SceneNames.header(ofRow: row.name), initial: Self.defaults)
      return addView(
        header, at: mirror.point(layout.header(index)), sprite: sprites.count - 1, parent: nil)
    }
    tapAnimations.append(accordion.animation)
    accordions.append(
      AccordionPlan(
        panels: panels,
        panelHeights: [Double](repeating: layout.pushDistance, count: panels.count),
        members: zip(headers, panels).map { [$0, $1] }))
  }

  /// A box with the planet at its leading side, the title, and a small disc for each moon at its
  /// trailing side.
  private mutating func header(
    _ row: AccordionRow, of accordion: Accordion, at path: DocumentPath
  ) -> Orrery_Sprite {
    let (width, height) = (accordion.width, accordion.rowHeight)
    var sprite = SpriteMaker.box(
      CGSize(width: width, height: height), cornerRadius: min(Self.cornerRadius, height / 2),
      color: accordion.headerColor)
    sprite.elements.append(
      SpriteMaker.discElement(
        radius: 0.25 * height, color: row.color, x: mirror.distance(-width / 2 + 0.6 * height),
        y: 0))
    let title = ViewElement.text(
      row.title ?? row.name, font: accordion.font, color: accordion.color, alignment: .leading)
    if let drawn = drawn(title.offset(x: -width / 2 + 1.2 * height), at: path, key: nil) {
      sprite.elements.append(drawn.message)
    }
    let moons = min(row.moons.count, Self.moonsInHeaderMax)
    for moon in 0..<moons {
      let x = width / 2 - 0.5 * height - Double(moons - 1 - moon) * 0.24 * height
      let color = row.moons.moon(moon).color ?? accordion.moonColor
      sprite.elements.append(
        SpriteMaker.discElement(
          radius: 0.07 * height, color: color, x: mirror.distance(x), y: 0))
    }
    return sprite
  }

  /// Radius of the corners of headers and panels in points.
  private static var cornerRadius: Double { 12 }

  /// Height of a panel's orbit system as a share of the panel's height.
  private static var systemShare: Double { 0.9 }

  /// Moons shown by one header.
  private static var moonsInHeaderMax: Int { 12 }

  // MARK: Parts

  /// The default value of every view property.
  static var defaults: [Double] { ViewProperty.allCases.map(\.defaultValue) }

  private func transition(
    _ transition: AnyTransition, frame: CGRect, at path: DocumentPath
  ) -> TransitionPlan? {
    do throws(TransitionError) {
      let origin = CGPoint(x: -frame.minX, y: -frame.minY)
      func half(_ phase: TransitionPhase) throws(TransitionError) -> TransitionHalf {
        TransitionHalf(
          try transition.polynomials(
            phase: phase, size: frame.size, origin: origin,
            layoutDirection: mirror.layoutDirection))
      }
      return TransitionPlan(
        insertion: try half(.willAppear), removal: try half(.didDisappear),
        insertionAnimation: try transition.ownAnimation(phase: .willAppear) ?? nil,
        removalAnimation: try transition.ownAnimation(phase: .didDisappear) ?? nil)
    } catch {
      faults.add(path, .notPlannable(error.reason))
      return nil
    }
  }

  /// An element as a message, and its bounding box in its view, both on screen.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - path: The path to its table.
  ///   - key: The key for a fault of a text; nil: the fault is at `path` itself.
  /// - Returns: Nil if the element has a fault.
  private mutating func drawn(
    _ element: ViewElement, at path: DocumentPath, key: String? = "text"
  ) -> (message: Orrery_Element, box: CGRect)? {
    let (x, y) = (Double(element.center.x), Double(element.center.y))
    switch element.shape {
    case .text(let content, let font, let alignment):
      do throws(TextFault) {
        let size = try texts.size(content, font: font)
        let box = mirror.rectangle(
          CGRect(
            x: x - alignment.share * size.width, y: y - size.height / 2, width: size.width,
            height: size.height))
        var text = Orrery_Text()
        text.text = content
        text.font = FontDescription.text(font)
        text.color = element.color.rgba
        return (SpriteMaker.element(at: box) { $0.text = text }, box)
      } catch {
        faults.add(key.map(path.key) ?? path, error.fault)
        return nil
      }
    case .disc(let radius):
      let x = mirror.distance(x)
      let box = CGRect(x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius)
      return (SpriteMaker.discElement(radius: radius, color: element.color, x: x, y: y), box)
    case .box(let width, let height, let cornerRadius):
      let rectangle = mirror.rectangle(
        CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height))
      var box = Orrery_Box()
      box.width = width
      box.height = height
      box.cornerRadius = min(cornerRadius, width / 2, height / 2)
      box.color = element.color.rgba
      return (SpriteMaker.element(at: rectangle) { $0.box = box }, rectangle)
    case .flag(let region, let width):
      do throws(TextFault) {
        let height = width * Self.flagAspect
        let box = mirror.rectangle(
          CGRect(x: x - width / 2, y: y - height / 2, width: width, height: height))
        var text = Orrery_Text()
        text.text = try texts.flag(ofRegion: region)
        text.font = FontDescription.flag(.body)
        text.width = width
        text.height = height
        return (SpriteMaker.element(at: box) { $0.text = text }, box)
      } catch {
        faults.add(path.key("flag"), error.fault)
        return nil
      }
    }
  }

  /// Height of a flag divided by its width; most flags are close to this.
  private static var flagAspect: Double { 0.75 }
}

/// The smallest rectangle around others.
private struct Bounds {
  private var sum: CGRect?

  /// The rectangle, or an empty one.
  var rectangle: CGRect { sum ?? CGRect(x: 0, y: 0, width: 0, height: 0) }

  mutating func add(_ box: CGRect) { sum = sum?.union(box) ?? box }
}

extension TextAlignment {
  /// The share of a line's width on the leading side of its position.
  var share: Double {
    switch self {
    case .leading: 0
    case .center: 0.5
    case .trailing: 1
    }
  }
}

extension TransitionHalf {
  /// The library's polynomials.
  init(_ polynomials: TransitionPolynomials) {
    self.init(
      x: polynomials.x, y: polynomials.y, opacity: polynomials.opacity, scale: polynomials.scale,
      blur: polynomials.blur)
  }
}
