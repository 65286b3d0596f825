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
/// written for a tile, and 4 written at each tick; bound by stores, in cache by arithmetic.
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
    springs.keep(self, group.index)
  }
}

/// The same for springs of which some get another state in between.
struct PlacedSpringKernel: TileKernel {
  let springs: SpringKernel
  let placed: UnsafeMutablePointer<kernel_placed_springs>

  @inline(__always)
  func evaluate<O: Output>(_ group: TileSink<O>.Group) {
    var springs = SpringGroup(self.springs, group.index, scale: group.scale)
    if kernel_placed_springs_group(placed)[group.index] == 0 {
      springs.evaluate(group)
    } else {
      springs.evaluate(group, placed)
      groups(self.springs.base)[group.index] = springs.unscaledBase
    }
    springs.keep(self.springs, group.index)
  }
}

/// Sixteen springs in registers, in the units of the column that they are written to: their motion is linear.
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
    _ group: TileSink<O>.Group, _ placed: UnsafeMutablePointer<kernel_placed_springs>
  ) {
    let steps = UnsafeMutableRawPointer(kernel_placed_springs_step(placed))
      .assumingMemoryBound(to: Words.self)
    let placedSteps = steps[group.index]
    let newDisplacement = groups(kernel_placed_springs_displacement(placed))[group.index] * scale
    let newChange = groups(kernel_placed_springs_change(placed))[group.index] * scale
    let newBase = groups(kernel_placed_springs_base(placed))[group.index] * scale
    // No step is awaited in a branch: it would be guessed wrong as often as there is one.
    @inline(__always)
    func step(_ number: UInt32) {
      self.step()
      let isNew = (placedSteps ^ number) &- 1
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
    steps[group.index] = Words(repeating: UInt32(KERNEL_NOT_PLACED))
    kernel_placed_springs_group(placed)[group.index] = 0
  }

  @inline(__always)
  func keep(_ springs: SpringKernel, _ index: Int) {
    // The scale is a power of two.
    let unit = 1 / scale
    groups(springs.displacement)[index] = displacement * unit
    groups(springs.change)[index] = change * unit
  }

  var unscaledBase: Lanes {
    @inline(__always) get { base * (1 / scale) }
  }
}
