// SPDX-License-Identifier: Apache-2.0

import Orrery

// What follows is as one would write it on a Mac, but for this import: values, vectors and maps.

/// A value with parts that are animated together.
struct Wobble: Animatable, Equatable {
  var angle: Angle
  var offset: CGSize
  var insets = EdgeInsets()

  var animatableData:
    AnimatablePair<
      Angle.AnimatableData, AnimatablePair<CGSize.AnimatableData, EdgeInsets.AnimatableData>
    >
  {
    get {
      AnimatablePair(
        angle.animatableData, AnimatablePair(offset.animatableData, insets.animatableData))
    }
    set {
      angle.animatableData = newValue.first
      offset.animatableData = newValue.second.first
      insets.animatableData = newValue.second.second
    }
  }
}

/// A vector of one's own, which is a class and so not Sendable.
final class Weight {
  var kilograms = 0.0
}

struct Load: VectorArithmetic {
  var kilograms: Double
  var scale: Weight?

  static func == (lhs: Load, rhs: Load) -> Bool { lhs.kilograms == rhs.kilograms }
  static var zero: Load { Load(kilograms: 0) }
  static func + (lhs: Load, rhs: Load) -> Load { Load(kilograms: lhs.kilograms + rhs.kilograms) }
  static func - (lhs: Load, rhs: Load) -> Load { Load(kilograms: lhs.kilograms - rhs.kilograms) }
  mutating func scale(by rhs: Double) { kilograms.scale(by: rhs) }
  var magnitudeSquared: Double { kilograms.magnitudeSquared }
}

extension Load: Animatable {}

/// A card that flips, as it is often written.
struct FlipEffect: GeometryEffect {
  var angle: Double
  let axis: (x: CGFloat, y: CGFloat)

  var animatableData: Double {
    get { angle }
    set { angle = newValue }
  }

  func effectValue(size: CGSize) -> ProjectionTransform {
    let radians = CGFloat(Angle(degrees: angle).radians)
    var transform3d = CATransform3DIdentity
    transform3d.m34 = -1 / max(size.width, size.height)
    transform3d = CATransform3DRotate(transform3d, radians, axis.x, axis.y, 0)
    transform3d = CATransform3DTranslate(transform3d, -size.width / 2.0, -size.height / 2.0, 0)
    let affine = ProjectionTransform(
      CGAffineTransform(translationX: size.width / 2.0, y: size.height / 2.0))
    return ProjectionTransform(transform3d).concatenating(affine)
  }
}

enum ValuesVocabulary {
  static func angles() -> [Double] {
    var angle = Angle()
    angle = Angle(degrees: 90)
    angle = Angle(radians: .pi)
    angle.degrees += 90
    angle.radians -= .pi / 2
    angle += .degrees(10)
    angle -= .radians(0)
    angle *= 2
    angle /= 2
    let sum = angle + .zero - -angle * 0.5 + 2 * angle / 4
    let order = [Angle.degrees(370), .degrees(10)].sorted()
    var data = sum.animatableData
    data.scale(by: 1)
    return [angle.degrees, sum.degrees, order[0].degrees, data]
  }

  static func geometry() -> [CGFloat] {
    var insets = EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
    insets.top += 1
    let none = EdgeInsets() == insets
    let edges: Edge.Set = [.top, .leading]
    let all = Edge.Set.all.subtracting(.vertical).union(Edge.Set(.top))
    let axes: Axis.Set = [.horizontal, .vertical]
    let axis = Axis.allCases.map(\.description)
    let vector = CGVector(dx: 3, dy: 4)
    let seconds: CFTimeInterval = 0.5
    let corners: [UnitPoint] = [
      .zero, .center, .leading, .trailing, .top, .bottom, .topLeading, .topTrailing, .bottomLeading,
      .bottomTrailing, UnitPoint(), UnitPoint(x: 0.25, y: 0.75),
    ]
    return [
      insets.top, none ? 1 : 0, edges.contains(.top) ? 1 : 0, all == [.top, .horizontal] ? 1 : 0,
      CGFloat(axes.rawValue), CGFloat(axis.count), vector.dx + CGVector.zero.dy, CGFloat(seconds),
      CGFloat(corners.count), CGFloat(Edge.allCases.count), CGFloat(Edge.bottom.rawValue),
    ]
  }

