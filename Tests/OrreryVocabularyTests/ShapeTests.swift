// SPDX-License-Identifier: Apache-2.0

import Orrery
import Testing

/// Goal: paths are those of SwiftUI, and the data of shapes move.
///
/// Method: points, boxes and lengths that are known from geometry.
@Suite struct ShapeTests {
  private let frame = CGRect(x: 0, y: 0, width: 100, height: 60)

  private func box(_ path: Path?) -> [Double] {
    let box = path?.boundingRect ?? .null
    return [box.minX, box.minY, box.maxX, box.maxY].map { ($0 * 1e9).rounded() / 1e9 }
  }

  private func isNear(_ point: CGPoint?, _ x: Double, _ y: Double, _ bound: Double = 1e-9) -> Bool {
    point.map { abs($0.x - x) < bound && abs($0.y - y) < bound } ?? false
  }

  /// [V-25] The data of a shape move from 0 to 2 in 1 s: the path of 1 halfway, under the modifiers around it.
  @Test func dataOfShapesMove() {
    func view(_ phase: Double, _ strength: Double) -> some View {
      Wave(phase: phase, strength: strength).offset(x: phase)
    }
    var player = ViewPlayer(view(0, 10))
    withAnimation(.linear(duration: 1)) { player.update(view(2, 20), at: 0) }
    #expect(player.path(at: 0.5, in: frame) == Wave(phase: 1, strength: 15).path(in: frame))
    #expect(player.path(at: 2, in: frame) == Wave(phase: 2, strength: 20).path(in: frame))
    #expect(player.values(at: 0.5, size: frame.size).matrix.tx == 1)
    #expect(view(1, 5).drawnPath(in: frame) == Wave(phase: 1, strength: 5).path(in: frame))
    #expect(Leaf().offset(x: 3).drawnPath(in: frame) == nil)

    var progress = ViewPlayer(Progress())
    #expect(progress.path(at: 0, in: frame)?.isEmpty == true)
    progress.update(at: 1) { view in withAnimation(.linear(duration: 1)) { view.share = 1 } }
    let half = progress.path(at: 1.5, in: frame)
    #expect(isNear(half?.currentPoint, 20, 30, 1e-6))
    #expect(progress.values(at: 1.5, size: frame.size).opacity == 0.5)
    let timed = KeyframeAnimator(initialValue: 0.0) { phase in
      Wave(phase: phase)
    } keyframes: { _ in
      LinearKeyframe(4, duration: 1)
    }
    #expect(timed.drawnPath(in: frame, at: 0.25) == Wave(phase: 1).path(in: frame))
    // Another shape in its place: at once.
    var shapes = ViewPlayer(AnyView(Circle()))
    withAnimation { shapes.update(AnyView(Rectangle()), at: 1) }
    #expect(shapes.path(at: 1, in: frame) == Path(frame))
    let shake = Triangle().modifier(Shake(shakes: 0.25))
    #expect(shake.drawnPath(in: frame) == Triangle().path(in: frame))
    #expect(shake.drawnValues(size: frame.size).matrix.tx == 5)
  }

  @Test func shapesFillTheirFrames() {
    let boxes = (0...8).map { box(ShapeVocabulary.shape($0).drawnPath(in: frame)) }
    #expect(boxes[0] == [0, 0, 100, 60])
    #expect(boxes[1] == [20, 0, 80, 60])
    #expect(boxes[2] == [0, 0, 100, 60])
    #expect(boxes[3] == [0, 0, 100, 60])
    #expect(boxes[4] == [0, 0, 100, 60])
    #expect(boxes[5] == [2, 2, 98, 58])
    #expect(boxes[6] == [0, 0, 50, 60])
    #expect(boxes[7] == [50, 1, 79, 30])
    #expect(boxes[8] == [1, 2, 4, 6])
    #expect(Capsule().path(in: frame).contains(CGPoint(x: 1, y: 30)))
    #expect(!Capsule().path(in: frame).contains(CGPoint(x: 2, y: 5)))
    let round = RoundedRectangle(cornerRadius: 8).path(in: frame)
    #expect(!round.contains(CGPoint(x: 2, y: 2)))
    #expect(round.contains(CGPoint(x: 3, y: 3)))
    var corners = ViewPlayer(RoundedRectangle(cornerRadius: 0))
    withAnimation(.linear(duration: 1)) {
      corners.update(RoundedRectangle(cornerRadius: 16), at: 0)
    }
    #expect(corners.path(at: 0.5, in: frame) == round)
    // Corners are no larger than half of a side.
    let wide = RoundedRectangle(cornerRadius: 99).path(in: frame)
    #expect(box(wide) == [0, 0, 100, 60])
    #expect(wide.contains(CGPoint(x: 50, y: 1)))
  }

