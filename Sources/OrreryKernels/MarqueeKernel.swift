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

  @inline(__always)
  func evaluate<O: Output>(_ group: TileSink<O>.Group) {
    let step = groups(step)[group.index]
    let span = groups(span)[group.index] * (turnUnit * group.scale)
    var phase = groups(phase)[group.index] &+ step &* group.elapsed &+ turnUnitsRounding
    for tick in 0..<group.ticks {
      // Adding zero turns the -0 of a leftward marquee at its start into +0.
      group.write(turnUnits(phase) * span + 0, tick: tick)
      phase &+= step
    }
  }
}
