// SPDX-License-Identifier: Apache-2.0

import Orrery

// What follows is as one would write it on a Mac, but for this import: paths and shapes.

struct Wave: Shape {
  var phase: Double
  var strength = 10.0

  var animatableData: AnimatablePair<Double, Double> {
    get { AnimatablePair(phase, strength) }
    set {
      phase = newValue.first
      strength = newValue.second
    }
  }

  func path(in rect: CGRect) -> Path {
    var path = Path()
    path.move(to: CGPoint(x: rect.minX, y: rect.midY))
    for x in stride(from: 0, through: rect.width, by: 10) {
      let y = rect.midY + strength * sin(x / rect.width * 2 * .pi + phase)
      path.addLine(to: CGPoint(x: rect.minX + x, y: y))
    }
    return path
  }
}

struct Triangle: Shape {
  func path(in rect: CGRect) -> Path {
    Path { path in
      path.move(to: CGPoint(x: rect.midX, y: rect.minY))
      path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
      path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
      path.closeSubpath()
    }
  }
}

struct Pie: InsettableShape {
  var endAngle: Angle
  var insetAmount: CGFloat = 0

  var animatableData: Angle.AnimatableData {
    get { endAngle.animatableData }
    set { endAngle.animatableData = newValue }
  }

  func path(in rect: CGRect) -> Path {
    let center = CGPoint(x: rect.midX, y: rect.midY)
    var path = Path()
    path.move(to: center)
    path.addArc(
      center: center, radius: min(rect.width, rect.height) / 2 - insetAmount,
      startAngle: .degrees(-90), endAngle: endAngle - .degrees(90), clockwise: false)
    path.closeSubpath()
    return path
  }

  func inset(by amount: CGFloat) -> some InsettableShape {
    var pie = self
    pie.insetAmount += amount
    return pie
  }
}

/// A view that shows a shape among its modifiers.
struct Progress: View {
  @State var share = 0.0

  var body: some View {
    Circle()
      .trim(from: 0, to: share)
      .rotationEffect(.degrees(-90))
      .opacity(0.5)
  }
}

enum ShapeVocabulary {
  static func everyPath() -> Path {
    var path = Path(CGRect(x: 0, y: 0, width: 10, height: 10))
    path.addPath(Path(ellipseIn: CGRect(x: 20, y: 0, width: 10, height: 10)))
    path.addPath(
      Path(roundedRect: CGRect(x: 40, y: 0, width: 10, height: 10), cornerRadius: 2),
      transform: CGAffineTransform(translationX: 1, y: 0))
    path.addPath(
      Path(
        roundedRect: CGRect(x: 60, y: 0, width: 10, height: 10),
        cornerSize: CGSize(width: 2, height: 3), style: .circular))
    path.move(to: .zero)
    path.addQuadCurve(to: CGPoint(x: 10, y: 0), control: CGPoint(x: 5, y: 10))
    path.addCurve(
      to: CGPoint(x: 20, y: 0), control1: CGPoint(x: 12, y: 5), control2: CGPoint(x: 18, y: 5))
    path.addLines([.zero, CGPoint(x: 1, y: 1), CGPoint(x: 2, y: 0)])
    path.addRects([CGRect(x: 0, y: 0, width: 1, height: 1)])
    path.addRect(CGRect(x: 0, y: 0, width: 1, height: 1), transform: .identity)
    path.addEllipse(in: CGRect(x: 0, y: 0, width: 1, height: 1))
    path.addRoundedRect(
      in: CGRect(x: 0, y: 0, width: 4, height: 4), cornerSize: CGSize(width: 1, height: 1))
    path.addRelativeArc(center: .zero, radius: 1, startAngle: .zero, delta: .degrees(90))
    path.addArc(
      tangent1End: CGPoint(x: 5, y: 1), tangent2End: CGPoint(x: 5, y: 9), radius: 2)
    return path.offsetBy(dx: 1, dy: 0).applying(CGAffineTransform(scaleX: 2, y: 2))
  }

  static func counts(_ path: Path) -> [Int] {
    var counts = [0, 0, 0, 0, 0]
    path.forEach { element in
      switch element {
      case .move: counts[0] += 1
      case .line: counts[1] += 1
      case .quadCurve: counts[2] += 1
      case .curve: counts[3] += 1
      case .closeSubpath: counts[4] += 1
      }
    }
    return counts
  }

  @ViewBuilder static func shape(_ index: Int) -> some View {
    switch index {
    case 0: Rectangle()
    case 1: Circle()
    case 2: Ellipse()
    case 3: Capsule()
    case 4: RoundedRectangle(cornerRadius: 8)
    case 5: RoundedRectangle(cornerSize: CGSize(width: 8, height: 4), style: .circular).inset(by: 2)
    case 6: Triangle().transform(CGAffineTransform(scaleX: 0.5, y: 1))
    case 7: Pie(endAngle: .degrees(90)).inset(by: 1)
    default: Path(CGRect(x: 1, y: 2, width: 3, height: 4))
    }
  }

  static let styles: [RoundedCornerStyle] = [.circular, .continuous]
  static let parts: [Path.Element] = [.move(to: .zero), .closeSubpath]
}
