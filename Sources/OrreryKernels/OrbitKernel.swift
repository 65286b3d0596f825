// SPDX-License-Identifier: Apache-2.0

/// Places orbits.
///
///     x = radius · cos(2π·phase),  y = radius · sin(2π·phase)
///
/// Per entity: 12 bytes read, 8 written; two polynomials of degree 7 and 6. Bound by arithmetic
/// while in cache, by memory beyond it. Error bound: 2e-7 of the radius from the polynomials and
/// 2e-7 from the phase, see docs/kernels.md.
func placeOrbits(
  count: UInt32, elapsed: UInt32, phase: UnsafePointer<UInt32>, step: UnsafePointer<UInt32>,
  radius: UnsafePointer<Float>, x: UnsafeMutablePointer<Float>, y: UnsafeMutablePointer<Float>
) {
  let (phases, steps, radii) = (groups(phase), groups(step), groups(radius))
  let (xs, ys) = (groups(x), groups(y))
  let wholeGroups = Int(count) / Lanes.scalarCount
  for i in 0..<wholeGroups {
    let (cosine, sine) = cosineAndSine(turns: phases[i] &+ steps[i] &* elapsed)
    xs[i] = radii[i] * cosine
    ys[i] = radii[i] * sine
  }
  if Int(count) % Lanes.scalarCount != 0 {
    let i = wholeGroups
    let (cosine, sine) = cosineAndSine(turns: phases[i] &+ steps[i] &* elapsed)
    storeTail(radii[i] * cosine, x, count: count)
    storeTail(radii[i] * sine, y, count: count)
  }
}

/// Cosine and sine of angles given in turns of 2^32.
///
/// The angle is split into the nearest quarter turn and a rest u in [-1/2, 1/2) quarter turns; minimax
/// polynomials in u² give sine and cosine of the rest, and bit operations put them in place.
@inline(__always)
private func cosineAndSine(turns: Words) -> (Lanes, Lanes) {
  let shifted = turns &+ 0x2000_0000
  let quarter = shifted &>> 30
  let rest = ((shifted &<< 2) &>> 9) | 0x3f80_0000
  let u = unsafeBitCast(rest, to: Lanes.self) - 1.5
  let z = u * u
  let sine = u * (0x1.921fb6p+0 + z * (-0x1.4abbbap-1 + z * (0x1.465ec6p-4 + z * -0x1.2d9bb8p-8)))
  let cosine = 1 + z * (-0x1.3bd3c6p+0 + z * (0x1.03b99p-2 + z * -0x1.5039d2p-6))

  let (sineBits, cosineBits) = (
    unsafeBitCast(sine, to: Words.self), unsafeBitCast(cosine, to: Words.self)
  )
  let odd = 0 &- (quarter & 1)
  let swap = (sineBits ^ cosineBits) & odd
  let cosineSign = ((quarter &+ 1) & 2) &<< 30
  let sineSign = (quarter & 2) &<< 30
  return (
    unsafeBitCast((cosineBits ^ swap) ^ cosineSign, to: Lanes.self),
    unsafeBitCast((sineBits ^ swap) ^ sineSign, to: Lanes.self)
  )
}
