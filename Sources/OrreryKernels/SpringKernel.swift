// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Moves springs on by some ticks and places them at each of a tile's.
///
///     displacement += change
///     change       -= stiffness·displacement + damping·change        displacement new, change old
///     x = base + displacement
///
/// `change` is what the next tick adds to the displacement. With stiffness = 1 - trace + determinant and
/// damping = 1 - determinant of the exact solution's matrix for a tick this is the exact solution, see
/// docs/kernels.md; what a slow spring changes in a tick keeps all its digits. Per entity: 20 bytes read and 8
/// written for a tile, and 4 written at each tick.
struct SpringKernel: TileKernel {
  let stiffness: UnsafePointer<Float>
  let damping: UnsafePointer<Float>
  let displacement: UnsafeMutablePointer<Float>
  let change: UnsafeMutablePointer<Float>
  let base: UnsafePointer<Float>

  @inline(__always)
  func place<O: Output>(_ group: TileSink<O>.Group) {
    let (stiffness, damping) = (groups(stiffness)[group.index], groups(damping)[group.index])
    // The whole motion in units: it is linear.
    let base = groups(base)[group.index] * group.scale
    var displacement = groups(self.displacement)[group.index] * group.scale
    var change = groups(self.change)[group.index] * group.scale
    for _ in 0..<group.elapsed { Self.step(&displacement, &change, stiffness, damping) }
    group.write(base + displacement, tick: 0)
    for tick in 1..<max(group.ticks, 1) {
      Self.step(&displacement, &change, stiffness, damping)
      group.write(base + displacement, tick: tick)
    }
    groups(self.displacement)[group.index] = displacement / group.scale
    groups(self.change)[group.index] = change / group.scale
  }

  @inline(__always)
  private static func step(
    _ displacement: inout Lanes, _ change: inout Lanes, _ stiffness: Lanes, _ damping: Lanes
  ) {
    let lost = damping * change
    displacement = displacement + change
    change = change - (stiffness * displacement + lost)
  }
}
