// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Steps springs to a tile's first tick, then evaluates them at each of its ticks.
///
///     displacement += change
///     change       -= stiffness·displacement + damping·change        displacement new, change old
///     x = base + displacement
///
/// `change` is what the next tick adds to the displacement. With stiffness = 1 - trace + determinant
/// and damping = 1 - determinant of the exact solution's matrix for a tick this is the exact solution,
/// see docs/kernels.md. The small change of a slow spring in a tick keeps all its digits. Per entity:
/// 20 bytes read and 8 written for a tile, and 4 written at each tick; bound by stores, in cache by
/// arithmetic.
struct SpringKernel: TileKernel {
  let stiffness: UnsafePointer<Float>
  let damping: UnsafePointer<Float>
  let displacement: UnsafeMutablePointer<Float>
  let change: UnsafeMutablePointer<Float>
  let base: UnsafeMutablePointer<Float>

  @inline(__always)
  func evaluate<O: Output>(_ group: TileSink<O>.Group) {
    var springs = SpringGroup(self, group.index, scale: group.scale)
    springs.evaluate(group)
    springs.storeState(self, group.index)
  }
}

/// The same, with springs that restart from a new state within the tile.
struct RestartedSpringKernel: TileKernel {
  let springs: SpringKernel
  let restarted: UnsafeMutablePointer<kernel_restarted_springs>

  @inline(__always)
  func evaluate<O: Output>(_ group: TileSink<O>.Group) {
    var springs = SpringGroup(self.springs, group.index, scale: group.scale)
    if kernel_restarted_springs_group(restarted)[group.index] == 0 {
      springs.evaluate(group)
    } else {
      springs.evaluate(group, restarted)
      groups(self.springs.base)[group.index] = springs.unscaledBase
    }
    springs.storeState(self.springs, group.index)
  }
}

/// Sixteen springs in registers, in the units of their output column: the motion is linear.
private struct SpringGroup {
  private let stiffness: Lanes
  private let damping: Lanes
  private var displacement: Lanes
  private var change: Lanes
  private var base: Lanes
  private let scale: Lanes

  @inline(__always)
  init(_ springs: SpringKernel, _ index: Int, scale: Lanes) {
    stiffness = groups(springs.stiffness)[index]
    damping = groups(springs.damping)[index]
    displacement = groups(springs.displacement)[index] * scale
    change = groups(springs.change)[index] * scale
    base = groups(springs.base)[index] * scale
    self.scale = scale
  }

  @inline(__always)
  private mutating func step() {
    let lost = damping * change
    displacement = displacement + change
    change = change - (stiffness * displacement + lost)
  }

  @inline(__always)
  mutating func evaluate<O: Output>(_ group: TileSink<O>.Group) {
    for _ in 0..<group.elapsed { step() }
    group.write(base + displacement, tick: 0)
    for tick in 1..<max(group.ticks, 1) {
      step()
      group.write(base + displacement, tick: tick)
    }
  }

  @inline(__always)
  mutating func evaluate<O: Output>(
    _ group: TileSink<O>.Group, _ restarted: UnsafeMutablePointer<kernel_restarted_springs>
  ) {
    let steps = UnsafeMutableRawPointer(kernel_restarted_springs_step(restarted))
      .assumingMemoryBound(to: Words.self)
    let restartSteps = steps[group.index]
    let newDisplacement =
      groups(kernel_restarted_springs_displacement(restarted))[group.index] * scale
    let newChange = groups(kernel_restarted_springs_change(restarted))[group.index] * scale
    let newBase = groups(kernel_restarted_springs_base(restarted))[group.index] * scale
    // Without a branch: the processor would mispredict it at every restart.
    @inline(__always)
    func step(_ number: UInt32) {
      self.step()
      let isNew = (restartSteps ^ number) &- 1
      displacement = kernel_choice(isNew, displacement, newDisplacement)
      change = kernel_choice(isNew, change, newChange)
      base = kernel_choice(isNew, base, newBase)
    }
    for number in 0..<group.elapsed { step(number + 1) }
    group.write(base + displacement, tick: 0)
    for tick in 1..<max(group.ticks, 1) {
      step(group.elapsed &+ UInt32(truncatingIfNeeded: tick))
      group.write(base + displacement, tick: tick)
    }
    steps[group.index] = Words(repeating: UInt32(KERNEL_NOT_RESTARTED))
    kernel_restarted_springs_group(restarted)[group.index] = 0
  }

  @inline(__always)
  func storeState(_ springs: SpringKernel, _ index: Int) {
    // Exact: the scale is a power of two.
    let unit = 1 / scale
    groups(springs.displacement)[index] = displacement * unit
    groups(springs.change)[index] = change * unit
  }

  var unscaledBase: Lanes {
    @inline(__always) get { base * (1 / scale) }
  }
}
