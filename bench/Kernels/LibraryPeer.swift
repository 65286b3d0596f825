// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Animation as libraries do it: each animation is an object behind a protocol, kept by its target, with a
/// clock, a closure that interpolates, and a closure that receives each value.
final class LibraryPeer: PeerWork {
  private var animations: [ObjectIdentifier: any LibraryAnimation] = [:]
  private let targets: [LibraryTarget]

  init(_ task: KernelTask) {
    targets = (0..<task.count).map { _ in LibraryTarget() }
    if let tracks = task.tracks {
      for (entity, target) in targets.enumerated() {
        animations[ObjectIdentifier(target)] = ClosureAnimation(
          duration: tracks.seconds[tracks.course(entity)], time: 0,
          value: { [tracks.value(entity, turn: $0)] },
          onValueChanged: { target.position.x = $0[0] })
      }
      return
    }
    let columns = task.columns
    let curve = BezierCurve(columns.last ?? [])
    for (entity, target) in targets.enumerated() {
      let p = columns.map { entity < $0.count ? $0[entity] : 0 }
      animations[ObjectIdentifier(target)] = Self.animation(task.kind, p, curve, target)
    }
  }

  private static func animation(
    _ kind: KernelKind, _ p: [Double], _ curve: BezierCurve, _ target: LibraryTarget
  ) -> any LibraryAnimation {
    switch kind {
    case .orbit:
      return ClosureAnimation(
        duration: p[3], time: p[4] * p[3],
        value: { [p[0] + p[2] * cos(2 * .pi * $0), p[1] + p[2] * sin(2 * .pi * $0)] },
        onValueChanged: { target.position = ($0[0], $0[1]) })
    case .flow:
      return ClosureAnimation(
        duration: p[1] / p[0], time: -p[2], value: { [p[1] * max($0, 0)] },
        onValueChanged: { target.position.x = $0[0] })
    case .tween:
      return ClosureAnimation(
        duration: p[2], time: p[3] * p[2],
        value: { [p[0] + (p[1] - p[0]) * curve.height($0 <= 0.5 ? 2 * $0 : 2 - 2 * $0)] },
        onValueChanged: { target.position.x = $0[0] })
    case .spring:
      return LibrarySpring(p) { target.position.x = $0[0] }
    default:
      return ClosureAnimation(
        duration: p[1] / p[0], time: p[2] * p[1] / p[0], value: { [p[1] * $0] },
        onValueChanged: { target.position.x = $0[0] })
    }
  }

  func tick(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    for animation in animations.values { animation.advance(KernelTask.tickSeconds) }
  }

  func values(_ columns: UnsafePointer<UnsafeMutablePointer<Float>?>) {
    for (index, target) in targets.enumerated() {
      columns[0]?[index] = Float(target.position.x)
      if target.position.y != 0 { columns[1]?[index] = Float(target.position.y) }
    }
  }
}

/// The animated object.
private final class LibraryTarget {
  var position = (x: 0.0, y: 0.0)
}

/// An animation that the library's loop advances at every tick.
private protocol LibraryAnimation: AnyObject {
  func advance(_ seconds: Double)
}

/// A repeated animation: its value is a function of the elapsed fraction of the duration.
private final class ClosureAnimation: LibraryAnimation {
  private let duration: Double
  private var time: Double
  private let value: (Double) -> [Double]
  private let onValueChanged: ([Double]) -> Void

  init(
    duration: Double, time: Double, value: @escaping (Double) -> [Double],
    onValueChanged: @escaping ([Double]) -> Void
  ) {
    (self.duration, self.time) = (duration, time)
    (self.value, self.onValueChanged) = (value, onValueChanged)
  }

  func advance(_ seconds: Double) {
    time += seconds
    if time >= duration { time.formTruncatingRemainder(dividingBy: duration) }
    onValueChanged(value(time / duration))
  }
}

/// A spring that restarts after each period.
private final class LibrarySpring: LibraryAnimation {
  private let frequency, dampingRatio, period: Double
  private var from, to, time: Double
  private let onValueChanged: ([Double]) -> Void

  init(_ p: [Double], onValueChanged: @escaping ([Double]) -> Void) {
    (frequency, dampingRatio, period) = (2 * .pi / p[2], p[3], p[4])
    let isBack = p[5] >= 1
    (from, to) = isBack ? (p[1], p[0]) : (p[0], p[1])
    time = (isBack ? p[5] - 1 : p[5]) * period
    self.onValueChanged = onValueChanged
  }

  func advance(_ seconds: Double) {
    time += seconds
    if time >= period {
      time -= period
      (from, to) = (to, from)
    }
    let root = (1 - dampingRatio * dampingRatio).squareRoot()
    let angle = frequency * root * time
    let swing = cos(angle) + dampingRatio / root * sin(angle)
    onValueChanged([to + (from - to) * exp(-dampingRatio * frequency * time) * swing])
  }
}