  @Test func everyPartIsThere() {
    let path = ShapeVocabulary.everyPath()
    let counts = ShapeVocabulary.counts(path)
    #expect(counts == [10, 22, 1, 23, 8])
    #expect(path.elements(of: .closeSubpath) == 8)
    #expect(
      Path { path in
        path.addLine(to: .zero)
        path.closeSubpath()
      }.isEmpty)
    let roof = Path { path in
      path.addLines([CGPoint(x: 0, y: 20), CGPoint(x: 10.5, y: 0)])
      path.addQuadCurve(to: .zero, control: CGPoint(x: 1, y: 2))
      path.addCurve(
        to: CGPoint(x: 9, y: 9), control1: CGPoint(x: 3, y: 4), control2: CGPoint(x: 5, y: 6))
      path.closeSubpath()
    }
    #expect(roof.description == "0 20 m 10.5 0 l 1 2 0 0 q 3 4 5 6 9 9 c h")
    #expect(isNear(roof.currentPoint, 0, 20))
    #expect(Path().boundingRect.isNull)
    #expect(Path().currentPoint == nil)
    #expect(ShapeVocabulary.styles.count + ShapeVocabulary.parts.count == 4)
  }

  /// Boxes are around the curves, not around their control points.
  @Test func boxesAreTight() {
    let quad = Path { path in
      path.move(to: .zero)
      path.addQuadCurve(to: CGPoint(x: 10, y: 0), control: CGPoint(x: 5, y: 10))
    }
    #expect(box(quad) == [0, 0, 10, 5])
    let cubic = Path { path in
      path.move(to: .zero)
      path.addCurve(
        to: CGPoint(x: 10, y: 0), control1: CGPoint(x: 0, y: 10), control2: CGPoint(x: 10, y: 10))
    }
    #expect(box(cubic) == [0, 0, 10, 7.5])
    let even = Path { path in
      path.move(to: .zero)
      path.addCurve(
        to: CGPoint(x: 9, y: 0), control1: CGPoint(x: 3, y: 3), control2: CGPoint(x: 6, y: 3))
    }
    #expect(box(even) == [0, 0, 9, 2.25])
  }

  @Test func arcsTurnTheirWay() {
    func arc(_ start: Double, _ end: Double, _ clockwise: Bool) -> Path {
      Path { path in
        path.addArc(
          center: .zero, radius: 10, startAngle: .degrees(start), endAngle: .degrees(end),
          clockwise: clockwise)
      }
    }
    #expect(box(arc(0, 90, false)) == [0, 0, 10, 10])
    #expect(box(arc(0, 90, true)) == [-10, -10, 10, 10])
    #expect(box(arc(90, 0, true)) == [0, 0, 10, 10])
    #expect(box(arc(90, 0, false)) == [-10, -10, 10, 10])
    #expect(box(arc(0, 360, true)) == [-10, -10, 10, 10])
    #expect(ShapeVocabulary.counts(arc(0, 1_000_000, false)) == [1, 0, 0, 4, 0])
    #expect(ShapeVocabulary.counts(arc(0, 0, false)) == [1, 0, 0, 0, 0])
    for angle in [Double.infinity, .nan] {
      #expect(ShapeVocabulary.counts(arc(0, angle, false))[3] <= 4)
    }
    let turned = Path { path in
      path.addRelativeArc(
        center: .zero, radius: 1, startAngle: .zero, delta: .degrees(810),
        transform: CGAffineTransform(scaleX: 2, y: 1))
    }
    #expect(isNear(turned.currentPoint, 0, 1))
    #expect(box(turned) == [-2, -1, 2, 1])
    // Every point of an arc is nearly as far away as the radius.
    let quarter = arc(0, 90, false)
    for share in stride(from: 0.1, through: 1, by: 0.1) {
      let end = quarter.trimmedPath(from: 0, to: share).currentPoint ?? .zero
      #expect(abs((end.x * end.x + end.y * end.y).squareRoot() - 10) < 3e-3)
      #expect(abs(atan2(end.y, end.x) - share * .pi / 2) < 2e-3)
    }
  }

  @Test func cornersAreRounded() {
    func corner(_ end: CGPoint, _ radius: CGFloat = 3) -> Path {
      Path { path in
        path.move(to: .zero)
        path.addArc(tangent1End: CGPoint(x: 10, y: 0), tangent2End: end, radius: radius)
      }
    }
    let down = corner(CGPoint(x: 10, y: 10))
    #expect(isNear(down.currentPoint, 10, 3))
    #expect(box(down) == [0, 0, 10, 3])
    #expect(isNear(corner(CGPoint(x: 10, y: -10)).currentPoint, 10, -3))
    let sharp = corner(CGPoint(x: 0, y: 10), 2)
    let away = 2 / tan(Double.pi / 8) / 2.0.squareRoot()
    #expect(isNear(sharp.currentPoint, 10 - away, away))
    for straight in [corner(CGPoint(x: 20, y: 0)), corner(CGPoint(x: 10, y: 10), 0)] {
      #expect(straight.description == "0 0 m 10 0 l")
    }
  }

  @Test func insideAndOutside() {
    var rings = Path(CGRect(x: 0, y: 0, width: 10, height: 10))
    rings.addRect(CGRect(x: 2, y: 2, width: 6, height: 6))
    let middle = CGPoint(x: 5, y: 5)
    #expect(rings.contains(middle))
    #expect(!rings.contains(middle, eoFill: true))
    #expect(rings.contains(CGPoint(x: 1, y: 5), eoFill: true))
    #expect(!rings.contains(CGPoint(x: 11, y: 5)))
    #expect(!rings.contains(CGPoint(x: -1, y: 5)))
    let open = Path { $0.addLines([.zero, CGPoint(x: 10, y: 0), CGPoint(x: 0, y: 10)]) }
    #expect(open.contains(CGPoint(x: 2, y: 2)))
    #expect(!open.contains(CGPoint(x: 8, y: 8)))
  }

  /// Parts by length: half of a square, a part across a gap, and everything.
  @Test func partsHaveTheirLengths() {
    let square = Path(CGRect(x: 0, y: 0, width: 10, height: 10))
    #expect(square.trimmedPath(from: 0, to: 0.375).description == "0 0 m 10 0 l 10 5 l")
    #expect(square.trimmedPath(from: 0.125, to: 0.25).description == "5 0 m 10 0 l")
    #expect(square.trimmedPath(from: 0.75, to: 1).description == "0 10 m 0 0 l")
    #expect(square.trimmedPath(from: -1, to: 2) == square)
    #expect(square.trimmedPath(from: 0.5, to: 0.5).isEmpty)
    #expect(square.trimmedPath(from: 0.6, to: 0.5).isEmpty)
    let gap = Path { path in
      path.addLines([.zero, CGPoint(x: 10, y: 0)])
      path.addLines([CGPoint(x: 0, y: 5), CGPoint(x: 10, y: 5)])
    }
    #expect(gap.trimmedPath(from: 0.25, to: 0.75).description == "5 0 m 10 0 l 0 5 m 5 5 l")
    let quad = Path { path in
      path.move(to: .zero)
      path.addQuadCurve(to: CGPoint(x: 10, y: 0), control: CGPoint(x: 5, y: 10))
    }
    #expect(isNear(quad.trimmedPath(from: 0, to: 0.5).currentPoint, 5, 5))
    #expect(box(quad.trimmedPath(from: 0.5, to: 1)) == [5, 0, 10, 5])
    #expect(Path().trimmedPath(from: 0.25, to: 0.75).isEmpty)
  }
}

extension Path {
  fileprivate func elements(of kind: Element) -> Int {
    var count = 0
    forEach { if $0 == kind { count += 1 } }
    return count
  }
}
