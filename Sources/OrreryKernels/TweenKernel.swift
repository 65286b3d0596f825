// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Evaluates tweens that share a curve.
///
///     x = base + progress(frac(phase)) · span
///
/// Per entity: 16 bytes read for a tile and 4 written at each tick; bound by stores if the curve is linear.
struct TweenKernel<Curve: TweenCurve>: TileKernel {
  let phase: UnsafePointer<UInt32>
  let step: UnsafePointer<UInt32>
  let base: UnsafePointer<Float>
  let span: UnsafePointer<Float>
  let curve: Curve

  @inline(__always)
  func begin(_ group: LaneGroup) -> TweenMotion {
    let step = groups(step)[group.index]
    return TweenMotion(
      phase: groups(phase)[group.index] &+ step &* group.elapsed &+ turnRounding, step: step,
      base: groups(base)[group.index] * group.scale, span: groups(span)[group.index] * group.scale)
  }

  @inline(__always)
  func values(_ motion: TweenMotion) -> (Lanes, Lanes) {
    let x = motion.base + curve.progress(motion.phase) * motion.span
    return (x, x)
  }

  @inline(__always)
  func step(_ motion: inout TweenMotion) { motion.phase &+= motion.step }
}

/// Sixteen tweens in registers.
struct TweenMotion {
  var phase: Words
  let step: Words
  let base: Lanes
  let span: Lanes
}

/// A curve that many tweens share.
protocol TweenCurve {
  /// The progress at phases, which are rounded down.
  func progress(_ phase: Words) -> Lanes
}

/// Progress in proportion to time.
struct LinearCurve: TweenCurve {
  @inline(__always)
  func progress(_ phase: Words) -> Lanes { turnFraction(phase) }
}
