// SPDX-License-Identifier: Apache-2.0

import CKernelTable

/// Evaluates orbits.
///
///     x = radius · cos(2π·phase),  y = radius · sin(2π·phase)                 at a tile border
///     x' = x + (x · less - y · sine),  y' = y + (x · sine + y · less)        from tick to tick
///
/// `less` is the cosine minus 1: the small angle that a slow orbit turns in a tick keeps all its digits.
///
/// Between two borders, a position is that of the last border, turned once for each tick since then: by this
/// kernel, or by `OrbitTurnKernel` if the values of the tick before are in memory. Both give the same bits.
/// Error bound: 1.2e-6 of the radius, see docs/explained/kernels.md.
///
/// Per entity: 20 bytes read for a tile and 8 written at each tick; two polynomials of degree 7 and 6 for
/// the first tick, eight operations for each of the others. Bound by stores.
struct OrbitKernel: TileKernel {
  let phase: UnsafePointer<UInt32>
  let step: UnsafePointer<UInt32>
  let radius: UnsafePointer<Float>
  let turn: OrbitTurn
  /// Turns before the first tick.
  let skipped: UInt32

  @inline(__always)
  func begin(_ group: LaneGroup) -> OrbitMotion {
    let turns = groups(phase)[group.index] &+ groups(step)[group.index] &* group.elapsed
    let position = Position(turns: turns, radius: groups(radius)[group.index] * group.scale)
    var motion = OrbitMotion(position: position, turn: turn[group.index])
    for _ in 0..<skipped { step(&motion) }
    return motion
  }
}

/// Turns orbits, starting from the values of the tick before.
///
/// Per entity: 16 bytes read for a tile and 8 written at each tick. Bound by memory.
struct OrbitTurnKernel: TileKernel {
  let x: UnsafePointer<Float>
  let y: UnsafePointer<Float>
  let turn: OrbitTurn

  @inline(__always)
  func begin(_ group: LaneGroup) -> OrbitMotion {
    let position = Position(x: groups(x)[group.index], y: groups(y)[group.index])
    var motion = OrbitMotion(position: position, turn: turn[group.index])
    step(&motion)
    return motion
  }
}

/// Both kernels turn positions; only where these come from differs.
extension TileKernel where Motion == OrbitMotion {
  @inline(__always)
  static var fieldCount: Int { 2 }

  @inline(__always)
  func values(_ motion: OrbitMotion) -> (Lanes, Lanes) { (motion.position.x, motion.position.y) }

  @inline(__always)
  func step(_ motion: inout OrbitMotion) { motion.position.turn(motion.turn) }
}

/// Sixteen orbits in registers.
struct OrbitMotion {
  fileprivate var position: Position
  fileprivate let turn: (less: Lanes, sine: Lanes)
}

/// Cosine minus 1, and sine, of the angles by which orbits turn in a tick.
struct OrbitTurn {
  let less: UnsafePointer<Float>
  let sine: UnsafePointer<Float>

  @inline(__always)
  subscript(group: Int) -> (less: Lanes, sine: Lanes) {
    (groups(less)[group], groups(sine)[group])
  }
}

/// Positions of sixteen orbits.
private struct Position {
  var x: Lanes
  var y: Lanes

  @inline(__always)
  init(x: Lanes, y: Lanes) {
    (self.x, self.y) = (x, y)
  }

  /// Positions at the angles `turns`, in units of 2^-32 turns.
  ///
  /// The angle is split into the nearest quarter turn and a remainder u in [-1/2, 1/2] quarter turns.
  /// Minimax polynomials in u² give sine and cosine of u; bit operations choose and sign them by quarter.
  @inline(__always)
  init(turns: Words, radius: Lanes) {
    let u = kernel_floats(turns &<< 2) * 0x1p-32
    let z = u * u
    let sine = u * (0x1.921fb6p+0 + z * (-0x1.4abbbap-1 + z * (0x1.465ec6p-4 + z * -0x1.2d9bb8p-8)))
    let cosine = 1.0 + z * (-0x1.3bd3c6p+0 + z * (0x1.03b99p-2 + z * -0x1.5039d2p-6))

    let shifted = turns &+ 0x2000_0000
    let isSwapped = shifted &<< 1
    let cosineSign = (shifted &+ 0x4000_0000) & 0x8000_0000
    let sineSign = shifted & 0x8000_0000
    x = radius * Self.signed(kernel_choice(isSwapped, cosine, sine), cosineSign)
    y = radius * Self.signed(kernel_choice(isSwapped, sine, cosine), sineSign)
  }

  @inline(__always)
  private static func signed(_ values: Lanes, _ sign: Words) -> Lanes {
    unsafeBitCast(unsafeBitCast(values, to: Words.self) ^ sign, to: Lanes.self)
  }

  /// Turns each position about its centre.
  @inline(__always)
  mutating func turn(_ turn: (less: Lanes, sine: Lanes)) {
    let x = x + (x * turn.less - y * turn.sine)
    y = y + (self.x * turn.sine + y * turn.less)
    self.x = x
  }
}
