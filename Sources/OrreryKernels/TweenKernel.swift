// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Evaluates linear tweens.
///
///     x = base + frac(phase) · span
///
/// Per entity: 16 bytes read for a tile and 4 written at each tick; bound by stores.
struct TweenKernel: TileKernel {
  let phase: UnsafePointer<UInt32>
  let step: UnsafePointer<UInt32>
  let base: UnsafePointer<Float>
  let span: UnsafePointer<Float>

  @inline(__always)
  func evaluate<O: Output>(_ group: TileSink<O>.Group) { evaluate(group, progress: turnFraction) }

  /// Evaluates a lane group; `progress` rounds phases down and maps them to progress.
  @inline(__always)
  func evaluate<O: Output>(_ group: TileSink<O>.Group, progress: (Words) -> Lanes) {
    let step = groups(step)[group.index]
    let base = groups(base)[group.index] * group.scale
    let span = groups(span)[group.index] * group.scale
    var phase = groups(phase)[group.index] &+ step &* group.elapsed &+ turnRounding
    for tick in 0..<group.ticks {
      group.write(base + progress(phase) * span, tick: tick)
      phase &+= step
    }
  }
}
