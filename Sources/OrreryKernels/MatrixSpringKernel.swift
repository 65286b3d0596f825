// SPDX-License-Identifier: Apache-2.0

/// Moves springs on by some ticks and places them.
///
///     displacement += xx·displacement + xv·velocity        for each tick, both from the values before
///     velocity     += vx·displacement + vv·velocity
///     x = base + displacement
///
/// The coefficients are those of the exact solution, less the identity: what a slow spring changes in a
/// tick keeps all its digits. What has become smaller than 2^-100 is 0, so nothing decays into denormals.
/// Per entity: 28 bytes read and 12 written; bound by memory.
func placeMatrixSprings(
  count: UInt32, ticks: UInt32, xx: UnsafePointer<Float>, xv: UnsafePointer<Float>,
  vx: UnsafePointer<Float>, vv: UnsafePointer<Float>, displacement: UnsafeMutablePointer<Float>,
  velocity: UnsafeMutablePointer<Float>, base: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>
) {
  let (xxs, xvs, vxs, vvs) = (groups(xx), groups(xv), groups(vx), groups(vv))
  let (displacements, velocities) = (groups(displacement), groups(velocity))
  let (bases, xs) = (groups(base), groups(x))
  let wholeGroups = Int(count) / Lanes.scalarCount
  for i in 0..<((Int(count) + Lanes.scalarCount - 1) / Lanes.scalarCount) {
    var (d, v) = (displacements[i], velocities[i])
    let (dd, dv, vd, vv) = (xxs[i], xvs[i], vxs[i], vvs[i])
    for _ in 0..<ticks {
      let moved = d + (dd * d + dv * v)
      v = withoutDenormals(v + (vd * d + vv * v))
      d = withoutDenormals(moved)
    }
    (displacements[i], velocities[i]) = (d, v)
    if i < wholeGroups {
      xs[i] = bases[i] + d
    } else {
      storeTail(bases[i] + d, x, count: count)
    }
  }
}

/// Values, and 0 for those closer to it than 2^-100.
@inline(__always)
private func withoutDenormals(_ values: Lanes) -> Lanes {
  let bits = unsafeBitCast(values, to: Words.self)
  let isSmall = (bits & 0x7fff_ffff) .< Words(repeating: 0x0d80_0000)
  return unsafeBitCast(bits.replacing(with: 0, where: isSmall), to: Lanes.self)
}
