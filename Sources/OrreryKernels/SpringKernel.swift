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
/// see docs/explained/kernels.md. The small change of a slow spring in a tick keeps all its digits. Per entity:
/// 20 bytes read and 8 written for a tile, and 4 written at each tick; bound by stores, in cache by
/// arithmetic.
struct SpringKernel: TileKernel {
  let stiffness: UnsafePointer<Float>
  let damping: UnsafePointer<Float>
  let displacement: UnsafeMutablePointer<Float>
  let change: UnsafeMutablePointer<Float>
  let base: UnsafeMutablePointer<Float>

  @inline(__always)
  func begin(_ group: LaneGroup) -> SpringMotion {
    var motion = motion(group)
    for _ in 0..<group.elapsed { motion.step() }
    return motion
  }

  /// The motion at the tick of the parameters.
  @inline(__always)
  fileprivate func motion(_ group: LaneGroup) -> SpringMotion {
    SpringMotion(
      stiffness: groups(stiffness)[group.index], damping: groups(damping)[group.index],
      displacement: groups(displacement)[group.index] * group.scale,
      change: groups(change)[group.index] * group.scale,
      base: groups(base)[group.index] * group.scale)
  }

  @inline(__always)
  func values(_ motion: SpringMotion) -> (Lanes, Lanes) {
    let x = motion.base + motion.displacement
    return (x, x)
  }

  @inline(__always)
  func step(_ motion: inout SpringMotion) { motion.step() }

  @inline(__always)
  func end(_ motion: SpringMotion, _ group: LaneGroup) {
    // Exact: the scale is a power of two.
    let unit = 1 / group.scale
    groups(displacement)[group.index] = motion.displacement * unit
    groups(change)[group.index] = motion.change * unit
  }
}

/// Sixteen springs in registers, in the units of their output column: the motion is linear.
struct SpringMotion {
  fileprivate let stiffness: Lanes
  fileprivate let damping: Lanes
  fileprivate var displacement: Lanes
  fileprivate var change: Lanes
  fileprivate var base: Lanes

  @inline(__always)
  fileprivate mutating func step() {
    let lost = damping * change
    displacement = displacement + change
    change = change - (stiffness * displacement + lost)
  }
}

/// The same for a lane group some of whose springs restart from a new state within the tile.
struct RestartedSpringKernel: TileKernel {
  let springs: SpringKernel
  let restarted: UnsafeMutablePointer<kernel_restarted_springs>

  struct Motion {
    fileprivate var spring: SpringMotion
    /// Steps until each spring restarts.
    fileprivate var stepsLeft: Words
    fileprivate let displacement: Lanes
    fileprivate let change: Lanes
    fileprivate let base: Lanes
  }

  /// Two motions and their constants take 24 registers.
  @inline(__always)
  static var isPaired: Bool { KERNEL_REGISTER_GROUPS >= 24 }

  @inline(__always)
  func begin(_ group: LaneGroup) -> Motion {
    let index = group.index
    var motion = Motion(
      spring: springs.motion(group), stepsLeft: kernel_load_halves(restartSteps(index)),
      displacement: groups(kernel_restarted_springs_displacement(restarted))[index] * group.scale,
      change: groups(kernel_restarted_springs_change(restarted))[index] * group.scale,
      base: groups(kernel_restarted_springs_base(restarted))[index] * group.scale)
    for _ in 0..<group.elapsed { step(&motion) }
    return motion
  }

  @inline(__always)
  private func restartSteps(_ index: Int) -> UnsafeMutablePointer<UInt16> {
    kernel_restarted_springs_step(restarted) + index &* Lanes.scalarCount
  }

  @inline(__always)
  func values(_ motion: Motion) -> (Lanes, Lanes) { springs.values(motion.spring) }

  /// Without a branch: the processor would mispredict it at every restart.
  @inline(__always)
  func step(_ motion: inout Motion) {
    motion.spring.step()
    motion.stepsLeft &-= 1
    motion.spring.displacement = kernel_choice_at_0(
      motion.stepsLeft, motion.spring.displacement, motion.displacement)
    motion.spring.change = kernel_choice_at_0(
      motion.stepsLeft, motion.spring.change, motion.change)
    motion.spring.base = kernel_choice_at_0(motion.stepsLeft, motion.spring.base, motion.base)
  }

  @inline(__always)
  func end(_ motion: Motion, _ group: LaneGroup) {
    springs.end(motion.spring, group)
    groups(springs.base)[group.index] = motion.spring.base * (1 / group.scale)
    kernel_store_halves(
      restartSteps(group.index), Words(repeating: UInt32(KERNEL_NOT_RESTARTED)))
    kernel_restarted_springs_group(restarted)[group.index] = 0
  }
}