  static func edges() -> [Int] {
    let sides: HorizontalEdge.Set = [.leading, .trailing]
    let ends: VerticalEdge.Set = [.top]
    let corners: Edge.Corner.Set = [.topLeading, .bottomTrailing]
    let edge: HorizontalEdge = .trailing
    return [
      HorizontalEdge.allCases.count, VerticalEdge.allCases.count, Edge.Corner.allCases.count,
      sides == .all ? 1 : 0, ends.union(VerticalEdge.Set(.bottom)) == .all ? 1 : 0,
      corners.contains(.topTrailing) ? 1 : 0, corners.isSubset(of: .all) ? 1 : 0,
      Int(edge.rawValue), Int(VerticalEdge.bottom.rawValue), Int(Edge.Corner.Set.all.rawValue),
    ]
  }

  /// As settings are kept in a file.
  struct Settings: Codable, Equatable {
    var tilt = Angle.degrees(90)
    var anchor = UnitPoint.bottomTrailing
    var side = HorizontalEdge.trailing
    var end = VerticalEdge.bottom
  }

  static func affineMaps() -> [CGFloat] {
    let maps = [
      CGAffineTransform(1, 2, 3, 4, 5, 6), CGAffineTransformMake(1, 2, 3, 4, 5, 6),
      CGAffineTransformMakeTranslation(5, 6), CGAffineTransformMakeScale(2, 3),
      CGAffineTransformMakeRotation(.pi / 2),
    ]
    let size = CGSize(width: 10, height: 20).applying(maps[0])
    let rect = CGRect(x: 1, y: 2, width: 10, height: 20).applying(maps[4])
    return maps.map { $0.a + $0.ty } + [
      size.width, size.height, rect.minX, rect.width, rect.height,
    ]
  }

  static func vectors() -> [Double] {
    var pair = AnimatablePair(1.0, CGFloat(2))
    pair += AnimatablePair(1, 1)
    pair -= AnimatablePair(0, 1)
    pair.scale(by: 2)
    var many = AnimatableValues(1.0, Float(2), CGFloat(3))
    many = many + many - .zero
    many.scale(by: 0.5)
    var load = Load(kilograms: 4)
    load.interpolate(towards: Load(kilograms: 8), amount: 0.5)
    let data = CGRect(x: 1, y: 2, width: 3, height: 4).animatableData
    let unit = UnitPoint(x: 1, y: 2).animatableData
    return [
      pair.magnitudeSquared, many.magnitudeSquared, many == .zero ? 1 : 0, load.kilograms,
      data.magnitudeSquared, EmptyAnimatableData().magnitudeSquared, unit.magnitudeSquared,
      load.animatableData.interpolated(towards: .zero, amount: 0.5).kilograms,
    ]
  }

  static func maps() -> [CGFloat] {
    var map = CATransform3DMakeTranslation(1, 2, 3)
    map = CATransform3DScale(map, 2, 2, 2)
    map = CATransform3DTranslate(map, 1, 0, 0)
    map = CATransform3DRotate(map, .pi, 0, 0, 1)
    map = CATransform3DConcat(map, CATransform3DMakeScale(1, 1, 1))
    map = CATransform3DConcat(map, CATransform3DMakeRotation(0, 1, 0, 0))
    let back = CATransform3DConcat(map, CATransform3DInvert(map))
    let affine = CATransform3DGetAffineTransform(map)
    let same = CATransform3DEqualToTransform(CATransform3DMakeAffineTransform(affine), map)
    let projection = ProjectionTransform(map).inverted().concatenating(ProjectionTransform(map))
    var flat = ProjectionTransform(CGAffineTransform(scaleX: 2, y: 2))
    let isInvertible = flat.invert()
    return [
      map.m41, back.m11, CATransform3DIsIdentity(CATransform3DIdentity) ? 1 : 0,
      CATransform3DIsAffine(map) ? 1 : 0, same ? 1 : 0, projection.m11, isInvertible ? flat.m11 : 0,
      projection.isAffine ? 1 : 0, projection.isIdentity ? 1 : 0, CATransform3D().m44,
      CGAffineTransform.identity.translatedBy(x: 1, y: 0).scaledBy(x: 2, y: 2).rotated(by: 0).tx,
      CGPoint(x: 1, y: 1).applying(CGAffineTransform(rotationAngle: .pi)).x,
      CGPoint(x: 1, y: 1).applying(projection).x,
    ]
  }
}
