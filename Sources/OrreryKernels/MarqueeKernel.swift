// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Evaluates marquees.
///
///     x = frac(phase) · span
///
/// `span` is minus the period for content that moves left and plus the period for content that
/// moves right. Per entity: 12 bytes read for a tile and 4 written at each tick; bound by stores.
struct MarqueeKernel: TileKernel {
  let phase: UnsafePointer<UInt32>
  let step: UnsafePointer<UInt32>
  let span: UnsafePointer<Float>

  struct Motion {
    var phase: Words
    let step: Words
    let span: Lanes
  }

  @inline(__always)
  func begin(_ group: LaneGroup) -> Motion {
    let step = groups(step)[group.index]
    return Motion(
      phase: groups(phase)[group.index] &+ step &* group.elapsed &+ turnUnitsRounding, step: step,
      span: groups(span)[group.index] * (turnUnit * group.scale))
  }

  @inline(__always)
  func values(_ motion: Motion) -> (Lanes, Lanes) {
    // Adding zero turns the -0 of a leftward marquee at its start into +0.
    let x = turnUnits(motion.phase) * motion.span + 0
    return (x, x)
  }

  @inline(__always)
  func step(_ motion: inout Motion) { motion.phase &+= motion.step }
}
