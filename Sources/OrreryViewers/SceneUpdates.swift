// SPDX-License-Identifier: Apache-2.0

import Glibc
import OrreryMessages
import OrreryRender
import SwiftProtobuf

/// Shows named views as `foxglove.SceneUpdate`s.
///
/// A view is an entity with the view's name as its id. Its texts are texts, its boxes, gradients and images
/// are flat cubes, its discs spheres, where the view is drawn. An invisible view has none of them.
final class SceneUpdates {
  private struct View {
    let name: String
    let entity: Int
    let elements: [Orrery_Element]
  }

  private let composer: SceneComposer
  private let views: [View]

  /// Views of the scene that are left out, because there are too many.
  let leftOutCount: Int

  /// The views that were composed and not yet taken.
  private var composed: [ComposedValues?]?

  /// Nil if the scene has no named views.
  ///
  /// - Throws: `RenderError`: a fault of the layout.
  init?(_ layout: Orrery_SceneLayout, viewsMax: Int) throws(RenderError) {
    let names = layout.names.filter { $0.entityCount == 0 }
    guard !names.isEmpty else { return nil }
    composer = try SceneComposer(layout)
    leftOutCount = max(names.count - viewsMax, 0)
    views = names.prefix(viewsMax).map { item in
      View(
        name: item.name, entity: Int(item.firstEntity),
        elements: Self.elements(of: Int(item.firstEntity), layout))
    }
  }

  /// What an entity's sprite consists of.
  private static func elements(of entity: Int, _ layout: Orrery_SceneLayout) -> [Orrery_Element] {
    let found = layout.batches.first { batch in
      entity >= batch.firstEntity && entity - Int(batch.firstEntity) < batch.entityCount
    }
    guard let found else { return [] }
    let index = found.sprites.count == 1 ? 0 : entity - Int(found.firstEntity)
    return layout.sprites[Int(found.sprites[index])].elements
  }

  /// Composes the views of a frame, to be taken or discarded.
  func compose(_ columns: FrameColumns) {
    composed = views.map { view in
      composer.compose(view.entity) { columns.column($0, $1) }
    }
  }

  /// Takes the views that were composed: an encoded update.
  func take<Fault>(
    _ time: Google_Protobuf_Timestamp,
    _ use: (_ parts: [UnsafeRawBufferPointer]) throws(Fault) -> Void
  ) throws(Fault) {
    guard let composed else { return }
    self.composed = nil
    var update = Foxglove_SceneUpdate()
    update.entities = zip(views, composed).map { view, values in
      var entity = Foxglove_SceneEntity()
      (entity.timestamp, entity.frameID, entity.id) = (time, SceneFrame.name, view.name)
      if let values, values.isDrawn { entity.add(view.elements, at: values) }
      return entity
    }
    try update.ownBytes.span.bytes.withUnsafeBytes { (bytes) throws(Fault) in try use([bytes]) }
  }

  /// Forgets the views that were composed: their frame was overwritten meanwhile.
  func discard() { composed = nil }
}

extension ComposedValues {
  /// Whether there is anything to see.
  fileprivate var isDrawn: Bool {
    opacity > 0 && scale != 0 && (x + y + opacity + scale + rotation).isFinite
  }
}

extension Foxglove_SceneEntity {
  /// Adds a sprite's elements where its entity is.
  fileprivate mutating func add(_ elements: [Orrery_Element], at values: ComposedValues) {
    let (cosine, sine) = (cos(values.rotation), sin(values.rotation))
    /// The pose of an element's middle, which is given from the entity's origin.
    func pose(_ x: Double, _ y: Double) -> Foxglove_Pose {
      let (x, y) = (x * values.scale, y * values.scale)
      return Foxglove_Pose(
        x: values.x + cosine * x - sine * y, y: values.y + sine * x + cosine * y,
        rotation: values.rotation)
    }
    func size(_ width: Double, _ height: Double, _ depth: Double = 0) -> Foxglove_Vector3 {
      var size = Foxglove_Vector3()
      let scale = abs(values.scale)
      (size.x, size.y, size.z) = (width * scale, height * scale, depth * scale)
      return size
    }
    func box(_ element: Orrery_Element, _ width: Double, _ height: Double, _ color: UInt32) {
      var cube = Foxglove_CubePrimitive()
      cube.pose = pose(element.x + width / 2, element.y + height / 2)
      cube.size = size(width, height)
      cube.color = Foxglove_Color(color, opacity: values.opacity)
      cubes.append(cube)
    }
    for element in elements {
      switch element.content {
      case .text(let text):
        var primitive = Foxglove_TextPrimitive()
        primitive.pose = pose(element.x + text.width / 2, element.y + text.height / 2)
        primitive.billboard = true
        primitive.fontSize = text.pointSize * abs(values.scale)
        primitive.color = Foxglove_Color(text.color, opacity: values.opacity)
        primitive.text = text.text
        texts.append(primitive)
      case .disc(let disc):
        var sphere = Foxglove_SpherePrimitive()
        sphere.pose = pose(element.x, element.y)
        sphere.size = size(2 * disc.radius, 2 * disc.radius, 2 * disc.radius)
        sphere.color = Foxglove_Color(disc.color, opacity: values.opacity)
        spheres.append(sphere)
      case .box(let content): box(element, content.width, content.height, content.color)
      case .image(let content): box(element, content.width, content.height, 0x8080_80ff)
      case .gradient(let content):
        box(element, content.width, content.height, content.colors.first ?? .max)
      case nil: continue
      }
    }
  }
}

extension Foxglove_Color {
  /// A colour of 0xRRGGBBAA.
  fileprivate init(_ color: UInt32, opacity: Double) {
    self.init()
    r = Double(color >> 24) / 255
    g = Double(color >> 16 & 255) / 255
    b = Double(color >> 8 & 255) / 255
    a = Double(color & 255) / 255 * min(max(opacity, 0), 1)
  }
}

extension Orrery_Text {
  /// The size at the end of its font's description, `Noto Sans 13`; 12 if there is none.
  fileprivate var pointSize: Double {
    let size = font.split(separator: " ").last.flatMap { Double($0) } ?? 12
    return size.isFinite && size > 0 ? size : 12
  }
}

/// Sine and cosine of half an angle: of a turn about the z axis, the quaternion's z and w.
enum HalfTurn {
  static func of(_ angle: Double) -> (sine: Double, cosine: Double) {
    (sin(angle / 2), cos(angle / 2))
  }
}
