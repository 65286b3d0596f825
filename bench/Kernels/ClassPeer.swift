// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The naive way: an array of objects, one for each animation, in `Double`, with Foundation's sine
/// and cosine.
final class ClassPeer: PeerWork {
  private let animations: [PlainAnimation]

  init(_ task: KernelTask) {
    if let tracks = task.tracks {
      animations = (0..<task.count).map { PlainTrack($0, tracks) }
      return
    }
    let columns = task.columns
    let curve = BezierCurve(columns.last ?? [])
    animations = (0..<task.count).map { entity in
      let p = columns.map { entity < $0.count ? $0[entity] : 0 }
      return switch task.kind {
      case .orbit: PlainOrbit(p)
      case .flow: PlainFlow(p)
      case .tween: PlainTween(p, curve)
      case .spring: PlainSpring(p)
      default: PlainMarquee(p)
      }
    }
  }

  func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    for animation in animations { animation.advance(KernelTask.tickSeconds) }
  }

  func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    for (index, animation) in animations.enumerated() {
      columns[0]?[index] = Float(animation.x)
      if animation is PlainOrbit { columns[1]?[index] = Float(animation.y) }
    }
  }
}

/// An animation of one target.
class PlainAnimation {
  /// The position.
  var x = 0.0
  var y = 0.0

  /// Advances by some seconds; overridden by each kind.
  func advance(_ seconds: Double) {}
}

private final class PlainOrbit: PlainAnimation {
  let centerX, centerY, radius, speed: Double
  var angle: Double

  init(_ p: [Double]) {
    (centerX, centerY, radius, speed) = (p[0], p[1], p[2], 2 * .pi / p[3])
    angle = 2 * .pi * p[4]
  }

  override func advance(_ seconds: Double) {
    angle += speed * seconds
    x = centerX + radius * cos(angle)
    y = centerY + radius * sin(angle)
  }
}

private final class PlainMarquee: PlainAnimation {
  let speed, span: Double

  init(_ p: [Double]) {
    (speed, span) = (p[0], p[1])
    super.init()
    x = p[2] * span
  }

  override func advance(_ seconds: Double) {
    x = (x + speed * seconds).truncatingRemainder(dividingBy: span)
  }
}

private final class PlainFlow: PlainAnimation {
  let speed, span, start: Double
  var time = 0.0

  init(_ p: [Double]) { (speed, span, start) = (p[0], p[1], p[2]) }

  override func advance(_ seconds: Double) {
    time += seconds
    x = time < start ? 0 : (speed * (time - start)).truncatingRemainder(dividingBy: span)
  }
}

private final class PlainTween: PlainAnimation {
  let from, to, cycle: Double
  let curve: BezierCurve
  var time: Double

  init(_ p: [Double], _ curve: BezierCurve) {
    (from, to, cycle, time, self.curve) = (p[0], p[1], p[2], p[3] * p[2], curve)
  }

  override func advance(_ seconds: Double) {
    time = (time + seconds).truncatingRemainder(dividingBy: cycle)
    let turns = 2 * time / cycle
    x = from + (to - from) * curve.height(turns <= 1 ? turns : 2 - turns)
  }
}

private final class PlainSpring: PlainAnimation {
  let frequency, dampingRatio, period: Double
  var from, to, time: Double

  init(_ p: [Double]) {
    (frequency, dampingRatio, period) = (2 * .pi / p[2], p[3], p[4])
    let isBack = p[5] >= 1
    (from, to) = isBack ? (p[1], p[0]) : (p[0], p[1])
    time = (isBack ? p[5] - 1 : p[5]) * period
  }

  override func advance(_ seconds: Double) {
    time += seconds
    if time >= period {
      time -= period
      (from, to) = (to, from)
    }
    let root = (1 - dampingRatio * dampingRatio).squareRoot()
    let angle = frequency * root * time
    let swing = cos(angle) + dampingRatio / root * sin(angle)
    x = to + (from - to) * exp(-dampingRatio * frequency * time) * swing
  }
}

private final class PlainTrack: PlainAnimation {
  let entity: Int
  let tracks: KernelTracks
  let round: Double
  var time = 0.0

  init(_ entity: Int, _ tracks: KernelTracks) {
    (self.entity, self.tracks) = (entity, tracks)
    round = tracks.seconds[tracks.course(entity)]
  }

  override func advance(_ seconds: Double) {
    time = (time + seconds).truncatingRemainder(dividingBy: round)
    x = tracks.value(entity, turn: time / round)
  }
}

/// A cubic Bézier curve of CSS, solved as browsers do.
package struct BezierCurve: Sendable {
  private let x1, y1, x2, y2: Double

  /// Creates a curve from x1, y1, x2, y2; a straight line without them.
  package init(_ points: [Double]) {
    (x1, y1, x2, y2) =
      points.count == 4 ? (points[0], points[1], points[2], points[3]) : (0, 0, 1, 1)
  }

  /// Height at a progress.
  package func height(_ progress: Double) -> Double {
    var s = progress
    for _ in 0..<8 {
      let miss = Self.at(s, x1, x2) - progress
      if abs(miss) < 1e-6 { break }
      s -= miss / Self.slope(s, x1, x2)
    }
    return Self.at(s, y1, y2)
  }

  private static func at(_ s: Double, _ p1: Double, _ p2: Double) -> Double {
    (((1 + 3 * (p1 - p2)) * s + 3 * (p2 - 2 * p1)) * s + 3 * p1) * s
  }

  private static func slope(_ s: Double, _ p1: Double, _ p2: Double) -> Double {
    (3 * (1 + 3 * (p1 - p2)) * s + 6 * (p2 - 2 * p1)) * s + 3 * p1
  }
}
